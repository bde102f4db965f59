package cluster

import (
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// A link is a connection of TCP to a server that can be slow, lose packets or be cut. As TCP does, it sends what was lost later.
type link struct {
	server   *Server
	url      string
	up, down way // to the server, and from it
}

// A way is a direction of a link.
type way struct {
	mu    sync.Mutex
	cut   bool
	delay time.Duration
	loss  float64 // of a piece, which comes after a time-out of TCP then
}

const (
	resend = 200 * time.Millisecond // after which TCP sends again at least
	pieces = 1024                   // that are on their way
)

func (w *way) set(cut bool, delay time.Duration, loss float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut, w.delay, w.loss = cut, delay, loss
}

// newLink is a link to a server.
func newLink(t testing.TB, s *Server) *link {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &link{server: s, url: "nats://" + l.Addr().String()}
	done := make(chan struct{})
	t.Cleanup(func() { close(done); l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
			if err != nil {
				near.Close()
				continue
			}
			go k.up.carry(done, far, near)
			go k.down.carry(done, near, far)
		}
	}()
	return k
}

// carry carries what comes from one end to the other, and its end too.
func (w *way) carry(done <-chan struct{}, to io.WriteCloser, from io.ReadCloser) {
	type piece struct {
		data []byte
		due  time.Time
	}
	all := make(chan piece, pieces)
	go func() {
		defer close(all)
		for {
			data := make([]byte, 16<<10)
			n, err := from.Read(data)
			w.mu.Lock()
			due := time.Now().Add(w.delay)
			if rand.Float64() < w.loss {
				due = due.Add(resend)
			}
			w.mu.Unlock()
			select {
			case all <- piece{data[:n], due}:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	defer to.Close()
	defer from.Close()
	for one := range all {
		time.Sleep(time.Until(one.due))
		for w.isCut() {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
		if _, err := to.Write(one.data); err != nil {
			return
		}
	}
}

func (w *way) isCut() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cut
}

// worker is a connection of a worker by the link.
func (k *link) worker(t testing.TB, name string) *nats.Conn {
	t.Helper()
	return k.connect(t, RoleWorker, name)
}

// front is a front by the link.
func (k *link) front(t testing.TB) *Front {
	t.Helper()
	f, err := NewFront(k.connect(t, RoleFront, "front2"), "none", equal, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func (k *link) connect(t testing.TB, role Role, name string) *nats.Conn {
	t.Helper()
	conn, err := (&Link{URL: k.url, Identity: enrol(t, k.server, role, name)}).Connect(quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}
