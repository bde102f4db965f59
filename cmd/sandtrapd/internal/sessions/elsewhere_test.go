package sessions_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A far is a queue whose jobs are done by workers that have nothing but what a job gives them.
type far struct {
	workers map[string]*runs.Worker
	pick    func(job *dispatch.Job) string // the name of the worker
	lie     func(job *dispatch.Job, b *dispatch.Become)
	jobs    atomic.Int64
	gave    atomic.Int64 // contents
}

func (f *far) Do(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
	if job.Cell != nil && job.Cell.Bytes > dispatch.MaxCell {
		return nil, dispatch.ErrLarge
	}
	if err := begin(); err != nil {
		return nil, err
	}
	f.jobs.Add(1)
	contents := out.Contents
	out.Contents = func(ctx context.Context, want []dispatch.Content) ([][]byte, error) {
		f.gave.Add(int64(len(want)))
		return contents(ctx, want)
	}
	refused := out.Refused
	out.Refused, out.Record = nil, record.Func(func(record.Event) error { return nil })
	name := f.pick(job)
	o, err := f.workers[name].Do(ctx, job, out)
	out.Refused = refused
	if err != nil {
		return nil, err
	}
	if f.lie != nil {
		f.lie(job, o.Become)
	}
	o.Worker = name
	if err := out.Check(o); err != nil {
		return nil, fmt.Errorf("%w: %w", dispatch.ErrLost, err)
	}
	return o, nil
}

func (*far) Stats() dispatch.Stats { return dispatch.Stats{} }

func (*far) Waiting() []turns.Waiting { return nil }

// elsewhere has the cells of a rig be done by workers with names.
func elsewhere(t *testing.T, names ...string) (*rig, *far) {
	t.Helper()
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	f := &far{workers: map[string]*runs.Worker{}, pick: func(job *dispatch.Job) string {
		if job.Worker != "" {
			return job.Worker
		}
		return names[0]
	}}
	for _, name := range names {
		w := &runs.Worker{Policies: policies.Builtins()}
		w.Plans = plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 4, Policies: w.Policies, Record: w})
		cells, err := sessions.NewWorker(2)
		if err != nil {
			t.Fatal(err)
		}
		w.Cells = cells
		f.workers[name] = w
		t.Cleanup(func() {
			if err := cells.Close(); err != nil {
				t.Error(err)
			}
			w.Plans.Close()
		})
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 4, Policies: r.policies})
	t.Cleanup(set.Close)
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: r.store, Sessions: r.sessions, Queue: f, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	r.runs = m
	return r, f
}

// TestElsewhere: a session is the same whichever workers do its cells, one that has it is asked first and is given nothing, and one that has something
// older loads it again.
func TestElsewhere(t *testing.T) {
	r, f := elsewhere(t, "w1", "w2")
	id := r.create("a")
	r.prints("a", id, "n := 0\ntype T struct{ n int }\nfunc (t *T) add() int { t.n++; return t.n }\nt := &T{}", "")
	turn := 0
	step := func(name, more, want string) {
		t.Helper()
		f.pick = func(job *dispatch.Job) string {
			if name == "" && job.Worker == "" {
				t.Error("no worker is named that has the session")
			}
			if name == "" {
				return job.Worker
			}
			return name
		}
		turn++
		r.prints("a", id, "n++\nfmt.Print(n, t.add())\n"+more, fmt.Sprint(turn, turn)+want)
	}
	const write = "if err := os.WriteFile(\"f\", []byte(fmt.Sprint(n)), 0o600); err != nil { panic(err) }"
	const read = "data, err := os.ReadFile(\"f\"); fmt.Print(\" \", string(data), err)"
	for i, name := range []string{"w2", "w1", "w2", "w2", "w1"} {
		step(name, write, "")
		gave := f.gave.Load()
		step("", read, fmt.Sprintf(" %d<nil>", 2*i+1))
		if now := f.gave.Load(); now != gave {
			t.Errorf("a worker that has the session got %d contents", now-gave)
		}
	}
	if _, err := r.sessions.WriteFile(t.Context(), "a", id, "f", strings.NewReader("by hand"), 0o600); err != nil {
		t.Fatal(err)
	}
	gave := f.gave.Load()
	step("w1", read, " by hand<nil>")
	if f.gave.Load() == gave {
		t.Error("a worker went on with a session that was changed meanwhile")
	}
	snap, err := r.sessions.Save(t.Context(), "a", id)
	if err != nil {
		t.Fatal(err)
	}
	f.pick = func(*dispatch.Job) string { return "w1" }
	r.prints("a", id, "n = 100", "")
	if _, err := r.sessions.Load(t.Context(), "a", id, snap); err != nil {
		t.Fatal(err)
	}
	step("w2", "", "")
	if n := r.sessions.Live(); n != 0 {
		t.Errorf("%d sessions have workers in the process that keeps them", n)
	}
}

// TestUnkeptElsewhere: a cell whose outcome is not kept has changed nothing, also at the worker that has done it.
func TestUnkeptElsewhere(t *testing.T) {
	r, f := elsewhere(t, "w1")
	id := r.create("a")
	r.prints("a", id, "n := 1\nf := make(chan int, 10)\nf <- 1", "")
	r.prints("a", id, "fmt.Print(n, len(f))", "1 1")
	f.lie = func(_ *dispatch.Job, b *dispatch.Become) { b.Manifest = []byte("{}") }
	if state, result := r.run("a", id, "n = 2; f <- 2"); state != store.Failed {
		t.Error(state, result)
	}
	f.lie = nil
	r.prints("a", id, "fmt.Print(n, len(f))", "1 1")
}

// TestLiesOfCells: whatever a worker says that a session has become, the session is what it was unless all of that can be, and no content is
// kept of another one.
func TestLiesOfCells(t *testing.T) {
	r, f := elsewhere(t, "w1")
	other := r.create("b")
	secret := []byte("the secret of b")
	r.prints("b", other, fmt.Sprintf("s := %q\nif err := os.WriteFile(\"secret\", []byte(s), 0o600); err != nil { panic(err) }", secret), "")
	id := r.create("a")
	r.prints("a", id, "n := 1\nif err := os.WriteFile(\"f\", []byte(\"before\"), 0o600); err != nil { panic(err) }", "")
	hash := func(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }
	replace := func(old, new string) func(*dispatch.Become) {
		return func(b *dispatch.Become) {
			if !bytes.Contains(b.Manifest, []byte(old)) {
				t.Errorf("%s is not in %s", old, b.Manifest)
			}
			b.Manifest = bytes.Replace(b.Manifest, []byte(old), []byte(new), 1)
		}
	}
	after := []byte("after")
	for name, lie := range map[string]func(*dispatch.Become){
		"no manifest":     func(b *dispatch.Become) { b.Manifest = nil },
		"no JSON":         func(b *dispatch.Become) { b.Manifest = []byte("hello") },
		"large manifest":  func(b *dispatch.Become) { b.Manifest = append(b.Manifest, make([]byte, 17<<20)...) },
		"path above":      replace(`"path":"g"`, `"path":"../g"`),
		"absolute path":   replace(`"path":"g"`, `"path":"/etc/passwd"`),
		"device":          replace(`"path":"g","mode":`, `"path":"g","mode":6710886`),
		"foreign content": replace(hash(after), hash(secret)),
		"foreign, sized": func(b *dispatch.Become) {
			replace(`"`+hash(after)+`","size":5`, fmt.Sprintf(`"%s","size":%d`, hash(secret), len(secret)))(b)
		},
		"size":            replace(`"`+hash(after)+`","size":5`, `"`+hash(after)+`","size":4`),
		"size of old one": replace(`"`+hash([]byte("before"))+`","size":6`, `"`+hash([]byte("before"))+`","size":5`),
		"huge":            replace(`"`+hash(after)+`","size":5`, `"`+hash(after)+`","size":500000000`),
		"one less":        func(b *dispatch.Become) { b.New = b.New[1:] },
		"one more":        func(b *dispatch.Become) { b.New = append(b.New, []byte("more")) },
		"another one":     func(b *dispatch.Become) { b.New[0] = []byte("other") },
		"policy":          replace(`"policy":"`, `"policy":"x`),
		"origin":          replace(`"origin":"`, `"origin":"x`),
		"tools":           replace(`"origin":`, `"tools":"package tools","origin":`),
		"long name":       replace(`"name":"n"`, `"name":"`+strings.Repeat("n", 1000)+`"`),
		"kind":            replace(`"kind":"var"`, `"kind":"<b>"`),
		"unknown field":   replace(`"origin":`, `"more":1,"origin":`),
		"skipped":         replace(`"origin":`, `"skipped":{"`+strings.Repeat("n", 1000)+`":"x"},"origin":`),
	} {
		blobs := r.query("SELECT count(*) FROM blob")
		f.lie = func(_ *dispatch.Job, b *dispatch.Become) { lie(b) }
		if state, result := r.run("a", id, "n = 2\nif err := os.WriteFile(\"g\", []byte(\"after\"), 0o600); err != nil { panic(err) }"); state != store.Failed {
			t.Errorf("%s: %s %s", name, state, result)
		}
		f.lie = nil
		if n := r.query("SELECT count(*) FROM blob"); n != blobs {
			t.Errorf("%s: %d contents are kept of it", name, n-blobs)
		}
		r.prints("a", id, "_, err := os.ReadFile(\"g\")\nfmt.Print(n, err != nil)", "1 true")
	}
	r.prints("b", other, "data, err := os.ReadFile(\"secret\")\nfmt.Print(string(data), err, s)", string(secret)+"<nil>"+string(secret))
}

// TestForeignContents: a worker gets the contents of the session whose cell it has, and no others of the tenant.
func TestForeignContents(t *testing.T) {
	r, f := elsewhere(t, "w1")
	other, id := r.create("a"), r.create("a")
	r.prints("a", other, "if err := os.WriteFile(\"secret\", []byte(\"secret\"), 0o600); err != nil { panic(err) }", "")
	asked := false
	lying := f.workers["w1"]
	f.workers["w1"] = &runs.Worker{Policies: lying.Policies, Plans: lying.Plans, Cells: cells(func(ctx context.Context, job *dispatch.Job, contents dispatch.Contents) error {
		asked = true
		if _, err := contents(ctx, []dispatch.Content{job.Cell.Manifest}); err != nil {
			t.Error(err)
		}
		all, err := contents(ctx, []dispatch.Content{{Hash: sha256.Sum256([]byte("secret")), Size: 6}})
		if !errors.Is(err, dispatch.ErrForeign) || all != nil {
			t.Errorf("%q, %v", all, err)
		}
		return err
	})}
	if state, _ := r.run("a", id, "1"); state != store.Failed || !asked {
		t.Error(state, asked)
	}
}

// cells is a runs.Cells that does no cell.
type cells func(context.Context, *dispatch.Job, dispatch.Contents) error

func (c cells) Run(ctx context.Context, job *dispatch.Job, _ func() (*plans.Box, error), _ sandtrap.Script, contents dispatch.Contents) (*sandtrap.Result, *dispatch.Become, error) {
	return nil, nil, errors.Join(c(ctx, job, contents), errors.New("no cell is done"))
}

// TestLargeElsewhere: a cell that makes its session larger than workers take is done by the server, and so are those after it; what it prints comes once.
func TestLargeElsewhere(t *testing.T) {
	r, f := elsewhere(t, "w1")
	id := r.create("a")
	r.prints("a", id, "n := 1", "")
	run, err := r.runs.Start(t.Context(), "a", runs.Request{Session: id, Code: "n++\nfmt.Print(n, \"large\")\nif err := os.WriteFile(\"f\", make([]byte, 33<<20), 0o600); err != nil { panic(err) }"})
	if err != nil {
		t.Fatal(err)
	}
	if v := r.wait(run); v.State != store.Done {
		t.Fatalf("%s %s", v.State, v.Result)
	}
	log, err := run.Events()
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	for _, e := range log.After(t.Context(), 0) {
		var data struct{ Text string }
		if e.Kind == runs.EventStdout && json.Unmarshal(e.Data, &data) == nil {
			told += data.Text
		}
	}
	if told != "2large" {
		t.Errorf("clients were told %q", told)
	}
	jobs := f.jobs.Load()
	r.prints("a", id, "data, err := os.ReadFile(\"f\")\nfmt.Print(n, len(data), err)", fmt.Sprint(2, 33<<20, nil))
	if f.jobs.Load() != jobs {
		t.Error("a worker did a cell of a large session")
	}
	r.prints("a", id, "data = nil\nif err := os.Remove(\"f\"); err != nil { panic(err) }", "")
	r.prints("a", id, "n++\nfmt.Print(n)", "3")
	if f.jobs.Load() != jobs+1 {
		t.Errorf("workers did %d cells of a session that is small again", f.jobs.Load()-jobs)
	}
}

// TestWorkerLetsGo: a worker has no more sessions than it may, and each goes on; what it keeps of them on disk goes with it.
func TestWorkerLetsGo(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	r, f := elsewhere(t, "w1") // has two sessions
	var ids []string
	for i := range 4 {
		ids = append(ids, r.create("a"))
		r.prints("a", ids[i], fmt.Sprintf("n := %d\nif err := os.WriteFile(\"f\", make([]byte, %d), 0o600); err != nil { panic(err) }", 10*i, i), "")
	}
	for round := range 3 {
		for i, id := range ids {
			r.prints("a", id, "n++\ndata, err := os.ReadFile(\"f\")\nfmt.Print(n, len(data), err)", fmt.Sprint(10*i+round+1, i, nil))
			if n := f.workers["w1"].Cells.(*sessions.Worker).Live(); n > 2 {
				t.Errorf("the worker has %d sessions", n)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(tmp, "sandtrapd-worker-*", "*"))
	if err != nil || len(files) < 2 { // one is a lock
		t.Errorf("%d files are kept, %v", len(files), err)
	}
	if err := f.workers["w1"].Cells.(*sessions.Worker).Close(); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(tmp, "sandtrapd-worker-*")); err != nil || len(left) > 0 {
		t.Errorf("%q are left, %v", left, err)
	}
}
