package ledger

import (
	"bytes"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A hooked dialer calls a func with what a server is to send, before it does.
type hooked struct {
	mu     sync.Mutex
	before func(data []byte)
}

func (h *hooked) set(before func(data []byte)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.before = before
}

func (h *hooked) Dial(network, address string) (net.Conn, error) {
	c, err := net.Dial(network, address)
	return &hookedConn{c, h}, err
}

type hookedConn struct {
	net.Conn
	h *hooked
}

func (c *hookedConn) Write(data []byte) (int, error) {
	c.h.mu.Lock()
	before := c.h.before
	c.h.mu.Unlock()
	if before != nil {
		before(data)
	}
	return c.Conn.Write(data)
}

// hook is a server with such a dialer.
func hook(t *testing.T, n *server.Server) (*end, *hooked) {
	t.Helper()
	h := &hooked{}
	conn, err := nats.Connect(n.ClientURL(), nats.SetCustomDialer(h))
	if err != nil {
		t.Fatal(err)
	}
	return openBy(t, conn, t.TempDir()), h
}

// TestPausedOwner: a server that stops when it has written what a session has become, and goes on when another one has the session, deletes
// nothing that this one has written.
func TestPausedOwner(t *testing.T) {
	n := listen(t, t.TempDir(), -1)
	a, h := hook(t, n)
	b, c := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	file, more := strings.Repeat("x", 80<<10), strings.Repeat("y", 80<<10)
	a.begins("ses_1", "one", file)
	_, err := b.Session(t.Context(), "acme", "ses_1")
	b.must(err)
	paused, goesOn, written := make(chan struct{}), make(chan struct{}), false
	h.set(func(data []byte) { // it stops, as by SIGSTOP, when it first asks for something of the objects after it has written the entry
		if at := bytes.Index(data, []byte("HPUB "+subject("acme", "ses_1"))); at >= 0 {
			written, data = true, data[at:]
		}
		if written && bytes.Contains(data, []byte("OBJ_"+large)) {
			h.set(nil)
			close(paused)
			<-goesOn
		}
	})
	kept1 := make(chan error, 1)
	go func() { kept1 <- a.Keep(kept("ses_1", time.Now(), "two", more)) }() // without the file
	select {
	case <-paused:
	case <-time.After(time.Minute):
		t.Fatal("it does not stop")
	}
	e, revision, err := b.sessionOf(t.Context(), "acme", "ses_1")
	b.must(err)
	b.must(b.take(t.Context(), e, revision)) // a is silent
	b.must(b.Keep(kept("ses_1", time.Now(), "three", more, file)))
	close(goesOn)
	a.must(<-kept1)
	if _, err := c.Session(t.Context(), "acme", "ses_1"); err != nil {
		t.Errorf("what the next one has written is deleted: %v", err)
	}
	e, _, err = b.sessionOf(t.Context(), "acme", "ses_1")
	b.must(err)
	for _, h := range e.Session.Contents.Objects {
		if _, err := b.object(t.Context(), objectOf("ses_1", h)); err != nil {
			t.Errorf("what the next one has written is deleted: %v", err)
		}
	}
}
