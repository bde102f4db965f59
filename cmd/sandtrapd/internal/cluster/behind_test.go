package cluster

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

// TestBehind: a worker that does a job which somebody waits for takes few of those that nobody waits for, from all fronts together, and has none
// wait for its turn. Fronts without jobs that somebody waits for do not know of those of others.
func TestBehind(t *testing.T) {
	t.Parallel()
	s := start(t)
	fronts := []*Front{front(t, s), front(t, s), front(t, s)}
	var mu sync.Mutex
	var behind, most int
	free := make(chan struct{})
	work(t, client(t, s, "w1"), "w1", 8, func(ctx context.Context, job *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
		if job.Background {
			mu.Lock()
			behind++
			most = max(most, behind)
			mu.Unlock()
			defer func() {
				mu.Lock()
				behind--
				mu.Unlock()
			}()
		}
		<-free
		return &dispatch.Outcome{Result: []byte(`{}`)}, nil
	})
	for _, f := range fronts {
		has(t, f, 8)
	}
	var all sync.WaitGroup
	end := sync.OnceFunc(func() { close(free); all.Wait() })
	defer end()
	do := func(f *Front, run string, background bool) {
		all.Go(func() {
			job := dispatchtest.Job("alpha", run, `{}`)
			job.Background = background
			if _, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{}); err != nil {
				t.Error(err)
			}
		})
	}
	running := func() int { return fronts[0].Workers().List[0].Running }
	do(fronts[0], "held", false)
	until(t, func() bool { return running() == 1 })
	for range 4 {
		do(fronts[1], "line", true)
		do(fronts[2], "line", true)
	}
	until(t, func() bool { return running() >= 3 })
	time.Sleep(time.Second) // more would have come
	if n := running(); n != 3 {
		t.Errorf("the worker has %d jobs, want 3", n)
	}
	end()
	if mu.Lock(); most > 4 {
		t.Errorf("%d jobs that nobody waits for at a time", most)
	}
	mu.Unlock()
}
