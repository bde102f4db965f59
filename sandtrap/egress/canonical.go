package egress

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/sandtrap-go/sandtrap/internal/weburl"
)

// An Address is a URL, or a host alone, in its canonical form: there is one for all spellings.
type Address struct {
	Scheme string // "http" or "https"; empty for a host alone
	Host   string // a name of ASCII in small letters without a dot at its end, or an IP address without brackets
	Port   uint16 // that of the scheme if the text has none; 0 for a host without one
	Path   string // as it is sent, with percent signs; "/" if the text has none; empty for a host alone
	Query  string // as it is sent, without the ?
}

// A ParseError is a URL, or a host, that cannot be allowed because clients do not all read it alike.
type ParseError struct {
	Text   string // at most 200 bytes of it
	Reason string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%q is not a URL that can be allowed: %s", e.Text, e.Reason)
}

// maxShown is how many bytes of a text errors and events have.
const maxShown = 200

// shown is a text of at most maxShown bytes.
func shown(text string) string {
	if len(text) > maxShown {
		return strings.ToValidUTF8(text[:maxShown], "") + "..."
	}
	return text
}

// schemes are those of requests, and their ports.
var schemes = map[string]uint16{"http": 80, "https": 443}

// maxURL is how many bytes a URL may have.
const maxURL = 16 << 10

// Canonical reads an http or https URL, or a host with or without a port: what has no "://" is a host. The result is the only
// form in which addresses are compared and used; Canonical of its String is the same. An error is a *ParseError.
//
// Names are mapped to ASCII as browsers and net/http do it, by the Lookup profile of IDNA. IP addresses of version 4 have
// four decimal numbers: in other spellings, as 0x7f.1, 2130706433, 127.1 and 0177.0.0.1, they are addresses to some resolvers, other
// addresses to some, and names to others, so they are refused. So are users, zones, percent signs in a host, backslashes, spaces and control characters.
func Canonical(text string) (Address, error) {
	a, reason := canonical(text)
	if reason != "" {
		return Address{}, &ParseError{shown(text), reason}
	}
	return a, nil
}

// canonical is the address, or the reason why there is none.
func canonical(text string) (a Address, reason string) {
	if reason := unreadable(text); reason != "" {
		return a, reason
	}
	scheme, rest, isURL := strings.Cut(text, "://")
	if !isURL {
		return a, a.setHost(text)
	}
	a.Scheme = strings.ToLower(scheme)
	if a.Port = schemes[a.Scheme]; a.Port == 0 {
		return a, "its scheme is neither http nor https"
	}
	rest, _, _ = strings.Cut(rest, "#")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	if reason := a.setHost(rest[:end]); reason != "" {
		return a, reason
	}
	path, query, _ := strings.Cut(rest[end:], "?")
	if a.Path, reason = sentPath(path); reason != "" {
		return a, reason
	}
	a.Query = encoded(query, func(c byte) bool { return c < 0x80 })
	return a, ""
}

// unreadable says why a text can be no address; "" if it may be one.
func unreadable(text string) (reason string) {
	switch i := strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }); {
	case len(text) > maxURL:
		return fmt.Sprintf("it has more than %d bytes", maxURL)
	case i >= 0:
		return fmt.Sprintf("it has the character %q", text[i])
	}
	return ""
}

const namesUser = "it names a user: set the header Authorization"

// setHost reads host and port. It returns why that is not possible.
func (a *Address) setHost(text string) (reason string) {
	if strings.Contains(text, "@") {
		return namesUser
	}
	host, port, err := weburl.SplitPort(text)
	if err != nil {
		return "its port is not a number"
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return "its port is above 65535"
		}
		a.Port = uint16(n)
	}
	a.Host, reason = canonicalHost(host)
	return reason
}

// canonicalHost is the canonical form of a host, or the reason why there is none.
func canonicalHost(text string) (host, reason string) {
	if text == "" {
		return "", "it has no host"
	}
	if strings.Contains(text, "%") || !utf8.ValidString(text) {
		return "", "its host has a percent sign, or is not UTF-8"
	}
	if needsIDNA(text) {
		ascii, err := idna.Lookup.ToASCII(text)
		if err != nil {
			return "", "its host is not a valid name: " + err.Error()
		}
		text = ascii
	}
	host, err := weburl.Host(text)
	if err != nil {
		return "", "its host is neither a name nor an IP address in its usual form"
	}
	return host, ""
}

// needsIDNA reports that a host has a label that is not ASCII, or is the encoding of one.
func needsIDNA(host string) bool {
	for i := range len(host) {
		if host[i] >= 0x80 {
			return true
		}
	}
	return strings.Contains(strings.ToLower(host), "xn--")
}

// sentPath is a path as it is sent.
func sentPath(path string) (sent, reason string) {
	if path == "" {
		return "/", ""
	}
	if _, err := url.PathUnescape(path); err != nil {
		return "", "its path has a percent sign without two hexadecimal digits"
	}
	return encoded(path, plainInPath), ""
}

// plainInPath reports that net/url sends a byte in a path as it is.
func plainInPath(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.~/%!$&'()*+,;=:@[]", c) >= 0
}

// encoded is text with percent signs for all bytes but plain ones.
func encoded(text string, plain func(byte) bool) string {
	for i := range len(text) {
		if plain(text[i]) {
			continue
		}
		out := []byte(text[:i])
		for ; i < len(text); i++ {
			if c := text[i]; plain(c) {
				out = append(out, c)
			} else {
				out = fmt.Appendf(out, "%%%02X", c)
			}
		}
		return string(out)
	}
	return text
}

// IP is the address that the host is, if it is one.
func (a *Address) IP() (netip.Addr, bool) {
	last := a.Host[len(a.Host)-1]
	if !strings.Contains(a.Host, ":") && (last < '0' || last > '9') {
		return netip.Addr{}, false
	}
	ip, err := netip.ParseAddr(a.Host)
	return ip, err == nil
}

// HostPort is the host, in brackets if it is an address of version 6, with the port unless it is that of the scheme.
func (a *Address) HostPort() string {
	if a.Port != schemes[a.Scheme] {
		return a.authority()
	}
	if strings.Contains(a.Host, ":") {
		return "[" + a.Host + "]"
	}
	return a.Host
}

// authority is the host with its port, whatever that is.
func (a *Address) authority() string { return net.JoinHostPort(a.Host, strconv.Itoa(int(a.Port))) }

// String is the URL, or the host, as Canonical reads it.
func (a *Address) String() string {
	if a.Scheme == "" {
		return a.HostPort()
	}
	text := a.Scheme + "://" + a.HostPort() + a.Path
	if a.Query != "" {
		text += "?" + a.Query
	}
	return text
}
