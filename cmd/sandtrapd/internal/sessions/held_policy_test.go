package sessions_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const guarded = "std: [fmt, os]\nfs: mem\nguard:\n  default: allow\n  max_risk: critical\n  max_class: restricted\n  permissions: [file.read, file.write, file.remove]\n"

// under makes a session of tenant a with a policy that gets this text.
func (r *rig) under(text, tools string) (string, error) {
	r.t.Helper()
	if _, err := r.policies.Put(r.t.Context(), "mine", text, nil); err != nil {
		r.t.Fatal(err)
	}
	v, err := r.sessions.Create(r.t.Context(), "a", sessions.Request{Policy: "mine", Tools: tools})
	return v.ID, err
}

// printed is the output that a result in JSON has.
func printed(t *testing.T, result string) string {
	t.Helper()
	var e end
	if err := json.Unmarshal([]byte(result), &e); err != nil {
		t.Fatal(err)
	}
	return e.Stdout
}

// TestApproval: a call of a session's run waits for approval, also while the server is started again. One that is denied is not made, one
// that is approved waits for its answer then.
func TestApproval(t *testing.T) {
	for verdict, want := range map[string]string{"deny": "not today", "approve": "<x><nil>"} {
		dir := t.TempDir()
		r := newRig(t, dir, sandtrap.None, sessions.Options{})
		id, err := r.under(guarded+"  ask: [Ask]\n", askTools)
		if err != nil {
			t.Fatal(err)
		}
		r.prints("a", id, "n := 1\nif err := os.WriteFile(\"f\", []byte(\"before\"), 0o600); err != nil { panic(err) }", "")
		v := r.begun("a", id, "n++\na, err := Ask(\"x\")\nif err == nil { err = os.Remove(\"f\") }\nsaid := fmt.Sprint(a, err)")
		if v.State != store.Pending || len(v.Pending) != 1 || v.Pending[0].Ask == "" {
			t.Fatalf("%+v", v)
		}
		r.close()
		r = newRig(t, dir, sandtrap.None, sessions.Options{})
		for _, wrong := range []runs.Answer{{ID: 1, Value: []byte(`"x"`)}, {ID: 1}, {ID: 2, Verdict: verdict}} {
			if _, err := r.runs.Answer(t.Context(), "a", v.ID, []runs.Answer{wrong}); !errors.Is(err, runs.ErrRequest) {
				t.Errorf("%+v: %v", wrong, err)
			}
		}
		run, err := r.runs.Answer(t.Context(), "a", v.ID, []runs.Answer{{ID: 1, Verdict: verdict, Error: map[string]string{"deny": "not today"}[verdict]}})
		if err != nil {
			t.Fatal(err)
		}
		v = r.wait(run)
		left := 1 // files
		if verdict == "approve" {
			if v.State != store.Pending || len(v.Pending) != 1 || v.Pending[0].Ask != "" {
				t.Fatalf("after the approval: %+v", v)
			}
			v, left = r.answered(v, true), 0
		}
		if v.State != store.Done {
			t.Errorf("%s: %s %s", verdict, v.State, v.Result)
		}
		if list, err := r.sessions.Files(t.Context(), "a", id); err != nil || len(list) != left {
			t.Errorf("%s: %v, %v", verdict, list, err)
		}
		if state, result := r.run("a", id, "fmt.Print(n, \" \", said)"); state != store.Done || !strings.HasPrefix(printed(t, result), "2 ") || !strings.Contains(printed(t, result), want) {
			t.Errorf("%s: %s %s", verdict, state, result)
		}
		r.close()
	}
}

// TestExpiredWait: a run that has waited too long leaves the session as it was before it, and free.
func TestExpiredWait(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id, v := r.waiting("a")
	kind, result := runs.Expired()
	keep := store.Retention{Pending: time.Hour, Kind: kind, Result: result}
	for _, age := range []time.Duration{0, 2 * time.Hour} {
		if _, _, err := r.store.Retain(t.Context(), time.Now().Add(age), keep); err != nil {
			t.Fatal(err)
		}
		run, err := r.runs.Get(t.Context(), "a", v.ID)
		if err != nil || (run.View().State == store.Failed) != (age > 0) {
			t.Errorf("after %s: %+v, %v", age, run.View(), err)
		}
	}
	if s, err := r.sessions.Get(t.Context(), "a", id); err != nil || s.State != "idle" || s.Waits != "" {
		t.Errorf("%+v, %v", s, err)
	}
	r.prints("a", id, "b, err := os.ReadFile(\"f\")\nfmt.Print(n, string(b), err)", "1before<nil>")
	if _, err := r.runs.Answer(t.Context(), "a", v.ID, []runs.Answer{{ID: 1, Value: []byte(`"x"`)}}); !errors.Is(err, store.ErrState) {
		t.Error(err)
	}
}

// TestRulesOfASession: a session is refused if rules of its policy would let calls pass when earlier ones are forgotten.
func TestRulesOfASession(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	const depends, closes = "  rules: [{use: max_writes, with: {n: 1}}]\n", "  rules: [{use: read_before_write}]\n"
	for name, tc := range map[string]struct {
		text, tools string
		ok          bool
	}{
		"rules and tools":   {guarded + depends, askTools, false},
		"rules":             {guarded + depends, "", false},
		"rules that close":  {guarded + closes, "", true},
		"closing and tools": {guarded + closes, askTools, true},
		"rules of one call": {guarded + "  rules: [{name: r, on: [file.remove], do: block, text: no}]\n", askTools, true},
		"no rules":          {guarded, askTools, true},
	} {
		_, err := r.under(tc.text, tc.tools)
		if tc.ok != (err == nil) || !tc.ok && (!errors.Is(err, runs.ErrRequest) || !strings.Contains(err.Error(), "depend on earlier calls")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRulesOfAKeptSession: a session that was made under rules which are refused now makes no call.
func TestRulesOfAKeptSession(t *testing.T) {
	for _, tools := range []string{"", askTools} {
		r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
		id, err := r.under(guarded, tools)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.policies.Put(t.Context(), "mine", guarded+"  rules: [{use: max_writes, with: {n: 1}}]\n", nil); err != nil {
			t.Fatal(err)
		}
		r.query(`UPDATE session SET policy = 'mine@2'`)
		state, result := r.run("a", id, `fmt.Print(1)`)
		if state != store.Failed || !strings.Contains(result, `"kind":"denied"`) || !strings.Contains(result, "depend on earlier calls") || strings.Contains(result, runs.ErrRequest.Error()) {
			t.Errorf("%s: %s", state, result)
		}
	}
}
