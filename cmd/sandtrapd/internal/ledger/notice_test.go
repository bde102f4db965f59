package ledger

import (
	"context"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestChanged: who waits for a run at another server is told when it changes, and asks for nothing before.
func TestChanged(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := a.add(run("run_0"))
	b.sees("run_0", has(store.Running, ""))
	before := b.Stats().Commits
	asked, _ := n.Varz(nil)
	waited := make(chan time.Time)
	go func() {
		b.Changed(context.Background(), "acme", "run_0", r.Revision)
		waited <- time.Now()
	}()
	time.Sleep(500 * time.Millisecond)
	after, _ := n.Varz(nil)
	t.Logf("%d messages in half a second", after.InMsgs-asked.InMsgs)
	if n := b.Stats().Commits - before; n > 2 { // how far the feed is
		t.Errorf("%d writes while it waits", n)
	}
	ended := time.Now()
	a.must(a.become(r, store.Done, `"one"`))
	if took := (<-waited).Sub(ended); took > 200*time.Millisecond {
		t.Errorf("it was told after %v", took)
	}
	b.sees("run_0", has(store.Done, `"one"`))
	began := time.Now()
	b.Changed(context.Background(), "acme", "run_0", r.Revision) // it has changed before
	if took := time.Since(began); took > 200*time.Millisecond {
		t.Errorf("a change of before was waited for, for %v", took)
	}
	began = time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	b.Changed(ctx, "acme", "run_none", 0)
	if took := time.Since(began); took > time.Second || len(b.noticed) > 0 {
		t.Errorf("%v, %d are noted", took, len(b.noticed))
	}
}

// TestRunUnchanged: to look at a run that goes on in another server writes nothing here.
func TestRunUnchanged(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.add(run("run_0"))
	b.sees("run_0", has(store.Running, ""))
	before := b.Stats().Commits
	for range 50 {
		if r, err := b.Run(t.Context(), "acme", "run_0"); err != nil || r.State != store.Running {
			t.Fatal(r, err)
		}
	}
	if n := b.Stats().Commits - before; n > 5 {
		t.Errorf("%d writes", n)
	}
}
