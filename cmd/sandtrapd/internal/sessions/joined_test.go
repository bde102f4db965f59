package sessions_test

import (
	"context"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
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
