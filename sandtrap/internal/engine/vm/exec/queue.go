package exec

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A ring holds the values that wait in a channel, in cells: n of them, the first at head.
type ring struct {
	Cells   *ir.Obj
	head, N int
	Size    int // how many there is room for
}

// makeRoom pays for room for one more value in the buffer of c, and makes it.
func (m *Machine) makeRoom(c *Chan) {
	r, w := &c.Buf, c.Elem.W()
	if r.N < r.Size {
		return
	}
	size := min(max(8, 2*r.Size), c.Cap)
	m.Alloc(ir.ObjectBytes(w, ir.BanksOf(c.Elem.Cells), int64(size)))
	to := Follow(m, ir.NewObj(w, ir.BanksOf(c.Elem.Cells), size))
	for i := range r.N {
		RawCopy(c.Elem.Cells, to, i*w, r.Cells, r.At(i)*w)
		m.CountCopied(w * CellBytes)
	}
	r.Cells, r.head, r.Size = to, 0, size
}

// At is the place of value i.
func (r *ring) At(i int) int {
	if i += r.head; i >= r.Size {
		i -= r.Size
	}
	return i
}

// push appends the value at cell k of b; there is room.
func (r *ring) push(t *ir.Type, b Bank, k int) {
	RawCopy(t.Cells, r.Cells, r.At(r.N)*t.W(), b, k)
	r.N++
}

// pop takes the first value, which there is, to cell k of b.
func (r *ring) pop(t *ir.Type, b Bank, k int) {
	at := r.head * t.W()
	RawCopy(t.Cells, b, k, r.Cells, at)
	ZeroCells(t, r.Cells, at)
	r.N--
	if r.head++; r.head == r.Size {
		r.head = 0
	}
}
