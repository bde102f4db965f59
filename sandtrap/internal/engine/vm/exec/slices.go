package exec

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// spot is that of the instruction that has failed.
func (m *Machine) spot() ir.Spot { return m.P.Pos[m.T.Pc-1] }

// ThrowIndex panics for the index i of something of length n.
func ThrowIndex(i int64, n int, unsigned bool) {
	if i < 0 && unsigned {
		Throwf("index out of range [%d] with length %d", uint64(i), n)
	}
	Throwf("index out of range [%d]%s", i, LengthPart(i, n))
}

func LengthPart(i int64, n int) string {
	if i < 0 {
		return ""
	}
	return fmt.Sprintf(" with length %d", n)
}

// Bound is operand k of a slice expression.
func (m *Machine) Bound(x *ir.SlowOp, k int, def int) (int64, bool) {
	if x.Regs[k] < 0 {
		return int64(def), false
	}
	v := m.I[x.Regs[k]]
	if ir.IsUnsigned(x.Types[k]) && v < 0 {
		v = math.MaxInt64
	}
	return v, true
}

// BoundText is operand k of a slice expression in words, v if there is none.
func (m *Machine) BoundText(x *ir.SlowOp, k int, v int64) string {
	if x.Regs[k] >= 0 && ir.IsUnsigned(x.Types[k]) {
		return strconv.FormatUint(uint64(m.I[x.Regs[k]]), 10)
	}
	return strconv.FormatInt(v, 10)
}

// SetSlice writes a slice header: R the store, I the length, I+1 offset and
// capacity. Only of an array whose elements have no size can there be more of them than there is
// room for: then nothing is at any offset.
func (m *Machine) SetSlice(a int, store any, off, n, c int) {
	off, c = min(off, MaxElems), min(c, MaxElems)
	m.R[a], m.I[a], m.I[a+1] = store, int64(n), int64(off)<<32|int64(c)
}

func (m *Machine) SliceAt(a int) (store any, off, n, c int) {
	h := m.I[a+1]
	return m.R[a], int(h >> 32), int(m.I[a]), int(h & 0xffffffff)
}

// MaxElems is how many elements a slice can have: a header has 32 bits for its offset, and as many
// for its capacity.
const MaxElems = 1<<31 - 1

// CheckLen refuses a length, or capacity, that there cannot be.
func (m *Machine) CheckLen(what string, n int64, elem *ir.Type) {
	m.RefuseHuge(n, elem)
	if n < 0 || n > MaxElems {
		Throwf("makeslice: %s out of range", what)
	}
}

// Scripts print the capacity of slices that grow, so it is that of compiled Go: twice
// as much while they are small, and then what fills the block that the allocator of
// Go gives.

// Capacity is what append makes of a slice of old for one of need. There may be no such slice.
func (m *Machine) Capacity(t *ir.Type, old, need int) int {
	m.RefuseHuge(int64(need), t)
	if need < 0 || need > MaxElems {
		Throwf("growslice: len out of range")
	}
	return min(growCap(t, old, need), MaxElems)
}

// growCap is the capacity that append gives a slice with elements of type t and
// capacity old when it needs more.
func growCap(t *ir.Type, old, need int) int {
	size, _, pointers := ir.GoShape(t)
	if size == 0 {
		return need
	}
	c := old
	switch {
	case need > 2*old:
		c = need
	case old < 256:
		c = 2 * old
	default:
		for c < need {
			c += (c + 3*256) / 4
		}
	}
	return int(engine.BlockSize(int64(c)*size, pointers) / size)
}

// GrownTo gives a new store for need elements, with the n that were in the old one, and
// its capacity. room is what the frame has for its first elements.
func (m *Machine) GrownTo(need, room int, elem *ir.Type, store any, off, n, c int) (any, int) {
	if n == 0 && need <= room {
		c = room
	} else {
		c = m.Capacity(elem, c, need)
	}
	m.Alloc(ir.StoreBytes(elem, int64(c)))
	to := m.AllocStore(elem, c)
	if store != nil {
		m.MoveElems(elem, to, 0, store, off, n)
	}
	return to, c
}

// slowGrow makes room for append where there is none.
func (m *Machine) slowGrow(a, b, idx, d int) {
	elem, k, room := m.P.Refs[d>>4], d&15, 0
	if framed, ok := elem.(ir.FrameElem); ok {
		elem, room = framed.Type, framed.Room
	}
	store, off, n, c := m.SliceAt(b)
	if n+k > c || n+k < 0 {
		store, c = m.GrownTo(n+k, room, elem.(*ir.Type), store, off, n, c)
		off = 0
	}
	m.SetSlice(a, store, off, n+k, c)
	m.I[idx] = int64(n)
}
