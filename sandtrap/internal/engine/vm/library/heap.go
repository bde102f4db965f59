//lint:file-ignore U1000 the vm compiles these with the scripts that use them

package library

// heapData is heap.Interface. Scripts see which of its methods are called, and in which
// order: both are as Go's container/heap has them.
type heapData interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
	Push(x any)
	Pop() any
}

func container_heap_Init[H heapData](h H) {
	size := h.Len()
	for node := size/2 - 1; node >= 0; node-- {
		heapSink(h, node, size)
	}
}

func container_heap_Push[H heapData](h H, x any) {
	h.Push(x)
	heapRaise(h, h.Len()-1)
}

func container_heap_Pop[H heapData](h H) any {
	last := h.Len() - 1
	h.Swap(0, last)
	heapSink(h, 0, last)
	return h.Pop()
}

func container_heap_Remove[H heapData](h H, i int) any {
	if last := h.Len() - 1; last != i {
		h.Swap(i, last)
		heapSettle(h, i, last)
	}
	return h.Pop()
}

func container_heap_Fix[H heapData](h H, i int) { heapSettle(h, i, h.Len()) }

// heapSettle moves the element at node to its place among the first size elements.
func heapSettle[H heapData](h H, node, size int) {
	if heapSink(h, node, size) == node {
		heapRaise(h, node)
	}
}

// heapRaise moves the element at node up until its parent is not greater.
func heapRaise[H heapData](h H, node int) {
	for parent := (node - 1) / 2; parent != node && h.Less(node, parent); parent = (node - 1) / 2 {
		h.Swap(parent, node)
		node = parent
	}
}

// heapSink moves the element at node down until no child is less, and returns its new place.
func heapSink[H heapData](h H, node, size int) int {
	for {
		child := 2*node + 1
		if child >= size || child < 0 { // below 0 after an overflow
			return node
		}
		if right := child + 1; right < size && h.Less(right, child) {
			child = right
		}
		if !h.Less(child, node) {
			return node
		}
		h.Swap(node, child)
		node = child
	}
}
