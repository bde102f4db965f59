package ledger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestFeedLostWhileItCatchesUp: a server that brings the ledger here, while NATS loses what it keeps of the feed in memory, as when it starts
// again, is there in the end.
func TestFeedLostWhileItCatchesUp(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	js := a.js
	const many = 20_000
	for i := range many {
		r := run(fmt.Sprint("run_", i))
		r.State, r.Ended = store.Done, time.Now()
		data, err := encoding.Marshal(entry{Run: r})
		a.must(err)
		_, err = js.PublishAsync(subject("acme", r.ID), data)
		a.must(err)
		if i%1000 == 999 {
			<-js.PublishAsyncComplete()
		}
	}
	other, err := nats.Connect("", nats.InProcessServer(n))
	a.must(err)
	defer other.Close()
	s, err := store.Open(t.TempDir())
	a.must(err)
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	opened := make(chan error, 1)
	go func() {
		l, err := Open(ctx, other, s, 1, slog.New(slog.DiscardHandler))
		if err == nil {
			err = l.Close()
		}
		opened <- err
	}()
	count := func() (k int) {
		list, err := s.RunsIn(context.Background(), store.After(0))
		a.must(err)
		return len(list)
	}
	for count() == 0 {
		time.Sleep(time.Millisecond)
	}
	had := count()
	for c := range a.stream.ListConsumers(t.Context()).Info() {
		_ = a.stream.DeleteConsumer(t.Context(), c.Name)
	}
	if had == many {
		t.Fatal("it was too fast for this test")
	}
	if err := <-opened; err != nil {
		t.Errorf("it had %d of %d entries then, and has %d a minute later: %v", had, many, count(), err)
	}
}

// TestBatchOfAny: a batch of any tenant that is in the ledger, and not here yet, is not taken for one that is not there: its lines would be swept.
func TestBatchOfAny(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	b.feed.consume.Stop() // it is late
	<-b.feed.consume.Closed()
	a.must(a.AddBatch(&store.Batch{ID: "batch_x", Tenant: "acme", Lines: 1, Created: time.Now()}, 100))
	if _, err := b.Batch(t.Context(), store.All, "batch_x"); err != nil {
		t.Errorf("Manager.sweep is told: %v", err)
	}
}

// deaf is what a feed has of a server of NATS that is gone: nobody answers.
type deaf struct{ jetstream.Consumer }

func (deaf) Info(ctx context.Context) (*jetstream.ConsumerInfo, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestDeafFeed: who asks a feed of which NATS says nothing waits for a while, whatever its context.
func TestDeafFeed(t *testing.T) {
	done := make(chan error, 1)
	go func() {
		_, err := (&feed{of: deaf{}}).current(context.Background())
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, store.ErrCluster) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("it waits")
	}
}

// TestLateFeed: nobody waits for what does not come.
func TestLateFeed(t *testing.T) {
	a := open(t, serve(t, t.TempDir()), t.TempDir())
	done := make(chan error, 1)
	go func() { done <- a.reach(t.Context(), 1<<40) }()
	select {
	case err := <-done:
		if !errors.Is(err, store.ErrCluster) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("it waits")
	}
}
