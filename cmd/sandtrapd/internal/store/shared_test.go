package store_test

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestSamePlace: a run that begins here while another server has one at its place in lists begins, and is the last one.
func TestSamePlace(t *testing.T) {
	s := open(t, t.TempDir())
	theirs, ours := row("run_theirs", ""), row("run_ours", "")
	theirs.Seq, ours.Seq, theirs.Revision = 7, 7, 1
	must(t, s.Apply(true, store.Change{Run: theirs}))
	must(t, s.AddRuns(ours))
	list, _, err := s.Runs(t.Context(), store.Query{Tenant: theirs.Tenant, Limit: 10})
	must(t, err)
	if len(list) != 2 || list[0].ID != ours.ID || list[0].Seq <= 7 || list[1].Seq != 7 {
		t.Errorf("%+v", list)
	}
}
