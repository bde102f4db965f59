package exec

import (
	"reflect"
	"runtime"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// EqualCells is == on two values of type t.
func EqualCells(p *Recursion, t *ir.Type, a Bank, ai int, b Bank, bi int) bool {
	switch t.Kind {
	case reflect.Float32, reflect.Float64:
		return ir.BitsFloat(a.I[ai]) == ir.BitsFloat(b.I[bi])
	case reflect.Complex64, reflect.Complex128:
		return ir.BitsFloat(a.I[ai]) == ir.BitsFloat(b.I[bi]) && ir.BitsFloat(a.I[ai+1]) == ir.BitsFloat(b.I[bi+1])
	case reflect.String:
		return p.same(a.S[ai], b.S[bi])
	case reflect.Pointer, reflect.UnsafePointer:
		if t.Elem != nil && t.Elem.ZeroSize() {
			return (a.R[ai] == nil) == (b.R[bi] == nil)
		}
		return equalPtr(a.R[ai], a.I[ai], t.W() == 2, b.R[bi], b.I[bi], func() (int64, int64) { return a.I[ai+1], b.I[bi+1] })
	case reflect.Interface:
		return EqualIface(p, a.R[ai], b.R[bi])
	case reflect.Map, reflect.Chan, reflect.Func, reflect.Slice:
		return a.R[ai] == b.R[bi]
	case reflect.Struct:
		if t.Agg {
			return equalStruct(p, t, AsObj(t, a.R[ai]), 0, AsObj(t, b.R[bi]), 0)
		}
		return equalStruct(p, t, a, ai, b, bi)
	case reflect.Array:
		return equalArray(p, t, a.R[ai], b.R[bi])
	case ir.KindHost:
		return equalHost(p, HostDeref(t, a.R[ai]).Interface(), HostDeref(t, b.R[bi]).Interface())
	case reflect.Invalid:
		return true
	}
	return a.I[ai] == b.I[bi]
}

func equalStruct(p *Recursion, t *ir.Type, a Bank, ai int, b Bank, bi int) bool {
	for _, f := range t.Fields {
		if f.Name != "_" && !EqualCells(p, f.Typ, a, ai+f.Off, b, bi+f.Off) {
			return false
		}
	}
	return true
}

func equalArray(p *Recursion, t *ir.Type, a, b any) bool {
	if a == nil {
		a = NewAgg(t)
	}
	if b == nil {
		b = NewAgg(t)
	}
	for i := range t.N {
		p.step()
		x, y := ElemCells(t.Elem, a, i), ElemCells(t.Elem, b, i)
		if !EqualCells(p, t.Elem, x, 0, y, 0) {
			return false
		}
	}
	return true
}

func equalPtr(ra any, ia int64, array bool, rb any, ib int64, offs func() (int64, int64)) bool {
	if array && ra != nil && rb != nil {
		x, y := offs()
		ia, ib = x>>32, y>>32
	}
	if ra == nil || rb == nil {
		return ra == nil && rb == nil
	}
	return ra == rb && ia == ib
}

// EqualIface is == on interface values; it panics as Go does on types that
// cannot be compared.
func EqualIface(p *Recursion, a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	fa, ok1 := a.(*Iface)
	fb, ok2 := b.(*Iface)
	if ok1 != ok2 {
		return false
	}
	if !ok1 {
		if x, ok := a.(string); ok {
			y, ok := b.(string)
			return ok && p.same(x, y)
		}
		return equalHost(p, a, b)
	}
	if fa.T != fb.T {
		return false
	}
	if bad := Uncomparable(fa.T); bad != nil {
		Throwf("comparing uncomparable type %s", bad.Str)
	}
	x, y := IfaceCells(fa), IfaceCells(fb)
	p.in()
	equal := EqualCells(p, fa.T, x, 0, y, 0)
	p.out()
	return equal
}

// equalHost is == on two values of the host's.
func equalHost(p *Recursion, a, b any) bool {
	defer func() {
		if err, ok := recover().(runtime.Error); ok { // what they hold cannot be compared
			if !reflect.TypeOf(a).Comparable() {
				Throwf("comparing uncomparable type %s", p.nameOf(a))
			}
			Throw(err)
		}
	}()
	return a == b
}

// Uncomparable gives the type to blame, or nil.
func Uncomparable(t *ir.Type) *ir.Type {
	switch t.Kind {
	case reflect.Slice, reflect.Map, reflect.Func:
		return t
	case ir.KindHost:
		if !t.Mem.Comparable() {
			return t
		}
	case reflect.Array:
		if Uncomparable(t.Elem) != nil {
			return t
		}
	case reflect.Struct:
		for _, f := range t.Fields {
			if Uncomparable(f.Typ) != nil {
				return t
			}
		}
	}
	return nil
}

// maxRecursion bounds how deep values may lie in each other where the engine walks them
// on the Go stack, whose end would be that of the process.
const maxRecursion = 20_000

// Recursion counts how deep such a walk is. The walks are those of one machine; a nil
// nest counts nothing.
type Recursion struct {
	n      int
	M      *Machine
	Exact  bool // keys tell zeros and NaNs apart that Go's maps do not
	Absent bool // the map that is asked for the key has no entries
}

// nameOf is the name of the type of a value of the host's, for the script if there is one.
func (d *Recursion) nameOf(v any) string {
	if d == nil || d.M == nil {
		return reflect.TypeOf(v).String()
	}
	return d.M.DynName(v)
}

func (d *Recursion) exactly() bool { return d != nil && d.Exact }

// step lets a stop through in a walk over many parts.
func (d *Recursion) step() {
	if d != nil {
		d.M.Poll()
	}
}

// read lets a stop through where a long text is hashed.
func (d *Recursion) read(n int) {
	if d != nil && n >= longText {
		d.M.CountCopied(n)
	}
}

const longText = 4 << 10

// same is == on texts, which may be long.
func (d *Recursion) same(a, b string) bool {
	if d == nil || len(a) != len(b) {
		return a == b
	}
	return d.M.SameText(a, b)
}

func (d *Recursion) in() {
	if d == nil {
		return
	}
	d.step()
	if d.n++; d.n > maxRecursion {
		d.n = 0
		panic(HaltPanic{&Stopped{Reason: "depth", Text: "values are nested too deep, or in a circle"}})
	}
}

func (d *Recursion) out() {
	if d != nil {
		d.n--
	}
}

// Keys is the count for comparisons and map keys, which call nothing of the
// script's; a panic may have left it above zero.
func (m *Machine) Keys() *Recursion {
	if m == nil {
		return nil
	}
	m.keyNest = Recursion{M: m}
	return &m.keyNest
}

// Deeper and shallower bracket one level of a walk that may call the script.
func (m *Machine) Deeper() {
	if m.walkNest++; m.walkNest > maxRecursion {
		m.Halt(&Stopped{Reason: "depth", Text: "values are nested too deep, or in a circle"})
	}
}

func (m *Machine) Shallower() { m.walkNest-- }
