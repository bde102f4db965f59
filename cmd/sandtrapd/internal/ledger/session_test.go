package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// kept is a session that has some texts, the first of which is its head.
func kept(id string, used time.Time, texts ...string) *store.Kept {
	k := &store.Kept{Tenant: "acme", Session: id, Needed: map[store.Hash]bool{}, New: map[store.Hash][]byte{}, Used: used}
	for i, text := range texts {
		h := store.HashOf([]byte(text))
		if i == 0 {
			k.Head = h
		}
		k.Needed[h], k.New[h] = true, []byte(text)
		k.Bytes += int64(len(text))
	}
	return k
}

// begins makes a session.
func (e *end) begins(id string, texts ...string) {
	e.t.Helper()
	k := kept(id, time.Now(), texts...)
	row := &store.Session{ID: id, Tenant: "acme", Policy: "p@1", Origin: id, Created: time.Now(), Used: k.Used, Head: k.Head, Bytes: k.Bytes}
	if err := e.AddSession(row, k); err != nil {
		e.t.Fatal(err)
	}
}

func (e *end) lease(id string) {
	e.t.Helper()
	if _, err := e.Lease(e.t.Context(), "acme", id); err != nil {
		e.t.Fatal(err)
	}
}

// headed checks what a session has at a server.
func (e *end) headed(id, want string) {
	e.t.Helper()
	row, err := e.Session(context.Background(), "acme", id)
	if err != nil {
		e.t.Fatal(err)
	}
	if data, err := e.Blob(context.Background(), "acme", row.Head); err != nil || string(data) != want {
		e.t.Errorf("%s has %.20q, %v; want %.20q", id, data, err, want)
	}
}

// loses waits until a server knows that another one has a session.
func (e *end) loses(id string) {
	e.t.Helper()
	for began := time.Now(); e.leaseOf(id) != nil; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			e.t.Fatalf("it still has %s", id)
		}
	}
}

// TestFencedSession: a server whose session another one has taken keeps nothing of it, and takes it again from what that has kept.
func TestFencedSession(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	for _, size := range []int{10, 1 << 20} {
		id := fmt.Sprint("ses_", size)
		long := strings.Repeat("x", size)
		a.begins(id, "one", long)
		b.lease(id) // a does not answer
		if err := a.Keep(kept(id, time.Now(), "late", long)); !errors.Is(err, store.ErrLease) {
			t.Errorf("%v", err)
		}
		in := a.add(&store.Run{ID: "run_" + id, Tenant: "acme", Session: id, Policy: "p@1", State: store.Running, Created: time.Now(), Code: "1", Request: []byte("{}")})
		in.State, in.Ended, in.Kept = store.Done, time.Now(), kept(id, time.Now(), "late", long)
		if err := a.Finish(in); !errors.Is(err, store.ErrLease) {
			t.Errorf("%v", err)
		}
		if err := b.Keep(kept(id, time.Now(), "two", long)); err != nil {
			t.Error(err)
		}
		a.headed(id, "two")
		if fresh, err := a.Lease(t.Context(), "acme", id); err != nil || !fresh {
			t.Error(fresh, err)
		}
		if err := a.Keep(kept(id, time.Now(), "three", long)); err != nil {
			t.Error(err)
		}
		b.loses(id)
		b.headed(id, "three")
	}
}

// TestFencedUnheard: nor does one that has not heard of it.
func TestFencedUnheard(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.begins("ses_1", "one")
	a.feed.consume.Stop()
	<-a.feed.consume.Closed()
	b.lease("ses_1")
	if err := a.Keep(kept("ses_1", time.Now(), "late")); !errors.Is(err, store.ErrLease) {
		t.Errorf("%v", err)
	}
	b.headed("ses_1", "one")
}

// TestOutcomeOfCell: a server that ends after a cell has changed its session, and before the outcome of the cell is in the ledger, has lost
// neither; nor has it written one alone.
func TestOutcomeOfCell(t *testing.T) {
	n := serve(t, t.TempDir())
	dir := t.TempDir()
	for _, again := range []bool{false, true} { // by another server, and by itself
		a, b := open(t, n, dir), open(t, n, t.TempDir())
		id := fmt.Sprint("ses_", again)
		a.begins(id, "one")
		in := a.add(&store.Run{ID: "run_" + id, Tenant: "acme", Session: id, Policy: "p@1", State: store.Running, Created: time.Now(), Code: "1", Request: []byte("{}")})
		k, done := kept(id, time.Now(), "two"), *in
		done.State, done.Ended, done.Result, done.Part, done.Owner = store.Done, time.Now(), []byte(`"two"`), 1, ""
		if err := a.keep(t.Context(), k, &done); err != nil {
			t.Fatal(err)
		}
		a.conn.Close()
		a.close()
		if again {
			a = open(t, n, dir)
			if list, err := a.Unfinished(t.Context()); err != nil || len(list) > 0 {
				t.Errorf("%v %v", list, err)
			}
		} else {
			adopted := func(context.Context, string, string, bool) error { t.Error("a run that has ended goes on"); return nil }
			if err := b.Serve(adopted, func(string, string) {}); err != nil {
				t.Fatal(err)
			}
		}
		b.sees(in.ID, has(store.Done, `"two"`))
		b.headed(id, "two")
		b.close()
	}
}

// TestSessionsLostEnd: a ledger that has lost its end gets again what servers have acknowledged of sessions and snapshots.
func TestSessionsLostEnd(t *testing.T) {
	old, dirs := filepath.Join(t.TempDir(), "old"), []string{t.TempDir(), t.TempDir()}
	dir := t.TempDir()
	large := string(bytes.Repeat([]byte("y"), 1<<20))
	func() {
		n := serve(t, dir)
		a, b := open(t, n, dirs[0]), open(t, n, dirs[1])
		a.begins("ses_old", "one", large)
		if err := os.CopyFS(old, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := a.Keep(kept("ses_old", time.Now(), "two", large)); err != nil {
			t.Fatal(err)
		}
		b.lease("ses_old")
		if err := b.Keep(kept("ses_old", time.Now(), "three", large, "more")); err != nil {
			t.Fatal(err)
		}
		a.begins("ses_new", "new", large)
		if _, err := a.SaveSession("acme", "ses_new", time.Now()); err != nil {
			t.Fatal(err)
		}
		a.headed("ses_old", "three")
		a.close()
		b.close()
		n.Shutdown()
		n.WaitForShutdown()
	}()
	n := serve(t, old)
	a, b := open(t, n, dirs[0]), open(t, n, dirs[1])
	c := open(t, n, t.TempDir())
	for _, e := range []*end{a, b, c} {
		e.headed("ses_old", "three")
		e.headed("ses_new", "new")
		if s, err := e.Snapshot(t.Context(), "acme", store.SnapshotID(store.HashOf([]byte("new")))); err != nil || s.Session != "ses_new" {
			t.Errorf("%+v %v", s, err)
		}
		e.lease("ses_new")
		if err := e.Keep(kept("ses_new", time.Now(), "new", large)); err != nil {
			t.Error(err)
		}
	}
}

// TestLeaseOfOne: a session goes from server to server, also from one that has ended without giving it up and is there again.
func TestLeaseOfOne(t *testing.T) {
	n := serve(t, t.TempDir())
	dir := t.TempDir()
	a, b := open(t, n, dir), open(t, n, t.TempDir())
	idle := func(context.Context, string, string) (func(), error) { return func() {}, nil }
	serves := func(list ...*end) {
		for _, e := range list {
			if err := e.ServeSessions(idle, func(string) {}); err != nil {
				t.Fatal(err)
			}
		}
	}
	serves(a, b)
	a.begins("ses_1", "one")
	for i := range 20 {
		of := []*end{b, a}[i%2]
		of.lease("ses_1")
		if err := of.Keep(kept("ses_1", time.Now(), fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	a.conn.Close()
	a.close()
	a = open(t, n, dir)
	serves(a)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := b.Lease(ctx, "acme", "ses_1"); err != nil {
		t.Fatal(err)
	}
	b.headed("ses_1", "19")
}

// TestIDs: an ID that a client has sent is no subject of NATS with others in it, and that of a session is of no run.
func TestIDs(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.begins("ses_1", "one")
	a.add(run("run_1"))
	for _, id := range []string{"*", ">", "run_*", "run_1.>", "", "ses_1", "run_1 ", strings.Repeat("x", 1000)} {
		if r, err := b.Run(t.Context(), "acme", id); !errors.Is(err, store.ErrNone) {
			t.Errorf("run %q: %+v, %v", id, r, err)
		}
	}
	for _, id := range []string{"*", ">", "run_1", "ses_*"} {
		if s, err := b.Session(t.Context(), "acme", id); !errors.Is(err, store.ErrNone) {
			t.Errorf("session %q: %+v, %v", id, s, err)
		}
		if _, err := b.Batch(t.Context(), "acme", id); !errors.Is(err, store.ErrNone) {
			t.Errorf("batch %q: %v", id, err)
		}
	}
}
