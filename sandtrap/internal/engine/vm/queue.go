package vm

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A ring holds the values that wait in a channel, in cells: n of them, the first at head.
type ring struct {
	cells   *ir.Obj
	head, n int
	size    int // how many there is room for
}

// makeRoom pays for room for one more value in the buffer of c, and makes it.
func (m *machine) makeRoom(c *Chan) {
	r, w := &c.buf, c.elem.W()
	if r.n < r.size {
		return
	}
	size := min(max(8, 2*r.size), c.cap)
	m.alloc(ir.ObjectBytes(w, ir.BanksOf(c.elem.Cells), int64(size)))
	to := follow(m, ir.NewObj(w, ir.BanksOf(c.elem.Cells), size))
	for i := range r.n {
		rawCopy(c.elem.Cells, to, i*w, r.cells, r.at(i)*w)
		m.moved(w * cellBytes)
	}
	r.cells, r.head, r.size = to, 0, size
}

// at is the place of value i.
func (r *ring) at(i int) int {
	if i += r.head; i >= r.size {
		i -= r.size
	}
	return i
}

// push appends the value at cell k of b; there is room.
func (r *ring) push(t *ir.Type, b bank, k int) {
	rawCopy(t.Cells, r.cells, r.at(r.n)*t.W(), b, k)
	r.n++
}

// pop takes the first value, which there is, to cell k of b.
func (r *ring) pop(t *ir.Type, b bank, k int) {
	at := r.head * t.W()
	rawCopy(t.Cells, b, k, r.cells, at)
	zeroCells(t, r.cells, at)
	r.n--
	if r.head++; r.head == r.size {
		r.head = 0
	}
}

// A fifo is a queue that keeps its memory: what goes in and out of one of steady
// length allocates nothing.
type fifo[T any] struct {
	q    []T
	head int
}

func (f *fifo[T]) len() int { return len(f.q) - f.head }

func (f *fifo[T]) push(v T) {
	if f.head > 0 && len(f.q) == cap(f.q) && f.head >= len(f.q)/2 {
		n := copy(f.q, f.q[f.head:])
		clear(f.q[n:])
		f.q, f.head = f.q[:n], 0
	}
	f.q = append(f.q, v)
}

// pop takes the first; there is one.
func (f *fifo[T]) pop() T {
	var none T
	v := f.q[f.head]
	f.q[f.head] = none
	if f.head++; f.head == len(f.q) {
		f.q, f.head = f.q[:0], 0
	}
	return v
}
