package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// in reports that f becomes true in time.
func in(d time.Duration, f func() bool) bool {
	for began := time.Now(); time.Since(began) < d; time.Sleep(5 * time.Millisecond) {
		if f() {
			return true
		}
	}
	return f()
}

// TestPolicyAtOnce: two servers are sent a policy of one name at a time; both answer.
func TestPolicyAtOnce(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	c, err := policies.Open("", a.Store)
	if err != nil {
		t.Fatal(err)
	}
	a.must(a.ServePolicies(func() error { return c.Share(context.Background(), a.Ledger) }))
	const text = "# a policy\n"
	a.feed.consume.Stop() // it hears of the other one too late
	<-a.feed.consume.Closed()
	b.must(b.SendPolicy(&store.Policy{Name: "p", Texts: map[string]string{"": text}, Created: time.Now()}))
	done := make(chan error, 1)
	go func() { _, err := c.Put(context.Background(), "p", text, nil); done <- err }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("Put does not return: the Catalog waits for itself")
	}
}

// TestKeptTwice: what a session has become is written again when the answer was lost, and is not taken for that of another server.
func TestKeptTwice(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	lost := 0
	for i := range 20 {
		id := fmt.Sprint("ses_", i)
		a.begins(id, "one", "state")
		in := a.add(&store.Run{ID: "run_" + id, Tenant: "acme", Session: id, Policy: "p@1", State: store.Running, Created: time.Now(), Code: "1", Request: []byte("{}")})
		before := a.leaseOf(id)
		done := *in
		done.State, done.Ended, done.Kept = store.Done, time.Now(), kept(id, time.Now(), "two", "state2", "file")
		one := done
		one.Seq, one.Owner, one.Object, one.Answers, one.Part, one.Begins = in.Seq, "", in.Object, nil, in.Part+1, 1
		a.must(a.keep(t.Context(), done.Kept, &one))
		done.Kept.Revision = 0
		a.leased(before) // as if the answer had been lost: Finish is called again
		if err := a.Finish(&done); err != nil {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of 20 outcomes are lost, and the sessions have what they did", lost)
	}
}

// TestNothingChanged: a cell that has changed nothing, and ends when another server has the session, changes nothing here.
func TestNothingChanged(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.begins("ses_1", "one")
	in := a.add(&store.Run{ID: "run_1", Tenant: "acme", Session: "ses_1", Policy: "p@1", State: store.Running, Created: time.Now(), Code: "1", Request: []byte("{}")})
	b.lease("ses_1")
	b.must(b.Keep(kept("ses_1", time.Now(), "two")))
	a.headed("ses_1", "two")
	k := kept("ses_1", time.Now(), "one")
	k.Needed, k.New = nil, nil // as kept of package sessions has it where the head is the same
	in.State, in.Ended, in.Kept = store.Done, time.Now(), k
	a.must(a.Finish(in))
	a.headed("ses_1", "two")
}

// TestIdleFails: a server that cannot give a session up now is not asked in a hot loop.
func TestIdleFails(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.begins("ses_1", "one")
	var asked atomic.Int64
	a.must(a.ServeSessions(func(context.Context, string, string) (func(), error) {
		asked.Add(1)
		return nil, errors.New("too much is going on: 64 wait for this session")
	}, func(string) {}))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, _ = b.Lease(ctx, "acme", "ses_1")
	if n := asked.Load(); n > 20 {
		t.Errorf("in 2 s it was asked %d times, and its log has as many lines", n)
	}
}

// TestClaimedFails: a run that was claimed, and could not go on at once, goes on later.
func TestClaimedFails(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.add(run("run_0"))
	b.sees("run_0", has(store.Running, ""))
	a.conn.Close()
	var calls atomic.Int64
	b.must(b.Serve(func(context.Context, string, string, bool) error {
		if calls.Add(1) == 1 {
			return unreachable{errors.New("the ledger: timeout")} // as Finish of interrupt says, or ErrDraining
		}
		return nil
	}, func(string, string) {}))
	if !in(time.Minute, func() bool { return calls.Load() > 0 }) {
		t.Fatal("it was not claimed")
	}
	if !in(time.Minute, func() bool { return calls.Load() > 1 }) {
		r, err := b.get(t.Context(), "acme", "run_0")
		t.Errorf("it goes on nowhere: %s, of this server %v, %v", r.State, r.Owner == b.id, err)
	}
}

// TestSomeRuns: of runs that are added together all are in the ledger, or none.
func TestSomeRuns(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	b.add(run("run_1"))
	first, second := run("run_0"), run("run_1")
	first.State, second.State = store.Pending, store.Pending
	if err := a.AddRuns(first, second); err == nil {
		t.Fatal("no error")
	}
	a.add(run("run_2"))
	b.sees("run_2", has(store.Running, ""))
	if _, err := b.Store.Run(t.Context(), "acme", "run_0"); err == nil {
		t.Error("one of them is at the others, and nobody was told of it")
	}
}

// TestNewerSession: an entry of a newer build holds up nothing but itself.
func TestNewerSession(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.begins("ses_new", "one")
	a.add(&store.Run{ID: "run_0", Tenant: "acme", Session: "ses_new", Policy: "p@1", State: store.Running, Created: time.Now(), Code: "1", Request: []byte("{}")})
	a.add(run("run_1"))
	b.sees("run_1", has(store.Running, ""))
	type more struct {
		Session map[int]string `cbor:"3,keyasint"`
		New     string         `cbor:"99,keyasint"`
	}
	data, err := encoding.Marshal(more{New: "x"})
	a.must(err)
	_, err = a.js.Publish(t.Context(), subject("acme", "ses_new"), data)
	a.must(err)
	a.conn.Close()
	adopted := make(chan string, 10)
	b.must(b.Serve(func(_ context.Context, _, id string, _ bool) error { adopted <- id; return nil }, func(string, string) {}))
	late := time.After(time.Minute)
	for {
		select {
		case id := <-adopted:
			if id == "run_1" {
				return
			}
		case <-late:
			t.Fatal("no run of the server that is lost goes on")
		}
	}
}

// TestBatchRetained: a batch that is kept no more is not in the ledger.
func TestBatchRetained(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	row := &store.Batch{ID: "batch_1", Tenant: "acme", Key: "monday", Lines: 1, Created: time.Now()}
	a.must(a.AddBatch(row, 100))
	a.must(a.CancelBatch("acme", "batch_1", time.Now()))
	if ended, err := a.EndBatch("acme", "batch_1", time.Now()); !ended || err != nil {
		t.Fatal(ended, err)
	}
	_, _, err := a.Retain(t.Context(), time.Now().Add(time.Hour), store.Retention{Age: time.Minute})
	a.must(err)
	if _, err := a.Store.Batch(t.Context(), "acme", "batch_1"); !errors.Is(err, store.ErrNone) {
		t.Fatal(err)
	}
	if _, _, err := a.getEntry(t.Context(), "acme", "batch_1"); !errors.Is(err, store.ErrNone) {
		t.Errorf("its entry stays in the ledger: %v", err)
	}
	if _, err := a.Batch(t.Context(), "acme", "batch_1"); !errors.Is(err, store.ErrNone) {
		t.Errorf("and it comes back: %v", err)
	}
}

// TestBatchDeletedAway: a batch that was deleted while a server was away, for so long that the ledger does not say so any more, is not there.
func TestBatchDeletedAway(t *testing.T) {
	n := serve(t, t.TempDir())
	a, away := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	for _, id := range []string{"batch_1", "batch_2"} {
		a.must(a.AddBatch(&store.Batch{ID: id, Tenant: "acme", Lines: 1, Created: time.Now()}, 100))
		a.must(a.CancelBatch("acme", id, time.Now()))
		if ended, err := a.EndBatch("acme", id, time.Now()); !ended || err != nil {
			t.Fatal(ended, err)
		}
	}
	away.must(away.reachNow(t.Context()))
	away.close()
	a.must(a.DeleteBatch("acme", "batch_1"))
	a.must(a.stream.Purge(t.Context(), jetstream.WithPurgeSubject(subject("acme", "batch_1")))) // as if the marker had gone
	a.add(run("run_0"))
	back := open(t, n, away.dir)
	if _, err := back.Store.Batch(t.Context(), "acme", "batch_1"); !errors.Is(err, store.ErrNone) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := back.Batch(t.Context(), "acme", "batch_2"); err != nil {
		t.Error(err)
	}
}
