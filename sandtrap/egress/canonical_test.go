package egress_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// spellings are hostile spellings of URLs: what Canonical makes of them; empty for those that are refused. The third column is the
// host, with its port, that another reader finds: Go's net/http, or a browser (WHATWG URL), or curl 8, each where it accepts the text.
// A spelling that two readers read differently is refused; one that all of them read alike, or that all but one refuse,
// has that reading.
var spellings = []struct{ text, want, others string }{
	// Names.
	{"https://api.example.com/v1", "https://api.example.com/v1", "all: api.example.com"},
	{"HTTPS://API.Example.COM/v1", "https://api.example.com/v1", "all: api.example.com"},
	{"https://api.example.com./v1", "https://api.example.com/v1", "all: the same host in DNS (CVE-2022-24825)"},
	{"https://api.example.com../v1", "", "Go dials api.example.com.., curl refuses"},
	{"https://.api.example.com/", "", "Go dials it, DNS refuses it"},
	{"https://api..example.com/", "", "an empty label"},
	{"https://./", "", "Go: the root"},
	{"https:///v1", "", "Go: no host; browsers: host v1"},
	{"https:////evil.org/", "", "Go: no host; browsers: evil.org"},
	{"https://?x", "", "no host"},
	{"https://#x", "", "no host"},
	{"https://" + strings.Repeat("a", 64) + ".example/", "", "a label of 64 bytes"},
	{"https://" + strings.Repeat("a", 63) + ".example/", "https://" + strings.Repeat("a", 63) + ".example/", "a label of 63 bytes"},
	{"https://" + strings.Repeat("a.", 126) + "bcd/", "", "255 bytes"},
	{"https://my_service.corp/", "https://my_service.corp/", "all: my_service.corp"},
	{"https://r3---sn.example.com/", "https://r3---sn.example.com/", "all: r3---sn.example.com"},

	// Letters that are not ASCII: by IDNA, as Go, browsers and curl.
	{"https://bücher.example/", "https://xn--bcher-kva.example/", "all: xn--bcher-kva.example"},
	{"https://BÜCHER.example/", "https://xn--bcher-kva.example/", "all: xn--bcher-kva.example"},
	{"https://XN--BCHER-KVA.example/", "https://xn--bcher-kva.example/", "all: xn--bcher-kva.example"},
	{"https://faß.example/", "https://xn--fa-hia.example/", "Go, browsers: xn--fa-hia.example (IDNA 2008)"},
	{"https://example。com/", "https://example.com/", "all: example.com"},
	{"https://example．com/", "https://example.com/", "all: example.com"},
	{"https://example｡com/", "https://example.com/", "all: example.com"},
	{"https://ｅｘａｍｐｌｅ.com/", "https://example.com/", "all: example.com"},
	{"https://exa\u00admple.com/", "https://example.com/", "all: example.com, without the soft hyphen"},
	{"https://\u212aelvin.example/", "https://kelvin.example/", "all: kelvin.example"},
	{"https://ex\u200bample.com/", "https://example.com/", "all: example.com, without the space of no width"},
	{"https://a\u2024example.com/", "", "one dot leader: a dot to some"},
	{"https://a\u2100b.example/", "", "it has a slash when it is mapped (a/c)"},
	{"https://a\uff0fb.example/", "", "a wide slash"},
	{"https://evil.org\uff03.example.com/", "", "a wide #"},
	{"https://evil.org\uff1f.example.com/", "", "a wide ?"},
	{"https://evil.org\uff20example.com/", "", "a wide @"},
	{"https://xn--/", "", "an encoding of nothing"},
	{"https://xn--a-.example/", "", "an encoding of ASCII"},
	{"https://xn--zzzzzzzzzz99.example/", "", "not an encoding"},
	{"https://a.example\x80/", "", "not UTF-8"},

	// IPv4 in other spellings: 127.0.0.1 to inet_aton, browsers and curl, names to Go.
	{"http://127.0.0.1/", "http://127.0.0.1/", "all: 127.0.0.1"},
	{"http://127.0.0.1./", "http://127.0.0.1/", "browsers: 127.0.0.1"},
	{"http://0x7f.1/", "", "browsers, curl: 127.0.0.1; Go: a name"},
	{"http://0x7f000001/", "", "browsers, curl: 127.0.0.1; Go: a name"},
	{"http://0X7F.0.0.1/", "", "browsers, curl: 127.0.0.1; Go: a name"},
	{"http://2130706433/", "", "browsers, curl: 127.0.0.1; Go: a name"},
	{"http://127.1/", "", "browsers, curl: 127.0.0.1; Go: a name"},
	{"http://127.0.1/", "", "browsers, curl: 127.0.0.1; Go: a name"},
	{"http://0177.0.0.1/", "", "browsers, curl: 127.0.0.1; Go: a name; others: 177.0.0.1"},
	{"http://017700000001/", "", "browsers, curl: 127.0.0.1; Go: a name"},
	{"http://127.0.0.01/", "", "browsers, curl: 127.0.0.1; Go: a name"},
	{"http://127.0.0.1.1/", "", "browsers refuse; Go: a name"},
	{"http://127.0.0.256/", "", "browsers refuse; Go: a name"},
	{"http://0/", "", "browsers, curl: 0.0.0.0"},
	{"http://0x/", "", "browsers: 0.0.0.0"},
	{"http://example.0x7f/", "", "browsers refuse"},
	{"http://１２７.0.0.1/", "http://127.0.0.1/", "Go, browsers: 127.0.0.1"},
	{"http://①②⑦.0.0.1/", "http://127.0.0.1/", "Go, browsers: 127.0.0.1"},
	{"http://0ｘ7f.1/", "", "browsers: 127.0.0.1"},
	{"http://127。0。0。1/", "http://127.0.0.1/", "Go, browsers: 127.0.0.1"},
	{"http://127.0.0.1.nip.io/", "http://127.0.0.1.nip.io/", "all: a name"},

	// IPv6, and brackets (CVE-2022-29188).
	{"http://[::1]/", "http://[::1]/", "all: ::1"},
	{"http://[0:0:0:0:0:0:0:1]:8080/", "http://[::1]:8080/", "all: ::1"},
	{"http://[::FFFF:127.0.0.1]/", "http://127.0.0.1/", "all: connects to 127.0.0.1"},
	{"http://[::ffff:7f00:1]/", "http://127.0.0.1/", "all: connects to 127.0.0.1"},
	{"http://[::127.0.0.1]/", "http://[::7f00:1]/", "all: ::7f00:1"},
	{"http://[64:ff9b::169.254.169.254]/", "http://[64:ff9b::a9fe:a9fe]/", "all: 64:ff9b::a9fe:a9fe"},
	{"http://::1/", "", "browsers refuse; Go: host : and port 1"},
	{"http://[::1/", "", "all refuse"},
	{"http://::1]/", "", "all refuse"},
	{"http://[::1]x/", "", "all refuse"},
	{"http://[example.com]/", "", "Go dials example.com, browsers refuse"},
	{"http://[127.0.0.1]/", "", "Go dials 127.0.0.1, browsers refuse"},
	{"http://[::1%25lo]/", "", "Go: with a zone; browsers refuse"},
	{"http://[fe80::1%eth0]/", "", "curl: with a zone; others refuse"},
	{"http://[v1.x]/", "", "all refuse"},
	{"http://[]/", "", "all refuse"},

	// Users, and what looks like one.
	{"https://user@api.example.com/", "", "all: user at api.example.com"},
	{"https://user:pass@api.example.com/", "", "all: user at api.example.com"},
	{"https://api.example.com@evil.org/", "", "all: evil.org"},
	{"https://api.example.com:443@evil.org/", "", "all: evil.org"},
	{"https://evil.org@@api.example.com/", "", "readers differ"},
	{"https://@api.example.com/", "", "all: api.example.com; an empty user"},
	{"https://evil.org\\@api.example.com/", "", "browsers: evil.org; curl: api.example.com"},
	{"https://evil.org#@api.example.com/", "https://evil.org/", "all: evil.org"},
	{"https://api.example.com#.evil.org/", "https://api.example.com/", "all: api.example.com"},
	{"https://api.example.com?.evil.org/", "https://api.example.com/?.evil.org/", "all: api.example.com"},
	{"https://api.example.com/@evil.org", "https://api.example.com/@evil.org", "all: api.example.com"},

	// Percent signs in the host.
	{"https://api%2eexample.com/", "", "browsers: api.example.com; Go refuses"},
	{"https://evil.org%2f.example.com/", "", "curl 7: evil.org"},
	{"https://evil.org%00.example.com/", "", "Go refuses"},
	{"https://b%C3%BCcher.example/", "", "Go, browsers: xn--bcher-kva.example"},

	// Ports.
	{"https://api.example.com:443/", "https://api.example.com/", "all: api.example.com"},
	{"https://api.example.com:/", "https://api.example.com/", "all: port 443"},
	{"http://api.example.com:443/", "http://api.example.com:443/", "all: port 443"},
	{"https://api.example.com:0443/", "", "browsers, curl: 443; Go dials 0443"},
	{"https://api.example.com:0/", "", "not a port"},
	{"https://api.example.com:65536/", "", "browsers refuse; a 16-bit reader: 0"},
	{"https://api.example.com:65979/", "", "a 16-bit reader: 443"},
	{"https://api.example.com:-1/", "", "Go refuses"},
	{"https://api.example.com:443:80/", "", "readers differ"},
	{"https://api.example.com:４４３/", "", "Go refuses"},
	{"https://api.example.com:https/", "", "Go refuses"},

	// Spaces, controls, backslashes.
	{" https://api.example.com/", "", "browsers cut it"},
	{"https://api.example.com/ ", "", "browsers cut it"},
	{"https://api.example.com /", "", "Go refuses"},
	{"https://api.exa\tmple.com/", "", "browsers: api.example.com"},
	{"https://api.example.com\n/", "", "browsers: api.example.com"},
	{"ht\ntps://api.example.com/", "", "browsers: api.example.com"},
	{"https://api.example.com/\r\nHost: evil.org", "", "a header"},
	{"https://api.example.com/?a\nb", "", "browsers cut it"},
	{"https://api.example.com\\.evil.org/", "", "browsers: api.example.com"},
	{"https:\\\\api.example.com\\v1", "", "browsers: api.example.com"},
	{"https://api.example.com/a\\..\\b", "", "browsers: /b"},
	{"https://api.example.com\x00.evil.org/", "", "C: api.example.com"},
	{"https://api.example.com\x7f/", "", "Go refuses"},

	// Schemes.
	{"https:/api.example.com/", "", "browsers: api.example.com; Go: no host"},
	{"https:api.example.com/", "", "browsers: api.example.com; Go: no host"},
	{"//api.example.com/", "", "no scheme"},
	{"ftp://api.example.com/", "", "another scheme"},
	{"file:///etc/passwd", "", "another scheme"},
	{"gopher://127.0.0.1:6379/_x", "", "another scheme"},
	{"unix:///var/run/docker.sock", "", "another scheme"},
	{"ws://api.example.com/", "", "another scheme"},
	{"view-source:https://api.example.com/", "", "another scheme"},
	{"javascript://api.example.com/%0aalert(1)", "", "another scheme"},

	// Paths and queries stand as they are sent.
	{"https://api.example.com", "https://api.example.com/", "all: /"},
	{"https://api.example.com/a/../b", "https://api.example.com/a/../b", "Go sends it so"},
	{"https://api.example.com//a", "https://api.example.com//a", "Go sends it so"},
	{"https://api.example.com/%2e%2e/%2F", "https://api.example.com/%2e%2e/%2F", "Go sends it so"},
	{"https://api.example.com/é?é=\"", "https://api.example.com/%C3%A9?%C3%A9=\"", "Go sends é with percent signs"},
	{"https://api.example.com/%zz", "", "Go refuses"},
	{"https://api.example.com/%4", "", "Go refuses"},
	{"https://api.example.com/?%zz", "https://api.example.com/?%zz", "Go sends it so"},
	{"https://api.example.com/?", "https://api.example.com/", "Go sends /?, which is the same"},
	{"https://api.example.com/" + strings.Repeat("a", 16<<10), "", "longer than 16 KiB"},

	// Hosts alone.
	{"Example.com.", "example.com", ""},
	{"example.com:443", "example.com:443", ""},
	{"[::1]:443", "[::1]:443", ""},
	{"[::1]", "[::1]", ""},
	{"::1", "", ""},
	{"::1:443", "", ""},
	{"example.com/x", "", ""},
	{"", "", ""},
}

// TestSpellings: each hostile spelling is refused, or is what everybody else reads.
func TestSpellings(t *testing.T) {
	for _, s := range spellings {
		a, err := egress.Canonical(s.text)
		if err != nil {
			if parse, ok := errors.AsType[*egress.ParseError](err); !ok || parse.Reason == "" || a != (egress.Address{}) {
				t.Errorf("%q: %#v, %#v", s.text, a, err)
			}
		}
		if got := a.String(); err == nil && got != s.want || (err != nil) != (s.want == "") {
			t.Errorf("%.100q: %.100q, %v; want %.100q (%s)", s.text, got, err, s.want, s.others)
		}
		if err == nil {
			sameToGo(t, s.text, a)
		}
	}
	if len(spellings) < 60 {
		t.Error("too few spellings")
	}
}

// errDialed ends a request of dialed.
var errDialed = errors.New("dialed")

// dialed is the address that net/http dials for a URL, and the request line that it would send.
func dialed(text string) (addr, line string, err error) {
	transport := &http.Transport{DialContext: func(_ context.Context, _, to string) (net.Conn, error) {
		addr = to
		return nil, errDialed
	}}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequest("GET", text, nil)
	if err != nil {
		return "", "", err
	}
	if _, err = transport.RoundTrip(req); errors.Is(err, errDialed) {
		err = nil
	}
	return addr, req.URL.RequestURI(), err
}

// sameToGo compares the canonical form with what net/http does with the text, if it accepts that, and with the form itself.
func sameToGo(t *testing.T, text string, a egress.Address) {
	t.Helper()
	if again, err := egress.Canonical(a.String()); err != nil || again != a {
		t.Errorf("%q is %q, which is %q, %v", text, a.String(), again.String(), err)
	}
	if a.Scheme == "" {
		return
	}
	want := net.JoinHostPort(a.Host, fmt.Sprint(a.Port))
	line := a.Path
	if a.Query != "" {
		line += "?" + a.Query
	}
	if addr, sent, err := dialed(a.String()); addr != want || sent != line || err != nil {
		t.Errorf("%q is %q, and net/http dials %q, %v, for %q; want %q, %q", text, a.String(), addr, err, sent, want, line)
	}
	addr, _, err := dialed(text)
	if err != nil { // net/http refuses more
		return
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.Unmap().String()
	}
	if host != a.Host || port != fmt.Sprint(a.Port) {
		t.Errorf("%q is %q, and net/http dials %q", text, a.String(), addr)
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil {
		t.Errorf("%q: %v, %v", text, u, err)
	}
}

// FuzzCanonical: the canonical form is its own, and is what net/http dials.
func FuzzCanonical(f *testing.F) {
	for _, s := range spellings {
		if len(s.text) < 200 {
			f.Add(s.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := egress.Canonical(text); err == nil {
			sameToGo(t, text, a)
		}
	})
}
