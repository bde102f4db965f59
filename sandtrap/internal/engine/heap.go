package engine

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/gates"
)

// watch is the heap of the process, which all runs of all engines share:
// nobody can tell whose an object is. What the heap has grown by since no
// run was there is shared out evenly among the runs, so all runs together stay within the
// sum of their limits. The price: where runs overlap, one may be stopped for what
// another holds. The vm asks only about what it cannot follow, and Compare when there is
// some; what it may be stopped for there is what the host comes to hold later.
var watch struct {
	sync.Mutex
	runs int
	base int64

	known   atomic.Int64 // bytes that runs know to be theirs
	loose   atomic.Int64 // bytes that runs take for theirs, at most
	strange int64        // those that were nobody's when no run was there

	found   int64       // liveMetric, as the last collection found it
	left    [2]int64    // bytes, at most, of runs that have ended since, and just before
	current atomic.Bool // found is; the collector takes that back
}

// A sentinel is an object that the next collection takes. What holds no pointer may
// share its memory with others.
type sentinel struct{ _ *int }

// found is what the last collection found in use. Only a collection changes it, so it is
// read once after each: a collection takes an object that nobody holds, and says so, if
// a little late.
func found() int64 {
	if watch.current.Load() {
		return watch.found
	}
	watch.current.Store(true)
	runtime.AddCleanup(&sentinel{}, func(struct{}) { watch.current.Store(false) }, struct{}{})
	watch.found, watch.left = heapBytes(liveMetric), [2]int64{0, watch.left[0]}
	return watch.found
}

// A Heap is one run's part in the watch. It belongs to the goroutine of the run.
type Heap struct {
	grants       int
	known, loose int64
	strange      int64 // bytes that are nobody's, as far as the run is concerned
	borrowed     int64
	paused, left bool
}

// EnterHeap adds a run to the watch.
func EnterHeap() *Heap {
	h := &Heap{}
	h.Resume()
	return h
}

// Resume adds a run that was paused.
func (h *Heap) Resume() {
	watch.Lock()
	defer watch.Unlock()
	h.paused = false
	if watch.runs == 0 {
		live := found() // of what runs that were paused say they hold, some may be garbage: it makes nothing of the host's less
		stranger := live - watch.known.Load() - watch.loose.Load()
		watch.strange = max(stranger-watch.left[0]-watch.left[1], min(live, watch.strange))
		watch.base = watch.strange + watch.known.Load() + watch.loose.Load()
	}
	watch.runs++
	h.strange = watch.strange
}

// Pause takes the run out of the watch until it is resumed. What it holds stays known.
func (h *Heap) Pause() {
	watch.Lock()
	defer watch.Unlock()
	h.Repay()
	h.paused = true
	watch.runs--
}

// Leave ends it, once. What the run held is garbage, but what the last collection found may
// be with it, and the next run is not to have that on top of its own.
func (h *Heap) Leave() {
	watch.Lock()
	defer watch.Unlock()
	if h.left {
		return
	}
	h.left = true
	h.Repay()
	found()
	if !h.paused {
		watch.runs--
	}
	watch.left[0] += h.known + h.loose
	watch.known.Add(-h.known)
	watch.loose.Add(-h.loose)
}

const (
	heapMetric = "/memory/classes/heap/objects:bytes" // with what is garbage already
	liveMetric = "/gc/heap/live:bytes"                // what the last collection found in use
)

func heapBytes(metric string) int64 {
	s := []metrics.Sample{{Name: metric}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

func share(metric string) int64 {
	watch.Lock()
	defer watch.Unlock()
	return (heapBytes(metric) - watch.base) / int64(max(watch.runs, 1))
}

// Held is how much the run holds, as far as can be told.
func (h *Heap) Held(m *gates.Meter) int64 {
	if share(heapMetric) <= 0 {
		return 0
	}
	Collect(m)
	return max(0, share(liveMetric))
}

// Know says that the run holds n bytes more, or less, of which it can tell when they are
// gone.
func (h *Heap) Know(n int64) {
	h.known += n
	watch.known.Add(n)
}

// Take says that the run may hold n bytes in all of which it cannot tell when they are
// gone.
func (h *Heap) Take(n int64) {
	watch.loose.Add(n - h.loose)
	h.loose = n
}

// Compare finds out what is nobody's, right after a collection, which has taken what ended runs
// have left. While little is loose that is known well: what the host has come to hold since no
// run was there, or beside a run that never ends, is not charged to this one. It is for once in
// a run: what others hold in passing is taken for the host's, and must not add up.
func (h *Heap) Compare() {
	watch.Lock()
	defer watch.Unlock()
	most := heapBytes(liveMetric) - watch.known.Load()
	h.strange = max(most-watch.loose.Load(), min(most, h.strange))
}

// Loose is how many of the bytes of Take can be there still: what the last collection
// found is what runs know of, what was there before them, what the other runs may hold,
// and these.
func (h *Heap) Loose() int64 {
	watch.Lock()
	defer watch.Unlock()
	others := watch.loose.Load() - h.loose
	h.Take(max(0, min(h.loose, heapBytes(liveMetric)-watch.known.Load()-h.strange-others)))
	return h.loose
}

// Beneath is how many bytes, of those that the last collection has found in use, were allocated in the
// turn of m, whatever others hold. The heap profile tells, if the host has it.
func Beneath(m *gates.Meter) (n int64, ok bool) {
	lane, ok := process.laneOf(m)
	if !ok {
		return 0, false
	}
	return collections.beneath(lane)
}

// Check looks at the heap every few calls, and returns the stop that ends the run
// if it holds more than its limit.
func (h *Heap) Check(m *gates.Meter) *gates.Stop {
	limit := m.Limits().Memory
	h.grants++
	if limit == 0 || h.grants%4 != 0 || share(heapMetric) <= limit {
		return nil
	}
	if h.Held(m) > limit {
		return m.Charge(limit + 1)
	}
	return nil
}
