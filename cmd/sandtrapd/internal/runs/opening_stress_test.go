package runs_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestOutputOnceBesideNoWorker: a line whose worker was lost after it had printed, and for which no worker comes for a while, prints once.
func TestOutputOnceBesideNoWorker(t *testing.T) {
	var tries atomic.Int64
	w := worker(t)
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		o, err := does(ctx, w, job, out)
		if tries.Add(1) == 1 { // the worker is lost before its outcome comes, and it was the only one: Front.Do gives up after noneFor
			return nil, fmt.Errorf("%w: no worker answers", dispatch.ErrNoWorker)
		}
		return o, err
	}))
	r, err := s.Start(t.Context(), "alpha", runs.Request{Code: "fmt.Println(`once`)", Line: &runs.Line{Batch: "batch_x", Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	v := ended(t, r)
	row, err := s.store.Run(t.Context(), "alpha", r.ID())
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(row.Events), `{"text":"once\n"}`); n != 1 || v.State != store.Done || row.ToldStdout != 5 {
		t.Errorf("%s after %d tries: its events tell its output %d times, %d bytes\n%s", v.State, tries.Load(), n, row.ToldStdout, row.Events)
	}
}

// TestOpeningStress: runs that are written later, which others ask for, cancel and delete meanwhile, have one row each.
func TestOpeningStress(t *testing.T) {
	over := make(chan struct{})
	close(over)
	s := openWith(t, t.TempDir(), held(over, worker(t)))
	var group sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]bool{}
	for i := range 60 {
		group.Go(func() {
			r, err := s.Start(t.Context(), "alpha", runs.Request{Code: fmt.Sprintf("time.Sleep(%d*time.Millisecond); fmt.Println(1)", i%5*70), ToldAtEnd: true})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			ids[r.ID()] = true
			mu.Unlock()
			var more sync.WaitGroup
			for k := range 3 {
				more.Go(func() {
					time.Sleep(time.Duration(180+i%40+k) * time.Millisecond)
					switch k {
					case 0:
						if one, err := s.Get(t.Context(), "alpha", r.ID()); err != nil {
							t.Error("get", err)
						} else if log, err := one.Events(); err == nil {
							log.After(t.Context(), 0)
						}
					case 1:
						if i%3 == 0 {
							if _, err := s.Cancel(t.Context(), store.All, r.ID()); err != nil {
								t.Error("cancel", err)
							}
						}
					case 2:
						_, _ = s.Answer(t.Context(), "alpha", r.ID(), nil)
						_, _ = s.Fork(t.Context(), "alpha", r.ID(), 1)
					}
				})
			}
			more.Wait()
			if _, err := r.Wait(t.Context()); err != nil {
				t.Error("wait", err)
			}
			row, err := s.store.Run(t.Context(), "alpha", r.ID())
			if err != nil || !row.State.Over() {
				t.Errorf("%+v, %v", row, err)
			}
		})
	}
	group.Wait()
	list, _, err := s.store.Runs(t.Context(), store.Query{Limit: 1000})
	if err != nil || len(list) != len(ids) {
		t.Errorf("%d rows of %d runs, %v", len(list), len(ids), err)
	}
}
