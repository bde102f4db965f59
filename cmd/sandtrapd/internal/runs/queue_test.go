package runs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// TestCancelledWithoutWorker: a run that is cancelled while no worker takes it has ended by that.
func TestCancelledWithoutWorker(t *testing.T) {
	began := make(chan struct{}, 1)
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, _ *dispatch.Job, begin func() error, _ dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		began <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	for _, text := range []string{"", tools} {
		r, err := s.Start(t.Context(), "alpha", runs.Request{Code: "1", Tools: text})
		if err != nil {
			t.Fatal(err)
		}
		<-began
		if _, err := s.Cancel(t.Context(), "alpha", r.ID()); err != nil {
			t.Fatal(err)
		}
		if v := s.wait(t, r.ID()); v.State != store.Cancelled || v.Kind != "cancelled" || !strings.Contains(string(v.Result), "the run was cancelled") {
			t.Errorf("%s: %s", v.State, v.Result)
		}
	}
}

// TestCancelledUnheard: of a run that is cancelled while its worker cannot be reached is said what is so: that it was cancelled, and that its worker has
// not told what it has done. One whose workers were lost says that they were.
func TestCancelledUnheard(t *testing.T) {
	began, lose := make(chan struct{}, 1), make(chan struct{})
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, _ *dispatch.Job, begin func() error, _ dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		began <- struct{}{}
		select {
		case <-ctx.Done():
		case <-lose:
		}
		return nil, dispatch.ErrLost
	}))
	for want, end := range map[string]func(id string){
		"cancelled: the run was cancelled; its worker did not answer": func(id string) {
			if _, err := s.Cancel(t.Context(), "alpha", id); err != nil {
				t.Error(err)
			}
		},
		"failed: its workers were lost": func(string) { lose <- struct{}{} },
	} {
		id := s.start(t, "1")
		<-began
		end(id)
		state, text, _ := strings.Cut(want, ": ")
		if v := s.wait(t, id); string(v.State) != state || !strings.Contains(string(v.Result), text) || strings.Contains(string(v.Result), "the server ended") {
			t.Errorf("%s: %s, want %s", v.State, v.Result, want)
		}
	}
}

// TestDrainAnew: when the server ends, runs that workers can do anew are waited for, and kept if no time is left; others fail then. The log says how many of
// each there are.
func TestDrainAnew(t *testing.T) {
	dir, began := t.TempDir(), make(chan struct{}, 1)
	var log strings.Builder
	s := openLogged(t, dir, slog.New(slog.NewTextHandler(&log, nil)), queue(func(ctx context.Context, _ *dispatch.Job, begin func() error, _ dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		began <- struct{}{}
		<-ctx.Done()
		return &dispatch.Outcome{Result: []byte(`{}`), Kind: "cancelled"}, nil
	}))
	r, err := s.Start(t.Context(), "alpha", runs.Request{Code: "fmt.Println(1)"})
	if err != nil {
		t.Fatal(err)
	}
	<-began
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	s.Drain(ctx)
	if ctx.Err() == nil {
		t.Error("it was not waited for")
	}
	s.close()
	for _, want := range []string{"kept=0 waits=1", "kept=1 fail=0"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%s is not in the log:\n%s", want, log.String())
		}
	}
	w := worker(t)
	s = openWith(t, dir, queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		return does(ctx, w, job, out)
	}))
	if v := s.wait(t, r.ID()); v.State != store.Done || s.told(t, r.ID()) != "1\n" {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// TestLargeHere: a run that is too large for workers is done by the server, which begins it once.
func TestLargeHere(t *testing.T) {
	s := openWith(t, t.TempDir(), queue(func(_ context.Context, _ *dispatch.Job, begin func() error, _ dispatch.Output) (*dispatch.Outcome, error) {
		return nil, errors.Join(begin(), dispatch.ErrLarge)
	}))
	id := s.start(t, "fmt.Println(Ask(`?`))")
	if v := s.wait(t, id); v.State != store.Pending {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	s.answer(t, id, 1, `"yes"`)
	if v := s.wait(t, id); v.State != store.Done || s.told(t, id) != "yes\n" {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// TestKeptElsewhere: a run whose worker does not tell what has become of it when the server ends goes on when that has started again.
func TestKeptElsewhere(t *testing.T) {
	dir, began := t.TempDir(), make(chan struct{}, 1)
	s := openWith(t, dir, queue(func(ctx context.Context, _ *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		began <- struct{}{}
		<-ctx.Done()
		return nil, dispatch.ErrLost
	}))
	id := s.start(t, "fmt.Println(time.Now().UnixNano(), Ask(`?`))")
	<-began
	s.close()
	row := func(s *server) *store.Run {
		r, err := s.store.Run(t.Context(), "alpha", id)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	s = openWith(t, dir, nil)
	if v := s.wait(t, id); v.State != store.Pending {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	var head struct{ Epoch time.Time }
	if err := json.NewDecoder(bytes.NewReader(row(s).Journal)).Decode(&head); err != nil {
		t.Fatal(err)
	}
	s.answer(t, id, 1, `"yes"`)
	if v := s.wait(t, id); v.State != store.Done || s.told(t, id) != fmt.Sprintln(head.Epoch.UnixNano(), "yes") {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// TestToolsOfWorker: a worker takes as much text of tools that differs of a tenant as a server does.
func TestToolsOfWorker(t *testing.T) {
	w := worker(t)
	do := func(tools string) error {
		_, err := w.Do(t.Context(), &dispatch.Job{Run: "run_1", Tenant: "alpha", Policy: policies.Default + "@" + policies.Builtin, Request: fmt.Appendf(nil, `{"code":"1","tools":%q}`, tools), Journal: []byte("{}\n")}, dispatch.Output{})
		return err
	}
	comment := "\n// " + strings.Repeat("x", 60<<10)
	for i := range 1000 {
		err := do(fmt.Sprintf("package tools\nfunc F%d()", i) + comment)
		if errors.Is(err, plans.ErrTools) {
			return
		}
		if err == nil {
			t.Fatal("a text that is no journal is one")
		}
	}
	t.Error("it takes all")
}

// TestBegunOnDisk: what a run is repeated by is in the store before a worker gets the run, and so it is after a wait.
func TestBegunOnDisk(t *testing.T) {
	var s *server
	w, parts := worker(t), 0
	s = openWith(t, t.TempDir(), queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		row, err := s.store.Run(ctx, job.Tenant, job.Run)
		if err != nil {
			return nil, err
		}
		if parts++; len(job.Journal) == 0 || string(row.Journal) != string(job.Journal) || string(row.Answers) != string(job.Answers) {
			t.Errorf("part %d: the store has %q, %q, and the worker %q, %q", parts, row.Journal, row.Answers, job.Journal, job.Answers)
		}
		return does(ctx, w, job, out)
	}))
	id := s.start(t, "fmt.Println(Ask(`?`))")
	if v := s.wait(t, id); v.State != store.Pending {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	s.answer(t, id, 1, `"yes"`)
	if v := s.wait(t, id); v.State != store.Done || parts != 2 {
		t.Errorf("%s after %d parts: %s", v.State, parts, v.Result)
	}
}

// TestCancelledElsewhere: a run with tools that goes on at a worker is ended there when somebody cancels it.
func TestCancelledElsewhere(t *testing.T) {
	w, began := worker(t), make(chan struct{}, 1)
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		began <- struct{}{}
		return does(ctx, w, job, out)
	}))
	id := s.start(t, "fmt.Println(1)\nfor {}")
	<-began
	if _, err := s.Cancel(t.Context(), "alpha", id); err != nil {
		t.Fatal(err)
	}
	if v := s.wait(t, id); v.State != store.Cancelled || v.Kind != "cancelled" {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// TestSentPolicy: a worker runs tools under the policy that a server was sent, and keeps its limits.
func TestSentPolicy(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := policies.Open("", st)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := catalog.Put(t.Context(), "plain", "std: [fmt]\nlimits: {ticks: 1000}\n", nil); err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Policies: catalog})
	t.Cleanup(set.Close)
	w, parts := worker(t), 0
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Queue: queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		parts++
		return does(ctx, w, job, out)
	})})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{m, st}
	t.Cleanup(s.close)
	r, err := s.Start(t.Context(), "alpha", runs.Request{Code: "fmt.Println(Ask(`?`))\nfor {}", Tools: tools, Policy: "plain"})
	if err != nil {
		t.Fatal(err)
	}
	if v := s.wait(t, r.ID()); v.State != store.Pending {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	s.answer(t, r.ID(), 1, `"yes"`)
	if v := s.wait(t, r.ID()); v.Kind != string(sandtrap.KindTicks) || parts != 2 || s.told(t, r.ID()) != "yes\n" {
		t.Errorf("%s after %d parts: %s", v.State, parts, v.Result)
	}
}

// TestNoWorkerLater: a run that no worker takes fails, and nothing of it is done; one that has waited is done by the server then.
func TestNoWorkerLater(t *testing.T) {
	w, gone := worker(t), false
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if gone && len(job.Answers) == 0 {
			return nil, dispatch.ErrNoWorker
		}
		if err := begin(); err != nil {
			return nil, err
		}
		if gone { // one is lost, and there is no other one
			fmt.Fprint(out.Stdout, "ye")
			return nil, dispatch.ErrNoWorker
		}
		return does(ctx, w, job, out)
	}))
	const code = "fmt.Println(Ask(`?`))"
	id := s.start(t, code)
	if v := s.wait(t, id); v.State != store.Pending {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	gone = true
	if v := s.wait(t, s.start(t, code)); v.State != store.Failed || v.Kind != string(runs.KindUnavailable) {
		t.Errorf("one that begins: %s: %s", v.State, v.Result)
	}
	s.answer(t, id, 1, `"yes"`)
	if v := s.wait(t, id); v.State != store.Done || s.told(t, id) != "yes\n" {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// TestEventsOfWorker: what a worker decides about its jobs goes the way of their output, and keeps its order; what is decided about others does not.
func TestEventsOfWorker(t *testing.T) {
	w := &runs.Worker{Others: record.Func(func(e record.Event) error { t.Errorf("%+v is of none of its jobs", e); return nil })}
	w.Plans = plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Record: w})
	t.Cleanup(w.Plans.Close)
	var order []string
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		out.Record = record.Func(func(e record.Event) error {
			if e.Member != "" {
				order = append(order, e.Member)
			}
			return nil
		})
		out.Stdout = writer(func(p []byte) { order = append(order, strings.TrimSpace(string(p))) })
		return w.Do(ctx, job, out)
	}))
	if v := s.wait(t, s.start(t, "fmt.Println(1)\nfmt.Println(Ask(`?`))")); v.State != store.Pending || fmt.Sprint(order) != "[1 Ask]" {
		t.Errorf("%s: %s, %q", v.State, v.Result, order)
	}
	others := 0
	w.Others = record.Func(func(record.Event) error { others++; return nil })
	if err := w.Write(record.Event{}); err != nil || others != 1 {
		t.Errorf("%v, %d", err, others)
	}
}

// A writer is a func that gets what is written.
type writer func(p []byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }
