package cluster

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// workNear is the worker of the process of a front.
func workNear(t testing.TB, s *Server, f *Front, slots int, h dispatch.Handler) *nats.Conn {
	t.Helper()
	conn, name, err := s.ConnectWorker()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- Work(ctx, conn, WorkerOptions{Name: name, Slots: slots, Level: "none", Handler: h, Front: f, Log: quiet})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		conn.Close()
	})
	has(t, f, slots)
	return conn
}

// TestNear: the worker of a front's process does as every queue does.
func TestNear(t *testing.T) {
	dispatchtest.Run(t, func(t *testing.T, turns int, h dispatch.Handler) dispatch.Queue {
		s := start(t)
		f := front(t, s)
		workNear(t, s, f, turns, h)
		return f
	})
}

// TestNearAlone: jobs come to the worker of a front's process without NATS while it is the only one. When there is another one, both get jobs.
func TestNearAlone(t *testing.T) {
	s := start(t)
	f := front(t, s)
	var own, other atomic.Int64
	count := func(n *atomic.Int64) dispatch.Handler {
		return func(context.Context, *dispatch.Job, dispatch.Output) (*dispatch.Outcome, error) {
			n.Add(1)
			return done, nil
		}
	}
	conn := workNear(t, s, f, 2, count(&own))
	many := func() { // one after the other: there is always room
		for range 40 {
			if _, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", `{}`), func() error { return nil }, dispatch.Output{}); err != nil {
				t.Error(err)
			}
		}
	}
	before := conn.Stats().InMsgs
	many()
	if n := conn.Stats().InMsgs - before; n > 0 || own.Load() != 40 {
		t.Errorf("%d jobs of 40, and %d messages", own.Load(), n)
	}
	work(t, client(t, s, "w1"), "w1", 2, count(&other))
	has(t, f, 4)
	many()
	if other.Load() == 0 || own.Load()+other.Load() != 80 {
		t.Errorf("%d and %d jobs", own.Load(), other.Load())
	}
}

// TestNearFull: a job for which the worker of a front's process has no memory is not begun there.
func TestNearFull(t *testing.T) {
	s := start(t)
	f := front(t, s)
	workNear(t, s, f, 2, func(context.Context, *dispatch.Job, dispatch.Output) (*dispatch.Outcome, error) {
		t.Error("it was begun")
		return done, nil
	})
	f.noneFor = 50 * time.Millisecond
	job := dispatchtest.Job("alpha", "run_1", `{}`)
	job.Memory = maxMemory + 1
	if _, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{}); !errors.Is(err, dispatch.ErrNoWorker) {
		t.Error(err)
	}
}

// TestNearCutOff: a worker that does not hear from the cluster does not end the jobs that a front of its process has given it: nobody else does them.
func TestNearCutOff(t *testing.T) {
	s := start(t)
	f := front(t, s)
	workNear(t, s, f, 2, func(ctx context.Context, job *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
		f.mu.Lock()
		w := f.near
		f.mu.Unlock()
		w.mu.Lock()
		w.heard = time.Now().Add(-2 * silentFor)
		w.asking = true
		w.mu.Unlock()
		w.beat()
		return done, ctx.Err()
	})
	if _, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", `{}`), func() error { return nil }, dispatch.Output{}); err != nil {
		t.Error(err)
	}
}

// TestNearAgain: what a worker that was lost has told is not told again by the worker of a front's process, and the record is of its own run.
func TestNearAgain(t *testing.T) {
	s := start(t)
	f := front(t, s)
	workNear(t, s, f, 2, func(_ context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		_, _ = out.Stdout.Write([]byte("hello"))
		return done, out.Record.Write(record.Event{Member: "m"})
	})
	var text strings.Builder
	var events []record.Event
	job := dispatchtest.Job("alpha", "run_1", `{}`)
	told := &told{job: job, out: dispatch.Output{Stdout: &text, Record: record.Func(func(e record.Event) error { events = append(events, e); return nil })}}
	told.streams[0].write(&text, []byte("he"))
	told.again()
	if o, err := f.once(t.Context(), job, told, "", false); err != nil || o.Worker != SelfName {
		t.Errorf("%+v, %v", o, err)
	}
	if text.String() != "hello" || len(events) != 1 || events[0].Tenant != "alpha" || events[0].Run != "run_1" {
		t.Errorf("%q, %+v", text.String(), events)
	}
}
