package nettest

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// table are the rows of a file of the tests of package egress.
func table(t *testing.T, file string) (rows []string) {
	t.Helper()
	text, err := os.ReadFile("../../egress/testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line != "\n" && line[0] != '#' {
			rows = append(rows, line)
		}
	}
	return rows
}

var errDialed = errors.New("dialed")

// goDials is the host and the port that Go's own client dials for a URL; empty if it refuses that.
func goDials(text string) (addr string) {
	transport := &http.Transport{DialContext: func(_ context.Context, _, to string) (net.Conn, error) {
		addr = to
		return nil, errDialed
	}}
	defer transport.CloseIdleConnections()
	(&http.Client{Transport: transport}).Get(text)
	host, port, _ := net.SplitHostPort(addr)
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.Unmap().String()
	}
	return net.JoinHostPort(host, port)
}

// TestSpellings: scripts reach by a hostile spelling of a URL the host that Go's client dials for that, or none, and no special address.
func TestSpellings(t *testing.T) {
	var texts, wants []string
	for _, row := range table(t, "spellings.txt") {
		var text, want, others string
		if _, err := fmt.Sscanf(row, "%q %q %q", &text, &want, &others); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "://") || want == "" {
			texts, wants = append(texts, text), append(wants, want)
		}
	}
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		var mu sync.Mutex
		row, dialed, resolved := -1, map[int]string{}, ""
		g, err := egress.New(egress.Policy{Mode: egress.Public}, egress.Options{
			Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
				mu.Lock()
				defer mu.Unlock()
				resolved = host
				return []netip.Addr{netip.MustParseAddr("93.184.1.1")}, nil
			},
			Dial: func(_ context.Context, to netip.AddrPort) (net.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				if s, special := egress.SpecialOf(to.Addr()); special {
					t.Errorf("%q: %s was dialed, which is %s", texts[row], to, s.Why)
				}
				dialed[row] = net.JoinHostPort(resolved, fmt.Sprint(to.Port()))
				return nil, errDialed
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		p.Funcs = map[string]any{
			"row": func(n int) string { mu.Lock(); defer mu.Unlock(); row, resolved = n, ""; return texts[n] },
		}
		box := mustBox(t, p, g)
		const script = `for i := range %d { http.Get(row(i)) }`
		if _, err := box.Run(t.Context(), sandtrap.Script{Text: fmt.Sprintf(script, len(texts))}); err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if got := dialed[i]; got != "" && got != goDials(text) {
				t.Errorf("%q: %s was dialed, Go dials %s", text, got, goDials(text))
			}
			if want := wants[i]; want != "" && dialed[i] == "" {
				a, err := egress.Canonical(want)
				if _, isIP := a.IP(); err != nil || !isIP && !strings.HasPrefix(want, "http://api.example.com:443") && goDials(text) != ":" {
					t.Errorf("%q was not dialed", text)
				}
			}
		}
		if len(dialed) < 30 {
			t.Errorf("only %d of %d were dialed", len(dialed), len(texts))
		}
	})
}

// TestSpecialAddresses: scripts reach no special address, by a name that has it and by itself.
func TestSpecialAddresses(t *testing.T) {
	specials := egress.Specials()
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		var refused atomic.Int64
		g, err := egress.New(egress.Policy{Mode: egress.Public}, egress.Options{
			Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
				var n int
				fmt.Sscanf(host, "h%d.", &n)
				return []netip.Addr{specials[n].Prefix.Addr(), netip.AddrFrom16(specials[n].Prefix.Addr().As16())}, nil
			},
			Dial: func(_ context.Context, to netip.AddrPort) (net.Conn, error) {
				t.Errorf("%s was dialed", to)
				return nil, errDialed
			},
			Observe: func(e egress.Event) {
				if e.Kind == egress.KindDecision && e.Denied != nil {
					refused.Add(1)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		args := []string{"x"}
		for i, s := range specials {
			args = append(args, fmt.Sprintf("http://h%d.example.com/", i), "http://"+netip.AddrPortFrom(s.Prefix.Addr(), 80).String()+"/")
		}
		box := mustBox(t, p, g)
		res, err := box.Run(t.Context(), sandtrap.Script{Args: args, Text: `
for _, u := range os.Args[1:] {
	if _, err := http.Get(u); err == nil || !strings.Contains(err.Error(), "is not allowed") { fmt.Println(u, err) }
}`})
		if err != nil || res.Stdout != "" || refused.Load() != int64(2*len(specials)) {
			t.Errorf("%v, %d refused: %s", err, refused.Load(), res.Stdout)
		}
	})
}

// TestRedirects: a script that follows redirects passes the gate with each one.
func TestRedirects(t *testing.T) {
	var mu sync.Mutex
	status, location := 0, ""
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/go" {
			mu.Lock()
			defer mu.Unlock()
			w.Header()["Location"] = []string{location}
			w.WriteHeader(status)
			return
		}
		fmt.Fprint(w, r.Method, " a ", r.URL)
	}))
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, " b ", r.URL) }))
	roots := x509.NewCertPool()
	secure.TLS = &tls.Config{Certificates: []tls.Certificate{certificate(t, "b.example", roots)}}
	secure.StartTLS()
	defer secure.Close()
	hosts := map[string]string{"a.example": "93.184.1.1", "b.example": "93.184.1.2", "inside.example": "10.0.0.1"}
	behind := map[string]string{"93.184.1.1:80": plain.Listener.Addr().String(), "93.184.1.2:443": secure.Listener.Addr().String()}
	rules := []egress.Rule{
		{Host: "a.example", Scheme: "http", Methods: []string{"GET", "POST"}}, {Host: "b.example", Path: "/ok/**"}, {Host: "inside.example", Scheme: "http"},
	}
	g, err := egress.New(egress.Policy{Rules: rules}, egress.Options{
		Roots: roots,
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			if hosts[host] == "" {
				t.Errorf("%s was resolved", host)
				return nil, errDialed
			}
			return []netip.Addr{netip.MustParseAddr(hosts[host])}, nil
		},
		Dial: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			if behind[to.String()] == "" {
				t.Errorf("%s was dialed", to)
				return nil, errDialed
			}
			var d net.Dialer
			return d.DialContext(ctx, "tcp", behind[to.String()])
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	rows := table(t, "redirects.txt")
	if len(rows) < 30 {
		t.Fatalf("%d redirects", len(rows))
	}
	// Go's client makes a header of the user, which the gate refuses in URLs of others.
	differs := map[string]string{"http://user:pass@a.example/x": "GET a /x"}
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		box := mustBox(t, p, g)
		for _, row := range rows {
			var want string
			mu.Lock()
			if _, err := fmt.Sscanf(row, "%d %q %q", &status, &location, &want); err != nil {
				t.Fatal(err)
			}
			if other := differs[location]; other != "" {
				want = other
			}
			mu.Unlock()
			res, err := box.Run(t.Context(), sandtrap.Script{Text: `
resp, err := http.Get("http://a.example/go")
if err == nil { io.Copy(os.Stdout, resp.Body); resp.Body.Close() } else { fmt.Fprint(os.Stderr, err) }`})
			if err != nil || res.Stdout != want || (res.Stderr == "") != (want != "") {
				t.Errorf("%s: %q, %q, %v; want %q", row, res.Stdout, res.Stderr, err, want)
			}
		}
	})
}

// certificate is one for a name, which becomes a root.
func certificate(t *testing.T, name string, roots *x509.CertPool) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	roots.AddCert(c)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestFlippingResolver: of requests of scripts whose names have another address for each question, none reaches a special address.
func TestFlippingResolver(t *testing.T) {
	var bad []netip.Addr
	for _, s := range egress.Specials() {
		bad = append(bad, s.Prefix.Addr())
	}
	public := netip.MustParseAddr("93.184.1.1")
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		requests := 2_000
		if p.Isolation == sandtrap.None && !testing.Short() {
			requests = 100_000
		}
		var asked, dialed atomic.Int64
		limits := egress.Limits{Run: egress.Quota{Requests: 1 << 40, Sent: 1 << 40, Received: 1 << 40}}
		limits.Tenant = limits.Run
		g, err := egress.New(egress.Policy{Mode: egress.Public, Limits: limits}, egress.Options{
			Resolve: func(context.Context, string) ([]netip.Addr, error) {
				n := int(asked.Add(1))
				switch n % 4 {
				case 0:
					return []netip.Addr{public}, nil
				case 1:
					return []netip.Addr{bad[n%len(bad)], public}, nil
				}
				return []netip.Addr{bad[n%len(bad)], bad[n*7%len(bad)]}, nil
			},
			Dial: func(_ context.Context, to netip.AddrPort) (net.Conn, error) {
				if dialed.Add(1); to.Addr() != public {
					t.Errorf("%s was dialed", to)
				}
				here, there := net.Pipe()
				go func() {
					defer there.Close()
					if _, err := http.ReadRequest(bufio.NewReader(there)); err == nil {
						io.WriteString(there, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
					}
				}()
				return here, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		p.Limits.Timeout, p.Limits.Ticks = 10*time.Minute, 1<<40
		box := mustBox(t, p, g)
		res, err := box.Run(t.Context(), sandtrap.Script{Args: []string{"x", fmt.Sprint(requests)}, Text: `
n, _ := strconv.Atoi(os.Args[1])
var answered, refused atomic.Int64
var all sync.WaitGroup
for w := range 8 {
	all.Go(func() {
		for i := w; i < n; i += 8 {
			resp, err := http.Get(fmt.Sprintf("http://h%d.example.com/", i))
			if err != nil { if strings.Contains(err.Error(), "is not allowed") { refused.Add(1) }; continue }
			resp.Body.Close()
			answered.Add(1)
		}
	})
}
all.Wait()
fmt.Print(answered.Load(), " ", refused.Load())`})
		want := fmt.Sprint(requests/2, " ", requests/2)
		if err != nil || res.Stdout != want || dialed.Load() != int64(requests/2) {
			t.Errorf("%v, %q, %d dialed; want %q", err, res.Stdout, dialed.Load(), want)
		}
	})
}

// TestTenants: no connection has requests of scripts of two tenants, and one tenant's runs share theirs.
func TestTenants(t *testing.T) {
	const tenants, runs = 64, 2
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		var mu sync.Mutex
		of := map[string]map[string]bool{} // connection to tenants
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if of[r.RemoteAddr] == nil {
				of[r.RemoteAddr] = map[string]bool{}
			}
			of[r.RemoteAddr][r.URL.Path] = true
		}))
		defer server.Close()
		rule, err := egress.ParseRule("GET " + server.URL + "/** loopback")
		if err != nil {
			t.Fatal(err)
		}
		g, err := egress.New(egress.Policy{Rules: []egress.Rule{rule}}, egress.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		box := mustBox(t, p, g)
		for range runs {
			var all sync.WaitGroup
			for n := range tenants {
				all.Go(func() {
					ctx := decide.WithSubject(t.Context(), decide.Subject{Tenant: fmt.Sprint("tenant", n)})
					_, err := box.Run(ctx, sandtrap.Script{Args: []string{"x", fmt.Sprint(server.URL, "/", n)}, Text: `
for range 3 {
	resp, err := http.Get(os.Args[1])
	if err != nil { panic(err) }
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}`})
					if err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		for conn, list := range of {
			if len(list) != 1 {
				t.Errorf("connection %s has requests of %v", conn, list)
			}
		}
		if n := len(of); n < tenants || n >= tenants*runs*3 {
			t.Errorf("%d connections", n)
		}
	})
}
