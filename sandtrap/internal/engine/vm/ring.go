package vm

import "github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"

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
