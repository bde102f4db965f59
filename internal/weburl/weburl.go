// Package weburl reads the parts of URLs, and refuses those that clients and servers do not all read alike.
//
// It may not import another package of the module, resolve a name, or guess what a text was meant to be.
package weburl

import (
	"errors"
	"net/netip"
	"strings"
)

// ErrUnclear is the error for a part that not everybody reads alike.
var ErrUnclear = errors.New("not every client reads it alike")

// Bounds of names in DNS, in bytes.
const (
	maxHost  = 253
	maxLabel = 63
)

// Host is the canonical form of a host: a name in small letters without a dot at its end, or an IP address. One of version 6 is
// in brackets, and has none in the canonical form; one that is mapped from version 4 becomes that. A name is ASCII. An
// address of version 4 has four decimal numbers without zeros before them. Host allocates for capitals and addresses alone.
func Host(text string) (string, error) {
	inner, v6 := strings.CutPrefix(text, "[")
	if v6 {
		var closed bool
		inner, closed = strings.CutSuffix(inner, "]")
		ip, err := netip.ParseAddr(inner)
		if !closed || err != nil || ip.Zone() != "" || ip.Is4() {
			return "", ErrUnclear
		}
		return ip.Unmap().String(), nil
	}
	host := strings.TrimSuffix(asciiLower(text), ".")
	if len(host) > maxHost {
		return "", ErrUnclear
	}
	label := 0 // bytes of the label so far
	for i := range len(host) {
		switch b := host[i]; {
		case b == '.' && label > 0:
			label = -1
		case label == maxLabel:
			return "", ErrUnclear
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '-', b == '_':
		default:
			return "", ErrUnclear
		}
		label++
	}
	if label == 0 {
		return "", ErrUnclear
	}
	if last := host[len(host)-label]; '0' <= last && last <= '9' { // an address, or it is one to some
		if ip, err := netip.ParseAddr(host); err != nil || !ip.Is4() {
			return "", ErrUnclear
		}
	}
	return host, nil
}

// asciiLower is text in small letters. strings.ToLower makes ASCII of some letters that are not: of the sign of Kelvin, say.
func asciiLower(text string) string {
	for i := range len(text) {
		if 'A' <= text[i] && text[i] <= 'Z' {
			return strings.Map(func(r rune) rune {
				if 'A' <= r && r <= 'Z' {
					return r | 0x20
				}
				return r
			}, text)
		}
	}
	return text
}

// SplitPort cuts the port off a host, if it has one: a number of at most five digits, or nothing behind the colon.
func SplitPort(text string) (host, port string, err error) {
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, ']') {
		text, port = text[:i], text[i+1:]
	}
	if strings.Trim(port, "0123456789") != "" || strings.HasPrefix(port, "0") || len(port) > 5 {
		return text, port, ErrUnclear
	}
	return text, port, nil
}

// Path decodes the path of a URL. A separator that is written with a percent sign, or that is one to some only, is an error, and
// so are characters that have to be written with one. It allocates for percent signs alone.
func Path(text string) (string, error) {
	plain := true
	for i := range len(text) {
		switch b := text[i]; {
		case b == '%':
			plain = false
		case b <= ' ' || b >= 0x7f || strings.IndexByte("\\;\"<>^`{|}", b) >= 0:
			return "", ErrUnclear
		}
	}
	if plain {
		return text, nil
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b == '%' {
			if i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2]) {
				return "", ErrUnclear
			}
			b = unhex(text[i+1])<<4 | unhex(text[i+2])
			i += 2
			if b < ' ' || b == 0x7f || strings.IndexByte("/\\%;", b) >= 0 {
				return "", ErrUnclear // it is a separator to some
			}
		}
		out.WriteByte(b)
	}
	return out.String(), nil
}

func isHex(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b|' ' && b|' ' <= 'f'
}

func unhex(b byte) byte {
	if b <= '9' {
		return b - '0'
	}
	return b&7 + 9
}
