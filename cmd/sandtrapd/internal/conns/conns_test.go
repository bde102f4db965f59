package conns_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/conns"
)

// A rig is a server with bounds, whose requests to /keyed have a key and go on until it is told to let them end.
type rig struct {
	t    *testing.T
	http *httptest.Server
	ends chan struct{}
}

func newRig(t *testing.T, b conns.Bounds) *rig {
	r := &rig{t: t, ends: make(chan struct{})}
	r.http = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/keyed" {
			defer conns.Keyed(q.Context())()
			_ = http.NewResponseController(w).Flush()
			<-r.ends
		}
	}))
	r.http.Listener = conns.Listen(r.http.Listener, b)
	r.http.Config.ConnContext = conns.Context
	r.http.Start()
	t.Cleanup(r.http.Close)
	return r
}

// dial connects from an address of this machine.
func (r *rig) dial(from string) net.Conn {
	r.t.Helper()
	c, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext(r.t.Context(), "tcp", r.http.Listener.Addr().String())
	if err != nil {
		r.t.Skip("this machine has no such loopback address: ", err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	return c
}

// asks makes a request on a connection. It is false if the server has closed that.
func (r *rig) asks(c net.Conn, path string) bool {
	r.t.Helper()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	_, _ = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
	line, err := bufio.NewReader(c).ReadString('\n')
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		r.t.Fatal("no response")
	}
	return err == nil && strings.Contains(line, "200 OK")
}

// admitted waits until a new connection from an address is served.
func (r *rig) admitted(from string) {
	r.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		c := r.dial(from)
		ok := r.asks(c, "/")
		_ = c.Close()
		if ok {
			return
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("no connection from %s is served", from)
		}
	}
}

// TestAddress: connections of one address without a key leave room for those of others, and for itself with a key.
func TestAddress(t *testing.T) {
	r := newRig(t, conns.Bounds{All: 20, Keyless: 6, Address: 4})
	keyed := r.dial("127.0.0.1")
	if !r.asks(keyed, "/keyed") {
		t.Fatal("the first one is not served")
	}
	var silent []net.Conn
	for range 4 {
		c := r.dial("127.0.0.1")
		if !r.asks(c, "/") {
			t.Fatal("one within the bounds is not served")
		}
		silent = append(silent, c)
	}
	if r.asks(r.dial("127.0.0.1"), "/") {
		t.Error("one more of the address is served")
	}
	r.admitted("127.0.0.2")
	for range 2 {
		if !r.asks(r.dial("127.0.0.2"), "/") {
			t.Error("one of another address is not served")
		}
	}
	if r.asks(r.dial("127.0.0.3"), "/") {
		t.Error("one more of all without a key is served")
	}
	_ = silent[0].Close()
	r.admitted("127.0.0.3")
	close(r.ends)
	for _, c := range append(silent, keyed) {
		_ = c.Close()
	}
	r.admitted("127.0.0.1")
}

// TestIdle: a connection whose request with a key has ended is one without.
func TestIdle(t *testing.T) {
	r := newRig(t, conns.Bounds{All: 20, Keyless: 20, Address: 1})
	c := r.dial("127.0.0.1")
	_, _ = io.WriteString(c, "GET /keyed HTTP/1.1\r\nHost: x\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	close(r.ends)
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	if r.asks(r.dial("127.0.0.1"), "/") {
		t.Error("it counts for nothing")
	}
}
