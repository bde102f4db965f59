package ends

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
)

// A workContext is looked at by a run whenever that could stop. It counts what the run does between
// two looks, and ends it when that was enough.
type workContext struct {
	context.Context
	mu      sync.Mutex
	threads map[int]*threadWork
	looks   int
	seen    map[int]time.Duration // of the processor that a thread had had at its last look
	spent   time.Duration         // of the processor, by all threads
	total   int64                 // instructions of all threads
	stopped int64                 // total at the stop; 0 is none
	heap    int64                 // at the beginning

	inOneGo   int64 // the most instructions between two looks
	afterStop int64 // instructions after the stop
	grown     int64 // the most by which the heap has grown
}

// threadWork is the counter of a thread, and its value at the last look.
type threadWork struct {
	counter
	last int64
}

// Enough for a run whose instructions nobody counts.
const (
	mostLooks = 1500
	mostTime  = 200 * time.Millisecond // of the processor
)

func newWorkContext() *workContext {
	runtime.GC()
	return &workContext{Context: context.Background(), threads: map[int]*threadWork{}, seen: map[int]time.Duration{}, heap: heapObjects()}
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
	if w.looks++; w.stopped == 0 && (w.total > enough || w.looks > mostLooks || w.timed(id) > mostTime) {
		w.stopped = max(w.total, 1)
	}
	if w.stopped > 0 {
		return context.Canceled
	}
	return nil
}

// timed is the time of the processor that all threads have had between their looks, where nobody counts
// instructions. It says when to stop, and nothing is wanted of it.
func (w *workContext) timed(id int) time.Duration {
	if w.threads[id] != nil {
		return 0
	}
	now := machine.CPUTime()
	if last, ok := w.seen[id]; ok {
		w.spent += now - last
	}
	w.seen[id] = now
	return w.spent
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
