package weburl_test

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/weburl"
)

// TestHost: hosts in their canonical form, and those that have none.
func TestHost(t *testing.T) {
	label := strings.Repeat("a", 63)
	for text, want := range map[string]string{
		"Example.COM": "example.com", "example.com.": "example.com", "a_b.c-d": "a_b.c-d", "LOCALHOST": "localhost", label + ".example": label + ".example",
		"1.2.3.4": "1.2.3.4", "1.2.3.4.": "1.2.3.4", "[::1]": "::1", "[0:0:0:0:0:0:0:1]": "::1", "[::FFFF:1.2.3.4]": "1.2.3.4", "[2001:DB8::A]": "2001:db8::a",
		"": "", ".": "", "..": "", "a..b": "", ".a": "", "a.b..": "", "a b": "", "a%62": "", "a/b": "", "a@b": "", "a:1": "", "::1": "", "[::1": "", "::1]": "", "[1.2.3.4]": "",
		"[::1%25eth0]": "", "[fe80::1%eth0]": "", "[]": "", "1.2.3": "", "127.1": "", "0x7f.1": "", "2130706433": "", "0177.0.0.1": "", "1.2.3.04": "", "1.2.3.256": "", "a.1": "",
		"\u212aelvin": "", "é": "", "a。b": "", label + "a.example": "", strings.Repeat("a.", 128): "", "a\x00": "", "a\\b": "", "[::1]x": "",
	} {
		got, err := weburl.Host(text)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// TestSplitPort: a port is a number without zeros before it, or is not there.
func TestSplitPort(t *testing.T) {
	for text, want := range map[string][2]string{
		"a:1": {"a", "1"}, "a": {"a", ""}, "a:": {"a", ""}, "[::1]:80": {"[::1]", "80"}, "[::1]": {"[::1]", ""}, "::1:80": {"::1", "80"}, "a:65536": {"a", "65536"},
	} {
		if host, port, err := weburl.SplitPort(text); host != want[0] || port != want[1] || err != nil {
			t.Errorf("%q: %q, %q, %v", text, host, port, err)
		}
	}
	for _, text := range []string{"a:0", "a:080", "a:x", "a:-1", "a:+1", "a:123456", "a:1 ", "a:１"} {
		if _, port, err := weburl.SplitPort(text); err == nil {
			t.Errorf("%q: %q", text, port)
		}
	}
}

// TestPath: a path is decoded, unless somebody may read it otherwise.
func TestPath(t *testing.T) {
	for text, want := range map[string]string{"/a/b": "/a/b", "/%61%2E": "/a.", "/a%20b": "/a b", "": "", "/%C3%A9": "/é", "/a/../b": "/a/../b", "/*": "/*"} {
		if got, err := weburl.Path(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"/a b", "/a\\b", "/a%2fb", "/a%2Fb", "/a%5cb", "/%252e", "/a;b", "/a%3Bb", "/%", "/%4", "/%zz", "/\x00", "/%00", "/a%7f", "/é", "/<", "/\""} {
		if got, err := weburl.Path(text); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}
