package sessions_test

import (
	"context"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestDrainedAmid: a cell that the end of the server interrupts leaves its session as it was.
func TestDrainedAmid(t *testing.T) {
	dir := t.TempDir()
	r := newRig(t, dir, sandtrap.None, sessions.Options{})
	id := r.create("a")
	r.prints("a", id, "x := 10", "")
	run, err := r.runs.Start(t.Context(), "a", runs.Request{Session: id, Code: "x++\ntime.Sleep(time.Minute)\nx += 100"})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // it has added one
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.runs.Drain(ctx)
	if v, err := run.Wait(t.Context()); err != nil || v.State != store.Failed {
		t.Errorf("%s, %v", v.State, err)
	}
	r.close()
	r = newRig(t, dir, sandtrap.None, sessions.Options{})
	r.prints("a", id, "fmt.Print(x)", "10")
}
