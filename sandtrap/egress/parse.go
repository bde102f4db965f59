package egress

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

// privateRanges are those that the word private opens.
var privateRanges = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("fc00::/7"),
}

// ParseRule reads a rule as the command has it:
//
//	[METHOD,...] SCHEME://HOST[:PORT,...][/PATH] [loopback] [private | private=PREFIX ...]
//
// as in "GET,POST https://api.example.com/v1/*" and "GET http://db.corp:8080/** private=10.1.0.0/16". The word private alone opens
// 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 and fc00::/7. Without a path every path is allowed, without methods GET and HEAD.
// The rule is checked as New does.
func ParseRule(text string) (Rule, error) {
	r, err := parseRule(strings.Fields(text))
	if err == nil {
		err = newRuleset(List).add(&r)
	}
	if err != nil {
		return Rule{}, fmt.Errorf("egress: rule %q: %w", text, err)
	}
	return r, nil
}

func parseRule(words []string) (r Rule, err error) {
	if len(words) > 0 && !strings.Contains(words[0], "://") {
		r.Methods, words = strings.Split(words[0], ","), words[1:]
	}
	if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "://") }) && !strings.Contains(words[0], "://") {
		return r, fmt.Errorf("methods are one word, with commas and no spaces, as in GET,POST https://api.example.com/**")
	}
	if len(words) == 0 || !strings.Contains(words[0], "://") {
		return r, fmt.Errorf("there is no URL with a scheme; write GET https://api.example.com/**")
	}
	if err := r.parseURL(words[0]); err != nil {
		return r, err
	}
	for _, word := range words[1:] {
		prefix, named := strings.CutPrefix(word, "private=")
		switch {
		case word == "loopback":
			r.Loopback = true
		case word == "private":
			r.Private = append(r.Private, privateRanges...)
		case named:
			p, err := netip.ParsePrefix(prefix)
			if err != nil {
				return r, fmt.Errorf("%q is not a range of addresses; write private=10.0.0.0/8", prefix)
			}
			r.Private = append(r.Private, p)
		default:
			return r, fmt.Errorf("unknown word %q%s", word, didYouMean(word, []string{"loopback", "private"}))
		}
	}
	return r, nil
}

// parseURL reads the pattern of a URL.
func (r *Rule) parseURL(text string) error {
	r.Scheme, text, _ = strings.Cut(text, "://")
	r.Scheme = strings.ToLower(r.Scheme)
	host, path, hasPath := strings.Cut(text, "/")
	switch {
	case strings.ContainsAny(host, "?#"):
		return fmt.Errorf("queries and fragments are not compared; write the URL without ? and #")
	case strings.Contains(host, "@"):
		return fmt.Errorf("a rule has no user; write the URL without what is before the @")
	}
	if hasPath {
		r.Path = "/" + path
	}
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		for port := range strings.SplitSeq(host[i+1:], ",") {
			n, err := strconv.ParseUint(port, 10, 16)
			if err != nil {
				return fmt.Errorf("port %q is not a number from 1 to 65535", port)
			}
			r.Ports = append(r.Ports, uint16(n))
		}
		host = host[:i]
	}
	r.Host = host
	return nil
}

// didYouMean names the word that is near, or all of them.
func didYouMean(word string, words []string) string {
	if near := nearest.Name(word, words); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; there are " + strings.Join(words, ", ")
}
