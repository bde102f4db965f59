package sessions_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// waiting is a session with n = 1 and a file, of which a run waits that has changed both.
func (r *rig) waiting(tenant string) (session string, v runs.View) {
	r.t.Helper()
	id := r.withTools(tenant)
	r.prints(tenant, id, "n := 1\nif err := os.WriteFile(\"f\", []byte(\"before\"), 0o600); err != nil { panic(err) }", "")
	v = r.begun(tenant, id, "n = 2\nif err := os.WriteFile(\"f\", []byte(\"after\"), 0o600); err != nil { panic(err) }\na, err := Ask(\"x\")\nfmt.Print(a, err, n)")
	if v.State != store.Pending || len(v.Pending) != 1 {
		r.t.Fatalf("%+v", v)
	}
	return id, v
}

// TestHeld: while a run waits nothing changes its session, what reads it sees what it had before, and the run goes on from that.
func TestHeld(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	ctx := t.Context()
	id, v := r.waiting("a")
	snap, err := r.sessions.Save(ctx, "a", id)
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func() error{
		"a run": func() error { _, err := r.runs.Start(ctx, "a", runs.Request{Session: id, Code: "n = 3"}); return err },
		"a file": func() error {
			_, err := r.sessions.WriteFile(ctx, "a", id, "f", strings.NewReader("x"), 0o600)
			return err
		},
		"a removal":    func() error { return r.sessions.RemoveFile(ctx, "a", id, "f") },
		"a snapshot":   func() error { _, err := r.sessions.Load(ctx, "a", id, snap); return err },
		"a reset":      func() error { _, err := r.sessions.Reset(ctx, "a", id); return err },
		"a run's fork": func() error { _, err := r.runs.Fork(ctx, "a", v.ID, 1); return err },
	} {
		if err := do(); !errors.Is(err, store.ErrState) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := r.sessions.Get(ctx, "a", id); err != nil || s.State != "pending" || s.Waits != v.ID || s.Tools != askTools {
		t.Errorf("%+v %v", s, err)
	}
	_, data, release, err := r.sessions.ReadFile(ctx, "a", id, "f")
	release()
	if string(data) != "before" || err != nil {
		t.Errorf("the file has %q, %v", data, err)
	}
	forks, err := r.sessions.Fork(ctx, "a", id, 1)
	if err != nil {
		t.Fatal(err)
	}
	const look = "b, err := os.ReadFile(\"f\")\nfmt.Print(n, string(b), err)"
	r.prints("a", forks[0].ID, look, "1before<nil>")
	r.sessions.LetGo(0)
	if v = r.answered(v, true); v.State != store.Done || !strings.Contains(string(v.Result), `"stdout":"\u003cx\u003e\u003cnil\u003e 2"`) && !strings.Contains(string(v.Result), `"stdout":"<x><nil> 2"`) {
		t.Errorf("%s %s", v.State, v.Result)
	}
	r.prints("a", id, look, "2after<nil>")
	if s, err := r.sessions.Get(ctx, "a", id); err != nil || s.Waits != "" || s.State == "pending" {
		t.Errorf("%+v %v", s, err)
	}
}

// TestCancelledWait: a run that is cancelled while it waits, or when it goes on, leaves the session as it was, and free.
func TestCancelledWait(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	ctx := t.Context()
	const look = "b, err := os.ReadFile(\"f\")\nfmt.Print(n, string(b), err)"
	id, v := r.waiting("a")
	if _, err := r.runs.Cancel(ctx, "a", v.ID); err != nil {
		t.Fatal(err)
	}
	r.prints("a", id, look, "1before<nil>")
	run, err := r.runs.Start(ctx, "a", runs.Request{Session: id, Code: "n = 5\nfmt.Println(\"on\")\nfor {}"})
	if err != nil {
		t.Fatal(err)
	}
	r.printed(run)
	if run, err = r.runs.Cancel(ctx, "a", run.ID()); err != nil || run.View().State != store.Cancelled {
		t.Fatal(run.View().State, err)
	}
	r.prints("a", id, look, "1before<nil>")
}

// TestDeletedWait: to delete a session ends its run that waits.
func TestDeletedWait(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id, v := r.waiting("a")
	if err := r.sessions.Delete(t.Context(), "a", id); err != nil {
		t.Fatal(err)
	}
	run, err := r.runs.Get(t.Context(), "a", v.ID)
	if err != nil || run.View().State != store.Cancelled || !strings.Contains(string(run.View().Result), "the session was deleted") {
		t.Errorf("%+v %v", run.View(), err)
	}
	if _, err := r.runs.Answer(t.Context(), "a", v.ID, []runs.Answer{{ID: 1, Value: []byte(`"x"`)}}); !errors.Is(err, store.ErrState) {
		t.Error(err)
	}
}

// TestSameKeyWhileWaiting: a request that is sent again is the run that waits, and has the tools of the session or names the same.
func TestSameKeyWhileWaiting(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id := r.withTools("a")
	q := runs.Request{Session: id, Code: `fmt.Print(Ask("x"))`, Key: "k"}
	first, err := r.runs.Start(t.Context(), "a", q)
	if err != nil {
		t.Fatal(err)
	}
	r.wait(first)
	again, err := r.runs.Start(t.Context(), "a", q)
	if err != nil || again.ID() != first.ID() {
		t.Errorf("%v %v", again, err)
	}
	r.answered(r.wait(first), true)
	for tools, ok := range map[string]bool{askTools: true, askTools + "\n": false} {
		run, err := r.runs.Start(t.Context(), "a", runs.Request{Session: id, Code: "1", Tools: tools})
		if ok != (err == nil) || !ok && !errors.Is(err, runs.ErrRequest) {
			t.Errorf("%q: %v", tools, err)
		}
		if err == nil {
			r.wait(run)
		}
	}
}
