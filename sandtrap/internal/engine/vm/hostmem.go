package vm

import (
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A hostVar is what a pointer of the host's leads to, where that is no struct and
// no array. Two of them are equal when the pointers are.
type hostVar struct {
	m *machine
	t *ir.Type // of what is there
	p any      // the pointer
}

// hostVals are elements that lie in the host's memory, of a type that the host
// does not hold as the machine does. All access to them converts.
type hostVals struct {
	m     *machine
	t     *ir.Type // of an element
	v     reflect.Value
	fixed bool // the run may not write to them
}

// A place is one value in the host's memory.
type place struct {
	m     *machine
	t     *ir.Type
	v     reflect.Value
	asked bool // whether the run may write to it, which it may
	fixed bool
}

func (h hostVar) place() place { return place{m: h.m, t: h.t, v: reflect.ValueOf(h.p).Elem()} }

func (h *hostVals) elem(i int) place {
	return place{m: h.m, t: h.t, v: h.v.Index(i), asked: true, fixed: h.fixed}
}

// change is the variable at p, for a write that the run may do.
func (p place) change() reflect.Value {
	switch {
	case p.fixed:
		p.m.refuseWrite(p.v.Type())
	case !p.asked:
		p.m.mustWrite(p.v, false)
	}
	return p.v
}

// at is the element that cell k belongs to, and which of its cells that is.
func (h *hostVals) at(k int) (place, int) {
	w := max(1, h.t.W())
	return h.elem(k / w), k % w
}

// placeAt is the value of the host's that cell k of o belongs to, if o is memory of
// the host's.
func placeAt(o ir.Mem, k int) (place, bool) {
	switch o := o.(type) {
	case hostVar:
		return o.place(), true
	case *hostVals:
		p, _ := o.at(k)
		return p, true
	}
	return place{}, false
}

// load puts the value into cells.
func (p place) load(b bank, k int) { fromHost(p.m, p.v, p.t, b, k) }

// store makes the value that of cells.
func (p place) store(b bank, k int) {
	if p.m != nil {
		defer p.m.share()()
	}
	v := toHost(p.m, p.t, b, k, p.v.Type())
	p.m.wantEnd(v, p.v.UnsafeAddr(), p.v.UnsafeAddr()+p.v.Type().Size())
	p.change().Set(v)
}

// cells is a copy of the value.
func (p place) cells() *ir.Obj {
	o := ir.NewObj(p.t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	p.load(o, 0)
	return o
}

func (p place) LdI(k int) int64 {
	switch v := p.v; v.Kind() {
	case reflect.Bool:
		return ir.BoolBits(v.Bool())
	case reflect.Float32, reflect.Float64:
		return int64(math.Float64bits(v.Float()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return int64(v.Uint())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	}
	return p.cells().I[k]
}

func (p place) StI(x int64) {
	switch v := p.change(); v.Kind() {
	case reflect.Bool:
		v.SetBool(x != 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(uint64(x)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(x))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(x)
	default:
		panic("vm: part of a value of the host's is stored")
	}
}

// LdR is the reference in cell k. What is held by reference is the host's own.
func (p place) LdR(k int) any {
	switch p.t.Kind {
	case ir.KindHost:
		return p.v.Addr().Interface()
	case reflect.Array:
		return storeOf(p.m, p.t.Elem, p.v.Slice(0, p.t.N))
	}
	return p.cells().R[k]
}

func (p place) StR(v any) {
	if p.t.W() != 1 || p.t.Cells[0].M != ir.BankR {
		panic("vm: part of a value of the host's is stored")
	}
	p.store(&ir.Obj{R: []any{v}}, 0)
}

func (h hostVar) LdI(k int) int64     { return h.place().LdI(k) }
func (h hostVar) StI(_ int, v int64)  { h.place().StI(v) }
func (h hostVar) LdS(int) string      { return h.place().v.String() }
func (h hostVar) StS(_ int, v string) { h.place().change().SetString(v) }
func (h hostVar) LdR(k int) any       { return h.place().LdR(k) }
func (h hostVar) StR(_ int, v any)    { h.place().StR(v) }
func (h hostVar) CellCount() int      { return h.t.W() }

func (h *hostVals) LdI(k int) int64 {
	p, c := h.at(k)
	return p.LdI(c)
}
func (h *hostVals) StI(k int, v int64) {
	p, _ := h.at(k)
	p.StI(v)
}
func (h *hostVals) LdS(k int) string {
	p, _ := h.at(k)
	return p.v.String()
}
func (h *hostVals) StS(k int, v string) {
	p, _ := h.at(k)
	p.change().SetString(v)
}
func (h *hostVals) LdR(k int) any {
	p, c := h.at(k)
	return p.LdR(c)
}
func (h *hostVals) StR(k int, v any) {
	p, _ := h.at(k)
	p.StR(v)
}
func (h *hostVals) CellCount() int { return h.v.Len() * h.t.W() }

// copyValue copies a value of type t between memories. One of the host's goes as a
// whole.
func copyValue(t *ir.Type, d ir.Mem, di int, s ir.Mem, si int) {
	if p, ok := placeAt(s, si); ok && t.W() > 0 {
		s, si = p.cells(), 0
	}
	p, ok := placeAt(d, di)
	if !ok {
		copyCells(t.Cells, d, di, s, si)
		return
	}
	o := ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	for i, c := range t.Cells {
		loadCell(o, i, s, si+i, c.M)
	}
	p.store(o, 0)
}

// loadValue puts the value of type t at cell k of s into cells, without copying
// what they refer to.
func loadValue(t *ir.Type, b bank, at int, s ir.Mem, k int) {
	if p, ok := placeAt(s, k); ok {
		p.load(b, at)
		return
	}
	for i, c := range t.Cells {
		loadCell(b, at+i, s, k+i, c.M)
	}
}

// hostAccess loads or stores a whole value of the host's memory. The instructions
// for its other cells come right after this one, and are left out.
func (m *machine) hostAccess(p place, a int, load bool) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	if load {
		p.load(w, a)
	} else {
		p.store(w, a)
	}
	m.t.pc += p.t.Moves() - 1
}

// pointTo writes the pointer p of the host's into cells; what it leads to is of
// type e.
func pointTo(m *machine, e *ir.Type, p reflect.Value, b bank, k int) {
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
		if l := m.lentAs(p); l != nil {
			b.R[k], b.I[k] = l.cells, int64(l.at)
			return
		}
		b.R[k] = hostVar{m, e, p.Interface()}
	}
}

// arrayBehind is the store over an array of the host's, the same for the same
// pointer.
func (m *machine) arrayBehind(e *ir.Type, p reflect.Value) any {
	key := p.Interface()
	if st := m.arrays[key]; st != nil {
		return st
	}
	if m.arrays == nil {
		m.arrays = map[any]any{}
	}
	m.charge(noteBytes)
	st := storeOf(m, e.Elem, p.Elem().Slice(0, e.N))
	m.arrays[key] = st
	return st
}

// storeOf is a store over the elements of v, a slice.
func storeOf(m *machine, elem *ir.Type, v reflect.Value) any {
	fixed := m.fixed(v)
	if v.Type().Elem() == ir.KindTypes[elem.Kind] && !fixed {
		if st := ir.StoreOver(v); st != nil {
			return st
		}
	}
	return &hostVals{m, elem, v, fixed}
}

// hostCopy is storeCopy where the host holds the elements of either store.
func hostCopy(t *ir.Type, dst any, di int, src any, si, n int) bool {
	d, s := inHost(dst), inHost(src)
	if d == nil && s == nil {
		return false
	}
	if d != nil && d.fixed {
		d.m.refuseWrite(d.v.Type().Elem())
	}
	if d != nil && s != nil && d.v.Type().Elem() == s.v.Type().Elem() {
		to, from := d.v.Slice(di, di+n), s.v.Slice(si, si+n)
		s.m.wantEnds(from, to)
		reflect.Copy(to, from)
		return true
	}
	to, from, w := memOf(dst), memOf(src), t.W()
	for i := range n { // never the same store: its elements would be of one type
		copyValue(t, to, (di+i)*w, from, (si+i)*w)
	}
	return true
}

// inHost is the host's memory that a store is, nil if it is not.
func inHost(store any) *hostVals {
	switch s := store.(type) {
	case *hostVals:
		return s
	case *ir.Obj:
		return movedTo(s)
	}
	return nil
}

// heldByHost reports that stores of t are memory that the host can share: structs of
// its own and numbers and strings of its named types.
func heldByHost(t *ir.Type) bool {
	return t.Kind == ir.KindHost && t.Host != nil || t.Named && t.Host != nil && ir.KindTypes[t.Kind] != nil
}

// text is the string of n bytes or runes from off on.
func (h *hostVals) text(off, n int) string {
	if h.t.Kind == reflect.Uint8 {
		return string(bytesOf(h, off, n))
	}
	runes := make([]rune, n)
	for i := range runes {
		runes[i] = rune(h.LdI(off + i))
	}
	return string(runes)
}

// bytesOf are n bytes of a store from off on.
func bytesOf(store any, off, n int) []byte {
	if s, ok := store.(*ir.Num[uint8]); ok {
		return s.V[off : off+n]
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(memOf(store).LdI(off + i))
	}
	return b
}

// copyString writes the bytes of s into a store of bytes.
func copyString(store any, off int, s string) {
	if d, ok := store.(*ir.Num[uint8]); ok {
		copy(d.V[off:], s)
		return
	}
	for i := range len(s) {
		memOf(store).StI(off+i, int64(s[i]))
	}
}
