package cluster

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

const key = "0123456789abcdef0123456789abcdef"

// start is a server that workers reach.
func start(t testing.TB) *Server {
	t.Helper()
	s, err := Start("127.0.0.1:0", key, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// front is a front at a server.
func front(t testing.TB, s *Server) *Front {
	t.Helper()
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFront(conn, "none", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close(); conn.Close() })
	return f
}

// client is a client with the key, as a worker with a name is.
func client(t testing.TB, s *Server, name string) *nats.Conn {
	t.Helper()
	conn, err := Connect(s.URL(), name, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// work is a worker. The function has it leave, and waits for that.
func work(t testing.TB, conn *nats.Conn, name string, slots int, h dispatch.Handler) (leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- Work(ctx, conn, WorkerOptions{Name: name, Slots: slots, Level: "none", Handler: h, Log: slog.New(slog.DiscardHandler)})
	}()
	left := false
	leave = func() {
		if left {
			return
		}
		left = true
		cancel()
		if err := <-done; err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
			t.Error(err)
		}
	}
	t.Cleanup(leave)
	return leave
}

func has(t testing.TB, f *Front, slots int) {
	t.Helper()
	until(t, func() bool { return f.Stats().Turns == slots })
}

func until(t testing.TB, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not come to that")
		}
	}
}

// TestCluster: workers that are reached by NATS do as every queue does.
func TestCluster(t *testing.T) {
	dispatchtest.Run(t, func(t *testing.T, turns int, h dispatch.Handler) dispatch.Queue {
		s := start(t)
		f := front(t, s)
		work(t, client(t, s, "w1"), "w1", turns, h)
		has(t, f, turns)
		return f
	})
}

// TestMany: two workers do the jobs of two fronts, and one of them leaves amid them.
func TestMany(t *testing.T) {
	s := start(t)
	fronts := []*Front{front(t, s), front(t, s)}
	at := 0
	var leave func()
	open := func(t *testing.T, turns int, h dispatch.Handler) dispatch.Queue {
		for _, name := range []string{"w1", "w2"} {
			leave = work(t, client(t, s, name), name, turns/2, h)
		}
		for _, f := range fronts {
			has(t, f, 2*(turns/2))
		}
		at++
		time.AfterFunc(20*time.Millisecond, leave)
		return fronts[at%2]
	}
	dispatchtest.RunOnce(t, open)
}

// TestKey: nobody comes in without the key, and as a front nobody with it.
func TestKey(t *testing.T) {
	s := start(t)
	for _, u := range [][2]string{{"w1", "wrong"}, {"w1", ""}, {"", ""}, {"front", key}, {"w.1", key}, {"*", key}, {">", key}, {strings.Repeat("w", 65), key}} {
		conn, err := nats.Connect(s.URL(), nats.UserInfo(u[0], u[1]))
		if err == nil {
			conn.Close()
			t.Errorf("%q came in", u)
		}
	}
	client(t, s, "w1")
}

// TestMay: a worker gets no jobs but as one of the queue group, hears nothing of others, and speaks in no other name.
func TestMay(t *testing.T) {
	s := start(t)
	f := front(t, s)
	refused := make(chan error, 100)
	conn, err := nats.Connect(s.URL(), nats.UserInfo("liar", key), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	no := func(about string) {
		t.Helper()
		conn.Flush()
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) && !strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
				t.Errorf("%s: %v", about, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: it was let", about)
		}
	}
	for _, subject := range []string{">", jobs + ">", jobs + "none.*", back + ">", here + ">", ends + "w1", ends + "*", "$SYS.>", "_INBOX.>"} {
		if _, err := conn.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		no("subscribes to " + subject)
	}
	if _, err := conn.QueueSubscribeSync(jobs+"none.*", "others"); err != nil {
		t.Fatal(err)
	}
	no("another queue group")
	for _, subject := range []string{here + "w1", back + "w1." + f.id + ".x", jobs + "none.x", ends + "w1", "$SYS.REQ.SERVER.PING"} {
		if err := conn.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
		no("publishes to " + subject)
	}
}
