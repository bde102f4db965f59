package runs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
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
	if err := s.Recover(t.Context(), "alpha", "run_1", true); !errors.Is(err, store.ErrState) {
		t.Error(err)
	}
	r, err := s.store.Run(t.Context(), "alpha", "run_1")
	if err != nil || r.State != store.Running {
		t.Errorf("it goes on, and is %s (%s), %v", r.State, r.Kind, err)
	}
}

// TestNotBegun: a run that was written down, and refused then, goes on as one that has never begun; one that has begun has failed.
func TestNotBegun(t *testing.T) {
	s := open(t, t.TempDir())
	for begun, want := range map[bool]store.State{false: store.Done, true: store.Failed} {
		r := &store.Run{ID: fmt.Sprint("run_", begun), Tenant: "alpha", State: store.Running, Created: time.Now(), Policy: policies.Default + "@builtin", Request: []byte(`{"code":"1+1"}`)}
		if err := s.store.AddRuns(r); err != nil {
			t.Fatal(err)
		}
		if err := s.Recover(t.Context(), r.Tenant, r.ID, begun); err != nil {
			t.Fatal(err)
		}
		if v := s.wait(t, r.ID); v.State != want {
			t.Errorf("begun: %t: it is %s, want %s", begun, v.State, want)
		}
	}
}
