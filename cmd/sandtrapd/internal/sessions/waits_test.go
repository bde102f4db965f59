package sessions_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const askTools = "package tools\nfunc Ask(question string) (string, error)"

// truth is what the functions of askTools return, without a client.
func truth(question string) (string, error) {
	if strings.HasPrefix(question, "bad") {
		return "", errors.New("no answer to " + question)
	}
	return "<" + question + ">", nil
}

// waitingCells leave what a saved session keeps, and wait in many ways.
var waitingCells = []string{
	"n := 1\na, err := Ask(\"first\")\nfmt.Println(a, err, n)",
	"type T struct { n int; said []string }\nfunc (t *T) Say(s string) { t.n++; a, err := Ask(s); t.said = append(t.said, fmt.Sprint(a, err)) }\nt := &T{}\nt.Say(\"in a method\")\nfmt.Println(*t)",
	"if err := os.WriteFile(\"f\", []byte(a), 0o640); err != nil { panic(err) }\nt.Say(\"after a write\")\nb, err := os.ReadFile(\"f\")\nfmt.Println(string(b), err, *t)",
	"var wg sync.WaitGroup\nall := make([]string, 3)\nfor i := range all { wg.Go(func() { s, err := Ask(fmt.Sprint(\"at once \", i)); all[i] = fmt.Sprint(s, err) }) }\nwg.Wait()\nfmt.Println(all)",
	"nothing + 1",
	"later := func(s string) { n += 10; t.Say(s) }\nfunc() { defer later(\"deferred\"); panic(\"in a cell\") }()",
	"if err := os.MkdirAll(\"d/e\", 0o750); err != nil { panic(err) }\nlater(\"bad question\")\nif err := os.Rename(\"f\", \"d/e/g\"); err != nil { panic(err) }\nos.Exit(n)",
	"st, err := os.Stat(\"d/e/g\")\nfmt.Println(st.Size(), st.Mode(), err, n, *t, all)",
}

// begun begins a cell, and waits until it waits or has ended.
func (r *rig) begun(tenant, session, code string) runs.View {
	r.t.Helper()
	run, err := r.runs.Start(r.t.Context(), tenant, runs.Request{Session: session, Code: code})
	if err != nil {
		r.t.Fatal(err)
	}
	return r.wait(run)
}

func (r *rig) wait(run *runs.Run) runs.View {
	r.t.Helper()
	v, err := run.Wait(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

// answered answers the first call that a run waits for, or all.
func (r *rig) answered(v runs.View, all bool) runs.View {
	r.t.Helper()
	var list []runs.Answer
	for _, p := range v.Pending {
		var args struct{ Question string }
		if err := json.Unmarshal(p.Args, &args); err != nil {
			r.t.Fatal(err)
		}
		a := runs.Answer{ID: p.ID}
		text, err := truth(args.Question)
		if err != nil {
			a.Error = err.Error()
		} else {
			a.Value, _ = json.Marshal(text)
		}
		if list = append(list, a); !all {
			break
		}
	}
	run, err := r.runs.Answer(r.t.Context(), v.Tenant, v.ID, list)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.wait(run)
}

// withTools makes a session with tools.
func (r *rig) withTools(tenant string) string {
	r.t.Helper()
	v, err := r.sessions.Create(r.t.Context(), tenant, sessions.Request{Tools: askTools})
	if err != nil {
		r.t.Fatal(err)
	}
	return v.ID
}

// An end is what is compared of a cell.
type end struct {
	Stdout, Stderr string
	Error          *struct{ Kind, Message string }
}

func (e end) String() string {
	if e.Error == nil {
		return fmt.Sprintf("%q %q", e.Stdout, e.Stderr)
	}
	return fmt.Sprintf("%q %q %s: %s", e.Stdout, e.Stderr, e.Error.Kind, e.Error.Message)
}

// unbroken are the ends of waitingCells in a session of the library whose functions return at once, and its files: names, and contents.
func unbroken(t *testing.T) (ends []string, files map[string]string) {
	t.Helper()
	p := sandtrap.Policy{
		Std: sandtrap.StdDefault(), Files: &sandtrap.Files{Cwd: "/work"}, Echo: sandtrap.EchoLast,
		Funcs: map[string]any{"Ask": sandtrap.Member{Value: truth, Blocking: true}},
	}
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	s, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range waitingCells {
		res, err := s.Run(t.Context(), sandtrap.Script{Text: code, Name: "script.go"})
		e := end{Stdout: res.Stdout, Stderr: res.Stderr}
		if err != nil {
			e.Error = &struct{ Kind, Message string }{string(res.Error.Kind), res.Error.Message}
		}
		ends = append(ends, e.String())
	}
	return ends, map[string]string{"d/e/g": "<first>"}
}

func endOf(t *testing.T, v runs.View) string {
	t.Helper()
	var e end
	if err := json.Unmarshal(v.Result, &e); err != nil {
		t.Fatal(err)
	}
	return e.String()
}

// TestWaitingCells: cells whose calls a client answers print and end as those of an unbroken session whose functions return at once, and
// leave the same variables and files, also if the server is another one at each wait.
func TestWaitingCells(t *testing.T) {
	want, wantFiles := unbroken(t)
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Kernel} {
		for _, restarts := range []bool{false, true} {
			t.Run(fmt.Sprint(isolation, restarts), func(t *testing.T) {
				dir := t.TempDir()
				r := newRig(t, dir, isolation, sessions.Options{})
				id := r.withTools("a")
				waits := 0
				for i, code := range waitingCells {
					v := r.begun("a", id, code)
					for ; v.State == store.Pending; waits++ {
						if restarts {
							r.close()
							r = newRig(t, dir, isolation, sessions.Options{})
						}
						v = r.answered(v, waits%2 == 0)
					}
					if got := endOf(t, v); got != want[i] {
						t.Errorf("cell %d ends with %s\nand in an unbroken session with %s", i+1, got, want[i])
					}
				}
				list, err := r.sessions.Files(t.Context(), "a", id)
				for _, f := range list {
					_, data, release, err := r.sessions.ReadFile(t.Context(), "a", id, f.Path)
					release()
					if err != nil || string(data) != wantFiles[f.Path] {
						t.Errorf("file %s is %q, %v", f.Path, data, err)
					}
				}
				if err != nil || len(list) != len(wantFiles) || waits < 7 {
					t.Errorf("%d waits, files %v, %v", waits, list, err)
				}
				r.close()
			})
		}
	}
}
