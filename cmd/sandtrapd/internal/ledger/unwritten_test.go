package ledger

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestUnwritten: the outcome of a run that is nowhere before comes to the ledger, and has the same place in the lists of all servers.
func TestUnwritten(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := run("run_0")
	r.Unwritten = true
	if err := a.become(r, store.Done, `"end"`); err != nil {
		t.Fatal(err)
	}
	b.sees(r.ID, has(store.Done, `"end"`))
	one, err := a.Run(t.Context(), "acme", r.ID)
	if err != nil {
		t.Fatal(err)
	}
	other, err := b.Run(t.Context(), "acme", r.ID)
	if err != nil || one.Seq != other.Seq || one.Seq == 0 || one.Revision != other.Revision || one.Part != other.Part || one.Owner != "" || other.Owner != "" {
		t.Errorf("%+v\n%+v\n%v", one, other, err)
	}
}
