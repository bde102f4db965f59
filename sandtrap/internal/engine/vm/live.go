package vm

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// live estimates how many bytes a run holds. It follows a sample of what the run
// allocates: each byte charged has the same chance of making its allocation one of
// the sample, which then stands for sampleStep bytes until the collector has
// taken it. A script cannot tell which allocations are in the sample. Allocations of
// sampleStep and more are all in it, for what they are.
//
// Strings, and what the host returns, have nothing that the collector could report
// on. They count until the limit is reached; then as much of them as the heap of the
// process holds that nobody has accounted for, if that is less.
type live struct {
	sampled atomic.Int64
	loose   int64
	next    int64 // bytes until the next sample
	weight  int64 // of the allocation that was paid for last, if it is one
	limit   int64
	heap    *engine.Heap
}

const sampleStep = 32 << 10

func newLive(limit int64, h *engine.Heap) *live {
	return &live{next: gap(), limit: limit, heap: h}
}

// gap is how far the next sample is.
func gap() int64 { return int64(rand.ExpFloat64() * sampleStep) }

// count notes an allocation of n bytes, of which follow is going to tell.
func (l *live) count(n int64) {
	if n >= sampleStep {
		l.weight = n
		return
	}
	if l.next -= n; l.next < 0 {
		l.next, l.weight = gap(), sampleStep+n/2
	}
}

// follow tells where the allocation is that was paid for last. Another pointer that
// lives as long does as well.
func follow[T any](m *machine, p *T) *T {
	if m.seam.live.weight > 0 {
		l := m.seam.live
		w := l.weight
		l.weight = 0
		l.know(w)
		runtime.AddCleanup(p, l.forget, w)
	}
	return p
}

func (l *live) know(n int64) {
	l.sampled.Add(n)
	l.heap.Know(n)
}

// forget is called by the collector, at any time.
func (l *live) forget(n int64) { l.know(-n) }

// followAny is follow for a store or an aggregate.
func (m *machine) followAny(v any) any {
	if m.seam.live.weight == 0 {
		return v
	}
	switch v := v.(type) {
	case *Obj:
		follow(m, v)
	case *Strs:
		follow(m, v)
	case *Bools:
		follow(m, v)
	case *Num[int]:
		follow(m, v)
	case *Num[uint8]:
		follow(m, v)
	case *Num[int32]:
		follow(m, v)
	case *Num[int64]:
		follow(m, v)
	case *Flt[float64]:
		follow(m, v)
	case *Num[int8]:
		follow(m, v)
	case *Num[int16]:
		follow(m, v)
	case *Num[uint]:
		follow(m, v)
	case *Num[uint16]:
		follow(m, v)
	case *Num[uint32]:
		follow(m, v)
	case *Num[uint64]:
		follow(m, v)
	case *Num[uintptr]:
		follow(m, v)
	case *Flt[float32]:
		follow(m, v)
	default: // a struct of the host
		m.seam.live.loose += m.seam.live.weight
		m.seam.live.weight = 0
	}
	return v
}

func (l *live) sum() int64 { return max(0, l.sampled.Load()) + l.loose }

// held is what the run holds. It collects before it says that this is too much.
// What is within a sixteenth of the limit is: the next collection would come soon,
// and gain little.
func (l *live) held() int64 {
	enough := l.limit - l.limit/16
	if l.sum() > enough {
		runtime.GC()
		for range 20 { // cleanups run beside
			if l.sum() <= enough {
				break
			}
			time.Sleep(200 * time.Microsecond)
		}
		l.loose = max(0, min(l.loose, l.heap.Unknown()))
	}
	n := l.sum()
	if n > enough {
		return l.limit
	}
	return n
}
