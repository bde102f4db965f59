package cluster

import (
	"context"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
)

// While has a front know whether its ledger answers: reached is an error while it does not. What a front is connected to may be cut off from the rest
// of its cluster.
func (f *Front) While(reached func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reached = reached
}

// isAway reports that the cluster itself is away, so that no worker can take a job, and notes that. A connection that has ended for good is no
// such one: nothing comes back.
func (f *Front) isAway() bool {
	f.mu.Lock()
	reached := f.reached
	f.mu.Unlock()
	if f.conn.IsClosed() || f.conn.IsConnected() && (reached == nil || reached() == nil) {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.awayAt = time.Now()
	return true
}

// none reports that no worker takes a job that has waited since a time: the cluster is there, and was for as long as a job waits. While it is away it
// calls the func, if there is one.
func (f *Front) none(since time.Time, away func()) bool {
	if f.isAway() && away != nil {
		away()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.awayAt.After(since) {
		since = f.awayAt
	}
	return time.Since(since) > f.noneFor
}

// turn waits for a turn, and not for long if there is no worker. Away is that of an Output.
func (f *Front) turn(ctx context.Context, job *dispatch.Job, away func()) (give func(), err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	began := time.Now()
	var check func()
	check = func() {
		wait := f.noneFor
		if f.turns.Size() == 0 {
			if f.none(began, away) {
				cancel(f.noWorker(job.Memory))
			}
			wait /= 10 // the cluster was away
		}
		if ctx.Err() == nil {
			time.AfterFunc(wait, check)
		}
	}
	first := time.AfterFunc(f.noneFor, check)
	defer first.Stop()
	give, ok := job.Take(ctx, f.turns)
	if !ok {
		return nil, context.Cause(ctx)
	}
	return give, nil
}
