package egress_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A lab is an internet of test servers: it has names, addresses, and what listens there.
type lab struct {
	t testing.TB

	mu       sync.Mutex
	names    map[string][]netip.Addr
	behind   map[netip.AddrPort]string // the address on loopback that is dialed instead
	resolved []string
	dialed   []netip.AddrPort
	events   []egress.Event

	roots *x509.CertPool
	key   *ecdsa.PrivateKey
	ca    *x509.Certificate
}

func newLab(t testing.TB) *lab {
	l := &lab{t: t, names: map[string][]netip.Addr{}, behind: map[netip.AddrPort]string{}, roots: x509.NewCertPool()}
	var err error
	if l.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	l.ca = l.sign(&x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, Subject: pkix.Name{CommonName: "lab"}}, nil)
	l.roots.AddCert(l.ca)
	return l
}

// sign makes a certificate.
func (l *lab) sign(c, by *x509.Certificate) *x509.Certificate {
	c.SerialNumber = big.NewInt(time.Now().UnixNano())
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	if by == nil {
		by = c
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by, l.key.Public(), l.key)
	if err != nil {
		l.t.Fatal(err)
	}
	signed, err := x509.ParseCertificate(der)
	if err != nil {
		l.t.Fatal(err)
	}
	return signed
}

// certificate is one for some names, signed by the lab.
func (l *lab) certificate(names ...string) tls.Certificate {
	c := l.sign(&x509.Certificate{DNSNames: names, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, l.ca)
	return tls.Certificate{Certificate: [][]byte{c.Raw}, PrivateKey: l.key}
}

// at makes a name, at a public address of its own, lead to a listener.
func (l *lab) at(name string, port uint16, addr net.Addr) netip.Addr {
	l.mu.Lock()
	defer l.mu.Unlock()
	ip := netip.AddrFrom4([4]byte{93, 184, byte(len(l.behind) / 250), byte(len(l.behind)%250 + 1)})
	if had := l.names[name]; len(had) > 0 {
		ip = had[0]
	}
	l.names[name] = []netip.Addr{ip}
	l.behind[netip.AddrPortFrom(ip, port)] = addr.String()
	return ip
}

// plain serves a name by http on port 80.
func (l *lab) plain(name string, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(h)
	l.t.Cleanup(s.Close)
	l.at(name, 80, s.Listener.Addr())
	return s
}

// secure serves a name by https on port 443, with a certificate for it, or for other names.
func (l *lab) secure(name string, h http.HandlerFunc, certified ...string) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	if len(certified) == 0 {
		certified = []string{name}
	}
	s.TLS = &tls.Config{Certificates: []tls.Certificate{l.certificate(certified...)}}
	s.Config.ErrorLog = discard
	s.StartTLS()
	l.t.Cleanup(s.Close)
	l.at(name, 443, s.Listener.Addr())
	return s
}

// raw serves a name on port 80 by a function for each connection.
func (l *lab) raw(name string, serve func(net.Conn)) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	var serving sync.WaitGroup
	l.t.Cleanup(func() {
		listener.Close()
		serving.Wait()
	})
	l.at(name, 80, listener.Addr())
	serving.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer c.Close()
				serve(c)
			})
		}
	})
}

func (l *lab) resolve(_ context.Context, host string) ([]netip.Addr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resolved = append(l.resolved, host)
	if l.names[host] == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return slices.Clone(l.names[host]), nil
}

func (l *lab) dial(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	l.mu.Lock()
	l.dialed = append(l.dialed, to)
	addr := l.behind[to]
	l.mu.Unlock()
	if addr == "" {
		return nil, fmt.Errorf("nothing listens at %s", to)
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", addr)
}

func (l *lab) observe(e egress.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

// told are the events of some kinds.
func (l *lab) told(kinds ...egress.Kind) (list []egress.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		if slices.Contains(kinds, e.Kind) {
			list = append(list, e)
		}
	}
	return list
}

// reached are the addresses that were dialed so far.
func (l *lab) reached() []netip.AddrPort {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.dialed)
}

func (l *lab) options() egress.Options {
	return egress.Options{Resolve: l.resolve, Dial: l.dial, Roots: l.roots, Observe: l.observe}
}

// gate is a Gate in the lab.
func (l *lab) gate(p egress.Policy) *egress.Gate {
	l.t.Helper()
	g, err := egress.New(p, l.options())
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { g.Close() })
	return g
}

// run is a run of a gate with these rules.
func (l *lab) run(rules ...string) *egress.Run {
	l.t.Helper()
	r := l.gate(listOf(l.t, rules...)).Begin(decide.Subject{Tenant: "acme", Run: "1"})
	l.t.Cleanup(func() { r.Close() })
	return r
}

// get makes a request and reads its body.
func get(r *egress.Run, url string) (*http.Response, string, error) {
	return send(r, "GET", url, nil)
}

func send(r *egress.Run, method, url string, body io.Reader) (*http.Response, string, error) {
	req, err := http.NewRequest(method, url, body)
	if err != nil {
		return nil, "", err
	}
	return do(r, req)
}

func do(r *egress.Run, req *http.Request) (*http.Response, string, error) {
	resp, err := r.RoundTrip(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp, string(text), err
}

// hello is a handler.
func hello(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello %s", r.URL) }

// leavesNothing fails if the test leaves goroutines of gates or transports.
func leavesNothing(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		var stacks string
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			buf := make([]byte, 1<<20)
			stacks = string(buf[:runtime.Stack(buf, true)])
			if !strings.Contains(stacks, "egress.(*") && !strings.Contains(stacks, "net/http.(*persistConn)") && !strings.Contains(stacks, "http2ClientConn") {
				return
			}
		}
		t.Errorf("goroutines are left:\n%s", stacks)
	})
}
