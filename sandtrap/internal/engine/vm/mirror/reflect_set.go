package mirror

import (
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// assigned is x as a value of type t, to which it must be assignable; where says by
// whom it is wanted.
func assigned(m *exec.Machine, where string, x *Rvalue, t *ir.Type) *ir.Obj {
	if !x.v.Valid() {
		x.misused("Set")
	}
	if !Assignable(m, x.v.T, t) {
		exec.Throw(where + ": value of type " + x.v.T.Str + " is not assignable to type " + t.Str)
	}
	if t.Kind == reflect.Interface && x.v.T.Kind != reflect.Interface {
		return &ir.Obj{R: []any{x.v.Iface(m)}}
	}
	return x.v.Load(m)
}

func (r *Rvalue) settable(method string) {
	if !r.v.Valid() {
		r.misused(method)
	}
	r.v.mustBeSettable(method)
}

func (r *Rvalue) Set(x reflect.Value) {
	r.settable("Set")
	from := RvalueIn(x)
	from.mustShow("Set")
	r.v.Set(r.m, assigned(r.m, "reflect.Set", from, r.v.T), 0)
}

func (r *Rvalue) SetZero() {
	r.settable("SetZero")
	r.v.setZero(r.m)
}

func (r *Rvalue) SetBool(x bool) {
	r.settable("SetBool")
	r.must("SetBool", reflect.Bool)
	r.v.SetInt(ir.BoolBits(x))
}

func (r *Rvalue) SetInt(x int64) {
	r.settable("SetInt")
	if !r.CanInt() {
		r.misused("SetInt")
	}
	n := 64 - ir.KindTypes[r.v.T.Kind].Bits()
	r.v.SetInt(x << n >> n)
}

func (r *Rvalue) SetUint(x uint64) {
	r.settable("SetUint")
	if !r.CanUint() {
		r.misused("SetUint")
	}
	n := 64 - ir.KindTypes[r.v.T.Kind].Bits()
	r.v.SetInt(int64(x << n >> n))
}

func (r *Rvalue) SetFloat(x float64) {
	r.settable("SetFloat")
	if !r.CanFloat() {
		r.misused("SetFloat")
	}
	r.v.setFloat(x)
}

func (r *Rvalue) SetComplex(x complex128) {
	r.settable("SetComplex")
	if !r.CanComplex() {
		r.misused("SetComplex")
	}
	if r.v.T.Kind == reflect.Complex64 {
		x = complex128(complex64(x))
	}
	r.v.Set(r.m, &ir.Obj{I: []int64{ir.FloatBits(real(x)), ir.FloatBits(imag(x))}, S: []string{"", ""}, R: []any{nil, nil}}, 0)
}

func (r *Rvalue) SetString(x string) {
	r.settable("SetString")
	r.must("SetString", reflect.String)
	r.v.SetStr(x)
}

func (r *Rvalue) SetBytes(x []byte) {
	r.settable("SetBytes")
	r.must("SetBytes", reflect.Slice)
	if r.v.T.Elem.Kind != reflect.Uint8 {
		exec.Throw("reflect.Value.SetBytes of non-byte slice")
	}
	if x == nil {
		r.v.setZero(r.m)
		return
	}
	r.v.Set(r.m, SliceCells(&ir.Num[uint8]{V: x[:cap(x)]}, 0, len(x), cap(x)), 0)
}

func (r *Rvalue) SetLen(n int) {
	r.settable("SetLen")
	r.must("SetLen", reflect.Slice)
	o, off, _, c := r.v.store(r.m)
	if n < 0 || n > c {
		exec.Throw("reflect: slice length out of range in SetLen")
	}
	r.v.Set(r.m, SliceCells(o, off, n, c), 0)
}

func (r *Rvalue) SetCap(n int) {
	r.settable("SetCap")
	r.must("SetCap", reflect.Slice)
	o, off, have, c := r.v.store(r.m)
	if n < have || n > c {
		exec.Throw("reflect: slice capacity out of range in SetCap")
	}
	r.v.Set(r.m, SliceCells(o, off, have, n), 0)
}

func (r *Rvalue) Grow(n int) {
	r.settable("Grow")
	r.must("Grow", reflect.Slice)
	if n < 0 {
		exec.Throw("reflect.Value.Grow: negative len")
	}
	o, off, have, c := r.v.store(r.m)
	if int64(have)+int64(n) > exec.MaxElems {
		exec.Throw("reflect.Value.Grow: slice overflow")
	}
	if have+n > c {
		o, off, c = grown(r.m, r.v.T.Elem, o, off, have, r.m.Capacity(r.v.T.Elem, c, have+n))
	}
	r.v.Set(r.m, SliceCells(o, off, have, c), 0)
}

// grown copies n elements into a store of capacity c.
func grown(m *exec.Machine, elem *ir.Type, o any, off, n, c int) (store any, at, capacity int) {
	m.RefuseHuge(int64(c), elem)
	m.Alloc(ir.StoreBytes(elem, int64(c)))
	fresh := m.AllocStore(elem, c)
	if o != nil {
		exec.StoreCopy(elem, fresh, 0, o, off, n)
	}
	return fresh, 0, c
}

func (r *Rvalue) Clear() {
	switch r.Kind() {
	case reflect.Slice:
		for i := range r.v.Len() {
			r.m.Poll()
			r.v.Index(r.m, i).setZero(r.m)
		}
	case reflect.Map:
		if h, _ := r.v.Ref().(*exec.Map); h != nil {
			h.Clear()
		}
	default:
		r.misused("Clear")
	}
}

func (r *Rvalue) Convert(t reflect.Type) reflect.Value {
	if !r.v.Valid() {
		r.misused("Convert")
	}
	to := typeIn(r.m, t)
	if !(Rtype{m: r.m, t: r.v.T}).ConvertibleTo(t) {
		exec.Throw("reflect.Value.Convert: value of type " + r.v.T.Str + " cannot be converted to type " + to.Str)
	}
	v := NewVal(r.m, to)
	convert(r.m, v, r.v)
	v.flag = r.v.flag & hidden
	return reflectValue(r.m, v)
}

// convert makes the variable to the value of from in its type.
func convert(m *exec.Machine, to, from Val) {
	rt := ir.KindTypes[to.T.Kind]
	ft := ir.KindTypes[from.T.Kind]
	switch {
	case to.T.Kind == reflect.Interface:
		to.SetRef(from.Iface(m))
	case rt != nil && ft != nil: // numbers and strings as Go converts them
		x := exec.ToHost(m, from.T, from.Load(m), 0, ft).Convert(rt)
		m.Charge(exec.MadeBytes(x))
		o := NewCells(m, to.T)
		exec.FromHost(m, x, to.T, o, 0)
		to.Set(m, o, 0)
	case rt != nil || ft != nil: // between strings and slices
		convertText(m, to, from)
	case ir.SameForm(to.T, from.T):
		to.Set(m, from.Load(m), 0)
	default:
		exec.ThrowPlain("reflect.Value.Convert: from %s to %s is not for scripts", from.T.Str, to.T.Str)
	}
}

// convertText converts between a string and bytes or runes.
func convertText(m *exec.Machine, to, from Val) {
	m.Charge(4 * int64(from.Len()))
	if stop := m.Host.Meter.Afford(time.Duration(from.Len()) * gates.TickTime); stop != nil {
		m.Halt(&exec.Stopped{Gate: stop})
	}
	switch {
	case to.T.Kind == reflect.String && from.T.Elem.Kind == reflect.Uint8:
		o, off, n, _ := from.store(m)
		to.SetStr(string(exec.BytesOf(o, off, n)))
	case to.T.Kind == reflect.String:
		o, off, n, _ := from.store(m)
		runes := make([]rune, n)
		for i := range runes {
			runes[i] = rune(exec.MemOf(o).LdI(off + i))
		}
		to.SetStr(string(runes))
	case to.T.Elem.Kind == reflect.Uint8:
		fill(m, to, []byte(from.Str()))
	default:
		fill(m, to, []rune(from.Str()))
	}
}

// fill makes the slice v of numbers.
func fill[T byte | rune](m *exec.Machine, v Val, list []T) {
	m.Alloc(ir.StoreBytes(v.T.Elem, int64(len(list))))
	o := m.FollowAny(exec.NewStore(v.T.Elem, len(list)))
	for i, x := range list {
		exec.MemOf(o).StI(i, int64(x))
	}
	v.Set(m, SliceCells(o, 0, len(list), len(list)), 0)
}
