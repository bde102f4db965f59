package sandtrap

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
)

// A leasedWorker is a worker with functions that its last run has left. It runs nothing else
// until nobody can call them, or other runs need it.
type leasedWorker struct {
	box    *Sandbox
	worker *isolate.Worker
	depth  int           // of the run
	turn   chan struct{} // has room while the worker does nothing
	gone   chan struct{} // closed when it keeps nothing any more; by who takes it from its list
}

// maxLeased is how many leased workers a sandbox has.
const maxLeased = 8

// leasedWorkers are those of a sandbox, the oldest first. Who takes one from the list has its
// worker.
type leasedWorkers struct {
	mu     sync.Mutex
	list   []*leasedWorker
	closed bool

	pooled *workerReclaim // of the pool that the workers are from, nil if there is none
}

// lease makes the place of the functions that the run of c may leave in its worker.
func (s *Sandbox) lease(c *remoteCall) *remoteFuncs {
	k := &leasedWorker{box: s, worker: c.worker, depth: c.depth, turn: make(chan struct{}, 1), gone: make(chan struct{})}
	return &remoteFuncs{box: s, worker: k, objects: s.plan.objects(), errors: s.plan.errors.OfRun(true), decides: s.plan.session(), script: c.script}
}

// keep lets p have its worker, until nobody holds p. If the sandbox was closed during the run, it ends.
func (w *workers) keep(p *remoteFuncs) {
	k := p.worker.(*leasedWorker)
	w.kept.mu.Lock()
	if w.kept.closed {
		w.kept.mu.Unlock()
		close(k.gone)
		w.end(k.worker)
		return
	}
	full := len(w.kept.list) >= maxLeased
	w.kept.list = append(w.kept.list, k)
	w.kept.pooled.count(1)
	w.kept.mu.Unlock()
	runtime.AddCleanup(p, func(k *leasedWorker) { w.release(k) }, k)
	if full {
		if worker := w.reclaim(); worker != nil {
			w.rest(worker)
		}
	}
}

// remove takes k from its list. It is false if another has.
func (l *leasedWorkers) remove(k *leasedWorker) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.list, k)
	if i >= 0 {
		l.list = slices.Delete(l.list, i, i+1)
		l.pooled.count(-1)
		close(k.gone)
	}
	return i >= 0
}

// release takes back a leased worker that nobody can call.
func (w *workers) release(k *leasedWorker) {
	if w.kept.remove(k) {
		w.rest(k.worker)
	}
}

// reclaim takes the oldest leased worker that does nothing; nil if there is none.
func (w *workers) reclaim() *isolate.Worker {
	w.kept.mu.Lock()
	list := slices.Clone(w.kept.list)
	w.kept.mu.Unlock()
	for _, k := range list {
		select {
		case k.turn <- struct{}{}:
		default:
			continue
		}
		if w.kept.remove(k) {
			return k.worker
		}
	}
	return nil
}

// rest leaves a worker to the next run, or ends it.
func (w *workers) rest(worker *isolate.Worker) {
	w.kept.mu.Lock()
	defer w.kept.mu.Unlock()
	if w.pool != nil {
		w.pool.release(worker, w.kept.closed)
		return
	}
	if !w.kept.closed {
		select {
		case w.idle <- worker:
			return
		default:
		}
	}
	go worker.Close()
}

// close ends the workers, those that do something when they have done it.
func (l *leasedWorkers) close(w *workers) {
	l.mu.Lock()
	l.closed = true
	list := slices.Clone(l.list)
	l.mu.Unlock()
	for _, k := range list {
		if !l.remove(k) {
			continue
		}
		select {
		case k.turn <- struct{}{}:
			w.end(k.worker)
		default:
			go func() {
				k.turn <- struct{}{}
				w.end(k.worker)
			}()
		}
	}
}

func (k *leasedWorker) remoteCall(ctx context.Context, script Script) *remoteCall {
	c := k.box.remoteCall(ctx, script)
	c.worker, c.depth = k.worker, max(k.depth, depthOf(ctx))
	return c
}

// job implements funcWorker.
func (k *leasedWorker) job(ctx context.Context, c *remoteCall, task jobs.Task, res *Result, taken taker) error {
	defer c.close()
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-k.gone:
		return ErrRunOver
	case <-ctx.Done():
		return k.box.plan.cancelled(ctx)
	}
	select {
	case <-k.gone:
		return ErrRunOver
	default:
	}
	failed, err := k.box.plan.exchange(ctx, c, task, res, taken)
	if failed && k.box.workers.kept.remove(k) {
		k.box.workers.end(k.worker)
	}
	return err
}

// A workerReclaim has the runtime find out what functions of scripts nobody holds any more, while runs wait
// for the workers of a pool that keep those. By itself it does so when the host needs memory, and until
// then one tenant would have the others wait. A nil one does nothing.
type workerReclaim struct {
	kept atomic.Int64 // workers that are kept
	mu   sync.Mutex   // held while it collects
}

// A run waits that long before anything is collected, and then twice as long each time: the functions of
// a run are found in the first, what keeps their worker in the second.
const collectAfter = 10 * time.Millisecond

func (c *workerReclaim) count(n int64) {
	if c != nil {
		c.kept.Add(n)
	}
}

// during has it collect from time to time until stop is called.
func (c *workerReclaim) during() (stop func()) {
	if c == nil {
		return func() {}
	}
	done := make(chan struct{})
	timer := time.AfterFunc(collectAfter, func() {
		for after := collectAfter; ; after *= 2 {
			c.collect()
			select {
			case <-done:
				return
			case <-time.After(after):
			}
		}
	})
	return func() {
		timer.Stop()
		close(done)
	}
}

// collect does so unless it is being done.
func (c *workerReclaim) collect() {
	if c.kept.Load() > 0 && c.mu.TryLock() {
		defer c.mu.Unlock()
		runtime.GC()
	}
}
