package proxy_test

import (
	"encoding/base64"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

// with is a request for a tunnel with some lines in its header.
func with(lines ...string) string {
	return "CONNECT a.example:443 HTTP/1.1\r\n" + strings.Join(append(lines, "", ""), "\r\n")
}

func bearer(token string) string { return "Proxy-Authorization: Bearer " + token }

// TestToken: a request is served if it shows the token of a grant, once, and else answered with 407 before anything is decided.
func TestToken(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) { io.WriteString(c, "hi") })
	token := r.grant.Token()
	basic := func(text string) string {
		return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(text))
	}
	for _, header := range []string{bearer(token), "proxy-authorization:bEARER   " + token, basic("x:" + token), basic(":" + token)} {
		if got := r.say(with(header)); !strings.HasSuffix(got, "\r\n\r\nhi") {
			t.Errorf("%s: %q", header, got)
		}
	}
	decided := len(r.told(egress.KindDecision))
	for _, lines := range [][]string{
		nil, {"Authorization: Bearer " + token}, {bearer("")}, {bearer(token[:len(token)-1])}, {bearer(token + "A")}, {bearer(strings.ToLower(token))}, {bearer(token), bearer(token)},
		{bearer(token), bearer("x")}, {bearer("x"), bearer(token)}, {basic(token)}, {basic(token + ":")}, {basic(token + ":x")}, {basic("x:" + token + ":")}, {"Proxy-Authorization: " + token},
		{"Proxy-Authorization: Digest " + token}, {"Proxy-Authorization: Basic " + token}, {bearer(token + " " + token)}, {bearer(r.path)},
	} {
		got := r.say(with(lines...))
		if !strings.HasPrefix(got, "HTTP/1.1 407 ") || !strings.Contains(got, "\r\nProxy-Authenticate: Basic ") || strings.Contains(got, token) {
			t.Errorf("%q: %q", lines, got)
		}
	}
	if n := len(r.told(egress.KindDecision)); n != decided {
		t.Errorf("%d decisions for requests without a token", n-decided)
	}
}

// TestGrants: each token stands for its own run, with the limits of that, and for nothing when it is closed.
func TestGrants(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{}, egress.Limits{Run: egress.Quota{Requests: 2}}, "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) { io.WriteString(c, "hi") })
	other, err := r.Grant(decide.Subject{Tenant: "b", Run: "2"}, 0)
	if err != nil || other.Token() == r.grant.Token() {
		t.Fatal(err)
	}
	asked := func(g *proxy.Grant, status string) {
		t.Helper()
		if got := r.say(with(bearer(g.Token()))); !strings.HasPrefix(got, "HTTP/1.1 "+status) {
			t.Errorf("%q, want %s", got, status)
		}
	}
	asked(r.grant, "200")
	asked(r.grant, "200")
	asked(r.grant, "429")
	asked(other, "200")
	if told := r.told(egress.KindDecision); told[0].Tenant != "acme" || told[3].Tenant != "b" || told[3].Run != "2" {
		t.Errorf("%+v", told)
	}
	other.Close()
	other.Close()
	asked(other, "407")
	asked(r.grant, "429")
	if err := other.Renew(0); !errors.Is(err, proxy.ErrClosed) {
		t.Error(err)
	}
	for _, ttl := range []time.Duration{-1} {
		if _, err := r.Grant(decide.Subject{}, ttl); err == nil {
			t.Error("a grant without time")
		}
		if err := r.grant.Renew(ttl); err == nil {
			t.Error("a grant without time")
		}
	}
	r.Close()
	if _, err := r.Grant(decide.Subject{}, 0); !errors.Is(err, proxy.ErrClosed) {
		t.Error(err)
	}
}

// TestExpired: a grant ends by itself, with its tunnels, unless it is renewed.
func TestExpired(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) { io.Copy(io.Discard, c) })
	if err := r.grant.Renew(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	until(t, "the grant has ended", func() bool { return strings.HasPrefix(r.say(with(bearer(r.grant.Token()))), "HTTP/1.1 407 ") })
	brief, err := r.Grant(decide.Subject{}, 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	renewed, err := r.Grant(decide.Subject{}, 2*time.Second)
	if err == nil {
		err = renewed.Renew(0)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.grant = brief
	r.raw("a.example:443", func(c *net.TCPConn) {
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		io.Copy(io.Discard, c)
		io.WriteString(c, "late")
	})
	if got, _ := io.ReadAll(r.open("a.example:443")); len(got) > 0 {
		t.Errorf("%q", got)
	}
	r.grant = renewed // its first time is over, too
	c := r.open("a.example:443")
	if err := renewed.Renew(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(c); len(got) > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestEnds: the end of a grant, of the server and of the gate's run end tunnels and requests that wait, at each end of them.
func TestEnds(t *testing.T) {
	for name, end := range map[string]func(r *rig){
		"grant":  func(r *rig) { r.grant.Close() },
		"server": func(r *rig) { r.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			leavesNothing(t)
			r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://a.example", "GET http://a.example")
			begun, ended := make(chan bool, 2), make(chan bool, 2)
			wait := func(c *net.TCPConn) {
				c.Read(make([]byte, 1))
				begun <- true
				io.Copy(io.Discard, c)
				ended <- true
			}
			r.raw("a.example:443", wait)
			r.raw("a.example:80", wait)
			tunnel, plain := r.open("a.example:443"), r.dial()
			io.WriteString(tunnel, "x")
			io.WriteString(plain, r.ask("GET http://a.example/"))
			<-begun
			<-begun
			end(r)
			io.ReadAll(tunnel) // they end before the deadline of the connection, a minute
			io.ReadAll(plain)
			<-ended
			<-ended
			for _, c := range []*net.UnixConn{tunnel, plain} {
				if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
					t.Error(err)
				}
			}
		})
	}
}
