package sessions_test

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestSnapshotJoins: a snapshot of a server that joins a ledger has the policy that it had, also where that has another number there.
func TestSnapshotJoins(t *testing.T) {
	const mine, theirs = "std: [fmt, strings]\nfs: mem\n", "std: [fmt]\nfs: mem\n"
	dir := t.TempDir()
	r := newRig(t, dir, sandtrap.None, sessions.Options{})
	id, err := r.under(mine, "")
	if err != nil {
		t.Fatal(err)
	}
	r.prints("a", id, "n := 1", "")
	snap, err := r.sessions.Save(t.Context(), "a", id)
	if err != nil {
		t.Fatal(err)
	}
	r.close()
	n, err := cluster.Start(cluster.ServerOptions{Roster: cluster.Roster(t.TempDir()), Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	other := newServer(t, t.TempDir(), sandtrap.None, sessions.Options{}, n)
	if err := other.ledger.ServePolicies(func() error { return other.policies.Share(context.Background(), other.ledger) }); err != nil {
		t.Fatal(err)
	}
	if _, err := other.under(theirs, ""); err != nil {
		t.Fatal(err)
	}
	r = newServer(t, dir, sandtrap.None, sessions.Options{}, n)
	if err := r.ledger.ServePolicies(func() error { return r.policies.Share(context.Background(), r.ledger) }); err != nil {
		t.Fatal(err)
	}
	r.prints("a", id, `fmt.Print(n, strings.ToUpper("x"))`, "1X")
	v, err := r.sessions.Create(t.Context(), "a", sessions.Request{Snapshot: snap})
	if err != nil {
		t.Fatal(err)
	}
	r.prints("a", v.ID, `fmt.Print(n, strings.ToUpper("x"))`, "1X")
	r.prints("a", id, "n = 2", "")
	if _, err := r.sessions.Load(t.Context(), "a", id, snap); err != nil {
		t.Fatal(err)
	}
	r.prints("a", id, `fmt.Print(n, strings.ToUpper("x"))`, "1X")
}

// TestNotKept: a cell whose session another server has changed leaves no worker with what it has done.
func TestNotKept(t *testing.T) {
	a := together(t, 1)[0]
	id := a.create("x")
	a.prints("x", id, "n := 1", "")
	js, err := jetstream.New(a.conn)
	if err != nil {
		t.Fatal(err)
	}
	run, err := a.runs.Start(t.Context(), "x", runs.Request{Session: id, Code: "fmt.Println(1)\ntime.Sleep(300*time.Millisecond)\nn = 100"})
	if err != nil {
		t.Fatal(err)
	}
	a.printed(run)
	entries, err := js.Stream(t.Context(), "KV_sandtrap_1_runs")
	if err != nil {
		t.Fatal(err)
	}
	m, err := entries.GetLastMsgForSubject(t.Context(), "$KV.sandtrap_1_runs.*."+id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), m.Subject, m.Data); err != nil { // as another server does
		t.Fatal(err)
	}
	a.settlesRun(run.ID(), store.Failed, string(runs.KindInterrupted))
	for began := time.Now(); a.sessions.Live() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 2*time.Second {
			t.Fatal("its worker goes on with what was not kept")
		}
	}
	a.prints("x", id, "fmt.Print(n)", "1")
}
