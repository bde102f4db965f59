package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/internal/stack"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// maxNested is how many runs a run may be in: those whose functions of the host asked for it, and theirs.
const maxNested = 4

// A lease is the worker of a run, and its place among those of the same depth. A run waits for the end of
// runs of its own depth alone, and those wait for deeper ones: so none waits for itself.
type lease struct {
	worker *isolate.Worker
	depth  int
	queued time.Duration // for which it was waited
	slot   chan struct{} // nil with a pool
}

// leave gives the place back.
func (l *lease) leave() {
	if l.slot != nil {
		<-l.slot
	}
}

// A reentrantError is why a nested run gets no worker, or what is asked of a session no answer; it matches ErrReentrant.
type reentrantError string

func (e reentrantError) Error() string      { return "sandtrap: " + string(e) }
func (reentrantError) Is(target error) bool { return target == ErrReentrant }

var (
	errTooDeep = reentrantError(fmt.Sprintf("the runs are nested too deep: functions of the host run scripts in each other, and %d is the most", maxNested))
	errForgot  = reentrantError("all workers are busy, and a run that a function of the host asks for, which a script has called, cannot wait for them without the context of that call")
)

// errBusy says that a run would have to wait for another.
var errBusy = errors.New("sandtrap: all workers are busy")

// depthOf is how many runs a run with ctx is in.
func depthOf(ctx context.Context) int {
	switch of := ctx.Value(runKey{}).(type) {
	case *remoteCall:
		return of.depth + 1
	case *run:
		return depthOf(of.ctx) + 1
	case inRuns:
		return int(of)
	}
	return 0
}

// inRuns is the runKey of a run whose function of the host has not passed on the context of its call: it is
// in so many.
type inRuns int

// maxUnseen is how many runs of this process go on before it is looked at whether one is nested whose context
// does not say so: as many as there are workers for one sandbox.
const maxUnseen = atOnce * (maxNested + 1)

// nest is ctx for a run, and says how many runs that is in. Each has memory of its own, so there is a bound
// for all isolations.
func nest(ctx context.Context) (context.Context, error) {
	said, depth := depthOf(ctx), 0
	for _, m := range engine.Enclosing(maxUnseen) {
		depth = max(depth, depthOf(m.Context())+1)
	}
	if depth > said {
		ctx = context.WithValue(ctx, runKey{}, inRuns(depth))
	}
	if max(said, depth) > maxNested {
		return ctx, errTooDeep
	}
	if script.CallOf(ctx).Number > 0 { // of the run that asked for this one
		ctx = script.WithCall(ctx, script.Call{})
	}
	return ctx, nil
}

// take is a worker for one run. Runs wait for one another when there are too many, for as long as they
// have time: within, or without end if that is 0.
func (w *workers) take(ctx context.Context, within time.Duration) (l lease, err error) {
	if ctx.Err() != nil {
		return l, w.plan.cancelled(ctx)
	}
	depth := depthOf(ctx)
	limit, cancel := queueing(ctx, within)
	defer cancel()
	if depth > 0 { // what is free at a smaller depth may be had, as long as it is not waited for
		if l, err = w.freeAt(ctx, limit, 0, depth); err != errBusy {
			return l, err
		}
		return w.leaseAt(ctx, limit, depth, wantAny)
	}
	if l, err = w.leaseAt(ctx, limit, 0, wantReady); err != errBusy {
		return l, err
	}
	if !inCall() {
		return w.leaseAt(ctx, limit, 0, wantAny)
	}
	if l, err = w.freeAt(ctx, limit, 1, maxNested); err == errBusy {
		err = errForgot
	}
	return l, err
}

// A queueingError is the cause of the end of a context for a run that waited for a worker for all its time.
type queueingError time.Duration

func (e queueingError) Error() string {
	return fmt.Sprintf("the program did not begin within %v: it waited for a worker", time.Duration(e))
}

// queueing is ctx for as long as a run may wait for a worker.
func queueing(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	if within == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, within, queueingError(within))
}

// freeAt is a worker that no run has to end for, of the first depth that has one.
func (w *workers) freeAt(ctx, limit context.Context, first, last int) (l lease, err error) {
	for depth := first; depth <= last; depth++ {
		if l, err = w.leaseAt(ctx, limit, depth, wantFree); err != errBusy {
			return l, err
		}
	}
	return l, errBusy
}

// A want says which workers a run takes; if there is none the error is errBusy.
type want int

const (
	wantReady want = iota // its tenant's or nobody's, and there: others lose none by it
	wantFree              // any for which no run has to end
	wantAny               // any, until its time is over
)

// leaseAt is a worker of one depth.
func (w *workers) leaseAt(ctx, limit context.Context, depth int, which want) (l lease, err error) {
	began := time.Now()
	l.depth = depth
	if w.pool != nil {
		l.worker, err = w.hire(ctx, limit, w.pool[depth], which)
		l.queued = time.Since(began)
	} else if err = w.enter(ctx, limit, w.slots[depth], which == wantAny); err == nil {
		l.slot, l.queued = w.slots[depth], time.Since(began)
		if l.worker, err = w.find(ctx); err != nil {
			l.leave()
		}
	}
	if err == nil {
		w.use(l.worker)
	}
	return l, err
}

// hire is a worker of a pool.
func (w *workers) hire(ctx, limit context.Context, pool *isolate.Pool[*isolate.Worker], which want) (worker *isolate.Worker, err error) {
	defer w.kept.pooled.during()()
	switch which {
	case wantReady:
		worker, err = pool.HireReady(w.tenant)
	case wantFree:
		worker, err = pool.TryHire(limit, w.tenant)
	default:
		worker, err = pool.Hire(limit, w.tenant)
	}
	switch {
	case err == nil:
		return worker, nil
	case errors.Is(err, isolate.ErrPoolFull):
		return nil, errBusy
	case errors.Is(err, isolate.ErrPoolClosed):
		return nil, ErrClosed
	case limit.Err() != nil:
		return nil, w.plan.notBegun(ctx, context.Cause(limit))
	}
	return nil, err
}

// enter takes a place for a run.
func (w *workers) enter(ctx, limit context.Context, slot chan struct{}, wait bool) error {
	select {
	case slot <- struct{}{}:
		return nil
	default:
	}
	if !wait {
		return errBusy
	}
	select {
	case slot <- struct{}{}:
		return nil
	case <-limit.Done():
		return w.plan.notBegun(ctx, context.Cause(limit))
	}
}

// notBegun is the error of a run whose time, or whose ctx, has ended before it had a worker.
func (p *Plan) notBegun(ctx context.Context, why error) error {
	if ctx.Err() != nil {
		return p.cancelledWhile(ctx, " while it waited for a worker", "")
	}
	return &Error{Kind: KindTimeout, Message: why.Error()}
}

// answersCall is the function that answers the calls of workers, as it is called on the stack.
const answersCall = ".(*remoteCall).call"

// inCall reports that this goroutine answers a call of a worker: the run that is asked for is nested, though
// its context does not say in what.
func inCall() bool { return stack.Beneath(answersCall) }
