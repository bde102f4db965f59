package vm

import (
	"go/types"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// assigned is x as a value of type t, to which it must be assignable; where says by
// whom it is wanted.
func (m *machine) assigned(where string, x *rvalue, t *ir.Type) *ir.Obj {
	if !x.v.valid() {
		x.misused("Set")
	}
	if !types.AssignableTo(x.v.t.T, t.T) {
		throw(where + ": value of type " + x.v.t.Str + " is not assignable to type " + t.Str)
	}
	if t.Kind == reflect.Interface && x.v.t.Kind != reflect.Interface {
		return &ir.Obj{R: []any{x.v.iface(m)}}
	}
	return x.v.load(m)
}

func (r *rvalue) settable(method string) {
	if !r.v.valid() {
		r.misused(method)
	}
	r.v.mustBeSettable(method)
}

func (r *rvalue) Set(x reflect.Value) {
	r.settable("Set")
	from := rvalueIn(x)
	from.mustShow("Set")
	r.v.set(r.m, r.m.assigned("reflect.Set", from, r.v.t), 0)
}

func (r *rvalue) SetZero() {
	r.settable("SetZero")
	r.v.setZero(r.m)
}

func (r *rvalue) SetBool(x bool) {
	r.settable("SetBool")
	r.must("SetBool", reflect.Bool)
	r.v.setInt(ir.BoolBits(x))
}

func (r *rvalue) SetInt(x int64) {
	r.settable("SetInt")
	if !r.CanInt() {
		r.misused("SetInt")
	}
	n := 64 - ir.KindTypes[r.v.t.Kind].Bits()
	r.v.setInt(x << n >> n)
}

func (r *rvalue) SetUint(x uint64) {
	r.settable("SetUint")
	if !r.CanUint() {
		r.misused("SetUint")
	}
	n := 64 - ir.KindTypes[r.v.t.Kind].Bits()
	r.v.setInt(int64(x << n >> n))
}

func (r *rvalue) SetFloat(x float64) {
	r.settable("SetFloat")
	if !r.CanFloat() {
		r.misused("SetFloat")
	}
	r.v.setFloat(x)
}

func (r *rvalue) SetComplex(x complex128) {
	r.settable("SetComplex")
	if !r.CanComplex() {
		r.misused("SetComplex")
	}
	if r.v.t.Kind == reflect.Complex64 {
		x = complex128(complex64(x))
	}
	r.v.set(r.m, &ir.Obj{I: []int64{ir.FloatBits(real(x)), ir.FloatBits(imag(x))}, S: []string{"", ""}, R: []any{nil, nil}}, 0)
}

func (r *rvalue) SetString(x string) {
	r.settable("SetString")
	r.must("SetString", reflect.String)
	r.v.setStr(x)
}

func (r *rvalue) SetBytes(x []byte) {
	r.settable("SetBytes")
	r.must("SetBytes", reflect.Slice)
	if r.v.t.Elem.Kind != reflect.Uint8 {
		throw("reflect.Value.SetBytes of non-byte slice")
	}
	if x == nil {
		r.v.setZero(r.m)
		return
	}
	r.v.set(r.m, sliceCells(&ir.Num[uint8]{V: x[:cap(x)]}, 0, len(x), cap(x)), 0)
}

func (r *rvalue) SetLen(n int) {
	r.settable("SetLen")
	r.must("SetLen", reflect.Slice)
	o, off, _, c := r.v.store(r.m)
	if n < 0 || n > c {
		throw("reflect: slice length out of range in SetLen")
	}
	r.v.set(r.m, sliceCells(o, off, n, c), 0)
}

func (r *rvalue) SetCap(n int) {
	r.settable("SetCap")
	r.must("SetCap", reflect.Slice)
	o, off, have, c := r.v.store(r.m)
	if n < have || n > c {
		throw("reflect: slice capacity out of range in SetCap")
	}
	r.v.set(r.m, sliceCells(o, off, have, n), 0)
}

func (r *rvalue) Grow(n int) {
	r.settable("Grow")
	r.must("Grow", reflect.Slice)
	if n < 0 {
		throw("reflect.Value.Grow: negative len")
	}
	o, off, have, c := r.v.store(r.m)
	if int64(have)+int64(n) > maxElems {
		throw("reflect.Value.Grow: slice overflow")
	}
	if have+n > c {
		o, off, c = r.m.grown(r.v.t.Elem, o, off, have, r.m.capacity(r.v.t.Elem, c, have+n))
	}
	r.v.set(r.m, sliceCells(o, off, have, c), 0)
}

// grown copies n elements into a store of capacity c.
func (m *machine) grown(elem *ir.Type, o any, off, n, c int) (store any, at, capacity int) {
	m.refuseHuge(int64(c), elem)
	m.alloc(ir.StoreBytes(elem, int64(c)))
	fresh := m.storeFor(elem, c)
	if o != nil {
		storeCopy(elem, fresh, 0, o, off, n)
	}
	return fresh, 0, c
}

func (r *rvalue) Clear() {
	switch r.Kind() {
	case reflect.Slice:
		for i := range r.v.length() {
			r.m.look()
			r.v.index(r.m, i).setZero(r.m)
		}
	case reflect.Map:
		if h, _ := r.v.ref().(*Map); h != nil {
			h.clear()
		}
	default:
		r.misused("Clear")
	}
}

func (r *rvalue) Convert(t reflect.Type) reflect.Value {
	if !r.v.valid() {
		r.misused("Convert")
	}
	to := r.m.typeIn(t)
	if !types.ConvertibleTo(r.v.t.T, to.T) {
		throw("reflect.Value.Convert: value of type " + r.v.t.Str + " cannot be converted to type " + to.Str)
	}
	v := r.m.newVal(to)
	r.m.convert(v, r.v)
	v.flag = r.v.flag & hidden
	return r.m.reflectValue(v)
}

// convert makes the variable to the value of from in its type.
func (m *machine) convert(to, from val) {
	rt := ir.KindTypes[to.t.Kind]
	ft := ir.KindTypes[from.t.Kind]
	switch {
	case to.t.Kind == reflect.Interface:
		to.setRef(from.iface(m))
	case rt != nil && ft != nil: // numbers and strings as Go converts them
		x := toHost(m, from.t, from.load(m), 0, ft).Convert(rt)
		m.charge(madeBytes(x))
		o := m.newCells(to.t)
		fromHost(m, x, to.t, o, 0)
		to.set(m, o, 0)
	case rt != nil || ft != nil: // between strings and slices
		m.convertText(to, from)
	case ir.SameForm(to.t, from.t):
		to.set(m, from.load(m), 0)
	default:
		throwPlain("reflect.Value.Convert: from %s to %s is not for scripts", from.t.Str, to.t.Str)
	}
}

// convertText converts between a string and bytes or runes.
func (m *machine) convertText(to, from val) {
	m.charge(4 * int64(from.length()))
	if stop := m.seam.Meter.Afford(time.Duration(from.length()) * gates.TickTime); stop != nil {
		m.halt(&stopped{gate: stop})
	}
	switch {
	case to.t.Kind == reflect.String && from.t.Elem.Kind == reflect.Uint8:
		o, off, n, _ := from.store(m)
		to.setStr(string(bytesOf(o, off, n)))
	case to.t.Kind == reflect.String:
		o, off, n, _ := from.store(m)
		runes := make([]rune, n)
		for i := range runes {
			runes[i] = rune(memOf(o).LdI(off + i))
		}
		to.setStr(string(runes))
	case to.t.Elem.Kind == reflect.Uint8:
		fill(m, to, []byte(from.str()))
	default:
		fill(m, to, []rune(from.str()))
	}
}

// fill makes the slice v of numbers.
func fill[T byte | rune](m *machine, v val, list []T) {
	m.alloc(ir.StoreBytes(v.t.Elem, int64(len(list))))
	o := m.followAny(newStore(v.t.Elem, len(list)))
	for i, x := range list {
		memOf(o).StI(i, int64(x))
	}
	v.set(m, sliceCells(o, 0, len(list), len(list)), 0)
}
