package rules

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/glob"
	"github.com/sandtrap-go/sandtrap/internal/weburl"
)

// An address is a URL as it is compared: without the port that its scheme has anyway, and with a clean and decoded path.
type address struct {
	scheme, host, port string
	labels             []string // of the host
	segments           []string // of the path
}

// ports are those that a URL of a scheme needs not name.
var ports = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

// address reads a URL. Its parts are in c until the next one. One that not every client reads alike is an error: with a user,
// with characters that some drop or replace, and with a host that is neither a name nor an IP address in its usual form.
// It allocates for capitals and percent signs alone.
func (c *call) address(text string) (a address, err error) {
	scheme, rest, ok := strings.Cut(text, "://")
	if a.scheme = strings.ToLower(scheme); !ok || !isScheme(a.scheme) {
		return a, weburl.ErrUnclear
	}
	host, rest := cutAny(rest, "/?#")
	if a.host, a.port, err = a.splitHost(host); err != nil {
		return a, err
	}
	file, _ := cutAny(rest, "?#")
	if file, err = weburl.Path(file); err != nil {
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
	if text, port, err = weburl.SplitPort(text); err != nil {
		return "", "", err
	}
	if port == ports[a.scheme] {
		port = ""
	}
	host, err = weburl.Host(text)
	return host, port, err
}

// A urlGlob is a pattern of URLs.
type urlGlob struct {
	scheme, port string // * is any
	literal      string // the host, if it is no pattern
	host         glob.Pattern
	path         glob.Pattern
}

// parseURL reads a pattern: https://api.example.com/v1/**, https://**.example.com:8443/**, *://[::1]:*/**.
func parseURL(text string) (g urlGlob, err error) {
	scheme, rest, ok := strings.Cut(text, "://")
	host, file, hasPath := strings.Cut(rest, "/")
	g.scheme = strings.ToLower(scheme)
	if !ok || !hasPath || g.scheme != "*" && !isScheme(g.scheme) {
		return g, fmt.Errorf("pattern %q is not of the form scheme://host/path; /** is every path", text)
	}
	if host, g.port, err = weburl.SplitPort(host); err != nil && g.port != "*" {
		return g, fmt.Errorf("pattern %q: port %q is neither a number nor *", text, g.port)
	}
	if g.port == ports[g.scheme] {
		g.port = ""
	}
	if host = strings.ToLower(host); !strings.ContainsAny(host, "*?") {
		if host, err = weburl.Host(host); err != nil {
			return g, fmt.Errorf("pattern %q: host: %w", text, err)
		}
		g.literal = host
	}
	if g.host, err = glob.Parse(host, "."); err != nil {
		return g, err
	}
	if file, err = decodePattern(file); err != nil {
		return g, fmt.Errorf("pattern %q: %w", text, err)
	}
	at := place{absolute: true}
	if at.walk(file); len(at.segments) > 0 {
		g.path, err = glob.Parse(strings.Join(at.segments, "/"), "/")
	}
	return g, err
}

// decodePattern decodes the path of a pattern. What comes behind a ? is text of a segment, not a query.
func decodePattern(text string) (string, error) {
	if strings.Contains(text, "#") {
		return "", errors.New("the part of a URL behind # is not compared")
	}
	return weburl.Path(text)
}

func (g *urlGlob) matches(a *address) bool {
	return (g.scheme == "*" || g.scheme == a.scheme) && (g.port == "*" || g.port == a.port) &&
		(g.literal == a.host || g.literal == "" && g.host.Match(a.labels)) && g.path.Match(a.segments)
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
