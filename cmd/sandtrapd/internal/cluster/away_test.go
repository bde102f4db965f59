package cluster

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

// away cuts a front off from its cluster, which notices that.
func away(t *testing.T, k *link, f *Front, is bool) {
	t.Helper()
	k.up.set(is, 0, 0)
	k.down.set(is, 0, 0)
	if is {
		if err := f.conn.ForceReconnect(); err != nil {
			t.Fatal(err)
		}
	}
	until(t, func() bool { return f.conn.IsConnected() != is })
}

// TestAway: a job that no worker has taken waits while the cluster is away, before its turn and in it, and one that was going on when that began too. A
// worker has it soon after the cluster is there again. If none comes then, it fails.
func TestAway(t *testing.T) {
	t.Parallel()
	s := start(t)
	k := newLink(t, s)
	f := k.front(t)
	f.noneFor = 2 * time.Second // also how long a busy machine takes until workers are heard again
	over := make(chan struct{}) // a test that fails ends too
	defer close(over)
	began, times := make(chan struct{}, 1), atomic.Int64{}
	leave := work(t, client(t, s, "w1"), "w1", 2, func(ctx context.Context, job *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
		if job.Run == "run_long" && times.Add(1) == 1 {
			began <- struct{}{}
			select {
			case <-ctx.Done():
			case <-over:
			}
			return nil, context.Canceled
		}
		return done, nil
	})
	has(t, f, 2)
	var waits atomic.Int64
	ended := make(chan error, 3)
	end := func() (err error) {
		t.Helper()
		select {
		case err = <-ended:
		case <-time.After(time.Minute):
			t.Fatal("a job does not end")
		}
		return err
	}
	do := func(run string) {
		go func() {
			_, err := f.Do(t.Context(), dispatchtest.Job("alpha", run, "{}"), func() error { return nil }, dispatch.Output{Away: func() { waits.Add(1) }})
			ended <- err
		}()
	}
	do("run_long")
	<-began
	until(t, func() bool { // its front knows who has it, and has it end there
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, one := range f.tries {
			return one.worker != ""
		}
		return false
	})
	away(t, k, f, true)
	do("run_new") // workers seem to be there yet
	until(t, func() bool { return f.Stats().Turns == 0 })
	do("run_turn")
	select {
	case err := <-ended:
		t.Fatalf("a job has ended while the cluster was away: %v", err)
	case <-time.After(3 * f.noneFor):
	}
	if waits.Load() < 2 {
		t.Errorf("who waits for jobs was told %d times that the cluster is away", waits.Load())
	}
	away(t, k, f, false)
	for range 3 {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
	leave()
	has(t, f, 0)
	do("run_none")
	if err := end(); !errors.Is(err, dispatch.ErrNoWorker) {
		t.Errorf("no worker is there, and the cluster is: %v", err)
	}
}

// TestLedgerAway: a front whose NATS answers, and whose ledger does not, is cut off from the rest of its cluster: jobs wait.
func TestLedgerAway(t *testing.T) {
	t.Parallel()
	f := front(t, start(t))
	f.noneFor = 50 * time.Millisecond
	var there atomic.Bool
	f.While(func() error {
		if there.Load() {
			return nil
		}
		return errors.New("a test")
	})
	ended := make(chan error, 1)
	go func() {
		_, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", "{}"), func() error { return nil }, dispatch.Output{})
		ended <- err
	}()
	select {
	case err := <-ended:
		t.Fatalf("it has ended while the ledger was away: %v", err)
	case <-time.After(10 * f.noneFor):
	}
	there.Store(true)
	if err := <-ended; !errors.Is(err, dispatch.ErrNoWorker) {
		t.Errorf("no worker is there, and the ledger is: %v", err)
	}
}

// TestCancelledAway: a job that is cancelled while the cluster is away, and that no worker has, ends as one that was cancelled.
func TestCancelledAway(t *testing.T) {
	t.Parallel()
	s := start(t)
	k := newLink(t, s)
	f := k.front(t)
	leave := work(t, client(t, s, "w1"), "w1", 2, nil)
	has(t, f, 2)
	away(t, k, f, true)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	if _, err := f.Do(ctx, dispatchtest.Job("alpha", "run_1", "{}"), func() error { return nil }, dispatch.Output{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	leave()
}
