package sessions_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// away is a cell that waits for a cluster which is gone.
func (r *rig) away(f *flaky) *runs.Run {
	id := r.create("a")
	f.gone.Store(lasts)
	run, err := r.runs.Start(r.t.Context(), "a", runs.Request{Session: id, Code: "fmt.Print(1)"})
	if err != nil {
		r.t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	return run
}

// TestAwayDrain: a server ends while a cell waits for a cluster that is away, and a cell can be cancelled.
func TestAwayDrain(t *testing.T) {
	f := &flaky{}
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{Store: f})
	run := r.away(f)
	other := r.away(f)
	began := time.Now()
	if v, err := r.runs.Cancel(t.Context(), "a", other.ID()); err != nil || v.View().State != store.Cancelled || time.Since(began) > 3*time.Second {
		t.Errorf("%v %v after %v", v.View().State, err, time.Since(began))
	}
	began = time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r.runs.Drain(ctx)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("after %v", took)
	}
	if v, err := run.Wait(ctx); err != nil || v.State != store.Running {
		t.Errorf("%v %v", v.State, err)
	}
}

// TestAwayTold: a client that waits for a cell is told that the cluster is away.
func TestAwayTold(t *testing.T) {
	f := &flaky{}
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{Store: f})
	run := r.away(f)
	f.gone.Store(2 * lasts)
	ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
	defer cancel()
	if _, err := run.Reply(ctx); !errors.Is(err, store.ErrCluster) {
		t.Errorf("its client is told %v", err)
	}
	f.gone.Store(0)
}
