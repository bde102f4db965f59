package cluster

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
)

// TestMissedEnd: a job ends whose front was cut off when its worker told of its end; it is done again.
func TestMissedEnd(t *testing.T) {
	s := start(t)
	k := newLink(t, s)
	f := k.front(t)
	var times atomic.Int64
	var once sync.Once
	work(t, client(t, s, "w1"), "w1", 4, prints(func(context.Context) {
		times.Add(1)
		once.Do(func() {
			for told := false; !told; time.Sleep(time.Millisecond) { // it has begun, as the front knows
				f.mu.Lock()
				for _, one := range f.tries {
					told = one.next > 1
				}
				f.mu.Unlock()
			}
			k.up.set(true, 0, 0)
			k.down.set(true, 0, 0)
			if err := f.conn.ForceReconnect(); err != nil {
				t.Error(err)
			}
			time.AfterFunc(300*time.Millisecond, func() { // what the worker sends until then is lost
				k.up.set(false, 0, 0)
				k.down.set(false, 0, 0)
			})
		})
	}))
	has(t, f, 4)
	ended := make(chan struct{})
	go func() { defer close(ended); asks(t, f, "run_missed") }()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	if n := times.Load(); n != 2 {
		t.Errorf("it was done %d times: nothing was missed", n)
	}
	for i := range 5 {
		asks(t, f, fmt.Sprint("run_", i))
	}
}

// TestCutIsNoOutcome: a worker that ends a job since it hears nothing of the cluster does not tell that as the outcome of the job: another one does it.
func TestCutIsNoOutcome(t *testing.T) {
	s := start(t)
	f, k := front(t, s), newLink(t, s)
	began := make(chan struct{})
	var once sync.Once
	does := prints(func(context.Context) {})
	work(t, k.worker(t, "cut"), "cut", 1, func(ctx context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		first := false
		once.Do(func() { first = true })
		if !first {
			return does(ctx, job, out)
		}
		fmt.Fprintf(out.Stdout, "begins %s\n", job.Run)
		close(began)
		<-ctx.Done()
		return done, nil // as of a run that was cancelled
	})
	has(t, f, 1)
	var all sync.WaitGroup
	all.Go(func() { asks(t, f, "run_1") })
	<-began
	work(t, client(t, s, "whole"), "whole", 1, does)
	k.down.set(true, 0, 0) // it speaks, and hears nothing
	all.Wait()
	k.down.set(false, 0, 0)
}
