package sessions_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// flaky is a store whose cluster is gone some times.
type flaky struct {
	sessions.Store
	gone atomic.Int32
}

func (f *flaky) Lease(ctx context.Context, tenant, id string) (bool, error) {
	if f.gone.Add(-1) >= 0 {
		return false, fmt.Errorf("a test: %w", store.ErrCluster)
	}
	return f.Store.Lease(ctx, tenant, id)
}

// reached is as that of a ledger which has not answered for long.
func (f *flaky) reached() error {
	if f.gone.Load() > lasts {
		return fmt.Errorf("a test: %w", store.ErrCluster)
	}
	return nil
}

// lasts is how often a cluster does not answer that is gone for long.
const lasts = 1 << 20

// TestClusterAway: a cell waits for a cluster that is gone for a while.
func TestClusterAway(t *testing.T) {
	f := &flaky{}
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{Store: f})
	id := r.create("a")
	f.gone.Store(2)
	r.prints("a", id, "fmt.Print(1)", "1")
	if f.gone.Load() >= 0 {
		t.Error("it was not gone")
	}
}
