package sessions_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestHeldQueue: a run that stands in the queue when the one before begins to wait ends, and has not begun.
func TestHeldQueue(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id := r.withTools("a")
	r.prints("a", id, "n := 1", "")
	first, err := r.runs.Start(t.Context(), "a", runs.Request{Session: id, Code: "x := 0\nfor i := range 2_000_000 { x += i }\nfmt.Println(Ask(\"x\"))"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.runs.Start(t.Context(), "a", runs.Request{Session: id, Code: "n = 2"})
	if err != nil {
		t.Fatal(err)
	}
	if v := r.wait(second); v.State != store.Failed || v.Kind != string(runs.KindHeld) || !strings.Contains(string(v.Result), first.ID()) {
		t.Errorf("%s %s", v.State, v.Result)
	}
	if v := r.answered(r.wait(first), true); v.State != store.Done {
		t.Errorf("%s %s", v.State, v.Result)
	}
	r.prints("a", id, "fmt.Print(n)", "1")
}

// TestDrainedCell: runs that go on, and stand in the queue, when the server ends go on when it has started again, in their order.
func TestDrainedCell(t *testing.T) {
	dir := t.TempDir()
	r := newRig(t, dir, sandtrap.None, sessions.Options{})
	id := r.withTools("a")
	r.prints("a", id, "n := 1", "")
	var ids []string
	for _, code := range []string{"x := 0\nfor i := range 3_000_000 { x += i }\nn *= 10", "n += 3"} {
		run, err := r.runs.Start(context.Background(), "a", runs.Request{Session: id, Code: code})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, run.ID())
	}
	for deadline := time.Now().Add(time.Minute); r.query(`SELECT count(*) FROM run WHERE state = 'running' AND octet_length(journal) > 0`) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the first one does not begin")
		}
	}
	r.close()
	r = newRig(t, dir, sandtrap.None, sessions.Options{})
	for _, one := range ids {
		run, err := r.runs.Get(t.Context(), "a", one)
		if err != nil {
			t.Fatal(err)
		}
		if v := r.wait(run); v.State != store.Done {
			t.Errorf("%s %s", v.State, v.Result)
		}
	}
	r.prints("a", id, "fmt.Print(n)", "13")
}
