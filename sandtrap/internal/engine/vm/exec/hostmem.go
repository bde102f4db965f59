package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A HostVar is what a pointer of the host's leads to, where that is no struct and
// no array. Two of them are equal when the pointers are.
type HostVar struct {
	m *Machine
	t *ir.Type // of what is there
	p any      // the pointer
}

// Copied is a copy of it.
func (h HostVar) Copied() *ir.Obj { return h.place().cells() }

// HostVals are elements that lie in the host's memory, of a type that the host
// does not hold as the machine does. All access to them converts.
type HostVals struct {
	M     *Machine
	T     *ir.Type // of an element
	V     reflect.Value
	fixed bool // the run may not write to them
}

// A place is one value in the host's memory.
type place struct {
	m     *Machine
	t     *ir.Type
	V     reflect.Value
	asked bool // whether the run may write to it, which it may
	fixed bool
}

func (h HostVar) place() place { return place{m: h.m, t: h.t, V: reflect.ValueOf(h.p).Elem()} }

func (h *HostVals) elem(i int) place {
	return place{m: h.M, t: h.T, V: h.V.Index(i), asked: true, fixed: h.fixed}
}

// change is the variable at p, for a write that the run may do.
func (p place) change() reflect.Value {
	switch {
	case p.fixed:
		p.m.refuseWrite(p.V.Type())
	case !p.asked:
		p.m.mustWrite(p.V, false)
	}
	return p.V
}

// At is the element that cell k belongs to, and which of its cells that is.
func (h *HostVals) At(k int) (place, int) {
	w := max(1, h.T.W())
	return h.elem(k / w), k % w
}

// PlaceAt is the value of the host's that cell k of o belongs to, if o is memory of
// the host's.
func PlaceAt(o ir.Mem, k int) (place, bool) {
	switch o := o.(type) {
	case HostVar:
		return o.place(), true
	case *HostVals:
		p, _ := o.At(k)
		return p, true
	}
	return place{}, false
}

// Load puts the value into cells.
func (p place) Load(b Bank, k int) { FromHost(p.m, p.V, p.t, b, k) }

// store makes the value that of cells.
func (p place) store(b Bank, k int) {
	if p.m != nil {
		defer p.m.share()()
	}
	v := ToHost(p.m, p.t, b, k, p.V.Type())
	p.m.WantEnd(v, p.V.UnsafeAddr(), p.V.UnsafeAddr()+p.V.Type().Size())
	p.change().Set(v)
}

// cells is a copy of the value.
func (p place) cells() *ir.Obj {
	o := ir.NewObj(p.t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	p.Load(o, 0)
	return o
}

func (p place) LdI(k int) int64 {
	var i [1]int64
	if p.V.Kind() != reflect.String && cellFromHost(p.V, i[:], nil, 0) {
		return i[0]
	}
	return p.cells().I[k]
}

func (p place) StI(x int64) {
	if v := p.change(); v.Kind() == reflect.String || !cellToHost(v, []int64{x}, nil, 0) {
		panic("vm: part of a value of the host's is stored")
	}
}

// LdR is the reference in cell k. What is held by reference is the host's own.
func (p place) LdR(k int) any {
	switch p.t.Kind {
	case ir.KindHost:
		return p.V.Addr().Interface()
	case reflect.Array:
		return storeOf(p.m, p.t.Elem, p.V.Slice(0, p.t.N))
	}
	return p.cells().R[k]
}

func (p place) StR(v any) {
	if p.t.W() != 1 || p.t.Cells[0].M != ir.BankR {
		panic("vm: part of a value of the host's is stored")
	}
	p.store(&ir.Obj{R: []any{v}}, 0)
}

func (h HostVar) LdI(k int) int64     { return h.place().LdI(k) }
func (h HostVar) StI(_ int, v int64)  { h.place().StI(v) }
func (h HostVar) LdS(int) string      { return h.place().V.String() }
func (h HostVar) StS(_ int, v string) { h.place().change().SetString(v) }
func (h HostVar) LdR(k int) any       { return h.place().LdR(k) }
func (h HostVar) StR(_ int, v any)    { h.place().StR(v) }
func (h HostVar) CellCount() int      { return h.t.W() }

func (h *HostVals) LdI(k int) int64 {
	p, c := h.At(k)
	return p.LdI(c)
}
func (h *HostVals) StI(k int, v int64) {
	p, _ := h.At(k)
	p.StI(v)
}
func (h *HostVals) LdS(k int) string {
	p, _ := h.At(k)
	return p.V.String()
}
func (h *HostVals) StS(k int, v string) {
	p, _ := h.At(k)
	p.change().SetString(v)
}
func (h *HostVals) LdR(k int) any {
	p, c := h.At(k)
	return p.LdR(c)
}
func (h *HostVals) StR(k int, v any) {
	p, _ := h.At(k)
	p.StR(v)
}
func (h *HostVals) CellCount() int { return h.V.Len() * h.T.W() }

// CopyValue copies a value of type t between memories. One of the host's goes as a
// whole.
func CopyValue(t *ir.Type, d ir.Mem, di int, s ir.Mem, si int) {
	if p, ok := PlaceAt(s, si); ok && t.W() > 0 {
		s, si = p.cells(), 0
	}
	p, ok := PlaceAt(d, di)
	if !ok {
		copyCells(t.Cells, d, di, s, si)
		return
	}
	o := ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	for i, c := range t.Cells {
		LoadCell(o, i, s, si+i, c.M)
	}
	p.store(o, 0)
}

// LoadValue puts the value of type t at cell k of s into cells, without copying
// what they refer to.
func LoadValue(t *ir.Type, b Bank, at int, s ir.Mem, k int) {
	if p, ok := PlaceAt(s, k); ok {
		p.Load(b, at)
		return
	}
	for i, c := range t.Cells {
		LoadCell(b, at+i, s, k+i, c.M)
	}
}

// hostAccess loads or stores a whole value of the host's memory. The instructions
// for its other cells come right after this one, and are left out.
func (m *Machine) hostAccess(p place, a int, load bool) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	if load {
		p.Load(w, a)
	} else {
		p.store(w, a)
	}
	m.T.Pc += p.t.Moves() - 1
}

// PointTo writes the pointer p of the host's into cells; what it leads to is of
// type e.
func PointTo(m *Machine, e *ir.Type, p reflect.Value, b Bank, k int) {
	b.R[k], b.I[k] = nil, 0
	if e.Kind == reflect.Array {
		b.I[k+1] = 0
	}
	if p.IsNil() {
		return
	}
	switch e.Kind {
	case ir.KindHost:
		b.R[k] = p.Interface()
	case reflect.Array:
		b.R[k] = m.arrayBehind(e, p)
		b.I[k], b.I[k+1] = int64(e.N), int64(e.N)
	default:
		if l := m.sharedAs(p); l != nil {
			b.R[k], b.I[k] = l.cells, int64(l.at)
			return
		}
		b.R[k] = HostVar{m, e, p.Interface()}
	}
}

// arrayBehind is the store over an array of the host's, the same for the same
// pointer.
func (m *Machine) arrayBehind(e *ir.Type, p reflect.Value) any {
	key := p.Interface()
	if st := m.arrays[key]; st != nil {
		return st
	}
	if m.arrays == nil {
		m.arrays = map[any]any{}
	}
	m.Charge(NoteBytes)
	st := storeOf(m, e.Elem, p.Elem().Slice(0, e.N))
	m.arrays[key] = st
	return st
}

// storeOf is a store over the elements of v, a slice.
func storeOf(m *Machine, elem *ir.Type, v reflect.Value) any {
	fixed := m.fixed(v)
	if v.Type().Elem() == ir.KindTypes[elem.Kind] && !fixed {
		if st := ir.StoreOver(v); st != nil {
			return st
		}
	}
	return &HostVals{m, elem, v, fixed}
}

// hostCopy is StoreCopy where the host holds the elements of either store.
func hostCopy(t *ir.Type, dst any, di int, src any, si, n int) bool {
	d, s := inHost(dst), inHost(src)
	if d == nil && s == nil {
		return false
	}
	if d != nil && d.fixed {
		d.M.refuseWrite(d.V.Type().Elem())
	}
	if d != nil && s != nil && d.V.Type().Elem() == s.V.Type().Elem() {
		to, from := d.V.Slice(di, di+n), s.V.Slice(si, si+n)
		s.M.wantEnds(from, to)
		reflect.Copy(to, from)
		return true
	}
	to, from, w := MemOf(dst), MemOf(src), t.W()
	for i := range n { // never the same store: its elements would be of one type
		CopyValue(t, to, (di+i)*w, from, (si+i)*w)
	}
	return true
}

// inHost is the host's memory that a store is, nil if it is not.
func inHost(store any) *HostVals {
	switch s := store.(type) {
	case *HostVals:
		return s
	case *ir.Obj:
		return EscapedTo(s)
	}
	return nil
}

// HeldByHost reports that stores of t are memory that the host can share: structs of
// its own and numbers and strings of its named types.
func HeldByHost(t *ir.Type) bool {
	return t.Kind == ir.KindHost && t.Host != nil || t.Named && t.Host != nil && ir.KindTypes[t.Kind] != nil
}

// Text is the string of n bytes or runes from off on.
func (h *HostVals) Text(off, n int) string {
	if h.T.Kind == reflect.Uint8 {
		return string(BytesOf(h, off, n))
	}
	runes := make([]rune, n)
	for i := range runes {
		runes[i] = rune(h.LdI(off + i))
	}
	return string(runes)
}

// BytesOf are n bytes of a store from off on.
func BytesOf(store any, off, n int) []byte {
	if s, ok := store.(*ir.Num[uint8]); ok {
		return s.V[off : off+n]
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(MemOf(store).LdI(off + i))
	}
	return b
}

// CopyString writes the bytes of s into a store of bytes.
func CopyString(store any, off int, s string) {
	if d, ok := store.(*ir.Num[uint8]); ok {
		copy(d.V[off:], s)
		return
	}
	for i := range len(s) {
		MemOf(store).StI(off+i, int64(s[i]))
	}
}
