package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

// long skips a test unless it always runs, or the environment asks for all tests of links.
func long(t *testing.T, always bool) {
	t.Helper()
	if !always && os.Getenv("SANDTRAPD_TEST_LINKS") == "" {
		t.Skip("it takes some seconds: SANDTRAPD_TEST_LINKS=1 runs it")
	}
}

// asks is a job that prints, and the outcome that its client gets.
func asks(t testing.TB, f *Front, id string) {
	t.Helper()
	var out bytes.Buffer
	o, err := f.Do(t.Context(), dispatchtest.Job("alpha", id, `{}`), func() error { return nil }, dispatch.Output{Stdout: &out, Stderr: &out})
	if err != nil || o == nil || out.String() != "begins "+id+"\nends "+id+"\n" {
		t.Errorf("%s: %+v, %v, %q", id, o, err, out.String())
	}
}

// prints is a job as asks wants it, with a pause in its middle.
func prints(pause func(ctx context.Context)) dispatch.Handler {
	return func(ctx context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		fmt.Fprintf(out.Stdout, "begins %s\n", job.Run)
		pause(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		fmt.Fprintf(out.Stdout, "ends %s\n", job.Run)
		return done, nil
	}
}

// TestCutWorker: the job of a worker that is cut off, both ways or one, is done by another one or goes on there. It has one outcome, and each
// byte of its output comes once, also when the link is there again.
func TestCutWorker(t *testing.T) {
	for name, test := range map[string]struct{ up, down, moves bool }{
		"both":   {true, true, true},
		"speaks": {false, true, false}, // it is heard, and ends its job
		"hears":  {true, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			long(t, name == "both")
			t.Parallel()
			s := start(t)
			f, k := front(t, s), newLink(t, s)
			began, goesOn, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
			var once sync.Once
			work(t, k.worker(t, "first"), "first", 1, prints(func(ctx context.Context) {
				first := false
				once.Do(func() { first = true })
				if !first {
					return
				}
				defer close(ended)
				close(began)
				select {
				case <-goesOn:
				case <-ctx.Done():
				}
			}))
			has(t, f, 1)
			var all sync.WaitGroup
			all.Go(func() { asks(t, f, "run_1") })
			<-began
			var others atomic.Int64
			work(t, client(t, s, "second"), "second", 2, prints(func(context.Context) { others.Add(1) }))
			has(t, f, 3)
			k.up.set(test.up, 0, 0)
			k.down.set(test.down, 0, 0)
			if !test.moves {
				close(goesOn)
			}
			all.Wait()
			if moved := others.Load() == 1; moved != test.moves {
				t.Errorf("it was done by another one: %t", moved)
			}
			for i := range 5 { // some are sent to the one that is cut off
				all.Go(func() { asks(t, f, fmt.Sprint("cut_", i)) })
			}
			all.Wait()
			k.up.set(false, 0, 0)
			k.down.set(false, 0, 0)
			select {
			case <-ended:
			case <-time.After(time.Minute):
				t.Error("the job of the worker that was cut off goes on")
				close(goesOn)
			}
			has(t, f, 3)
			asks(t, f, "run_after")
		})
	}
}

// TestSlow: with links that are slow, or lose some of what they carry, jobs take longer, and nothing else.
func TestSlow(t *testing.T) {
	for name, set := range map[string]func(w *way){
		"slow":  func(w *way) { w.set(false, 200*time.Millisecond, 0) },
		"lossy": func(w *way) { w.set(false, 5*time.Millisecond, 0.05) },
	} {
		t.Run(name, func(t *testing.T) {
			long(t, name == "lossy")
			t.Parallel()
			s := start(t)
			links := []*link{newLink(t, s), newLink(t, s), newLink(t, s)}
			f := links[0].front(t)
			var did atomic.Int64
			for _, k := range links[1:] {
				name := fmt.Sprint("w", k.url[len(k.url)-5:])
				work(t, k.worker(t, name), name, 4, prints(func(context.Context) { did.Add(1) }))
			}
			has(t, f, 8)
			for _, k := range links {
				set(&k.up)
				set(&k.down)
			}
			var all sync.WaitGroup
			for i := range 32 {
				all.Go(func() { asks(t, f, fmt.Sprint("run_", i)) })
			}
			all.Wait()
			if did.Load() != 32 || f.again.Load() != 0 {
				t.Errorf("%d jobs were done, %d again", did.Load(), f.again.Load())
			}
		})
	}
}

// TestCutFront: jobs of a front that is cut off begin anew, or end when it is there again. Each has one outcome.
func TestCutFront(t *testing.T) {
	t.Parallel()
	s := start(t)
	k := newLink(t, s)
	f := k.front(t)
	f.noneFor = time.Minute // how long it may be cut off on a busy machine
	var began atomic.Int64
	goesOn := make(chan struct{})
	work(t, client(t, s, "w1"), "w1", 4, prints(func(ctx context.Context) {
		began.Add(1)
		select {
		case <-goesOn:
		case <-ctx.Done():
		}
	}))
	has(t, f, 4)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() { asks(t, f, fmt.Sprint("run_", i)) })
	}
	until(t, func() bool { return began.Load() == 3 }) // one turn is for another tenant
	k.up.set(true, 0, 0)
	k.down.set(true, 0, 0)
	has(t, f, 0)
	close(goesOn)
	k.up.set(false, 0, 0)
	k.down.set(false, 0, 0)
	all.Wait()
}
