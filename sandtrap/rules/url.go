package rules

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
)

// An address is a URL as it is compared: without the port that its scheme has anyway, and with a clean and decoded path.
type address struct {
	scheme, host, port string
	labels             []string // of the host
	segments           []string // of the path
}

// ports are those that a URL of a scheme needs not name.
var ports = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

var errUnclear = errors.New("not every client reads it alike")

// address reads a URL. Its parts are in c until the next one. One that not every client reads alike is an error: with a user,
// with characters that some drop or replace, and with a host that is neither a name nor an IP address in its usual form.
// It allocates for capitals and percent signs alone.
func (c *call) address(text string) (a address, err error) {
	scheme, rest, ok := strings.Cut(text, "://")
	if a.scheme = strings.ToLower(scheme); !ok || !isScheme(a.scheme) {
		return a, errUnclear
	}
	host, rest := cutAny(rest, "/?#")
	if a.host, a.port, err = a.splitHost(host); err != nil {
		return a, err
	}
	file, _ := cutAny(rest, "?#")
	if file, err = decodePath(file); err != nil {
		return a, err
	}
	a.labels = c.segments[:0]
	for label := range strings.SplitSeq(a.host, ".") {
		a.labels = append(a.labels, label)
	}
	n := min(len(a.labels), len(c.segments))
	c.at = place{segments: c.segments[n:n], absolute: true}
	c.at.walk(file)
	a.segments = c.at.segments
	c.used = max(c.used, n+c.at.most)
	return a, nil
}

// cutAny cuts text before the first of some characters.
func cutAny(text, chars string) (before, rest string) {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

func isScheme(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z':
		case i > 0 && ('0' <= b && b <= '9' || b == '+' || b == '-' || b == '.'):
		default:
			return false
		}
	}
	return text != ""
}

// splitHost reads host and port of a URL with the scheme of a.
func (a *address) splitHost(text string) (host, port string, err error) {
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, ']') {
		text, port = text[:i], text[i+1:]
	}
	if !isPort(port) {
		return "", "", errUnclear
	}
	if port == ports[a.scheme] {
		port = ""
	}
	host, err = canonicalHost(text)
	return host, port, err
}

// isPort reports that text is a number of at most five digits, or empty, which is the port of the scheme.
func isPort(text string) bool {
	return strings.Trim(text, "0123456789") == "" && !strings.HasPrefix(text, "0") && len(text) <= 5
}

// canonicalHost is a name in small letters without a dot at its end, or an IP address: one of version 6 is in brackets.
func canonicalHost(text string) (string, error) {
	inner, v6 := strings.CutPrefix(text, "[")
	if v6 {
		var closed bool
		inner, closed = strings.CutSuffix(inner, "]")
		ip, err := netip.ParseAddr(inner)
		if !closed || err != nil || ip.Zone() != "" || ip.Is4() {
			return "", errUnclear
		}
		return ip.Unmap().String(), nil
	}
	host := strings.TrimSuffix(strings.ToLower(text), ".")
	label := 0 // bytes of the label so far
	for i := range len(host) {
		switch b := host[i]; {
		case b == '.' && label > 0:
			label = -1
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '-', b == '_':
		default:
			return "", errUnclear
		}
		label++
	}
	if label == 0 {
		return "", errUnclear
	}
	if last := host[len(host)-label]; '0' <= last && last <= '9' { // an address, or it is one to some
		if ip, err := netip.ParseAddr(host); err != nil || !ip.Is4() {
			return "", errUnclear
		}
	}
	return host, nil
}

// decodePath decodes the path of a URL.
func decodePath(text string) (string, error) {
	plain := true
	for i := range len(text) {
		switch b := text[i]; {
		case b == '%':
			plain = false
		case b <= ' ' || b >= 0x7f || strings.IndexByte("\\;\"<>^`{|}", b) >= 0:
			return "", errUnclear
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
				return "", errUnclear
			}
			b = unhex(text[i+1])<<4 | unhex(text[i+2])
			i += 2
			if b < ' ' || b == 0x7f || strings.IndexByte("/\\%;", b) >= 0 {
				return "", errUnclear // it is a separator to some
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

// A urlGlob is a pattern of URLs.
type urlGlob struct {
	scheme, port string // * is any
	literal      string // the host, if it is no pattern
	host         []segment
	path         []segment
}

// parseURL reads a pattern: https://api.example.com/v1/**, https://**.example.com:8443/**, *://[::1]:*/**.
func parseURL(text string) (g urlGlob, err error) {
	scheme, rest, ok := strings.Cut(text, "://")
	host, file, hasPath := strings.Cut(rest, "/")
	g.scheme = strings.ToLower(scheme)
	if !ok || !hasPath || g.scheme != "*" && !isScheme(g.scheme) {
		return g, fmt.Errorf("pattern %q is not of the form scheme://host/path; /** is every path", text)
	}
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, g.port = host[:i], host[i+1:]
	}
	if g.port != "*" && !isPort(g.port) {
		return g, fmt.Errorf("pattern %q: port %q is neither a number nor *", text, g.port)
	}
	if g.port == ports[g.scheme] {
		g.port = ""
	}
	if host = strings.ToLower(host); !strings.ContainsAny(host, "*?") {
		if host, err = canonicalHost(host); err != nil {
			return g, fmt.Errorf("pattern %q: host: %w", text, err)
		}
		g.literal = host
	}
	if g.host, err = parseSegments(host, "."); err != nil {
		return g, err
	}
	if file, err = decodePattern(file); err != nil {
		return g, fmt.Errorf("pattern %q: %w", text, err)
	}
	at := place{absolute: true}
	if at.walk(file); len(at.segments) > 0 {
		g.path, err = parseSegments(strings.Join(at.segments, "/"), "/")
	}
	return g, err
}

// decodePattern decodes the path of a pattern. What comes behind a ? is text of a segment, not a query.
func decodePattern(text string) (string, error) {
	if strings.Contains(text, "#") {
		return "", errors.New("the part of a URL behind # is not compared")
	}
	return decodePath(text)
}

func (g *urlGlob) matches(a *address) bool {
	return (g.scheme == "*" || g.scheme == a.scheme) && (g.port == "*" || g.port == a.port) &&
		(g.literal == a.host || g.literal == "" && matchSegments(g.host, a.labels)) && matchSegments(g.path, a.segments)
}

// A urls is a check of a URL by patterns, of which one has to match.
type urls []urlGlob

func makeURL(_ *scope, c *Condition, _ reflect.Type) (check, error) {
	var list urls
	for _, text := range c.URL {
		g, err := parseURL(text)
		if err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	if len(list) == 0 {
		return nil, errors.New("an empty list")
	}
	return list, nil
}

func (u urls) holds(v reflect.Value, c *call) truth {
	if v.Kind() != reflect.String {
		return unknown
	}
	a, err := c.address(v.String())
	if err != nil {
		return unknown
	}
	for i := range u {
		if u[i].matches(&a) {
			return yes
		}
	}
	return no
}
