package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// What takes the engine long in one instruction is done in pieces of this many bytes,
// some tens of microseconds, with a look at the clock between them. For allocations there is
// aside.
const (
	piece     = 256 << 10
	caseBytes = 64 // that looking at a case of a select takes as long as

	crossBytes = 256 // that an element takes as long as to get to the other side
)

// moved counts n bytes that are moved, compared or cleared, and looks at the clock
// after each piece.
func (m *machine) moved(n int) {
	if m.pieceDone += n; m.pieceDone >= piece {
		m.pieceDone = 0
		m.check()
	}
}

// crossed counts an element that has got to the other side.
func (m *machine) crossed() {
	if m != nil {
		m.moved(crossBytes)
	}
}

// moveElems is storeCopy in pieces.
func (m *machine) moveElems(t *ir.Type, dst any, di int, src any, si, n int) {
	size := int(max(1, ir.CellsBytes(t.Cells)))
	if inHost(dst) != nil || inHost(src) != nil {
		size = max(size, crossBytes)
	}
	step := max(1, piece/size)
	back := dst == src && di > si // the last first: the rest would be overwritten
	for from := 0; from < n; from += step {
		k := min(step, n-from)
		at := from
		if back {
			at = n - from - k
		}
		storeCopy(t, dst, di+at, src, si+at, k)
		m.moved(k * size)
	}
}

// moveAgg is copyInto in pieces.
func (m *machine) moveAgg(t *ir.Type, dst any, di int, src any, si int) {
	switch {
	case t.Kind == reflect.Array:
		m.moveElems(t.Elem, dst, di, src, si, t.N)
	case t.Kind == ir.KindHost || dst == src:
		copyInto(t, dst, di, src, si)
	default:
		d, s := memOf(dst), memOf(src)
		for k, c := range t.Inner {
			if v := any(nil); c.Agg == nil {
				copyCells(t.Inner[k:k+1], d, di+k, s, si+k)
			} else if v = s.LdR(si + k); v != nil {
				m.moveAgg(c.Agg, aggAt(c.Agg, d, di+k), 0, v, 0)
			} else if d.LdR(di+k) != nil {
				storeAgg(c.Agg, d, di+k, nil)
			}
		}
	}
}

// copyOf is copyAgg in pieces, and paid for.
func (m *machine) copyOf(t *ir.Type, v any, off int) any {
	m.alloc(ir.AggBytes(t))
	n := m.aggFor(t)
	if v != nil {
		m.moveAgg(t, n, 0, v, off)
	}
	return n
}

// clearElems sets elements to zero.
func (m *machine) clearElems(t *ir.Type, store any, off, n int) {
	size := int(max(1, ir.CellsBytes(t.Cells)))
	zero := newStore(t, min(n, max(1, piece/size)))
	step := max(1, min(n, piece/size))
	for from := 0; from < n; from += step {
		k := min(step, n-from)
		storeCopy(t, store, off+from, zero, 0, k)
		m.moved(k * size)
	}
}

// sameText is a == b.
func (m *machine) sameText(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	k := m.common(a, b)
	return a[k:] == b[k:]
}

// lessText is a < b.
func (m *machine) lessText(a, b string) bool {
	k := m.common(a, b)
	return a[k:] < b[k:]
}

// common is the length of the pieces in which both texts begin alike, but for the last.
func (m *machine) common(a, b string) int {
	at := 0
	for n := min(len(a), len(b)); n-at > piece && a[at:at+piece] == b[at:at+piece]; at += piece {
		m.moved(piece)
	}
	return at
}
