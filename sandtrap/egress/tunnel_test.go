package egress_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// echoes sends back what it gets, and ends when that ends.
func echoes(c net.Conn) {
	io.Copy(c, c)
	c.(*net.TCPConn).CloseWrite()
}

// TestConnect: a tunnel carries bytes both ways, each way ends for itself, and its bytes are told.
func TestConnect(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	l.raw("a.example", echoes)
	tunnel, err := l.run("CONNECT https://a.example:80").Connect(t.Context(), "A.example.:80")
	if err != nil {
		t.Fatal(err)
	}
	sent := bytes.Repeat([]byte("0123456789"), 100_000)
	go func() {
		tunnel.Write(sent)
		tunnel.CloseWrite()
	}()
	got, err := io.ReadAll(tunnel)
	if err != nil || !bytes.Equal(got, sent) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	tunnel.Close()
	tunnel.Close()
	ends := l.told(egress.KindEnd)
	if len(ends) != 1 || ends[0].Sent != int64(len(sent)) || ends[0].Received != int64(len(sent)) || ends[0].Error != "" || ends[0].Method != "CONNECT" ||
		ends[0].URL != "a.example:80" || ends[0].Host != "a.example" || ends[0].Rule != "CONNECT https://a.example:80/**" || ends[0].Tenant != "acme" {
		t.Errorf("%+v", ends)
	}
}

// TestConnectRefused: only rules with CONNECT allow a tunnel, and mode public on port 443; what is refused sends nothing.
func TestConnectRefused(t *testing.T) {
	list := listOf(t, "GET,POST https://api.example", "CONNECT https://tunnel.example:443,8443", "CONNECT https://*.wild.example", "CONNECT,GET https://both.example", "GET http://plain.example",
		"CONNECT https://10.1.2.3 private=10.1.2.0/24")
	public := egress.Policy{Mode: egress.Public}
	for _, test := range []struct {
		policy egress.Policy
		target string
		want   string // "" if it is allowed
	}{
		{list, "tunnel.example:443", ""},
		{list, "TUNNEL.example.:8443", ""},
		{list, "a.wild.example:443", ""},
		{list, "both.example:443", ""},
		{list, "10.1.2.3:443", ""},
		{list, "tunnel.example:80", "CONNECT tunnel.example:80 is not allowed: the policy lists CONNECT https://tunnel.example:443,8443/**"},
		{list, "api.example:443", "CONNECT api.example:443 is not allowed: the policy lists GET,POST https://api.example/** (CONNECT shows no method and no path, so it needs a rule of its own: CONNECT https://api.example)"},
		{list, "plain.example:80", "a rule of its own: CONNECT https://plain.example:80"},
		{list, "a.b.wild.example:443", "is not allowed"},
		{list, "wild.example:443", "is not allowed"},
		{list, "other.example:443", "CONNECT other.example:443 is not allowed: the policy lists"},
		{egress.Policy{}, "a.example:443", "CONNECT a.example:443 is not allowed: the policy allows no network"},
		{public, "a.example:443", ""},
		{public, "a.example:80", "is not allowed"},
		{public, "a.example:22", "is not allowed"},
		{public, "127.0.0.1:443", "loopback"},
		{public, "[::1]:443", "loopback"},
		{public, "169.254.169.254:443", "metadata"},
		{public, "private.example:443", "CONNECT private.example:443 is not allowed: private.example has the address 10.0.0.1, which is private"},
		{public, "::1:443", "its host is neither"},
		{public, "a.example", "it has no port"},
		{public, "a.example:", "it has no port"},
		{public, "a.example:0", "its port is not a number"},
		{public, "a.example:0443", "its port is not a number"},
		{public, "a.example:65536", "its port is above"},
		{public, "a.example:https", "its port is not a number"},
		{public, "a.example:443:443", "its host is neither"},
		{public, "u@a.example:443", "it names a user"},
		{public, "u:hunter2@a.example:443", "it names a user"},
		{public, "a.example/:443", "its host is neither"},
		{public, "https://a.example:443", "its"},
		{public, "0x7f.1:443", "its host is neither"},
		{public, "127.1:443", "its host is neither"},
		{public, "[fe80::1%25eth0]:443", "percent"},
		{public, "a.example:443 ", "it has the character"},
		{public, "", "no host"},
		{public, ":443", "no host"},
	} {
		l := newLab(t)
		l.names["private.example"] = []netip.Addr{netip.MustParseAddr("10.0.0.1")}
		_, err := l.gate(test.policy).Begin(decide.Subject{}).Connect(t.Context(), test.target)
		denied, refused := errors.AsType[*decide.Denied](err)
		malformed, unread := errors.AsType[*egress.ParseError](err)
		if (test.want != "") != (refused || unread) || test.want != "" && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v; want %q", test.target, err, test.want)
		}
		told := l.told(egress.KindDecision)
		if text := fmt.Sprintf("%v %+v", err, told); strings.Contains(text, "hunter2") {
			t.Errorf("%q: %s", test.target, text)
		}
		if last := told[len(told)-1]; refused && last.Denied.Error() != denied.Error() || unread && last.Denied.Reason != malformed.Reason || test.want == "" && last.Denied != nil {
			t.Errorf("%q: told %+v", test.target, told)
		}
		if name := test.target == "private.example:443"; test.want != "" && len(l.reached())+len(l.resolved) > 0 && !(name && len(l.reached()) == 0) {
			t.Errorf("%q: resolved %v, dialed %v", test.target, l.resolved, l.dialed)
		}
	}
}

// TestConnectForScripts: a rule with CONNECT allows no request, whatever its method.
func TestConnectForScripts(t *testing.T) {
	l := newLab(t)
	l.secure("a.example", hello)
	r := l.run("CONNECT https://a.example")
	for _, method := range []string{"GET", "CONNECT", "HEAD"} {
		if _, _, err := send(r, method, "https://a.example/", nil); err == nil || !strings.Contains(err.Error(), "is not allowed") {
			t.Errorf("%s: %v", method, err)
		}
	}
	if len(l.reached()) > 0 {
		t.Errorf("dialed %v", l.dialed)
	}
}

// TestConnectResolvesOnce: an address is dialed that was checked, of one answer of the resolver, which flips.
func TestConnectResolvesOnce(t *testing.T) {
	l := newLab(t)
	asked := 0
	o := l.options()
	o.Resolve = func(context.Context, string) ([]netip.Addr, error) {
		asked++
		return []netip.Addr{netip.MustParseAddr([]string{"169.254.169.254", "10.0.0.1", "8.8.8.8"}[asked%3])}, nil
	}
	g, err := egress.New(egress.Policy{Mode: egress.Public, Limits: egress.Limits{Run: egress.Quota{Requests: 10_000}}}, o)
	if err != nil {
		t.Fatal(err)
	}
	r := g.Begin(decide.Subject{})
	for range 3000 {
		r.Connect(t.Context(), "a.example:443")
	}
	if slices.ContainsFunc(l.reached(), func(a netip.AddrPort) bool { return a.Addr() != netip.MustParseAddr("8.8.8.8") }) || len(l.reached()) != 1000 || asked != 3000 {
		t.Errorf("asked %d times, dialed %d", asked, len(l.reached()))
	}
}

// TestConnectAsks: Options.Decide is asked about tunnels, and refuses them.
func TestConnectAsks(t *testing.T) {
	l := newLab(t)
	o := l.options()
	var asked []egress.Event
	o.Decide = func(_ context.Context, e egress.Event) error {
		asked = append(asked, e)
		return errors.New("not today")
	}
	g, err := egress.New(listOf(t, "CONNECT https://a.example"), o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Begin(decide.Subject{}).Connect(t.Context(), "a.example:443")
	if err == nil || err.Error() != "CONNECT a.example:443 is not allowed: not today" || len(asked) != 1 || asked[0].URL != "a.example:443" || len(l.resolved) > 0 {
		t.Errorf("%v, asked %+v", err, asked)
	}
}

// TestConnectLimits: the limits of requests are those of tunnels.
func TestConnectLimits(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	l.raw("a.example", echoes)
	open := func(change func(*egress.Limits)) (*egress.Run, *egress.Tunnel) {
		p := listOf(t, "CONNECT https://a.example:80")
		change(&p.Limits)
		r := l.gate(p).Begin(decide.Subject{})
		t.Cleanup(func() { r.Close() })
		tunnel, err := r.Connect(t.Context(), "a.example:80")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tunnel.Close() })
		return r, tunnel
	}
	reaches := func(limit egress.Limit, err error) {
		t.Helper()
		if over, ok := errors.AsType[*egress.LimitError](err); !ok || over.Limit != limit {
			t.Errorf("%v; want limit %s", err, limit)
		}
	}
	r, tunnel := open(func(l *egress.Limits) { l.Run.Requests, l.Run.AtOnce = 2, 1 })
	_, err := r.Connect(t.Context(), "a.example:80")
	reaches(egress.AtOnce, err)
	tunnel.Close()
	second, err := r.Connect(t.Context(), "a.example:80")
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
	_, err = r.Connect(t.Context(), "a.example:80")
	reaches(egress.Requests, err)

	_, tunnel = open(func(l *egress.Limits) { l.Run.Sent = 10 })
	_, err = tunnel.Write([]byte("0123456789"))
	if err != nil {
		t.Error(err)
	}
	_, err = tunnel.Write([]byte("x"))
	reaches(egress.Sent, err)

	_, tunnel = open(func(l *egress.Limits) { l.Tenant.Received = 5 })
	tunnel.Write([]byte("0123456789"))
	tunnel.CloseWrite()
	_, err = io.ReadAll(tunnel)
	reaches(egress.Received, err)

	_, tunnel = open(func(l *egress.Limits) { l.Total = time.Second })
	_, err = io.ReadAll(tunnel)
	reaches(egress.Total, err)
}

// TestConnectHangs: a server that does not answer a connection ends in the limit of that.
func TestConnectHangs(t *testing.T) {
	l := newLab(t)
	p := listOf(t, "CONNECT https://a.example")
	p.Limits.FirstByte = 50 * time.Millisecond
	o := l.options()
	l.names["a.example"] = []netip.Addr{netip.MustParseAddr("8.8.8.8")}
	o.Dial = func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	g, err := egress.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Begin(decide.Subject{}).Connect(t.Context(), "a.example:443")
	if over, ok := errors.AsType[*egress.LimitError](err); !ok || over.Limit != egress.FirstByte {
		t.Error(err)
	}
}

// TestConnectEnds: the end of the run, of the gate and of the context end a tunnel that waits.
func TestConnectEnds(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	l.raw("a.example", func(c net.Conn) { io.Copy(io.Discard, c) })
	for name, end := range map[string]func(*egress.Gate, *egress.Run, context.CancelFunc){
		"run":     func(_ *egress.Gate, r *egress.Run, _ context.CancelFunc) { r.Close() },
		"gate":    func(g *egress.Gate, _ *egress.Run, _ context.CancelFunc) { g.Close() },
		"context": func(_ *egress.Gate, _ *egress.Run, cancel context.CancelFunc) { cancel() },
	} {
		g := l.gate(listOf(t, "CONNECT https://a.example:80"))
		r := g.Begin(decide.Subject{})
		ctx, cancel := context.WithCancel(t.Context())
		tunnel, err := r.Connect(ctx, "a.example:80")
		if err != nil {
			t.Fatal(err)
		}
		read := make(chan error)
		go func() {
			_, err := io.ReadAll(tunnel)
			read <- err
		}()
		end(g, r, cancel)
		if err := <-read; !errors.Is(err, egress.ErrClosed) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if name != "context" {
			if _, err := r.Connect(t.Context(), "a.example:80"); !errors.Is(err, egress.ErrClosed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		cancel()
		r.Close()
	}
}

// TestConnectTLS: a client's own TLS goes through, and no secret of the gate is in it.
func TestConnectTLS(t *testing.T) {
	l := newLab(t)
	l.secure("a.example", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "auth "+r.Header.Get("Authorization")) })
	p := listOf(t, "GET,CONNECT https://a.example")
	p.Secrets = []egress.Secret{{Name: "key", Value: egress.NewValue(theSecret), Hosts: []string{"a.example"}}}
	r := l.gate(p).Begin(decide.Subject{})
	tunnel, err := r.Connect(t.Context(), "a.example:443")
	if err != nil {
		t.Fatal(err)
	}
	defer tunnel.Close()
	client := tls.Client(asConn{tunnel}, &tls.Config{RootCAs: l.roots, ServerName: "a.example"})
	io.WriteString(client, "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n")
	if got, err := io.ReadAll(client); err != nil || !strings.HasSuffix(string(got), "\r\nauth ") {
		t.Errorf("%q, %v", got, err)
	}
}

// asConn is a tunnel for package tls.
type asConn struct{ *egress.Tunnel }

func (asConn) LocalAddr() net.Addr              { return nil }
func (asConn) RemoteAddr() net.Addr             { return nil }
func (asConn) SetDeadline(time.Time) error      { return nil }
func (asConn) SetReadDeadline(time.Time) error  { return nil }
func (asConn) SetWriteDeadline(time.Time) error { return nil }

// TestConnectCounts: a run waits for its tunnels like for its requests, and has their events when it is closed.
func TestConnectCounts(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	l.raw("a.example", func(c net.Conn) { io.Copy(io.Discard, c) })
	g := l.gate(listOf(t, "CONNECT https://a.example:80"))
	r := g.Begin(decide.Subject{})
	tunnel, err := r.Connect(t.Context(), "a.example:80")
	if err != nil {
		t.Fatal(err)
	}
	defer tunnel.Close()
	r.Close()
	if n := len(l.told(egress.KindEnd)); n != 1 {
		t.Errorf("%d events of an end when the run was closed, not 1", n)
	}
	refused := g.Begin(decide.Subject{})
	if _, err := refused.Connect(t.Context(), "b.example:80"); err == nil {
		t.Error("connected to a host that is not listed")
	}
	refused.Close()
}
