package runs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestRecoverLive: a run that goes on here is not ended by a ledger that has it go on, as it does each second while it was in doubt.
func TestRecoverLive(t *testing.T) {
	dir := t.TempDir()
	left(t, dir, &store.Run{ID: "run_1", Request: []byte(`{"code":"1"}`), Code: "1", Begins: 2})
	began := make(chan bool, 1)
	q := queue(func(ctx context.Context, _ *dispatch.Job, begin func() error, _ dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		began <- true
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s := openWith(t, dir, q)
	select {
	case <-began:
	case <-time.After(time.Minute):
		t.Fatal("it does not go on")
	}
	if err := s.Recover(t.Context(), "alpha", "run_1"); !errors.Is(err, store.ErrState) {
		t.Error(err)
	}
	r, err := s.store.Run(t.Context(), "alpha", "run_1")
	if err != nil || r.State != store.Running {
		t.Errorf("it goes on, and is %s (%s), %v", r.State, r.Kind, err)
	}
}
