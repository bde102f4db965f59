package egress_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// TestRedirects: a client that follows redirects passes the gate with each one. The gate itself follows none.
func TestRedirects(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	status, location := http.StatusFound, ""
	l.plain("a.example", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/go" {
			w.Header()["Location"] = []string{location}
			w.WriteHeader(status)
			return
		}
		fmt.Fprint(w, r.Method, " a ", r.URL)
	})
	l.secure("b.example", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, " b ", r.URL) })
	l.plain("inside.example", func(http.ResponseWriter, *http.Request) { t.Error("a private address was reached") })
	l.names["inside.example"] = []netip.Addr{netip.MustParseAddr("10.0.0.1")}
	l.plain("unlisted.example", func(http.ResponseWriter, *http.Request) { t.Error("a host was reached that is not listed") })
	r := l.run("GET,POST http://a.example/**", "GET https://b.example/ok/**", "GET http://inside.example/**")

	if resp, _, err := get(r, "http://a.example/go"); err != nil || resp.StatusCode != http.StatusFound {
		t.Errorf("%v, %+v", err, resp)
	}
	client := &http.Client{Transport: r}
	for _, test := range []struct {
		status   int
		location string
		want     string // of the body; empty if it is refused
	}{
		{302, "/x", "GET a /x"},
		{302, "x", "GET a /x"},
		{302, "http://a.example/x", "GET a /x"},
		{302, "http://A.EXAMPLE.:80/x", "GET a /x"},
		{302, "//a.example/x", "GET a /x"},
		{302, "https://b.example/ok/x", "GET b /ok/x"},
		{302, "//b.example/ok/x", ""}, // by http
		{302, "https://b.example/no/x", ""},
		{302, "https://b.example/ok/../no", ""},
		{302, "https://b.example/ok/%2e%2e/no", ""},
		{302, "https://b.example:8443/ok/x", ""},
		{302, "https://b.example@unlisted.example/ok/x", ""},
		{302, "http://unlisted.example/", ""},
		{302, "http://unlisted.example#a.example/", ""},
		{302, "http://unlisted.example?a.example/", ""},
		{302, "http://a.example.unlisted.example/", ""},
		{302, "http://inside.example/", ""},
		{302, "http://127.0.0.1/", ""},
		{302, "http://169.254.169.254/latest/meta-data/", ""},
		{302, "http://[::ffff:169.254.169.254]/", ""},
		{302, "http://2852039166/", ""},
		{302, "http://0xa9.0xfe.0xa9.0xfe/", ""},
		{302, "http://[::1]/", ""},
		{302, "http://localhost/", ""},
		{302, "http://0/", ""},
		{302, "ftp://a.example/x", ""},
		{302, "file:///etc/passwd", ""},
		{302, "gopher://a.example/x", ""},
		{302, "javascript:alert(1)", ""},
		{302, "http:\\\\a.example/x", ""},
		{302, "http://a.example\\@unlisted.example/", ""},
		{302, "http://user:pass@a.example/x", ""},
		{301, "/x", "GET a /x"},
		{303, "/x", "GET a /x"},
		{307, "/x", "GET a /x"},
		{308, "https://b.example/ok/x", "GET b /ok/x"},
		{302, "/go", ""}, // without end
	} {
		status, location = test.status, test.location
		resp, err := client.Get("http://a.example/go")
		body := read(resp, err)
		if body != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%d to %q: %q, %v; want %q", test.status, test.location, body, err, test.want)
		}
	}
	for _, test := range []struct {
		status         int
		location, want string
	}{
		{302, "/x", "GET a /x"}, {307, "/x", "POST a /x"}, {308, "https://b.example/ok/x", ""}, // which allows no POST
	} {
		status, location = test.status, test.location
		resp, err := client.Post("http://a.example/go", "text/plain", strings.NewReader("body"))
		body := read(resp, err)
		if body != test.want || (err == nil) != (test.want != "") {
			t.Errorf("POST, %d to %q: %q, %v; want %q", test.status, test.location, body, err, test.want)
		}
	}
	for _, to := range l.reached() {
		if s, special := egress.SpecialOf(to.Addr()); special {
			t.Errorf("%s was dialed, which is %s", to, s.Why)
		}
	}
}

// TestFlippingResolver: a resolver that gives another address for each question leads no request to an address that is not open.
func TestFlippingResolver(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	l.plain("a.example", hello)
	public := l.names["a.example"][0]
	var asked atomic.Int64
	var bad []netip.Addr
	for _, s := range egress.Specials() {
		bad = append(bad, s.Prefix.Addr(), netip.AddrFrom16(s.Prefix.Addr().As16()))
	}
	o := l.options()
	o.Observe = nil
	o.Resolve = func(_ context.Context, host string) ([]netip.Addr, error) {
		n := int(asked.Add(1))
		switch n % 4 {
		case 0:
			return []netip.Addr{public}, nil
		case 1:
			return []netip.Addr{bad[n%len(bad)], public}, nil
		case 2:
			return []netip.Addr{bad[n%len(bad)], bad[n*7%len(bad)]}, nil
		}
		return []netip.Addr{bad[n%len(bad)]}, nil
	}
	var dialed, refused atomic.Int64
	o.Dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
		if dialed.Add(1); to.Addr() != public {
			t.Errorf("%s was dialed", to)
		}
		return answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), nil
	}
	p := listOf(t, "GET http://*.example.com/**")
	p.Limits.Run = egress.Quota{Requests: 1 << 40, Sent: 1 << 40, Received: 1 << 40}
	p.Limits.Tenant = p.Limits.Run
	g, err := egress.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	const requests, workers = 100_000, 8
	var all sync.WaitGroup
	for w := range workers {
		r := g.Begin(decide.Subject{})
		all.Go(func() {
			defer r.Close()
			for i := range requests / workers {
				_, body, err := get(r, fmt.Sprintf("http://h%d.example.com/", i*workers+w))
				_, denied := errors.AsType[*decide.Denied](err)
				if denied {
					refused.Add(1)
				} else if err != nil || body != "hi" {
					t.Errorf("%q, %v", body, err)
					return
				}
			}
		})
	}
	all.Wait()
	if n := asked.Load(); n != requests || dialed.Load() != requests/2 || refused.Load() != requests/2 {
		t.Errorf("%d questions, %d dialed, %d refused: a name is resolved once for a connection", n, dialed.Load(), refused.Load())
	}
}

// answer is a connection whose peer answers one request, and closes it.
func answer(text string) net.Conn {
	here, there := net.Pipe()
	go func() {
		defer there.Close()
		if readRequest(there) {
			io.WriteString(there, text)
		}
	}()
	return here
}

// read is the body of a response, empty if there is none.
func read(resp *http.Response, err error) string {
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}
