package egress_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A redirect is one that a server answers with: where it leads; empty if it is refused.
type redirect struct {
	status         int
	location, want string
}

// redirects are those of testdata/redirects.txt, which scripts follow too.
func redirects(t *testing.T) (list []redirect) {
	text, err := os.ReadFile("testdata/redirects.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var r redirect
		if line[0] == '#' {
			continue
		}
		if _, err := fmt.Sscanf(line, "%d %q %q", &r.status, &r.location, &r.want); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, r)
	}
	return list
}

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
	for _, test := range redirects(t) {
		status, location = test.status, test.location
		resp, err := client.Get("http://a.example/go")
		body := read(resp, err)
		if body != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%d to %q: %q, %v; want %q", test.status, test.location, body, err, test.want)
		}
	}
	for _, test := range []redirect{
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
