package cluster

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/machine"
)

// TestRoom: what jobs reserve is together no more than the room, nor more than the machine has left for one that is not alone.
func TestRoom(t *testing.T) {
	left := int64(500)
	r := newRoom(0, func() int64 { return left })
	if r.all != 500 {
		t.Errorf("%d bytes", r.all)
	}
	take := func(need, want int64, ok bool) {
		t.Helper()
		if took, got := r.take(need, false); got != ok || took != want {
			t.Errorf("takes %d of %d: %d, %t", need, r.left(), took, got)
		}
	}
	take(501, 0, false)
	take(math.MaxInt64, 500, true)
	take(1, 0, false)
	r.give(500)
	take(300, 300, true)
	take(201, 0, false)
	take(math.MaxInt64, 0, false)
	left = 100 // another program has it
	take(101, 0, false)
	take(100, 100, true)
	r.give(400)
	take(101, 0, false)
	if took, ok := r.take(101, true); !ok || took != 101 {
		t.Error("no worker takes one that would be alone")
	}
	if _, ok := r.take(101, true); ok {
		t.Error("it is not alone")
	}
	r.give(101)
	left = machine.Unknown
	take(400, 400, true)
	take(100, 100, true)
	if r.left() != 0 {
		t.Errorf("%d left", r.left())
	}
	if all := newRoom(0, func() int64 { return machine.Unknown }).all; all != maxMemory {
		t.Errorf("a machine that says nothing: %d", all)
	}
}

// TestPlaced: of two workers the one with little memory gets what fits, the other one all else, and none has more at a time than it has memory.
func TestPlaced(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	var did [2]atomic.Int64
	for i, all := range []int64{100, 1000} {
		var now atomic.Int64
		name := []string{"small", "large"}[i]
		h := func(_ context.Context, job *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
			if n := now.Add(job.Memory); n > all {
				t.Errorf("%s: its jobs have %d bytes", name, n)
			}
			time.Sleep(5 * time.Millisecond) // others come meanwhile
			now.Add(-job.Memory)
			did[i].Add(1)
			return done, nil
		}
		conn := client(t, s, name)
		ctx, cancel := context.WithCancel(t.Context())
		worked := make(chan error)
		go func() {
			worked <- Work(ctx, conn, WorkerOptions{Name: name, Slots: 4, Memory: all, Level: "none", Handler: h, Log: quiet})
		}()
		defer func() {
			cancel()
			if err := <-worked; err != nil {
				t.Error(err)
			}
		}()
	}
	has(t, f, 8)
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			job := dispatchtest.Job("alpha", "run", `{}`)
			job.Memory = []int64{60, 300, 30}[i%3]
			if _, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if small, large := did[0].Load(), did[1].Load(); small == 0 || large < 20 || small+large != 60 {
		t.Errorf("%d at the small one, %d at the large one", small, large)
	}
}

// TestTooMuch: a job that no worker has memory for fails, and the error says so; one that waits for another one does not.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	f.noneFor = 50 * time.Millisecond
	conn, free := client(t, s, "w1"), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	worked := make(chan error)
	go func() {
		worked <- Work(ctx, conn, WorkerOptions{Name: "w1", Slots: 4, Memory: 100 << 20, Level: "none", Log: quiet, Handler: func(context.Context, *dispatch.Job, dispatch.Output) (*dispatch.Outcome, error) {
			<-free
			return done, nil
		}})
	}()
	defer func() { cancel(); <-worked }()
	has(t, f, 4)
	job := dispatchtest.Job("alpha", "run", `{}`)
	job.Memory = 200 << 20
	_, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{})
	if !errors.Is(err, dispatch.ErrNoWorker) || !strings.Contains(err.Error(), "200 MiB") {
		t.Error(err)
	}
	outcomes := make(chan error, 2)
	for range 2 {
		go func() {
			job := *job
			job.Memory = 60 << 20
			_, err := f.Do(t.Context(), &job, func() error { return nil }, dispatch.Output{})
			outcomes <- err
		}()
	}
	time.Sleep(5 * f.noneFor) // one of them waits for longer than a job does that nobody takes
	close(free)
	for range 2 {
		if err := <-outcomes; err != nil {
			t.Error(err)
		}
	}
}
