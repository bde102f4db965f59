package runs_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// held is a queue whose jobs have their turn when let is closed.
func held(let <-chan struct{}, w *runs.Worker) queue {
	return func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		select {
		case <-let:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if err := begin(); err != nil {
			return nil, err
		}
		out.Record = record.Func(func(record.Event) error { return nil })
		return w.Do(ctx, job, out)
	}
}

func (s *server) quiet(t *testing.T, code string) *runs.Run {
	t.Helper()
	r, err := s.Start(t.Context(), "alpha", runs.Request{Code: code, ToldAtEnd: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ended(t *testing.T, r *runs.Run) runs.View {
	t.Helper()
	v, err := r.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestWrittenOnce: a run whose client is told at its end, which is soon, is written once, and another one when it begins too.
func TestWrittenOnce(t *testing.T) {
	s := open(t, t.TempDir())
	ended(t, s.quiet(t, "1")) // the plan is made
	for key, want := range map[string]int64{"": 1, "key": 2} {
		best := int64(9) // a machine that is busy takes long for it
		for i := 0; i < 20 && best > want; i++ {
			before := s.store.Stats().Writes
			q := runs.Request{Code: "fmt.Println(`x`)", ToldAtEnd: true}
			if key != "" {
				q.Key = key + strings.Repeat("x", i)
			}
			r, err := s.Start(t.Context(), "alpha", q)
			if err != nil {
				t.Fatal(err)
			}
			if v := ended(t, r); v.State != store.Done {
				t.Fatalf("%s: %s", v.State, v.Result)
			}
			best = min(best, s.store.Stats().Writes-before)
			row, err := s.store.Run(t.Context(), "alpha", r.ID())
			if err != nil {
				t.Fatal(err)
			}
			if row.State != store.Done || row.Part != 1 || row.Ticks == 0 || !strings.Contains(string(row.Result), `"stdout":"x\n"`) || row.Code != q.Code || row.Ended.IsZero() {
				t.Fatalf("%s, part %d, %d ticks, %.200s", row.State, row.Part, row.Ticks, row.Result)
			}
		}
		if best != want {
			t.Errorf("key %q: %d writes, want %d", key, best, want)
		}
	}
}

// TestWrittenLater: a run whose client is told at its end is written while it goes on for long, or when somebody else asks for it, and has one row
// then.
func TestWrittenLater(t *testing.T) {
	for _, asked := range []bool{false, true} {
		let := make(chan struct{})
		s := openWith(t, t.TempDir(), held(let, worker(t)))
		r := s.quiet(t, "fmt.Println(1)")
		if asked {
			if _, err := s.Get(t.Context(), "alpha", r.ID()); err != nil {
				t.Fatal(err)
			}
		}
		for begun := time.Now(); ; time.Sleep(time.Millisecond) {
			row, err := s.store.Run(t.Context(), "alpha", r.ID())
			if err == nil && row.State == store.Running {
				break
			}
			if !errors.Is(err, store.ErrNone) || asked || time.Since(begun) > time.Minute {
				t.Fatalf("asked for %v: %v", asked, err)
			}
		}
		close(let)
		if v := ended(t, r); v.State != store.Done {
			t.Errorf("%s: %s", v.State, v.Result)
		}
		list, _, err := s.store.Runs(t.Context(), store.Query{Limit: 10})
		if err != nil || len(list) != 1 || list[0].State != store.Done {
			t.Errorf("%d runs, %v", len(list), err)
		}
	}
}

// TestUnwrittenKept: a run that waits for its turn when the server ends goes on when that has started again, whether it was written or not.
func TestUnwrittenKept(t *testing.T) {
	dir := t.TempDir()
	s := openWith(t, dir, held(nil, nil))
	r := s.quiet(t, "fmt.Println(1)")
	s.close()
	if v := ended(t, r); v.State != store.Running {
		t.Errorf("it has ended: %s", v.State)
	}
	s = openWith(t, dir, nil)
	if v := s.wait(t, r.ID()); v.State != store.Done {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// An endless is a store that takes no beginnings.
type endless struct{ *store.Store }

func (endless) AddRuns(...*store.Run) error { return store.ErrDisk }

// TestUnwrittenBounds: runs that are not written yet count as what is kept of a tenant, and the outcome of one is written whose beginning never was.
func TestUnwrittenBounds(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	table, err := limits.Parse("limits", []byte("default: {bytes: 20000}"))
	if err != nil {
		t.Fatal(err)
	}
	limit, err := limits.New(t.Context(), table, st)
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	t.Cleanup(set.Close)
	let := make(chan struct{})
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: endless{st}, Log: slog.New(slog.DiscardHandler), Limits: limit, Queue: held(let, worker(t))})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{m, st}
	t.Cleanup(s.close)
	code := "// " + strings.Repeat("x", 4000) + "\n1"
	var all []*runs.Run
	for {
		r, err := s.Start(t.Context(), "alpha", runs.Request{Code: code, ToldAtEnd: true})
		if e, ok := errors.AsType[*limits.Error](err); ok && e.Name == "bytes" {
			break
		}
		if err != nil || len(all) > 10 {
			t.Fatalf("%d runs, %v", len(all), err)
		}
		all = append(all, r)
	}
	if len(all) != 2 { // each has its code twice
		t.Errorf("%d runs", len(all))
	}
	if _, err := s.Get(t.Context(), "alpha", all[0].ID()); !errors.Is(err, store.ErrDisk) {
		t.Errorf("of a run that is not written is told: %v", err)
	}
	close(let)
	for _, r := range all {
		if v := ended(t, r); v.State != store.Done {
			t.Errorf("%s: %s", v.State, v.Result)
		}
		if row, err := st.Run(t.Context(), "alpha", r.ID()); err != nil || row.State != store.Done {
			t.Error(err)
		}
	}
}

// A full is a store whose disk is full, which it notices when it writes.
type full struct {
	*store.Store
	noticed atomic.Bool
}

func (f *full) AddRuns(...*store.Run) error { return store.ErrDisk }

func (f *full) Finish(*store.Run) error {
	f.noticed.Store(true)
	return store.ErrDisk
}

func (f *full) Failing() bool { return f.noticed.Load() }

// TestUnwrittenFull: where the disk is full, the client of a run that is not written is told so at once, and so is the next one, whose run does not begin.
func TestUnwrittenFull(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	t.Cleanup(set.Close)
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: &full{Store: st}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{m, st}
	t.Cleanup(s.close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := s.quiet(t, "1").Wait(ctx); !errors.Is(err, store.ErrDisk) {
		t.Errorf("the first one: %v", err)
	}
	if _, err := s.Start(ctx, "alpha", runs.Request{Code: "1", ToldAtEnd: true}); !errors.Is(err, store.ErrDisk) {
		t.Errorf("the next one: %v", err)
	}
}
