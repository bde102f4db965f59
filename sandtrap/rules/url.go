package rules

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
)

// An address is a URL in its canonical form: a scheme and a host in small letters, a port unless it is that of the scheme, and
// a path with its percent signs decoded.
type address struct {
	scheme, host, port string
	segments           []string
}

// ports are those that a URL of a scheme needs not name.
var ports = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

// hostByte says which bytes names of hosts have; others are written in another form by some clients, or refused.
func hostByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '-' || b == '.' || b == '_'
}

var errUnclear = errors.New("not every client reads it alike")

// parseAddress reads a URL. One that not every client would read alike is an error: with a user, with characters that some
// drop or replace, with a host in a form that is no name and no usual address.
func parseAddress(text string) (address, error) {
	for i := range len(text) {
		if b := text[i]; b <= ' ' || b >= 0x7f || b == '\\' {
			return address{}, errUnclear
		}
	}
	u, err := url.Parse(text)
	if err != nil {
		return address{}, err
	}
	if u.Scheme == "" || u.Host == "" || u.User != nil || u.Opaque != "" {
		return address{}, errUnclear
	}
	a := address{scheme: strings.ToLower(u.Scheme), port: u.Port()}
	if a.host, err = canonicalHost(u.Hostname()); err != nil {
		return address{}, err
	}
	if a.port == ports[a.scheme] {
		a.port = ""
	}
	if strings.TrimLeft(a.port, "0") != a.port {
		return address{}, errUnclear
	}
	raw := strings.ToLower(u.EscapedPath())
	if strings.Contains(raw, "%2f") || strings.Contains(raw, "%5c") || strings.Contains(raw, "%00") || strings.Contains(u.Path, "%") {
		return address{}, errUnclear
	}
	a.segments = place{absolute: true}.walk(u.Path).segments
	return a, nil
}

// canonicalHost is a name in small letters without a dot at its end, or an IP address.
func canonicalHost(host string) (string, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.Zone() != "" {
			return "", errUnclear
		}
		return ip.Unmap().String(), nil
	}
	for i := range len(host) {
		if !hostByte(host[i]) {
			return "", errUnclear
		}
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if host == "" || strings.HasPrefix(host, ".") || strings.Contains(host, "..") || last == "" || '0' <= last[0] && last[0] <= '9' {
		return "", errUnclear // an address in another form ends in a number
	}
	return host, nil
}

// A urlGlob is a pattern of URLs.
type urlGlob struct {
	scheme, port string // * is any
	host         []segment
	path         []segment
}

// parseURL reads a pattern: https://api.example.com/v1/**, https://**.example.com:8443/**, *://[::1]:*/**.
func parseURL(text string) (g urlGlob, err error) {
	scheme, rest, ok := strings.Cut(text, "://")
	host, file, hasPath := strings.Cut(rest, "/")
	if !ok || scheme == "" || host == "" || !hasPath || strings.ContainsAny(text, "?#@ ") {
		return g, fmt.Errorf("pattern %q is not of the form scheme://host/path; every path is /**", text)
	}
	g.scheme = strings.ToLower(scheme)
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, g.port = host[:i], host[i+1:]
	}
	if g.port == ports[g.scheme] {
		g.port = ""
	}
	if !strings.Contains(host, "*") {
		if host, err = canonicalHost(strings.Trim(host, "[]")); err != nil {
			return g, fmt.Errorf("pattern %q: host: %w", text, err)
		}
	}
	if g.host, err = parseSegments(strings.ToLower(host), "."); err != nil {
		return g, err
	}
	if at := (place{absolute: true}).walk(file).segments; len(at) > 0 {
		g.path, err = parseSegments(strings.Join(at, "/"), "/")
	}
	return g, err
}

func (g *urlGlob) matches(a *address) bool {
	return (g.scheme == "*" || g.scheme == a.scheme) && (g.port == "*" || g.port == a.port) &&
		matchSegments(g.host, strings.Split(a.host, ".")) && matchSegments(g.path, a.segments)
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

func (u urls) holds(v reflect.Value, _ *call) truth {
	if v.Kind() != reflect.String {
		return unknown
	}
	a, err := parseAddress(v.String())
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
