package engine

import (
	"runtime"
	"runtime/metrics"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates"
)

// watch is the heap of the process, which all runs of all engines share:
// nobody can tell whose an object is. What the heap has grown by since no
// run was there is shared out evenly among the runs, so all runs together stay within the
// sum of their limits. The price: where runs overlap, one may be stopped for what
// another holds.
var watch struct {
	sync.Mutex
	runs int
	base int64
}

// A Heap is one run's part in the watch. It belongs to the goroutine of the run.
type Heap struct {
	grants int
}

// EnterHeap adds a run to the watch.
func EnterHeap() *Heap {
	watch.Lock()
	defer watch.Unlock()
	if watch.runs == 0 {
		watch.base = heapBytes(liveMetric)
	}
	watch.runs++
	return &Heap{}
}

// Leave ends it.
func (h *Heap) Leave() {
	watch.Lock()
	defer watch.Unlock()
	watch.runs--
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
func (h *Heap) Held() int64 {
	if share(heapMetric) <= 0 {
		return 0
	}
	runtime.GC()
	return max(0, share(liveMetric))
}

// Check looks at the heap every few calls, and returns the stop that ends the run
// if it holds more than its limit.
func (h *Heap) Check(m *gates.Meter) *gates.Stop {
	limit := m.Limits().Memory
	h.grants++
	if limit == 0 || h.grants%4 != 0 || share(heapMetric) <= limit {
		return nil
	}
	if h.Held() > limit {
		return m.Charge(limit + 1)
	}
	return nil
}
