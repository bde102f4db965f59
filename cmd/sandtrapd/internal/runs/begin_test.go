package runs_test

import (
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// An away is a store that takes no beginning of a journal as often as it says.
type away struct {
	*store.Store
	times atomic.Int64
}

func (a *away) Begin(tenant, id string, journal []byte) error {
	if a.times.Add(-1) >= 0 {
		return store.ErrDisk
	}
	return a.Store.Begin(tenant, id, journal)
}

// TestBeginsLater: a run that waits for answers begins when the store takes that, and does not fail because it has not done so at once. One
// that is cancelled until then has ended.
func TestBeginsLater(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	t.Cleanup(set.Close)
	kept := &away{Store: st}
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: kept, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{m, st}
	t.Cleanup(s.close)
	kept.times.Store(1)
	id := s.start(t, "fmt.Println(Ask(`?`))")
	if v := s.wait(t, id); v.State != store.Pending {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	kept.times.Store(1 << 40)
	id = s.start(t, "fmt.Println(Ask(`?`))")
	if _, err := s.Cancel(t.Context(), "alpha", id); err != nil {
		t.Fatal(err)
	}
	if v := s.wait(t, id); v.State != store.Cancelled {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}
