package ledger

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// deletes has all kinds of things be at two servers, and has them be deleted after a func was called.
func deletes(t *testing.T, a, b *end, before func()) (isDeleted func(name string, e *end)) {
	t.Helper()
	old := a.add(run("run_old"))
	a.must(a.become(old, store.Done, `"secret"`))
	a.begins("ses_1", "head")
	a.begins("ses_2", "another")
	snap, err := a.SaveSession("acme", "ses_2", time.Now())
	a.must(err)
	a.must(a.AddBatch(&store.Batch{ID: "batch_1", Tenant: "acme", Key: "monday", Lines: 1, Created: time.Now()}, 100))
	a.must(a.CancelBatch("acme", "batch_1", time.Now()))
	if ended, err := a.EndBatch("acme", "batch_1", time.Now()); !ended || err != nil {
		t.Fatal(ended, err)
	}
	a.add(run("run_last"))
	b.sees("run_last", has(store.Running, ""))
	_, err = b.Snapshot(t.Context(), "acme", snap)
	b.must(err)
	for _, e := range []*end{a, b} { // a mark, so that the feed does not bring all again
		e.must(e.reachNow(t.Context()))
		e.mu.Lock()
		m := e.marks.Last
		e.mu.Unlock()
		e.must(e.Mark(m))
	}
	before()
	a.must(a.DeleteRun("acme", old.ID))
	a.must(a.DeleteSession("acme", "ses_1", "cancelled", nil))
	b.must(b.DeleteSnapshot("acme", snap))
	b.must(b.DeleteBatch("acme", "batch_1"))
	is := func(e *end) error {
		r, err := e.Run(t.Context(), "acme", old.ID)
		if err == nil {
			return errors.New("a run, with " + string(r.Result))
		}
		_, err2 := e.Session(t.Context(), "acme", "ses_1")
		_, err3 := e.Snapshot(t.Context(), "acme", snap)
		_, err4 := e.Batch(t.Context(), "acme", "batch_1")
		for i, err := range []error{err, err2, err3, err4} {
			if !errors.Is(err, store.ErrNone) {
				return errors.Join(errors.New([]string{"a run", "a session", "a snapshot", "a batch"}[i]), err)
			}
		}
		return nil
	}
	for _, e := range []*end{a, b} {
		if !in(5*time.Second, func() bool { return is(e) == nil }) {
			t.Fatal("it is not deleted", is(e))
		}
	}
	return func(name string, e *end) {
		t.Helper()
		e.must(e.reachNow(t.Context()))
		if !in(10*time.Second, func() bool { return is(e) == nil }) {
			t.Errorf("%s has something again that was deleted: %v", name, is(e))
		}
		if _, err := e.Session(t.Context(), "acme", "ses_2"); err != nil {
			t.Errorf("%s lacks what was not deleted: %v", name, err)
		}
	}
}

// TestLostEndDeleted: what was deleted stays so when the ledger has lost its end.
func TestLostEndDeleted(t *testing.T) {
	dir := t.TempDir()
	n := serve(t, dir)
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	early := ""
	isDeleted := deletes(t, a, b, func() { early = copyOf(t, dir) })
	a.close()
	b.close()
	n.Shutdown()
	n.WaitForShutdown()
	n = serve(t, early)
	a, b = open(t, n, a.dir), open(t, n, b.dir)
	isDeleted("a new server", open(t, n, t.TempDir())) // before the others are asked, which look
	isDeleted("the first one", a)
	isDeleted("the second", b)
}

// TestLostEndDeletedRunning: likewise while servers run, also if one brings it that was away when it was deleted.
func TestLostEndDeletedRunning(t *testing.T) {
	for _, has := range []bool{true, false} {
		t.Run(fmt.Sprint("the ledger has it: ", has), func(t *testing.T) {
			dir := t.TempDir()
			n := listen(t, dir, -1)
			a, b, away := dial(t, n.ClientURL(), t.TempDir()), dial(t, n.ClientURL(), t.TempDir()), dial(t, n.ClientURL(), t.TempDir())
			a.add(run("run_first"))
			b.sees("run_first", func(r *store.Run) bool { return r != nil })
			early := copyOf(t, dir)
			isDeleted := deletes(t, a, b, func() {
				away.must(away.reachNow(t.Context()))
				away.close()
				if has {
					early = copyOf(t, dir)
				}
			})
			port := netip.MustParseAddrPort(n.Addr().String()).Port()
			n.Shutdown()
			n.WaitForShutdown()
			n = listen(t, early, int(port))
			back := dial(t, n.ClientURL(), away.dir)
			for _, e := range []*end{a, b} {
				if !in(time.Minute, e.Current) {
					t.Fatal("it is not current")
				}
			}
			isDeleted("the first server", a)
			isDeleted("the second", b)
			isDeleted("one that was away", back)
			isDeleted("a new one", dial(t, n.ClientURL(), t.TempDir()))
		})
	}
}

// TestBroughtAgain: what was deleted, and what a server brings that has not heard of it, is deleted again.
func TestBroughtAgain(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := a.add(run("run_1"))
	a.must(a.become(r, store.Done, `"x"`))
	a.begins("ses_1", "head")
	snap, err := a.SaveSession("acme", "ses_1", time.Now())
	a.must(err)
	a.must(a.AddBatch(&store.Batch{ID: "batch_1", Tenant: "acme", Lines: 1, Created: time.Now()}, 100))
	a.must(a.CancelBatch("acme", "batch_1", time.Now()))
	_, err = a.EndBatch("acme", "batch_1", time.Now())
	a.must(err)
	was := map[string]*entry{}
	for _, id := range []string{"run_1", "ses_1", snap, "batch_1"} {
		was[id], _, err = a.getEntry(t.Context(), "acme", id)
		a.must(err)
	}
	a.must(a.reachNow(t.Context()))
	a.must(a.DeleteRun("acme", "run_1"))
	a.must(a.DeleteSession("acme", "ses_1", "", nil))
	a.must(a.DeleteSnapshot("acme", snap))
	a.must(a.DeleteBatch("acme", "batch_1"))
	b.must(b.reachNow(t.Context()))
	for id, e := range was {
		b.late(b, "acme", id, *e)
	}
	for id := range was {
		if !in(10*time.Second, func() bool { _, _, err := b.getEntry(t.Context(), "acme", id); return errors.Is(err, store.ErrNone) }) {
			t.Errorf("%s stays in the ledger", id)
		}
	}
}

// TestMadeAgain: what is made again under an ID that was deleted stays, also if the ledger loses its end.
func TestMadeAgain(t *testing.T) {
	dir := t.TempDir()
	n := serve(t, dir)
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.begins("ses_1", "head")
	keyed := func() *store.Run {
		r := run(a.RunID("acme", "k"))
		r.Key = "k"
		return r
	}
	var early string
	for i := range 2 {
		r := a.add(keyed())
		a.must(a.become(r, store.Done, `"x"`))
		b.sees(r.ID, has(store.Done, `"x"`))
		snap, err := a.SaveSession("acme", "ses_1", time.Now())
		a.must(err)
		if _, err := b.Snapshot(t.Context(), "acme", snap); err != nil {
			t.Fatalf("what was made again is not there: %v", err)
		}
		if i == 0 {
			early = copyOf(t, dir)
			b.must(b.DeleteRun("acme", r.ID))
			b.must(b.DeleteSnapshot("acme", snap))
			a.sees(r.ID, gone)
		}
	}
	a.close()
	b.close()
	n.Shutdown()
	n.WaitForShutdown()
	n = serve(t, early)
	for _, e := range []*end{open(t, n, a.dir), open(t, n, b.dir), open(t, n, t.TempDir())} {
		e.sees(keyed().ID, has(store.Done, `"x"`))
		if list, err := e.Snapshots(t.Context(), store.Page{Tenant: "acme", Limit: 10}); err != nil || len(list) != 1 {
			t.Errorf("it has %v, %v", list, err)
		}
	}
}
