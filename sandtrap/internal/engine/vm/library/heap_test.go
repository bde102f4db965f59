package library

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// logged is a heap that writes down the calls of its methods; lies makes Less random.
type logged struct {
	items []int
	calls []string
	lies  *rand.Rand
}

func (h *logged) note(format string, args ...any) {
	h.calls = append(h.calls, fmt.Sprintf(format, args...))
}
func (h *logged) Len() int { h.note("Len"); return len(h.items) }
func (h *logged) Less(i, j int) bool {
	h.note("Less %d %d", i, j)
	if h.lies != nil {
		return h.lies.IntN(2) == 0
	}
	return h.items[i] < h.items[j]
}
func (h *logged) Swap(i, j int) {
	h.note("Swap %d %d", i, j)
	h.items[i], h.items[j] = h.items[j], h.items[i]
}
func (h *logged) Push(x any) { h.note("Push %v", x); h.items = append(h.items, x.(int)) }
func (h *logged) Pop() any {
	h.note("Pop")
	x := h.items[len(h.items)-1]
	h.items = h.items[:len(h.items)-1]
	return x
}

// TestHeapCalls: the methods of a heap are called as Go's container/heap calls them, for
// heaps that order their elements and for those that lie, and panics are the same.
func TestHeapCalls(t *testing.T) {
	type ops struct {
		init   func(*logged)
		push   func(*logged, any)
		pop    func(*logged) any
		remove func(*logged, int) any
		fix    func(*logged, int)
	}
	own := ops{
		container_heap_Init[*logged], container_heap_Push[*logged], container_heap_Pop[*logged],
		container_heap_Remove[*logged], container_heap_Fix[*logged],
	}
	gos := ops{
		func(h *logged) { heap.Init(h) }, func(h *logged, x any) { heap.Push(h, x) }, func(h *logged) any { return heap.Pop(h) },
		func(h *logged, i int) any { return heap.Remove(h, i) }, func(h *logged, i int) { heap.Fix(h, i) },
	}
	for seed := range uint64(200) {
		var logs [2][]string
		for k, o := range []ops{own, gos} {
			r, h := rand.New(rand.NewPCG(seed, 1)), &logged{}
			if seed%2 == 1 {
				h.lies = rand.New(rand.NewPCG(seed, 2))
			}
			for range seed % 40 {
				h.items = append(h.items, r.IntN(20))
			}
			o.init(h)
			for range 60 {
				at := r.IntN(len(h.items)+3) - 1 // sometimes outside
				what, x := r.IntN(4), r.IntN(20)
				h.note("%s", outcome(func() any {
					switch what {
					case 0:
						o.push(h, x)
					case 1:
						return o.pop(h)
					case 2:
						return o.remove(h, at)
					default:
						if at >= 0 && at < len(h.items) {
							h.items[at] = x
						}
						o.fix(h, at)
					}
					return h.items
				}))
			}
			logs[k] = h.calls
		}
		if !slices.Equal(logs[0], logs[1]) {
			t.Fatalf("seed %d: the calls are not those of Go", seed)
		}
	}
}
