package egress_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A spelling is a hostile one of a URL: what Canonical makes of it; empty if it is refused. Others is the host, with its port, that
// another reader finds: Go's net/http, or a browser (WHATWG URL), or curl 8, each where it accepts the text. A spelling that two readers
// read differently is refused; one that all of them read alike, or that all but one refuse, has that reading.
type spelling struct{ text, want, others string }

// spellings are those of testdata/spellings.txt, which scripts try too.
func spellings(t testing.TB) (list []spelling) {
	text, err := os.ReadFile("testdata/spellings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line == "\n" || line[0] == '#' {
			continue
		}
		var s spelling
		if _, err := fmt.Sscanf(line, "%q %q %q", &s.text, &s.want, &s.others); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, s)
	}
	return append(list, spelling{"https://api.example.com/" + strings.Repeat("a", 16<<10), "", "longer than 16 KiB"})
}

// TestSpellings: each hostile spelling is refused, or is what everybody else reads.
func TestSpellings(t *testing.T) {
	list := spellings(t)
	for _, s := range list {
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
	if len(list) < 60 {
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
	for _, s := range spellings(f) {
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
