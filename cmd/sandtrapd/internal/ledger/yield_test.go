package ledger

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/peers"
)

// TestAskerIsNext: a session that is given up is that of the server that has asked for it, also if who gives it up needs it again at once.
func TestAskerIsNext(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	for _, e := range []*end{a, b} {
		var mu sync.Mutex // who has its turn
		again := func() {
			defer mu.Unlock()
			if e == a {
				_, _ = a.Lease(t.Context(), "acme", "ses_1") // before it is taken
			}
		}
		e.must(e.ServeSessions(func(context.Context, string, string) (func(), error) {
			mu.Lock()
			return again, nil
		}, func(string) {}))
	}
	a.begins("ses_1", "0")
	for i := range 10 {
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := b.Lease(ctx, "acme", "ses_1")
		cancel()
		if err != nil {
			t.Fatalf("after %v: %v", time.Since(began), err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it came after %v", took)
		}
		if err := b.Keep(kept("ses_1", time.Now(), fmt.Sprint(i))); err != nil && i == 0 {
			t.Error(err)
		}
		if !in(10*time.Second, func() bool { return a.leaseOf("ses_1") != nil }) {
			t.Fatal("it does not come back")
		}
	}
}

// TestAskerGone: a session that was given to a server which does not need it any more goes on.
func TestAskerGone(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	idle := func(context.Context, string, string) (func(), error) { return func() {}, nil }
	a.must(a.ServeSessions(idle, func(string) {}))
	b.must(b.ServeSessions(idle, func(string) {}))
	for i, killed := range []bool{false, true} {
		id := fmt.Sprint("ses_", i)
		a.begins(id, "one")
		a.must(a.release(t.Context(), "acme", id, b.id))
		if killed {
			b.conn.Close()
		}
		began := time.Now()
		if _, err := a.Lease(t.Context(), "acme", id); err != nil || time.Since(began) > 5*time.Second {
			t.Errorf("killed %v: %v after %v", killed, err, time.Since(began))
		}
	}
}

// TestManyAsk: each of several servers that ask for a session gets it.
func TestManyAsk(t *testing.T) {
	n := serve(t, t.TempDir())
	var list []*end
	for range 4 {
		e := open(t, n, t.TempDir())
		var mu sync.Mutex
		e.must(e.ServeSessions(func(context.Context, string, string) (func(), error) { mu.Lock(); return mu.Unlock, nil }, func(string) {}))
		list = append(list, e)
	}
	list[0].begins("ses_1", "0")
	var all sync.WaitGroup
	var worst sync.Map
	for i, e := range list {
		all.Go(func() {
			for range 20 {
				began := time.Now()
				if _, err := e.Lease(t.Context(), "acme", "ses_1"); err != nil {
					t.Error(err)
				}
				if took, _ := worst.Load(i); took == nil || took.(time.Duration) < time.Since(began) {
					worst.Store(i, time.Since(began))
				}
			}
		})
	}
	all.Wait()
	worst.Range(func(i, took any) bool {
		t.Logf("server %v has waited %v at most", i, took)
		if took.(time.Duration) > 10*time.Second {
			t.Errorf("server %v has waited %v", i, took)
		}
		return true
	})
}

// TestShortPartition: a server that is cut off for a moment amid a cell keeps its session, and one that stays away does not.
func TestShortPartition(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.begins("ses_1", "one")
	moved := make(chan error, 1)
	go func() { _, err := b.Lease(context.Background(), "acme", "ses_1"); moved <- err }()
	time.Sleep(peers.GoneFor / 2) // nobody hears its subject
	over := make(chan struct{})
	a.must(a.ServeSessions(func(context.Context, string, string) (func(), error) {
		<-over
		return func() {}, nil
	}, func(string) {}))
	time.Sleep(peers.GoneFor)
	if err := a.Keep(kept("ses_1", time.Now(), "two")); err != nil {
		t.Errorf("the cell that has ended after it: %v", err)
	}
	close(over)
	a.must(<-moved)
	b.headed("ses_1", "two")
	a.begins("ses_2", "one")
	a.must(a.unsubscribe())
	began := time.Now()
	b.lease("ses_2")
	if took := time.Since(began); took < peers.GoneFor/2 || took > 3*peers.GoneFor {
		t.Errorf("it is taken from a server that is gone after %v", took)
	}
	a.begins("ses_3", "one")
	began = time.Now()
	b.lease("ses_3")
	if took := time.Since(began); took > peers.GoneFor/2 {
		t.Errorf("and the next one after %v", took)
	}
}
