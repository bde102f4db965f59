package nettest

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// A peer serves the connections of a gate and counts those that are open.
type peer struct {
	serve func(net.Conn)
	open  atomic.Int64
	all   sync.WaitGroup
}

// dial connects to the peer, over TCP, so that what nobody reads does not come.
func (p *peer) dial(ctx context.Context) (net.Conn, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", l.Addr().String())
	if err != nil {
		return nil, err
	}
	there, err := l.Accept()
	if err != nil {
		c.Close()
		return nil, err
	}
	p.open.Add(1)
	p.all.Go(func() {
		defer p.open.Add(-1)
		defer there.Close()
		p.serve(there)
	})
	return c, nil
}

// closed waits until no connection is open.
func (p *peer) closed() int64 {
	for end := time.Now().Add(time.Minute); p.open.Load() > 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	return p.open.Load()
}

// request reads the header of a request.
func request(c net.Conn) bool {
	_, err := http.ReadRequest(bufio.NewReader(c))
	return err == nil
}

const answer = "HTTP/1.1 200 OK\r\n"

func hang(c net.Conn) { io.Copy(io.Discard, c) }

// then answers a request with a text, and goes on with what follows.
func then(text string, next func(net.Conn)) func(net.Conn) {
	return func(c net.Conn) {
		if request(c) {
			io.WriteString(c, text)
			next(c)
		}
	}
}

// endless writes a text for ever.
func endless(text string) func(net.Conn) {
	return func(c net.Conn) {
		for block := strings.Repeat(text, 1+32<<10/len(text)); ; {
			if _, err := io.WriteString(c, block); err != nil {
				return
			}
		}
	}
}

// slowly writes a byte of a text at a time, for ever.
func slowly(text string) func(net.Conn) {
	return func(c net.Conn) {
		for i := 0; ; i++ {
			if _, err := io.WriteString(c, text[i%len(text):][:1]); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
}

func bomb(c net.Conn) {
	z := gzip.NewWriter(c)
	for zeros := make([]byte, 1<<20); ; {
		if _, err := z.Write(zeros); err != nil {
			return
		}
	}
}

// hostile are servers that do not end at some stage, and the limit that ends them; empty for an error that is no limit.
var hostile = map[string]struct {
	url   string
	serve func(net.Conn)
	limit string
}{
	"accept":               {"http://accept.example/", nil, "first_byte"},
	"TLS handshake":        {"https://a.example/", hang, "first_byte"},
	"TLS handshake, slow":  {"https://a.example/", slowly("\x16\x03\x03\x40\x00\x02"), "first_byte"},
	"status line":          {"http://a.example/", then("", hang), "first_byte"},
	"half a status line":   {"http://a.example/", then("HTTP/1.1 2", hang), "first_byte"},
	"header":               {"http://a.example/", then(answer+"X: y\r\n", hang), "first_byte"},
	"slow header":          {"http://a.example/", then(answer, slowly("X: y\r\n")), "first_byte"},
	"body":                 {"http://a.example/", then(answer+"Content-Length: 9\r\n\r\nx", hang), "total"},
	"no byte of the body":  {"http://a.example/", then(answer+"Content-Length: 9\r\n\r\n", hang), "total"},
	"slow body":            {"http://a.example/", then(answer+"\r\n", slowly("x")), "total"},
	"slow chunks":          {"http://a.example/", then(answer+"Transfer-Encoding: chunked\r\n\r\n", slowly("1\r\nx\r\n")), "total"},
	"trailer":              {"http://a.example/", then(answer+"Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n1\r\nx\r\n0\r\nX: y\r\n", hang), "total"},
	"a million headers":    {"http://a.example/", then(answer, endless("A:\r\n")), "header"},
	"a million names":      {"http://a.example/", func(c net.Conn) { _ = request(c) && names(c) }, "header"},
	"an endless header":    {"http://a.example/", then(answer+"X: ", endless("x")), "header"},
	"10 GB":                {"http://a.example/", then(answer+"Content-Length: 10000000000\r\n\r\n", endless("x")), "received"},
	"10 GB without length": {"http://a.example/", then(answer+"\r\n", endless("x")), "received"},
	"a bomb of gzip":       {"http://a.example/", then(answer+"Content-Encoding: gzip\r\n\r\n", bomb), "ratio"},
	"an endless trailer":   {"http://a.example/", then(answer+"Transfer-Encoding: chunked\r\n\r\n0\r\n", endless("X: y\r\n")), ""},
}

func names(c net.Conn) bool {
	io.WriteString(c, answer)
	for i := range 1_000_000 {
		if _, err := fmt.Fprintf(c, "A%d:\r\n", i); err != nil {
			return false
		}
	}
	return true
}

// reads makes a request and reads its body, and says which error there was.
const reads = `
resp, err := http.Get(os.Args[1])
if err == nil {
	for buf := make([]byte, 32<<10); err == nil; {
		_, err = resp.Body.Read(buf)
	}
	resp.Body.Close()
}
fmt.Println(err)
`

// hostileGate is a gate with a short time if that is the limit that is to be reached, and a long one else: the machine may be slow.
func hostileGate(t *testing.T, p *peer, limit string) *egress.Gate {
	limits := egress.Limits{FirstByte: 2 * time.Minute, Total: 2 * time.Minute, Run: egress.Quota{Received: 64 << 20}}
	switch egress.Limit(limit) {
	case egress.FirstByte:
		limits.FirstByte = 300 * time.Millisecond
	case egress.Total:
		limits.Total = 500 * time.Millisecond
	}
	rules := []egress.Rule{{Host: "*.a.example", Scheme: "http"}, {Host: "a.example", Scheme: "http"}, {Host: "a.example"}, {Host: "accept.example", Scheme: "http"}}
	g, err := egress.New(egress.Policy{Rules: rules, Limits: limits}, egress.Options{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			if host == "accept.example" {
				return []netip.Addr{netip.MustParseAddr("93.184.1.1")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("93.184.1.2")}, nil
		},
		Dial: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			if to.Addr() == netip.MustParseAddr("93.184.1.1") {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return p.dial(ctx)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestHostileServers: whatever stage of an answer a server does not end, the script gets the error of the limit, and of the host
// no memory is taken, and no goroutine and no connection is left.
func TestHostileServers(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // how much garbage there is for how long is not what is asked
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		p.Limits.Timeout = 5 * time.Minute // the limits of the gate end each
		for name, test := range hostile {
			t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
				if _, err := rig.RunOnce(t, p, "_ = 1"); err != nil { // what stays for the next runs begins here
					t.Fatal(err)
				}
				before := runtime.NumGoroutine()
				server := &peer{serve: test.serve}
				g := hostileGate(t, server, test.limit)
				p.Network = g
				box, err := sandtrap.New(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				heap := rig.SettledHeap()
				peak := rig.Peak()
				res, err := box.Run(t.Context(), sandtrap.Script{Text: reads, Args: []string{"x", test.url}})
				grown := peak() - heap
				if err != nil {
					t.Fatal(err)
				}
				want := "the network limit " + test.limit
				if !strings.Contains(res.Stdout, want) && test.limit != "" || res.Stdout == "EOF\n" {
					t.Errorf("%q, want %q", res.Stdout, want)
				}
				if grown > 16<<20 {
					t.Errorf("the heap has grown by %d MiB", grown>>20)
				}
				if n := server.closed(); n > 0 {
					t.Errorf("%d connections are open", n)
				}
				box.Close()
				g.Close()
				server.all.Wait()
				if n := rig.Settled(before); n > before {
					t.Errorf("%d goroutines, there were %d", n, before)
				}
			})
		}
	})
}
