package proxy_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

// A rig is a gate with a proxy, and the servers that its names lead to.
type rig struct {
	*proxy.Server
	t     testing.TB
	path  string
	grant *proxy.Grant
	roots *x509.CertPool

	mu     sync.Mutex
	behind map[string]string // the listener of host:port
	dialed []string
	events []egress.Event
}

// public is the address of the first name; the others have those behind it.
var public = netip.MustParseAddr("93.184.216.34")

func newRig(t testing.TB, o proxy.Options, limits egress.Limits, rules ...string) *rig {
	t.Helper()
	r := &rig{t: t, path: filepath.Join(t.TempDir(), "s"), behind: map[string]string{}, roots: x509.NewCertPool()}
	p := egress.Policy{Limits: limits}
	for _, text := range rules {
		rule, err := egress.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Rules = append(p.Rules, rule)
	}
	names := map[netip.Addr]string{}
	gate, err := egress.New(p, egress.Options{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			if host == "private.example" {
				return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
			}
			ip := public
			for names[ip] != "" && names[ip] != host {
				ip = ip.Next()
			}
			names[ip] = host
			return []netip.Addr{ip}, nil
		},
		Dial: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			r.mu.Lock()
			target := net.JoinHostPort(names[to.Addr()], to.String()[strings.LastIndex(to.String(), ":")+1:])
			r.dialed = append(r.dialed, target)
			addr := r.behind[target]
			r.mu.Unlock()
			var d net.Dialer
			return d.DialContext(ctx, "tcp", addr)
		},
		Observe: func(e egress.Event) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.events = append(r.events, e)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Server, err = proxy.Listen(r.path, gate, o)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r.grant, err = r.Grant(decide.Subject{Tenant: "acme", Run: "1"}, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		gate.Close()
	})
	return r
}

// told are the events of a kind.
func (r *rig) told(kind egress.Kind) (list []egress.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if e.Kind == kind {
			list = append(list, e)
		}
	}
	return list
}

// reached are the targets that were dialed.
func (r *rig) reached() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.dialed)
}

func (r *rig) at(target string, addr net.Addr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind[target] = addr.String()
}

// plain serves a target by http, secure by https for its host.
func (r *rig) plain(target string, h http.HandlerFunc) {
	s := httptest.NewServer(h)
	r.t.Cleanup(s.Close)
	r.at(target, s.Listener.Addr())
}

func (r *rig) secure(target string, h http.HandlerFunc) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		r.t.Fatal(err)
	}
	host, _, _ := net.SplitHostPort(target)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err == nil {
		c, err = x509.ParseCertificate(der)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.roots.AddCert(c)
	s := httptest.NewUnstartedServer(h)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	r.t.Cleanup(s.Close)
	r.at(target, s.Listener.Addr())
}

// raw serves a target by a function for each connection.
func (r *rig) raw(target string, serve func(*net.TCPConn)) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	var serving sync.WaitGroup
	r.t.Cleanup(func() {
		l.Close()
		serving.Wait()
	})
	r.at(target, l.Addr())
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer c.Close()
				serve(c.(*net.TCPConn))
			})
		}
	})
}

// client is what a child program has that follows HTTPS_PROXY, with the token as the password of the proxy.
func (r *rig) client(token string) *http.Client {
	through := &url.URL{Scheme: "http", Host: "proxy", User: url.UserPassword("run", token)}
	transport := &http.Transport{
		Proxy:           http.ProxyURL(through),
		DialContext:     func(context.Context, string, string) (net.Conn, error) { return net.Dial("unix", r.path) },
		TLSClientConfig: &tls.Config{RootCAs: r.roots},
	}
	r.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// dial connects to the proxy.
func (r *rig) dial() *net.UnixConn {
	r.t.Helper()
	c, err := net.Dial("unix", r.path)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	return c.(*net.UnixConn)
}

// say sends a text, and gives all that comes back until the proxy ends.
func (r *rig) say(text string) string {
	c, err := net.Dial("unix", r.path)
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	go func() {
		io.WriteString(c, text)
		c.(*net.UnixConn).CloseWrite()
	}()
	got, _ := io.ReadAll(c)
	return string(got)
}

// ask is the header of a request with the token of the rig.
func (r *rig) ask(line string) string {
	return line + " HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Bearer " + r.grant.Token() + "\r\n\r\n"
}

// open opens a tunnel.
func (r *rig) open(target string) *net.UnixConn {
	r.t.Helper()
	c := r.dial()
	io.WriteString(c, r.ask("CONNECT "+target))
	const want = "HTTP/1.1 200 Connection established\r\n\r\n"
	buf := make([]byte, len(want))
	if _, err := io.ReadFull(c, buf); err != nil || string(buf) != want {
		r.t.Fatalf("%q, %v", buf, err)
	}
	return c
}

// until waits for a state.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// leavesNothing fails if the test leaves goroutines of the proxy or of the gate.
func leavesNothing(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		until(t, "no goroutine is left", func() bool {
			buf := make([]byte, 1<<20)
			text := string(buf[:runtime.Stack(buf, true)])
			return !strings.Contains(text, "egress.(*") && !strings.Contains(text, "proxy.(*")
		})
	})
}
