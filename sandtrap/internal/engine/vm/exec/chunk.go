package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// What takes the engine long in one instruction is done in pieces of this many bytes,
// some tens of microseconds, with a look at the clock between them. For allocations there is
// aside.
const (
	Chunk     = 256 << 10
	CaseBytes = 64 // that looking at a case of a select takes as long as

	crossBytes = 256 // that an element takes as long as to get to the other side
)

// CountCopied counts n bytes that are moved, compared or cleared, and looks at the clock
// after each piece.
func (m *Machine) CountCopied(n int) {
	if m.chunkDone += n; m.chunkDone >= Chunk {
		m.chunkDone = 0
		m.PollNow()
	}
}

// crossed counts an element that has got to the other side.
func (m *Machine) crossed() {
	if m != nil {
		m.CountCopied(crossBytes)
	}
}

// MoveElems is StoreCopy in pieces.
func (m *Machine) MoveElems(t *ir.Type, dst any, di int, src any, si, n int) {
	size := int(max(1, ir.CellsBytes(t.Cells)))
	if inHost(dst) != nil || inHost(src) != nil {
		size = max(size, crossBytes)
	}
	step := max(1, Chunk/size)
	back := dst == src && di > si // the last first: the rest would be overwritten
	for from := 0; from < n; from += step {
		k := min(step, n-from)
		at := from
		if back {
			at = n - from - k
		}
		StoreCopy(t, dst, di+at, src, si+at, k)
		m.CountCopied(k * size)
	}
}

// MoveAgg is CopyInto in pieces.
func (m *Machine) MoveAgg(t *ir.Type, dst any, di int, src any, si int) {
	switch {
	case t.Kind == reflect.Array:
		m.MoveElems(t.Elem, dst, di, src, si, t.N)
	case t.Kind == ir.KindHost || dst == src:
		CopyInto(t, dst, di, src, si)
	default:
		d, s := MemOf(dst), MemOf(src)
		for k, c := range t.Inner {
			if v := any(nil); c.Agg == nil {
				copyCells(t.Inner[k:k+1], d, di+k, s, si+k)
			} else if v = s.LdR(si + k); v != nil {
				m.MoveAgg(c.Agg, AggAt(c.Agg, d, di+k), 0, v, 0)
			} else if d.LdR(di+k) != nil {
				storeAgg(c.Agg, d, di+k, nil)
			}
		}
	}
}

// CopyOf is CopyAgg in pieces, and paid for.
func (m *Machine) CopyOf(t *ir.Type, v any, off int) any {
	m.Alloc(ir.AggBytes(t))
	n := m.AllocAgg(t)
	if v != nil {
		m.MoveAgg(t, n, 0, v, off)
	}
	return n
}

// ClearElems sets elements to zero.
func (m *Machine) ClearElems(t *ir.Type, store any, off, n int) {
	size := int(max(1, ir.CellsBytes(t.Cells)))
	zero := NewStore(t, min(n, max(1, Chunk/size)))
	step := max(1, min(n, Chunk/size))
	for from := 0; from < n; from += step {
		k := min(step, n-from)
		StoreCopy(t, store, off+from, zero, 0, k)
		m.CountCopied(k * size)
	}
}

// SameText is a == b.
func (m *Machine) SameText(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	k := m.common(a, b)
	return a[k:] == b[k:]
}

// LessText is a < b.
func (m *Machine) LessText(a, b string) bool {
	k := m.common(a, b)
	return a[k:] < b[k:]
}

// common is the length of the pieces in which both texts begin alike, but for the last.
func (m *Machine) common(a, b string) int {
	at := 0
	for n := min(len(a), len(b)); n-at > Chunk && a[at:at+Chunk] == b[at:at+Chunk]; at += Chunk {
		m.CountCopied(Chunk)
	}
	return at
}
