package sessions_test

import (
	"context"
	"fmt"
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
	before, err := r.sessions.Cell(t.Context(), "a", id, "") // both stand behind it
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.runs.Start(t.Context(), "a", runs.Request{Session: id, Code: "fmt.Println(Ask(\"x\"))"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.runs.Start(t.Context(), "a", runs.Request{Session: id, Code: "n = 2"})
	if err != nil {
		t.Fatal(err)
	}
	before.Release()
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
	for loops := 3_000_000; ; loops *= 4 { // until the first one has not ended before the server
		r := newRig(t, dir, sandtrap.None, sessions.Options{})
		id := r.withTools("a")
		r.prints("a", id, "n := 1", "")
		ids := r.drained(id, fmt.Sprintf("x := 0\nfor i := range %d { x += i }\nn *= 10", loops), "n += 3")
		if r.query(`SELECT count(*) FROM run WHERE state = 'running'`) < 2 {
			continue
		}
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
		return
	}
}

// drained starts runs in a session, and ends the server when the first one goes on.
func (r *rig) drained(session string, codes ...string) (ids []string) {
	t := r.t
	for _, code := range codes {
		run, err := r.runs.Start(context.Background(), "a", runs.Request{Session: session, Code: code})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, run.ID())
	}
	for deadline := time.Now().Add(time.Minute); r.query(`SELECT count(*) FROM run WHERE id = ? AND (octet_length(journal) > 0 OR state != 'running')`, ids[0]) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the first one does not begin")
		}
	}
	r.close()
	return ids
}
