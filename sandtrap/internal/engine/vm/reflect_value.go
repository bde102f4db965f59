package vm

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// An rvalue is a value as scripts have it as a reflect.Value, which holds a pointer
// to one. Its methods are those of reflect.Value that scripts may use.
type rvalue struct {
	m  *machine
	v  val
	fn *callee // of a method with its receiver, in place of v
}

// reflectValue is v as a reflect.Value.
func (m *machine) reflectValue(v val) reflect.Value {
	if !v.valid() {
		return reflect.Value{}
	}
	m.charge(ir.ObjBytes)
	return reflect.ValueOf(&rvalue{m: m, v: v})
}

// rvalueIn is what a reflect.Value of the script's holds.
func rvalueIn(v reflect.Value) *rvalue {
	if !v.IsValid() {
		return &rvalue{}
	}
	if v.Kind() == reflect.Pointer && v.CanInterface() {
		if r, ok := v.Interface().(*rvalue); ok {
			return r
		}
	}
	throwPlain("a reflect.Value of the host's is not for scripts")
	return nil
}

// asserted is what the reflect.Value that reflect.TypeAssert is given holds.
func asserted(m *machine, in reflect.Value) any {
	r := rvalueIn(in)
	if !r.v.valid() {
		throw(&reflect.ValueError{Method: "reflect.TypeAssert", Kind: reflect.Invalid})
	}
	r.mustShow("TypeAssert")
	return r.v.iface(m)
}

// valueText is the text of a reflect.Value of the script's.
func valueText(v reflect.Value) string { return rvalueIn(v).String() }

// valIn is the value that a reflect.Value of the script's stands for.
func valIn(v reflect.Value) val { return rvalueIn(v).v }

// Format prints a reflect.Value as fmt does, by what it holds.
func (r *rvalue) Format(s fmt.State, verb rune) {
	r.m.format(s, verb, r.v.t, r.v.load(r.m), 0, 0, r.v.flag&hidden == 0)
}

// must panics as reflect does if the value is of no kind that has the method.
func (r *rvalue) must(method string, kinds ...reflect.Kind) {
	if !slices.Contains(kinds, r.Kind()) {
		r.misused(method)
	}
}

func (r *rvalue) misused(method string) {
	throw(&reflect.ValueError{Method: "reflect.Value." + method, Kind: r.Kind()})
}

// mustShow panics as reflect does for a value that came out of a field that is not
// exported.
func (r *rvalue) mustShow(method string) {
	if r.v.flag&hidden != 0 {
		throw("reflect: reflect.Value." + method + " using value obtained using unexported field")
	}
}

func (r *rvalue) IsValid() bool { return r.v.valid() }

func (r *rvalue) Kind() reflect.Kind {
	if !r.v.valid() {
		return reflect.Invalid
	}
	return r.v.kind()
}

func (r *rvalue) Type() reflect.Type {
	if !r.v.valid() {
		r.misused("Type")
	}
	return r.m.reflectType(r.v.t)
}

func (r *rvalue) String() string {
	switch r.Kind() {
	case reflect.Invalid:
		return "<invalid Value>"
	case reflect.String:
		return r.v.str()
	}
	return "<" + r.v.t.Str + " Value>"
}

func (r *rvalue) CanAddr() bool { return r.v.flag&isVar != 0 }
func (r *rvalue) CanSet() bool  { return r.v.settable() }

func (r *rvalue) CanInterface() bool {
	if !r.v.valid() {
		r.misused("CanInterface")
	}
	return r.v.flag&hidden == 0
}

func (r *rvalue) CanInt() bool     { return r.v.valid() && ir.IsInteger(r.v.t) && !ir.IsUnsigned(r.v.t) }
func (r *rvalue) CanUint() bool    { return r.v.valid() && ir.IsUnsigned(r.v.t) }
func (r *rvalue) CanFloat() bool   { return r.v.valid() && ir.IsFloat(r.v.t) }
func (r *rvalue) CanComplex() bool { return r.v.valid() && ir.IsComplex(r.v.t) }

func (r *rvalue) Bool() bool {
	r.must("Bool", reflect.Bool)
	return r.v.int() != 0
}

func (r *rvalue) Int() int64 {
	if !r.CanInt() {
		r.misused("Int")
	}
	return r.v.int()
}

func (r *rvalue) Uint() uint64 {
	if !r.CanUint() {
		r.misused("Uint")
	}
	return uint64(r.v.int())
}

func (r *rvalue) Float() float64 {
	if !r.CanFloat() {
		r.misused("Float")
	}
	return r.v.float()
}

func (r *rvalue) Complex() complex128 {
	if !r.CanComplex() {
		r.misused("Complex")
	}
	return complex(r.v.float(), ir.BitsFloat(r.v.o.LdI(r.v.k+1)))
}

func (r *rvalue) OverflowInt(x int64) bool {
	if !r.CanInt() {
		r.misused("OverflowInt")
	}
	return inspect.OverflowsInt(r.v.t.Kind, x)
}

func (r *rvalue) OverflowUint(x uint64) bool {
	if !r.CanUint() {
		r.misused("OverflowUint")
	}
	return inspect.OverflowsUint(r.v.t.Kind, x)
}

func (r *rvalue) OverflowFloat(x float64) bool {
	if !r.CanFloat() {
		r.misused("OverflowFloat")
	}
	return rtype{m: r.m, t: r.v.t}.OverflowFloat(x)
}

func (r *rvalue) OverflowComplex(x complex128) bool {
	if !r.CanComplex() {
		r.misused("OverflowComplex")
	}
	return rtype{m: r.m, t: r.v.t}.OverflowComplex(x)
}

// isNilKind reports a kind that has nil.
func isNilKind(k reflect.Kind) bool {
	switch k {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return true
	}
	return false
}

func (r *rvalue) IsNil() bool {
	if !isNilKind(r.Kind()) {
		r.misused("IsNil")
	}
	return r.fn == nil && r.v.isNil()
}

func (r *rvalue) IsZero() bool {
	if !r.v.valid() {
		r.misused("IsZero")
	}
	return r.fn == nil && r.m.zero(r.v)
}

func (r *rvalue) Elem() reflect.Value {
	r.must("Elem", reflect.Interface, reflect.Pointer)
	return r.m.reflectValue(r.v.elem(r.m))
}

func (r *rvalue) Addr() reflect.Value {
	if r.v.flag&isVar == 0 {
		throw("reflect.Value.Addr of unaddressable value")
	}
	if r.v.t.Kind == ir.KindHost {
		r.m.mustMake(r.v.t) // it may be part of what the script made
	}
	return r.m.reflectValue(r.v.addr(r.m))
}

func (r *rvalue) Interface() any {
	if !r.v.valid() {
		r.misused("Interface")
	}
	if r.v.flag&hidden != 0 {
		throw("reflect.Value.Interface: cannot return value obtained from unexported field or method")
	}
	if r.fn != nil {
		throwPlain("reflect.Value.Interface: a method cannot be made a function value here: call it with Call")
	}
	x := r.v.iface(r.m)
	if f, ok := x.(*Iface); ok {
		return above.opaque(r.m, f) // which the script gets back as it is
	}
	return x
}

func (r *rvalue) Pointer() uintptr {
	r.must("Pointer", reflect.Pointer, reflect.Chan, reflect.Map, reflect.UnsafePointer, reflect.Func, reflect.Slice, reflect.String)
	if r.Kind() == reflect.String || r.fn != nil {
		throwPlain("reflect.Value.Pointer of a %s is not for scripts", r.Kind())
	}
	return uintptr(r.m.address(r.v.ref()))
}

func (r *rvalue) Comparable() bool {
	return !r.v.valid() || r.m.comparableVal(r.v)
}

// comparableVal reports that == on v does not panic.
func (m *machine) comparableVal(v val) bool {
	m.look()
	switch v.kind() {
	case reflect.Interface:
		e := v.elem(m)
		return !e.valid() || m.comparableVal(e)
	case reflect.Array:
		for i := range v.t.N {
			if !m.comparableVal(v.index(m, i)) {
				return false
			}
		}
	case reflect.Struct:
		for _, f := range m.structFields(v.t) {
			if !m.comparableVal(v.field(m, f)) {
				return false
			}
		}
	}
	return uncomparable(v.t) == nil
}

func (r *rvalue) Equal(u reflect.Value) bool {
	a, b := r.v, valIn(u)
	if r.Kind() == reflect.Interface {
		a = a.elem(r.m)
	}
	if b.valid() && b.kind() == reflect.Interface {
		b = b.elem(r.m)
	}
	if !a.valid() || !b.valid() {
		return a.valid() == b.valid()
	}
	if a.t != b.t {
		return false
	}
	if bad := uncomparable(a.t); bad != nil {
		throw("reflect.Value.Equal: values of type " + a.t.Str + " are not comparable")
	}
	return equalCells(r.m.keys(), a.t, a.load(r.m), 0, b.load(r.m), 0)
}

func (r *rvalue) CanConvert(t reflect.Type) bool {
	to := r.m.typeIn(t)
	if !(rtype{m: r.m, t: r.v.t}).ConvertibleTo(t) {
		return false
	}
	if to.Kind == reflect.Array && r.Kind() == reflect.Slice {
		return to.N <= r.v.length()
	}
	if to.Kind == reflect.Pointer && to.Elem.Kind == reflect.Array && r.Kind() == reflect.Slice {
		return to.Elem.N <= r.v.length()
	}
	return true
}

// zero reports that v is the zero value of its type.
func (m *machine) zero(v val) bool {
	m.look()
	if v.t.Kind == ir.KindHost {
		r := v.o.LdR(v.k)
		return r == nil || reflect.ValueOf(r).Elem().IsZero()
	}
	if v.t.Kind == reflect.Array || v.t.Agg {
		if v.o.LdR(v.k) == nil {
			return true
		}
	}
	switch v.kind() {
	case reflect.Array:
		o, off, n, _ := v.store(m)
		for i := range n {
			if !m.zero(v.at(o, off+i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for _, f := range m.structFields(v.t) {
			if !m.zero(v.field(m, f)) {
				return false
			}
		}
		return true
	case reflect.String:
		return v.str() == ""
	case reflect.Float32, reflect.Float64:
		return v.float() == 0
	case reflect.Complex64, reflect.Complex128:
		return v.float() == 0 && ir.BitsFloat(v.o.LdI(v.k+1)) == 0
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.isNil()
	}
	return v.int() == 0
}
