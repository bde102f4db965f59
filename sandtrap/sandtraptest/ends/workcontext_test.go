package ends

import (
	"context"
	"runtime"
	"sync"
)

// A workContext is looked at by a run whenever that could stop. It counts what the run does between
// two looks, and ends it when that was enough.
type workContext struct {
	context.Context
	mu      sync.Mutex
	threads map[int]*threadWork
	looks   int
	total   int64 // instructions of all threads
	stopped int64 // total at the stop; 0 is none
	heap    int64 // at the beginning

	inOneGo   int64 // the most instructions between two looks
	afterStop int64 // instructions after the stop
	grown     int64 // the most by which the heap has grown
}

// threadWork is the counter of a thread, and its value at the last look.
type threadWork struct {
	counter
	last int64
}

// mostLooks are enough for a run whose instructions nobody counts.
const mostLooks = 1500

func newWorkContext() *workContext {
	runtime.GC()
	return &workContext{Context: context.Background(), threads: map[int]*threadWork{}, heap: heapObjects()}
}

// Err binds the goroutine that looks to its thread.
func (w *workContext) Err() error {
	runtime.LockOSThread()
	id := thisThread()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.grown = max(w.grown, heapObjects()-w.heap)
	if th := w.threads[id]; th != nil {
		runtime.UnlockOSThread()
		w.add(th)
	} else if c, err := countInstructions(id); err == nil {
		w.threads[id] = &threadWork{counter: c, last: c.now()}
	}
	if w.looks++; w.stopped == 0 && (w.total > enough || w.looks > mostLooks) {
		w.stopped = max(w.total, 1)
	}
	if w.stopped > 0 {
		return context.Canceled
	}
	return nil
}

func (w *workContext) add(th *threadWork) {
	now := th.now()
	n := now - th.last
	th.last = now
	w.total += n
	w.inOneGo = max(w.inOneGo, n)
}

// ended counts what came after the last look.
func (w *workContext) ended() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, th := range w.threads {
		w.add(th)
	}
	if w.stopped > 0 {
		w.afterStop = w.total - w.stopped
	}
}

func (w *workContext) close() {
	for _, th := range w.threads {
		th.close()
	}
}
