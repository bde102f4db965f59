package vm

import (
	"reflect"
	"runtime"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// equalCells is == on two values of type t.
func equalCells(p *nest, t *ir.Type, a bank, ai int, b bank, bi int) bool {
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
		return equalIface(p, a.R[ai], b.R[bi])
	case reflect.Map, reflect.Chan, reflect.Func, reflect.Slice:
		return a.R[ai] == b.R[bi]
	case reflect.Struct:
		if t.Agg {
			return equalStruct(p, t, asObj(t, a.R[ai]), 0, asObj(t, b.R[bi]), 0)
		}
		return equalStruct(p, t, a, ai, b, bi)
	case reflect.Array:
		return equalArray(p, t, a.R[ai], b.R[bi])
	case ir.KindHost:
		return equalHost(hostDeref(t, a.R[ai]).Interface(), hostDeref(t, b.R[bi]).Interface())
	case reflect.Invalid:
		return true
	}
	return a.I[ai] == b.I[bi]
}

func equalStruct(p *nest, t *ir.Type, a bank, ai int, b bank, bi int) bool {
	for _, f := range t.Fields {
		if f.Name != "_" && !equalCells(p, f.Typ, a, ai+f.Off, b, bi+f.Off) {
			return false
		}
	}
	return true
}

func equalArray(p *nest, t *ir.Type, a, b any) bool {
	if a == nil {
		a = newAgg(t)
	}
	if b == nil {
		b = newAgg(t)
	}
	for i := range t.N {
		p.step()
		x, y := elemCells(t.Elem, a, i), elemCells(t.Elem, b, i)
		if !equalCells(p, t.Elem, x, 0, y, 0) {
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

// equalIface is == on interface values; it panics as Go does on types that
// cannot be compared.
func equalIface(p *nest, a, b any) bool {
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
		return equalHost(a, b)
	}
	if fa.T != fb.T {
		return false
	}
	if bad := uncomparable(fa.T); bad != nil {
		throwf("comparing uncomparable type %s", bad.Str)
	}
	x, y := ifaceCells(fa), ifaceCells(fb)
	p.in()
	equal := equalCells(p, fa.T, x, 0, y, 0)
	p.out()
	return equal
}

// equalHost is == on two values of the host's.
func equalHost(a, b any) bool {
	defer func() {
		if err, ok := recover().(runtime.Error); ok { // what they hold cannot be compared
			throw(err)
		}
	}()
	return a == b
}

// uncomparable gives the type to blame, or nil.
func uncomparable(t *ir.Type) *ir.Type {
	switch t.Kind {
	case reflect.Slice, reflect.Map, reflect.Func:
		return t
	case ir.KindHost:
		if !t.Mem.Comparable() {
			return t
		}
	case reflect.Array:
		if uncomparable(t.Elem) != nil {
			return t
		}
	case reflect.Struct:
		for _, f := range t.Fields {
			if uncomparable(f.Typ) != nil {
				return t
			}
		}
	}
	return nil
}

// maxNest bounds how deep values may lie in each other where the engine walks them
// on the Go stack, whose end would be that of the process.
const maxNest = 20_000

// nest counts how deep such a walk is. The walks are those of one machine; a nil
// nest counts nothing.
type nest struct {
	n      int
	m      *machine
	exact  bool // keys tell zeros and NaNs apart that Go's maps do not
	absent bool // the map that is asked for the key has no entries
}

func (d *nest) exactly() bool { return d != nil && d.exact }

// step lets a stop through in a walk over many parts.
func (d *nest) step() {
	if d != nil {
		d.m.look()
	}
}

// read lets a stop through where a long text is hashed.
func (d *nest) read(n int) {
	if d != nil && n >= longText {
		d.m.moved(n)
	}
}

const longText = 4 << 10

// same is == on texts, which may be long.
func (d *nest) same(a, b string) bool {
	if d == nil || len(a) != len(b) {
		return a == b
	}
	return d.m.sameText(a, b)
}

func (d *nest) in() {
	if d == nil {
		return
	}
	d.step()
	if d.n++; d.n > maxNest {
		d.n = 0
		panic(haltPanic{&stopped{reason: "depth", text: "values are nested too deep, or in a circle"}})
	}
}

func (d *nest) out() {
	if d != nil {
		d.n--
	}
}

// keys is the count for comparisons and map keys, which call nothing of the
// script's; a panic may have left it above zero.
func (m *machine) keys() *nest {
	if m == nil {
		return nil
	}
	m.keyNest = nest{m: m}
	return &m.keyNest
}

// deeper and shallower bracket one level of a walk that may call the script.
func (m *machine) deeper() {
	if m.walkNest++; m.walkNest > maxNest {
		m.halt(&stopped{reason: "depth", text: "values are nested too deep, or in a circle"})
	}
}

func (m *machine) shallower() { m.walkNest-- }
