package vm

import (
	"reflect"
	"unicode/utf8"

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

// moveText is copyString in pieces.
func (m *machine) moveText(store any, off int, s string) {
	for len(s) > 0 {
		k := min(len(s), piece)
		copyString(store, off, s[:k])
		s, off = s[k:], off+k
		m.moved(k)
	}
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

// concat is a + b, of which neither is empty.
func (m *machine) concat(a, b string) string {
	n := len(a) + len(b)
	m.alloc(ir.Allocated(int64(n)))
	if n < piece && !m.sampling() {
		return a + b
	}
	out := m.write(m.bytesFor(n), a)
	return m.text(m.write(out, b))
}

// write is append(to, s...) in pieces, of which to has the room.
func (m *machine) write(to []byte, s string) []byte {
	for len(s) > 0 {
		k := min(len(s), piece)
		to = append(to, s[:k]...)
		s = s[k:]
		m.moved(k)
	}
	return to
}

// textOf is string(b).
func (m *machine) textOf(b []byte) string {
	m.alloc(ir.Allocated(int64(len(b))))
	if len(b) < piece && !m.sampling() {
		return string(b)
	}
	out := m.bytesFor(len(b))
	for len(b) > 0 {
		k := min(len(b), piece)
		out = append(out, b[:k]...)
		b = b[k:]
		m.moved(k)
	}
	return m.text(out)
}

// bytesOf is []byte(s).
func (m *machine) bytesOf(s string) []byte {
	if len(s) < piece {
		return []byte(s)
	}
	b := m.bytesFor(len(s))[:len(s)]
	for at := 0; at < len(s); at += piece {
		m.moved(copy(b[at:], s[at:min(len(s), at+piece)]))
	}
	return b
}

// runesOf is []rune(s).
func (m *machine) runesOf(s string) []rune {
	if len(s) < piece {
		return []rune(s)
	}
	n := 0
	for rest := s; rest != ""; {
		k := runesWithin(rest)
		n += utf8.RuneCountInString(rest[:k])
		rest = rest[k:]
		m.moved(k)
	}
	out := aside(m, int64(n)*4, func() []rune { return make([]rune, 0, n) })
	for rest := s; rest != ""; {
		k := runesWithin(rest)
		for _, r := range rest[:k] {
			out = append(out, r)
		}
		rest = rest[k:]
		m.moved(k)
	}
	return out
}

// runesWithin is the length of a piece of s that ends where a rune does.
func runesWithin(s string) int {
	k := min(len(s), piece)
	for k < len(s) && !utf8.RuneStart(s[k]) {
		k++
	}
	return k
}

// textOfRunes is string(rs).
func (m *machine) textOfRunes(rs []rune) string {
	const step = piece / utf8.UTFMax
	n := 0
	for i, r := range rs {
		n += max(utf8.RuneLen(r), -3*utf8.RuneLen(r)) // what is no rune becomes one of three bytes
		if i%step == step-1 {
			m.moved(piece)
		}
	}
	m.alloc(ir.Allocated(int64(n)))
	if len(rs) < step && !m.sampling() {
		return string(rs)
	}
	out := m.bytesFor(n)
	for len(rs) > 0 {
		k := min(len(rs), step)
		for _, r := range rs[:k] {
			out = utf8.AppendRune(out, r)
		}
		rs = rs[k:]
		m.moved(k * utf8.UTFMax)
	}
	return m.text(out)
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

// nativeCopy is storeCopy between stores of the same basic type.
func nativeCopy(dst any, di int, src any, si, n int) bool {
	switch d := dst.(type) {
	case *Num[int]:
		copy(d.V[di:di+n], src.(*Num[int]).V[si:si+n])
	case *Num[int8]:
		copy(d.V[di:di+n], src.(*Num[int8]).V[si:si+n])
	case *Num[int16]:
		copy(d.V[di:di+n], src.(*Num[int16]).V[si:si+n])
	case *Num[int32]:
		copy(d.V[di:di+n], src.(*Num[int32]).V[si:si+n])
	case *Num[int64]:
		copy(d.V[di:di+n], src.(*Num[int64]).V[si:si+n])
	case *Num[uint]:
		copy(d.V[di:di+n], src.(*Num[uint]).V[si:si+n])
	case *Num[uint8]:
		copy(d.V[di:di+n], src.(*Num[uint8]).V[si:si+n])
	case *Num[uint16]:
		copy(d.V[di:di+n], src.(*Num[uint16]).V[si:si+n])
	case *Num[uint32]:
		copy(d.V[di:di+n], src.(*Num[uint32]).V[si:si+n])
	case *Num[uint64]:
		copy(d.V[di:di+n], src.(*Num[uint64]).V[si:si+n])
	case *Num[uintptr]:
		copy(d.V[di:di+n], src.(*Num[uintptr]).V[si:si+n])
	case *Flt[float32]:
		copy(d.V[di:di+n], src.(*Flt[float32]).V[si:si+n])
	case *Flt[float64]:
		copy(d.V[di:di+n], src.(*Flt[float64]).V[si:si+n])
	case *Bools:
		copy(d.V[di:di+n], src.(*Bools).V[si:si+n])
	case *Strs:
		copy(d.V[di:di+n], src.(*Strs).V[si:si+n])
	default:
		return false
	}
	return true
}
