package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestKnownEnds: who reads what the ledger has does not wait for a consumer that NATS does not make any more, as one that has started again and has lost
// the ledger.
func TestKnownEnds(t *testing.T) {
	n := listen(t, t.TempDir(), -1)
	port := int(netip.MustParseAddrPort(n.Addr().String()).Port())
	a := dial(t, n.ClientURL(), t.TempDir())
	const many = 10_000
	var list []store.Owned
	for i := range many {
		r := run(fmt.Sprint("run_", i))
		r.State, r.Ended, r.Code = store.Done, time.Now(), random(5_000)
		data, err := encoding.Marshal(entry{Run: r})
		a.must(err)
		_, err = a.js.PublishAsync(subject("acme", r.ID), data)
		a.must(err)
		if i%1000 == 999 {
			<-a.js.PublishAsyncComplete()
		}
		list = append(list, store.Owned{Tenant: "acme", ID: r.ID})
	}
	done := make(chan int, 1)
	go func() {
		known, err := a.knownRuns(context.Background(), list, store.After(0))
		t.Log(len(known), err)
		done <- len(known)
	}()
	for consumers := 0; consumers < 2; { // that of the feed, and its own
		info, err := a.stream.Info(t.Context())
		a.must(err)
		consumers = info.State.Consumers
	}
	n.Shutdown()
	n.WaitForShutdown()
	listen(t, t.TempDir(), port)
	select {
	case k := <-done:
		if k == many {
			t.Skip("it was too fast for this test")
		}
	case <-time.After(time.Minute):
		t.Error("it waits")
	}
}

// TestReachedMeanwhile: a ledger that answers while a server catches up with it is there.
func TestReachedMeanwhile(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	for i := range 20 {
		a.add(run(fmt.Sprint("run_", i)))
	}
	conn, err := nats.Connect("", nats.InProcessServer(n))
	a.must(err)
	defer conn.Close()
	dir := t.TempDir()
	s, err := store.Open(dir)
	a.must(err)
	defer s.Close()
	l := &Ledger{Store: s, id: "x", conn: conn, log: slog.New(slog.DiscardHandler), stop: make(chan struct{}), moved: make(chan struct{}), asides: map[string]put{}, noticed: notices{}}
	l.js, err = jetstream.New(conn)
	a.must(err)
	a.must(l.openBucket(t.Context(), 1))
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "sandtrapd.db")+"?_pragma=busy_timeout(10000)")
	a.must(err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("BEGIN IMMEDIATE") // its disk is slow
	a.must(err)
	followed := make(chan error, 1)
	go func() { followed <- l.follow(t.Context(), 0) }()
	time.Sleep(500 * time.Millisecond)
	l.mu.Lock()
	l.heardAt = time.Now().Add(-staleFor) // not to wait for it
	l.mu.Unlock()
	time.Sleep(3 * time.Second)
	if err := l.Reached(); err != nil {
		t.Errorf("it answers: %v", err)
	}
	_, err = db.Exec("ROLLBACK")
	a.must(err)
	if err := <-followed; err != nil {
		t.Error(err)
	}
	l.halt()
}

// busy is what a feed has while it makes a consumer that NATS does not make: it has its mutex meanwhile, and Info waits for that whatever its context.
type busy struct {
	jetstream.Consumer
	asked *atomic.Int64
	over  chan struct{}
}

func (b busy) Info(ctx context.Context) (*jetstream.ConsumerInfo, error) {
	b.asked.Add(1)
	<-b.over
	return nil, ctx.Err()
}

// TestBusyFeed: who asks a feed that makes a consumer waits for a while, and one does.
func TestBusyFeed(t *testing.T) {
	b := busy{asked: &atomic.Int64{}, over: make(chan struct{})}
	f := &feed{of: b}
	for range 2 {
		done := make(chan error, 1)
		go func() {
			_, err := f.current(context.Background())
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, store.ErrCluster) {
				t.Error(err)
			}
		case <-time.After(3 * within):
			t.Fatal("it waits")
		}
	}
	if n := b.asked.Load(); n != 1 {
		t.Errorf("%d ask", n)
	}
	close(b.over)
}

// TestRealBusyFeed: nats.go does so.
func TestRealBusyFeed(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	f := &feed{of: a.feed.of}
	a.must(a.js.DeleteStream(t.Context(), Stream))
	time.Sleep(2 * time.Second)
	done := make(chan error, 1)
	go func() {
		_, err := f.current(context.Background())
		done <- err
	}()
	select {
	case err := <-done:
		t.Log(err)
	case <-time.After(3 * within):
		t.Error("it waits")
	}
}
