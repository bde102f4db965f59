package ledger

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestDoubt: a run goes on in the server that was told of an error when it wrote that, if that is in the ledger after all.
func TestDoubt(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	adopted := make(chan string, 8)
	err := a.Serve(func(_ context.Context, tenant, id string, _ bool) error {
		r, err := a.Store.Run(t.Context(), tenant, id) // it is here
		if err != nil {
			return err
		}
		adopted <- id
		return a.become(r, store.Done, `"again"`)
	}, func(string, string) {})
	if err != nil {
		t.Fatal(err)
	}
	r := run("run_0")
	r.Owner = a.id
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.put(over, r, 0); !errors.Is(err, store.ErrDisk) {
		t.Fatal(err)
	}
	if err := b.put(t.Context(), r, 0); err != nil && !errors.Is(err, store.ErrState) { // it comes late
		t.Fatal(err)
	}
	if id := <-adopted; id != r.ID {
		t.Errorf("%s goes on", id)
	}
	b.sees(r.ID, has(store.Done, `"again"`))
}

// TestRefused: a run that was refused, as the ledger has not answered, has not begun if it is in the ledger after all. Meanwhile nothing else
// begins, and that can be tried again.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	n := listen(t, dir, -1)
	a := dial(t, n.ClientURL(), t.TempDir())
	begun := make(chan bool, 8)
	err := a.Serve(func(_ context.Context, _, id string, is bool) error {
		if id != "run_0" {
			t.Errorf("%s goes on, which was refused and has no key", id)
		}
		begun <- is
		return nil
	}, func(string, string) {})
	if err != nil {
		t.Fatal(err)
	}
	port := netip.MustParseAddrPort(n.Addr().String()).Port()
	n.Shutdown()
	n.WaitForShutdown()
	r, other := run("run_0"), run("run_1")
	r.Key = "key"
	for _, one := range []*store.Run{r, other} {
		if err := a.AddRuns(one); !errors.Is(err, store.ErrCluster) {
			t.Fatal(err)
		}
	}
	a.mu.Lock()
	a.heardAt = time.Now().Add(-staleFor) // not to wait for it
	a.mu.Unlock()
	if err := a.Reached(); !errors.Is(err, store.ErrCluster) || !errors.Is(err, store.ErrDisk) {
		t.Error(err)
	}
	n = listen(t, dir, int(port))
	b := dial(t, n.ClientURL(), t.TempDir())
	b.late(a, other.Tenant, other.ID, entry{Run: other}) // nobody can ask for it again
	if !in(time.Minute, func() bool {
		m, err := b.lastMsg(t.Context(), subject(other.Tenant, other.ID))
		return err == nil && m.Header.Get(kvOp) != ""
	}) {
		t.Error("it stays")
	}
	a.sees(other.ID, gone)
	b.sees(other.ID, gone)
	b.late(a, r.Tenant, r.ID, entry{Run: r})
	for _, want := range []bool{false, true} { // once it goes on it has begun
		if is := <-begun; is != want {
			t.Errorf("it has begun: %t, want %t", is, want)
		}
	}
	if err := a.Reached(); err != nil {
		t.Error(err)
	}
}
