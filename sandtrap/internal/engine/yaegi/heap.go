package yaegi

import (
	"runtime"
	"runtime/metrics"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates"
)

// watch is the heap of the process, which all runs of this engine share: the
// interpreter cannot tell whose an object is. What the heap has grown by since no
// run was there is shared out evenly among the runs, so all runs together stay within the
// sum of their limits. The price: where runs overlap, one may be stopped for what
// another holds.
var watch struct {
	sync.Mutex
	runs int
	base int64
}

// A heap is one run's part in the watch.
type heap struct {
	grants int
}

// enter adds a run to the watch.
func enter() *heap {
	watch.Lock()
	defer watch.Unlock()
	if watch.runs == 0 {
		watch.base = heapBytes()
	}
	watch.runs++
	return &heap{}
}

func (h *heap) leave() {
	watch.Lock()
	defer watch.Unlock()
	watch.runs--
}

const heapMetric = "/memory/classes/heap/objects:bytes"

func heapBytes() int64 {
	s := []metrics.Sample{{Name: heapMetric}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

func share() int64 {
	watch.Lock()
	defer watch.Unlock()
	return (heapBytes() - watch.base) / int64(max(watch.runs, 1))
}

// held is how much the run holds, as far as can be told.
func (h *heap) held() int64 {
	n := share()
	if n <= 0 {
		return 0
	}
	runtime.GC()
	return max(0, share())
}

// check looks at the heap every few grants.
func (h *heap) check(m *gates.Meter) *gates.Stop {
	limit := m.Limits().Memory
	h.grants++
	if limit == 0 || h.grants%4 != 0 || share() <= limit {
		return nil
	}
	if h.held() > limit {
		return m.Charge(limit + 1)
	}
	return nil
}
