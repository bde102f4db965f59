package batches_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A stuck queue does not answer for some batches.
type stuck struct{ *batches.Local }

func (q stuck) Discard(ctx context.Context, of batches.Name) (bool, error) {
	if strings.HasPrefix(of.Batch, "batch_stuck") {
		<-ctx.Done()
		return true, ctx.Err()
	}
	return q.Local.Discard(ctx, of)
}

// TestStuckAside: batches that were cancelled, and do not end, hold up no others: not those that are cancelled with them, nor later ones.
func TestStuckAside(t *testing.T) {
	t.Parallel()
	s := openWith(t, t.TempDir(), "", func(st *store.Store) batches.Queue { return stuck{batches.NewLocal(st)} })
	cancelled := func(id string) {
		t.Helper()
		b := &store.Batch{ID: id, Tenant: "alpha", Lines: 1, Created: time.Now()}
		if err := s.store.AddBatch(b, 1000); err != nil {
			t.Fatal(err)
		}
		if err := s.store.CancelBatch("alpha", id, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	ends := func(id string, within time.Duration) {
		t.Helper()
		began := time.Now()
		for ; time.Since(began) < time.Minute; time.Sleep(20 * time.Millisecond) {
			if b, err := s.store.Batch(t.Context(), "alpha", id); err != nil {
				t.Fatal(err)
			} else if !b.Ended.IsZero() {
				break
			}
		}
		if took := time.Since(began); took > within {
			t.Errorf("%s has ended after %s, want %s", id, took, within)
		}
	}
	for i := range 10 {
		cancelled(fmt.Sprint("batch_stuck_", i))
	}
	cancelled("batch_with")
	ends("batch_with", 12*time.Second) // ten at five seconds each would be longer
	time.Sleep(6 * time.Second)        // all were tried
	cancelled("batch_later")
	ends("batch_later", 4*time.Second)
}
