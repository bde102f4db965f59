package ledger

import (
	"context"
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestDoubt: a run goes on in the server that was told of an error when it wrote that, if that is in the ledger after all.
func TestDoubt(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	adopted := make(chan string, 8)
	err := a.Serve(func(_ context.Context, tenant, id string) error {
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
