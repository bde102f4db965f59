package vm

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// spot is that of the instruction that has failed.
func (m *machine) spot() ir.Spot { return m.p.Pos[m.t.pc-1] }

// throwIndex panics for the index i of something of length n.
func throwIndex(i int64, n int, unsigned bool) {
	if i < 0 && unsigned {
		throwf("index out of range [%d] with length %d", uint64(i), n)
	}
	throwf("index out of range [%d]%s", i, lengthPart(i, n))
}

func lengthPart(i int64, n int) string {
	if i < 0 {
		return ""
	}
	return fmt.Sprintf(" with length %d", n)
}

// bound is operand k of a slice expression.
func (m *machine) bound(x *ir.SlowOp, k int, def int) (int64, bool) {
	if x.Regs[k] < 0 {
		return int64(def), false
	}
	v := m.I[x.Regs[k]]
	if ir.IsUnsigned(x.Types[k]) && v < 0 {
		v = math.MaxInt64
	}
	return v, true
}

// boundText is operand k of a slice expression in words, v if there is none.
func (m *machine) boundText(x *ir.SlowOp, k int, v int64) string {
	if x.Regs[k] >= 0 && ir.IsUnsigned(x.Types[k]) {
		return strconv.FormatUint(uint64(m.I[x.Regs[k]]), 10)
	}
	return strconv.FormatInt(v, 10)
}

// setSlice writes a slice header: R the store, I the length, I+1 offset and
// capacity. Only of an array whose elements have no size can there be more of them than there is
// room for: then nothing is at any offset.
func (m *machine) setSlice(a int, store any, off, n, c int) {
	off, c = min(off, maxElems), min(c, maxElems)
	m.R[a], m.I[a], m.I[a+1] = store, int64(n), int64(off)<<32|int64(c)
}

func (m *machine) sliceAt(a int) (store any, off, n, c int) {
	h := m.I[a+1]
	return m.R[a], int(h >> 32), int(m.I[a]), int(h & 0xffffffff)
}

// maxElems is how many elements a slice can have: a header has 32 bits for its offset, and as many
// for its capacity.
const maxElems = 1<<31 - 1

// checkLen refuses a length, or capacity, that there cannot be.
func (m *machine) checkLen(what string, n int64, elem *ir.Type) {
	m.refuseHuge(n, elem)
	if n < 0 || n > maxElems {
		throwf("makeslice: %s out of range", what)
	}
}

// Scripts print the capacity of slices that grow, so it is that of compiled Go: twice
// as much while they are small, and then what fills the block that the allocator of
// Go gives.

// capacity is what append makes of a slice of old for one of need. There may be no such slice.
func (m *machine) capacity(t *ir.Type, old, need int) int {
	m.refuseHuge(int64(need), t)
	if need < 0 || need > maxElems {
		throwf("growslice: len out of range")
	}
	return min(growCap(t, old, need), maxElems)
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

// grownTo gives a new store for need elements, with the n that were in the old one, and
// its capacity. room is what the frame has for its first elements.
func (m *machine) grownTo(need, room int, elem *ir.Type, store any, off, n, c int) (any, int) {
	if n == 0 && need <= room {
		c = room
	} else {
		c = m.capacity(elem, c, need)
	}
	m.alloc(ir.StoreBytes(elem, int64(c)))
	to := m.storeFor(elem, c)
	if store != nil {
		m.moveElems(elem, to, 0, store, off, n)
	}
	return to, c
}

// slowGrow makes room for append where there is none.
func (m *machine) slowGrow(a, b, idx, d int) {
	elem, k, room := m.p.Refs[d>>4], d&15, 0
	if framed, ok := elem.(ir.FrameElem); ok {
		elem, room = framed.Type, framed.Room
	}
	store, off, n, c := m.sliceAt(b)
	if n+k > c || n+k < 0 {
		store, c = m.grownTo(n+k, room, elem.(*ir.Type), store, off, n, c)
		off = 0
	}
	m.setSlice(a, store, off, n+k, c)
	m.I[idx] = int64(n)
}
