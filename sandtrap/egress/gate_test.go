package egress_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

var discard = log.New(io.Discard, "", 0)

// TestRequest: an allowed request reaches its server, by http and https, and what it sends and gets is that of net/http.
func TestRequest(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	echo := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", fmt.Sprint(r.Method, " ", r.Host, " ", r.RequestURI, " ", r.Header["X-Mine"], " ", r.Proto))
		w.WriteHeader(http.StatusTeapot)
		w.Write(body)
	}
	l.plain("a.example", echo)
	l.secure("b.example", echo)
	r := l.run("GET,POST http://a.example/**", "POST https://b.example/**")
	for url, want := range map[string]string{
		"http://A.example.:80/x?y=1#z": "POST a.example /x?y=1 [1 2] HTTP/1.1",
		"https://b.example/%2e":        "POST b.example /%2e [1 2] HTTP/2.0",
	} {
		req, err := http.NewRequest("POST", url, strings.NewReader("the body"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header["X-Mine"] = []string{"1", "2"}
		req.Header.Set("Proxy-Authorization", "x")
		resp, body, err := do(r, req)
		if err != nil || resp.StatusCode != http.StatusTeapot || body != "the body" || resp.Header.Get("X-Seen") != want || resp.Request != req {
			t.Errorf("%s: %v, %q, %+v", url, err, body, resp)
		}
	}
	if ends := l.told(egress.KindEnd); len(ends) != 2 || ends[0].Status != http.StatusTeapot || ends[0].Sent < 8 || ends[0].Received < 8 || ends[0].Error != "" ||
		ends[0].Tenant != "acme" || ends[0].Method != "POST" || ends[0].Rule == "" {
		t.Errorf("%+v", ends)
	}
}

// TestRefusedSendsNothing: for a request that is refused no name is resolved and nothing is dialed, and its body is closed.
func TestRefusedSendsNothing(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", hello)
	r := l.run("GET http://a.example/x/*", "GET http://1.2.3.4/**")
	for _, request := range []string{"POST http://a.example/x/1", "GET http://a.example/", "GET https://a.example/x/1", "GET http://b.example/x/1", "GET http://u@a.example/x/1",
		"GET http://1.2.3.5/", "GET http://a.example:81/x/1", "CONNECT http://a.example/x/1", "GET ftp://a.example/x/1", "GET http:a.example/x/1"} {
		method, url, _ := strings.Cut(request, " ")
		req, err := http.NewRequest(method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		body := &closed{Reader: strings.NewReader("x")}
		req.Body = body
		_, _, err = do(r, req)
		if _, ok := errors.AsType[*decide.Denied](err); !ok || !body.was {
			t.Errorf("%s: %v, closed: %v", request, err, body.was)
		}
	}
	if len(l.resolved)+len(l.reached()) > 0 {
		t.Errorf("resolved %v, dialed %v", l.resolved, l.dialed)
	}
	for _, e := range l.told(egress.KindDecision) {
		if e.Denied == nil || e.Method == "" || e.URL == "" || e.Time.IsZero() || strings.Contains(e.URL, "u@") {
			t.Errorf("%+v", e)
		}
	}
}

// A closed body knows that it was.
type closed struct {
	io.Reader
	was bool
}

func (c *closed) Close() error {
	c.was = true
	return nil
}

// TestSpecialAddresses: a name whose addresses are special is refused, and none of them is dialed, but those that its rule opens.
func TestSpecialAddresses(t *testing.T) {
	l := newLab(t)
	g := l.gate(listOf(t, "GET http://plain.example/**", "GET http://private.example/** private", "GET http://loopback.example/** loopback", "GET http://narrow.example/** private=10.1.0.0/16"))
	r := g.Begin(decide.Subject{})
	for _, s := range egress.Specials() {
		for name, opens := range map[string]egress.Use{"plain.example": egress.Never, "private.example": egress.Private, "loopback.example": egress.Loopback} {
			ip := s.Prefix.Addr()
			first, _ := egress.SpecialOf(ip)
			l.names[name] = []netip.Addr{ip, netip.AddrFrom16(ip.As16())}
			l.dialed = nil
			_, _, err := get(r, "http://"+name+"/")
			denied, refused := errors.AsType[*decide.Denied](err)
			shared := ip == netip.MustParseAddr("100.64.0.0") // which the word private does not open
			if open := first.Opens != egress.Never && first.Opens == opens && !shared; open != (len(l.reached()) > 0) || open == refused {
				t.Errorf("%s at %s: %v, dialed %v", name, ip, err, l.dialed)
			} else if refused && (!strings.Contains(denied.Reason, first.Why) || denied.Hint == "") {
				t.Errorf("%s at %s: %v does not say that it is %s", name, ip, err, first.Why)
			}
		}
	}
	for text, open := range map[string]bool{"10.1.2.3": true, "10.2.0.1": false, "192.168.0.1": false, "127.0.0.1": false, "::ffff:10.1.2.3": true} {
		l.names["narrow.example"], l.dialed = []netip.Addr{netip.MustParseAddr(text)}, nil
		if get(r, "http://narrow.example/"); open != (len(l.reached()) > 0) {
			t.Errorf("narrow.example at %s: dialed %v", text, l.dialed)
		}
	}
	if n := len(l.told(egress.KindDecision)); n < 200 {
		t.Errorf("%d decisions were told", n)
	}
}

// TestMixedAddresses: of several addresses only those that may be are dialed, and the next one if one does not answer.
func TestMixedAddresses(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", hello)
	good := l.names["a.example"][0]
	dead := netip.MustParseAddr("93.184.99.99")
	l.names["a.example"] = []netip.Addr{netip.MustParseAddr("10.0.0.1"), dead, netip.MustParseAddr("::1"), good, netip.MustParseAddr("169.254.169.254")}
	if _, body, err := get(l.run("GET http://a.example/**"), "http://a.example/x"); err != nil || body != "hello /x" {
		t.Errorf("%q, %v", body, err)
	}
	if want := []netip.AddrPort{netip.AddrPortFrom(dead, 80), netip.AddrPortFrom(good, 80)}; !slices.Equal(l.reached(), want) {
		t.Errorf("dialed %v, want %v", l.dialed, want)
	}
}

// TestOtherHost: a request cannot name one host and be for another, nor leave HTTP.
func TestOtherHost(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", hello)
	r := l.run("GET http://a.example/**")
	for host, ok := range map[string]bool{"": true, "a.example": true, "A.example.:80": true, "b.example": false, "a.example:81": false, "a.example@b.example": false, "a.example\r\nX: y": false} {
		req, err := http.NewRequest("GET", "http://a.example/", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		if _, _, err = do(r, req); (err == nil) != ok {
			t.Errorf("Host %q: %v", host, err)
		}
	}
	dialed := len(l.reached())
	req, err := http.NewRequest("GET", "http://a.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", "websocket")
	if _, _, err = do(r, req); err == nil || !strings.Contains(err.Error(), "another protocol") || len(l.reached()) != dialed {
		t.Errorf("%v", err)
	}
}

// TestNoProxy: proxies of the environment are not used.
func TestNoProxy(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", hello)
	proxied := l.plain("proxy.example", func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") })
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxied.URL)
	}
	if _, body, err := get(l.run("GET http://a.example/**"), "http://a.example/"); err != nil || body != "hello /" {
		t.Errorf("%q, %v", body, err)
	}
}

// TestNames: a server is verified for the canonical name, and for nothing else.
func TestNames(t *testing.T) {
	l := newLab(t)
	asked := func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was asked", r.Host) }
	l.secure("good.example", hello)
	l.secure("bücher.example", hello, "xn--bcher-kva.example")
	l.names["xn--bcher-kva.example"] = l.names["bücher.example"]
	l.secure("wild.a.example", hello, "*.a.example")
	l.secure("other.example", asked, "good.example")
	l.secure("prefix.example", asked, "fix.example", "prefix.example.evil.org", "*.prefix.example")
	l.secure("deep.a.b.example", asked, "*.b.example")
	l.secure("unsigned.example", asked)
	other := newLab(t)
	l.behind[netip.AddrPortFrom(l.names["unsigned.example"][0], 443)] = other.secure("unsigned.example", asked).Listener.Addr().String()
	r := l.run("GET https://good.example/**", "GET https://bücher.example/**", "GET https://*.a.example/**", "GET https://other.example/**", "GET https://prefix.example/**",
		"GET https://*.a.b.example/**", "GET https://unsigned.example/**")
	for host, ok := range map[string]bool{"GOOD.example.": true, "bücher.example": true, "wild.a.example": true, "other.example": false, "prefix.example": false, "deep.a.b.example": false, "unsigned.example": false} {
		if _, body, err := get(r, "https://"+host+"/"); (err == nil) != ok || ok != (body == "hello /") || !ok && !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s: %q, %v", host, body, err)
		}
	}
}

// TestDecideHook: the host's own decision comes after the rules and before anything is sent.
func TestDecideHook(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", hello)
	type key struct{}
	var asked []egress.Event
	var answer error
	o := l.options()
	o.Decide = func(ctx context.Context, e egress.Event) error {
		if ctx.Value(key{}) != "mine" {
			t.Error("it has another context")
		}
		asked = append(asked, e)
		return answer
	}
	g, err := egress.New(listOf(t, "GET http://a.example/**"), o)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	r := g.Begin(decide.Subject{Tenant: "acme"})
	one := func(url string) error {
		req, err := http.NewRequestWithContext(context.WithValue(context.Background(), key{}, "mine"), "GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = do(r, req)
		return err
	}
	answer = errors.New("not on a Friday")
	if err := one("http://a.example/x?secret"); err == nil || err.Error() != "GET http://a.example/x is not allowed: not on a Friday" || len(l.resolved) > 0 {
		t.Errorf("%v, resolved %v", err, l.resolved)
	}
	answer = &decide.Denied{Code: decide.BudgetSpent, Member: "m", Reason: "r"}
	if err := one("http://a.example/x"); err != answer {
		t.Errorf("%v", err)
	}
	answer = nil
	if err := one("http://a.example/x"); err != nil {
		t.Error(err)
	}
	if err := one("http://b.example/x"); err == nil || len(asked) != 3 {
		t.Errorf("%v; asked %d times", err, len(asked))
	}
	if e := asked[0]; e.Method != "GET" || e.URL != "http://a.example/x" || e.Host != "a.example" || e.Path != "/x" || e.Rule != "GET http://a.example/**" || e.Tenant != "acme" {
		t.Errorf("%+v", e)
	}
	var told []string
	for _, e := range l.told(egress.KindDecision, egress.KindEnd) {
		told = append(told, fmt.Sprint(e.Kind, e.Denied != nil))
	}
	if want := []string{"decisiontrue", "decisiontrue", "decisionfalse", "endfalse", "decisiontrue"}; !slices.Equal(told, want) {
		t.Errorf("%v, want %v", told, want)
	}
}

// TestPools: requests of another tenant, or by another rule, have connections of their own; others of the same share one.
func TestPools(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	l.plain("a.example", hello)
	g := l.gate(listOf(t, "GET http://a.example/**", "POST http://a.example/**"))
	for i, test := range []struct {
		tenant, run, method string
		dialed              int
	}{
		{"t1", "1", "GET", 1}, {"t1", "1", "GET", 1}, {"t1", "2", "GET", 1}, {"t2", "3", "GET", 2}, {"t1", "1", "POST", 3}, {"t2", "3", "GET", 3}, {"", "", "GET", 4}, {"t1", "1", "POST", 4},
	} {
		r := g.Begin(decide.Subject{Tenant: test.tenant, Run: test.run})
		if _, _, err := send(r, test.method, "http://a.example/", nil); err != nil {
			t.Fatal(err)
		}
		r.Close()
		if n := len(l.reached()); n != test.dialed {
			t.Errorf("request %d: %d connections, want %d", i, n, test.dialed)
		}
	}
	for i := range 200 { // more tenants than pools
		r := g.Begin(decide.Subject{Tenant: fmt.Sprint("many", i)})
		if _, _, err := get(r, "http://a.example/"); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	if n := egress.Pools(g); n > 128 {
		t.Errorf("%d pools", n)
	}
}

// TestClosed: after its end a run makes no request, and what it reads ends; a closed gate closes all.
func TestClosed(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	hang := make(chan struct{})
	defer close(hang)
	l.plain("a.example", func(w http.ResponseWriter, r *http.Request) {
		w.Write(bytes.Repeat([]byte("x"), 1000))
		w.(http.Flusher).Flush()
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	})
	for name, end := range map[string]func(g *egress.Gate, r *egress.Run, cancel func()){
		"run":     func(_ *egress.Gate, r *egress.Run, _ func()) { r.Close() },
		"gate":    func(g *egress.Gate, _ *egress.Run, _ func()) { g.Close() },
		"context": func(_ *egress.Gate, _ *egress.Run, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			g := l.gate(listOf(t, "GET http://a.example/**"))
			r := g.Begin(decide.Subject{})
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, "GET", "http://a.example/", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := r.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(resp.Body, make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
			end(g, r, cancel)
			want := error(egress.ErrClosed)
			if name == "context" {
				want = context.Canceled
			}
			if n, err := resp.Body.Read(make([]byte, 1)); n > 0 || !errors.Is(err, want) {
				t.Errorf("%d, %v", n, err)
			}
			dialed := len(l.reached())
			if _, _, err := do(r, req.Clone(ctx)); !errors.Is(err, want) || len(l.reached()) != dialed {
				t.Errorf("%v, %d dialed", err, len(l.reached())-dialed)
			}
			r.Close()
			g.Close()
		})
	}
}

// TestErrorsHideHost: errors of the network do not tell the addresses of the host and of its resolver.
func TestErrorsHideHost(t *testing.T) {
	l := newLab(t)
	l.raw("reset.example", func(c net.Conn) {
		readRequest(c)
		c.(*net.TCPConn).SetLinger(0)
	})
	o := l.options()
	o.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
		if host == "reset.example" {
			return l.resolve(ctx, host)
		}
		return nil, &net.DNSError{Err: "no such host", Name: host, Server: "10.9.8.7:53", IsNotFound: true}
	}
	var local string
	o.Dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
		c, err := l.dial(ctx, to)
		if err == nil {
			local = c.LocalAddr().String()
		}
		return c, err
	}
	g, err := egress.New(listOf(t, "GET http://reset.example/**", "GET http://none.example/**"), o)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	r := g.Begin(decide.Subject{})
	_, _, err = get(r, "http://none.example/")
	if dns, ok := errors.AsType[*net.DNSError](err); !ok || !dns.IsNotFound || strings.Contains(err.Error(), "10.9.8.7") || !strings.Contains(err.Error(), "none.example") {
		t.Errorf("%v", err)
	}
	_, _, err = get(r, "http://reset.example/")
	if err == nil || local == "" || strings.Contains(err.Error(), local) || !strings.Contains(err.Error(), "reset") {
		t.Errorf("%v; the host is %s", err, local)
	}
}
