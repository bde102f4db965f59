package ledger

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestAskedWhileItEnds: a server that ends, and waits for what goes on, is asked for nothing, and takes no session.
func TestAskedWhileItEnds(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	goesOn, ends := make(chan struct{}), make(chan struct{})
	a.must(a.ServeSessions(func(context.Context, string, string) (func(), error) {
		close(goesOn)
		<-ends
		return func() {}, nil
	}, func(string) {}))
	a.begins("ses_1", "one")
	if _, err := b.ask(t.Context(), a.id, "acme", "ses_1"); err == nil {
		t.Error("it gives up what is in use")
	}
	<-goesOn
	closed := make(chan struct{})
	go func() {
		a.close()
		close(closed)
	}()
	if !in(2*time.Second, func() bool {
		_, err := b.ask(t.Context(), a.id, "acme", "ses_1")
		return errors.Is(err, nats.ErrNoResponders)
	}) {
		t.Error("it is asked while it ends")
	}
	if _, err := a.Lease(t.Context(), "acme", "ses_1"); !errors.Is(err, store.ErrDisk) {
		t.Errorf("it takes a session: %v", err)
	}
	b.lease("ses_1")
	close(ends)
	<-closed
}

// TestSnapshotAtOnce: a snapshot is at another server when it was acknowledged, also where the feed is late, and is of no other tenant.
func TestSnapshotAtOnce(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	b.feed.consume.Stop()
	<-b.feed.consume.Closed()
	a.begins("ses_1", "one")
	snap, err := a.SaveSession("acme", "ses_1", time.Now())
	a.must(err)
	if s, err := b.Snapshot(t.Context(), "acme", snap); err != nil || s.Session != "ses_1" {
		t.Errorf("%+v, %v", s, err)
	}
	for tenant, id := range map[string]string{"other": snap, "acme": "ses_1", "": "*"} {
		if _, err := b.Snapshot(t.Context(), tenant, id); !errors.Is(err, store.ErrNone) {
			t.Errorf("%s of %s: %v", id, tenant, err)
		}
	}
}
