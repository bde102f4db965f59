package mirror

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// An Rvalue is a value as scripts have it as a reflect.Value, which holds a pointer
// to one. Its methods are those of reflect.Value that scripts may use.
type Rvalue struct {
	m  *exec.Machine
	v  Val
	fn *Callee // of a method with its receiver, in place of v
}

// reflectValue is v as a reflect.Value.
func reflectValue(m *exec.Machine, v Val) reflect.Value {
	if !v.Valid() {
		return reflect.Value{}
	}
	m.Charge(ir.ObjBytes)
	return reflect.ValueOf(&Rvalue{m: m, v: v})
}

// RvalueIn is what a reflect.Value of the script's holds.
func RvalueIn(v reflect.Value) *Rvalue {
	if !v.IsValid() {
		return &Rvalue{}
	}
	if v.Kind() == reflect.Pointer && v.CanInterface() {
		if r, ok := v.Interface().(*Rvalue); ok {
			return r
		}
	}
	exec.ThrowPlain("a reflect.Value of the host's is not for scripts")
	return nil
}

// Asserted is what the reflect.Value that reflect.TypeAssert is given holds.
func Asserted(m *exec.Machine, in reflect.Value) any {
	r := RvalueIn(in)
	if !r.v.Valid() {
		exec.Throw(&reflect.ValueError{Method: "reflect.TypeAssert", Kind: reflect.Invalid})
	}
	r.mustShow("TypeAssert")
	return r.v.Iface(m)
}

// ValueText is the text of a reflect.Value of the script's.
func ValueText(v reflect.Value) string { return RvalueIn(v).String() }

// valIn is the value that a reflect.Value of the script's stands for.
func valIn(v reflect.Value) Val { return RvalueIn(v).v }

// Format prints a reflect.Value as fmt does, by what it holds.
func (r *Rvalue) Format(s fmt.State, verb rune) {
	printer.Format(r.m, s, verb, r.v.T, r.v.Load(r.m), 0, 0, r.v.flag&hidden == 0)
}

// must panics as reflect does if the value is of no kind that has the method.
func (r *Rvalue) must(method string, kinds ...reflect.Kind) {
	if !slices.Contains(kinds, r.Kind()) {
		r.misused(method)
	}
}

func (r *Rvalue) misused(method string) {
	exec.Throw(&reflect.ValueError{Method: "reflect.Value." + method, Kind: r.Kind()})
}

// mustShow panics as reflect does for a value that came out of a field that is not
// exported.
func (r *Rvalue) mustShow(method string) {
	if r.v.flag&hidden != 0 {
		exec.Throw("reflect: reflect.Value." + method + " using value obtained using unexported field")
	}
}

func (r *Rvalue) IsValid() bool { return r.v.Valid() }

func (r *Rvalue) Kind() reflect.Kind {
	if !r.v.Valid() {
		return reflect.Invalid
	}
	return r.v.Kind()
}

func (r *Rvalue) Type() reflect.Type {
	if !r.v.Valid() {
		r.misused("Type")
	}
	return ReflectType(r.m, r.v.T)
}

func (r *Rvalue) String() string {
	switch r.Kind() {
	case reflect.Invalid:
		return "<invalid Value>"
	case reflect.String:
		return r.v.Str()
	}
	return "<" + r.v.T.Str + " Value>"
}

func (r *Rvalue) CanAddr() bool { return r.v.flag&isVar != 0 }
func (r *Rvalue) CanSet() bool  { return r.v.settable() }

func (r *Rvalue) CanInterface() bool {
	if !r.v.Valid() {
		r.misused("CanInterface")
	}
	return r.v.flag&hidden == 0
}

func (r *Rvalue) CanInt() bool     { return r.v.Valid() && ir.IsInteger(r.v.T) && !ir.IsUnsigned(r.v.T) }
func (r *Rvalue) CanUint() bool    { return r.v.Valid() && ir.IsUnsigned(r.v.T) }
func (r *Rvalue) CanFloat() bool   { return r.v.Valid() && ir.IsFloat(r.v.T) }
func (r *Rvalue) CanComplex() bool { return r.v.Valid() && ir.IsComplex(r.v.T) }

func (r *Rvalue) Bool() bool {
	r.must("Bool", reflect.Bool)
	return r.v.Int() != 0
}

func (r *Rvalue) Int() int64 {
	if !r.CanInt() {
		r.misused("Int")
	}
	return r.v.Int()
}

func (r *Rvalue) Uint() uint64 {
	if !r.CanUint() {
		r.misused("Uint")
	}
	return uint64(r.v.Int())
}

func (r *Rvalue) Float() float64 {
	if !r.CanFloat() {
		r.misused("Float")
	}
	return r.v.Float()
}

func (r *Rvalue) Complex() complex128 {
	if !r.CanComplex() {
		r.misused("Complex")
	}
	return r.v.Complex()
}

func (r *Rvalue) OverflowInt(x int64) bool {
	if !r.CanInt() {
		r.misused("OverflowInt")
	}
	return inspect.OverflowsInt(r.v.T.Kind, x)
}

func (r *Rvalue) OverflowUint(x uint64) bool {
	if !r.CanUint() {
		r.misused("OverflowUint")
	}
	return inspect.OverflowsUint(r.v.T.Kind, x)
}

func (r *Rvalue) OverflowFloat(x float64) bool {
	if !r.CanFloat() {
		r.misused("OverflowFloat")
	}
	return Rtype{m: r.m, t: r.v.T}.OverflowFloat(x)
}

func (r *Rvalue) OverflowComplex(x complex128) bool {
	if !r.CanComplex() {
		r.misused("OverflowComplex")
	}
	return Rtype{m: r.m, t: r.v.T}.OverflowComplex(x)
}

func (r *Rvalue) IsNil() bool {
	if !kinds.Nilable.Has(r.Kind()) {
		r.misused("IsNil")
	}
	return r.fn == nil && r.v.isNil()
}

func (r *Rvalue) IsZero() bool {
	if !r.v.Valid() {
		r.misused("IsZero")
	}
	return r.fn == nil && zero(r.m, r.v)
}

func (r *Rvalue) Elem() reflect.Value {
	r.must("Elem", reflect.Interface, reflect.Pointer)
	return reflectValue(r.m, r.v.Elem(r.m))
}

func (r *Rvalue) Addr() reflect.Value {
	if r.v.flag&isVar == 0 {
		exec.Throw("reflect.Value.Addr of unaddressable value")
	}
	if r.v.T.Kind == ir.KindHost {
		r.m.MustMake(r.v.T) // it may be part of what the script made
	}
	return reflectValue(r.m, r.v.Addr(r.m))
}

func (r *Rvalue) Interface() any {
	if !r.v.Valid() {
		r.misused("Interface")
	}
	if r.v.flag&hidden != 0 {
		exec.Throw("reflect.Value.Interface: cannot return value obtained from unexported field or method")
	}
	if r.fn != nil {
		exec.ThrowPlain("reflect.Value.Interface: a method cannot be made a function value here: call it with Call")
	}
	x := r.v.Iface(r.m)
	if f, ok := x.(*exec.Iface); ok {
		return exec.Above.Opaque(r.m, f) // which the script gets back as it is
	}
	return x
}

func (r *Rvalue) Pointer() uintptr {
	r.must("Pointer", reflect.Pointer, reflect.Chan, reflect.Map, reflect.UnsafePointer, reflect.Func, reflect.Slice, reflect.String)
	if r.Kind() == reflect.String || r.fn != nil {
		exec.ThrowPlain("reflect.Value.Pointer of a %s is not for scripts", r.Kind())
	}
	return uintptr(r.m.Address(r.v.Ref()))
}

func (r *Rvalue) Comparable() bool {
	return !r.v.Valid() || comparableVal(r.m, r.v)
}

// comparableVal reports that == on v does not panic.
func comparableVal(m *exec.Machine, v Val) bool {
	m.Poll()
	switch v.Kind() {
	case reflect.Interface:
		e := v.Elem(m)
		return !e.Valid() || comparableVal(m, e)
	case reflect.Array:
		for i := range v.T.N {
			if !comparableVal(m, v.Index(m, i)) {
				return false
			}
		}
	case reflect.Struct:
		for _, f := range StructFields(m, v.T) {
			if !comparableVal(m, v.Field(m, f)) {
				return false
			}
		}
	}
	return exec.Uncomparable(v.T) == nil
}

func (r *Rvalue) Equal(u reflect.Value) bool {
	a, b := r.v, valIn(u)
	if r.Kind() == reflect.Interface {
		a = a.Elem(r.m)
	}
	if b.Valid() && b.Kind() == reflect.Interface {
		b = b.Elem(r.m)
	}
	if !a.Valid() || !b.Valid() {
		return a.Valid() == b.Valid()
	}
	if a.T != b.T {
		return false
	}
	if bad := exec.Uncomparable(a.T); bad != nil {
		exec.Throw("reflect.Value.Equal: values of type " + a.T.Str + " are not comparable")
	}
	return exec.EqualCells(r.m.Keys(), a.T, a.Load(r.m), 0, b.Load(r.m), 0)
}

func (r *Rvalue) CanConvert(t reflect.Type) bool {
	to := typeIn(r.m, t)
	if !(Rtype{m: r.m, t: r.v.T}).ConvertibleTo(t) {
		return false
	}
	if to.Kind == reflect.Array && r.Kind() == reflect.Slice {
		return to.N <= r.v.Len()
	}
	if to.Kind == reflect.Pointer && to.Elem.Kind == reflect.Array && r.Kind() == reflect.Slice {
		return to.Elem.N <= r.v.Len()
	}
	return true
}

// IsZero reports that v is the zero value of its type.
func (v Val) IsZero(m *exec.Machine) bool { return zero(m, v) }

// zero reports that v is the zero value of its type.
func zero(m *exec.Machine, v Val) bool {
	m.Poll()
	if v.T.Kind == ir.KindHost {
		r := v.O.LdR(v.k)
		return r == nil || reflect.ValueOf(r).Elem().IsZero()
	}
	if v.T.Kind == reflect.Array || v.T.Agg {
		if v.O.LdR(v.k) == nil {
			return true
		}
	}
	switch k := v.Kind(); {
	case k == reflect.Array:
		o, off, n, _ := v.store(m)
		for i := range n {
			if !zero(m, v.at(o, off+i)) {
				return false
			}
		}
		return true
	case k == reflect.Struct:
		for _, f := range StructFields(m, v.T) {
			if !zero(m, v.Field(m, f)) {
				return false
			}
		}
		return true
	case k == reflect.String:
		return v.Str() == ""
	case kinds.Float.Has(k):
		return v.Float() == 0
	case kinds.Complex.Has(k):
		return v.Float() == 0 && ir.BitsFloat(v.O.LdI(v.k+1)) == 0
	case kinds.Nilable.Has(k):
		return v.isNil()
	}
	return v.Int() == 0
}
