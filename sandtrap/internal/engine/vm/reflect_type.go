package vm

import (
	"fmt"
	"go/types"
	goiter "iter"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// An rtype is a type as scripts have it as a reflect.Type: of a type of the host's it
// tells what the policy shows. What it does not declare, the embedded nil panics for.
type rtype struct {
	reflect.Type
	m *machine
	t *ir.Type
}

// reflectType is t as a reflect.Type, nil for none.
func (m *machine) reflectType(t *ir.Type) reflect.Type {
	if t == nil {
		return nil
	}
	return rtype{m: m, t: t}
}

// typeIn is the type that a reflect.Type of the script's stands for.
func (m *machine) typeIn(t reflect.Type) *ir.Type {
	switch r := t.(type) {
	case nil:
		throwNil()
	case rtype:
		return r.t
	}
	return m.typeOfHost(t)
}

// shownType is a reflect.Type of the host's as scripts have it.
func shownType(m *machine, t reflect.Type) reflect.Type {
	if _, ok := t.(rtype); ok || t == nil {
		return t
	}
	return m.reflectType(m.typeOfHost(t))
}

// Format prints the name with any verb: what a type is made of is not shown.
func (r rtype) Format(s fmt.State, verb rune) {
	if verb == 'v' {
		fmt.Fprintf(s, fmt.FormatString(bare{s}, 's'), r.t.Str)
		return
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), r.t.Str)
}

func (r rtype) of(t types.Type) reflect.Type { return r.m.reflectType(r.m.typeOf(t)) }

// ScriptType tells it from a type of the host's.
func (r rtype) ScriptType() *ir.Type { return r.t }

func (rtype) goName() string { return "*reflect.rtype" }

func (r rtype) String() string     { return r.t.Str }
func (r rtype) Kind() reflect.Kind { return kindOf(r.t) }
func (r rtype) Name() string       { return typeName(r.t) }

func (r rtype) PkgPath() string {
	if n, ok := r.t.T.(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// typeName is the name of a type without its package, empty if it has none.
func typeName(t *ir.Type) string {
	switch u := t.T.(type) {
	case *types.Basic:
		return t.Str
	case *types.Named:
		if u.Obj().Pkg() == nil {
			return t.Str
		}
		name, args, ok := strings.Cut(t.Str, "[")
		name = name[strings.LastIndexByte(name, '.')+1:]
		if ok {
			name += "[" + args
		}
		return name
	}
	return ""
}

// must panics as reflect does if the type is of no kind that has the method.
func (r rtype) must(method string, kinds ...reflect.Kind) {
	if !slices.Contains(kinds, r.Kind()) {
		throw("reflect: " + method + " of invalid type " + r.t.Str)
	}
}

func (r rtype) Elem() reflect.Type {
	r.must("Elem", reflect.Array, reflect.Chan, reflect.Map, reflect.Pointer, reflect.Slice)
	return r.m.reflectType(r.t.Elem)
}

func (r rtype) Key() reflect.Type {
	if r.Kind() != reflect.Map {
		throw("reflect: Key of non-map type " + r.t.Str)
	}
	return r.m.reflectType(r.t.Key)
}

func (r rtype) Len() int {
	if r.Kind() != reflect.Array {
		throw("reflect: Len of non-array type " + r.t.Str)
	}
	return r.t.N
}

func (r rtype) Bits() int {
	rt := ir.KindTypes[r.t.Kind]
	if rt == nil || r.t.Kind == reflect.Bool || r.t.Kind == reflect.String {
		throw("reflect: Bits of non-arithmetic Type " + r.t.Str)
	}
	return rt.Bits()
}

func (r rtype) ChanDir() reflect.ChanDir {
	c, ok := r.t.T.Underlying().(*types.Chan)
	if !ok {
		throw("reflect: ChanDir of non-chan type " + r.t.Str)
	}
	return ir.ChanDirs[c.Dir()]
}

func (r rtype) signature(method string) *types.Signature {
	s, ok := r.t.T.Underlying().(*types.Signature)
	if !ok {
		throw("reflect: " + method + " of non-func type " + r.t.Str)
	}
	return s
}

func (r rtype) IsVariadic() bool { return r.signature("IsVariadic").Variadic() }
func (r rtype) NumIn() int       { return r.signature("NumIn").Params().Len() }
func (r rtype) NumOut() int      { return r.signature("NumOut").Results().Len() }

func (r rtype) In(i int) reflect.Type  { return r.at(r.signature("In").Params(), i) }
func (r rtype) Out(i int) reflect.Type { return r.at(r.signature("Out").Results(), i) }

func (r rtype) at(t *types.Tuple, i int) reflect.Type {
	if i < 0 || i >= t.Len() {
		throwIndex(int64(i), t.Len(), false)
	}
	return r.of(t.At(i).Type())
}

func (r rtype) Ins() goiter.Seq[reflect.Type]  { return each(r.NumIn(), r.In) }
func (r rtype) Outs() goiter.Seq[reflect.Type] { return each(r.NumOut(), r.Out) }

// each goes through n parts.
func each[T any](n int, at func(int) T) goiter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range n {
			if !yield(at(i)) {
				return
			}
		}
	}
}

func (r rtype) Size() uintptr {
	size, _, _ := ir.GoShape(r.t)
	return uintptr(size)
}

func (r rtype) Align() int {
	_, align, _ := ir.GoShape(r.t)
	return int(align)
}

func (r rtype) FieldAlign() int { return r.Align() }

func (r rtype) Implements(u reflect.Type) bool {
	if u == nil {
		throw("reflect: nil type passed to Type.Implements")
	}
	i, ok := r.m.typeIn(u).T.Underlying().(*types.Interface)
	if !ok {
		throw("reflect: non-interface type passed to Type.Implements")
	}
	return types.Implements(r.t.T, i)
}

func (r rtype) AssignableTo(u reflect.Type) bool {
	if u == nil {
		throw("reflect: nil type passed to Type.AssignableTo")
	}
	return types.AssignableTo(r.t.T, r.m.typeIn(u).T)
}

func (r rtype) ConvertibleTo(u reflect.Type) bool {
	if u == nil {
		throw("reflect: nil type passed to Type.ConvertibleTo")
	}
	return types.ConvertibleTo(r.t.T, r.m.typeIn(u).T)
}

func (r rtype) Comparable() bool { return types.Comparable(r.t.T) }

func (r rtype) OverflowInt(x int64) bool {
	if !ir.IsInteger(r.t) || ir.IsUnsigned(r.t) {
		throw("reflect: OverflowInt of non-int type " + r.t.Str)
	}
	return inspect.OverflowsInt(r.t.Kind, x)
}

func (r rtype) OverflowUint(x uint64) bool {
	if !ir.IsUnsigned(r.t) {
		throw("reflect: OverflowUint of non-uint type " + r.t.Str)
	}
	return inspect.OverflowsUint(r.t.Kind, x)
}

func (r rtype) OverflowFloat(x float64) bool {
	if !ir.IsFloat(r.t) {
		throw("reflect: OverflowFloat of non-float type " + r.t.Str)
	}
	return r.t.Kind == reflect.Float32 && reflect.Zero(ir.KindTypes[reflect.Float32]).OverflowFloat(x)
}

func (r rtype) OverflowComplex(x complex128) bool {
	if !ir.IsComplex(r.t) {
		throw("reflect: OverflowComplex of non-complex type " + r.t.Str)
	}
	return reflect.Zero(ir.KindTypes[r.t.Kind]).OverflowComplex(x)
}
