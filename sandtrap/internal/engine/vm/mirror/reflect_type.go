package mirror

import (
	"fmt"
	"go/types"
	goiter "iter"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/typename"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// An Rtype is a type as scripts have it as a reflect.Type: of a type of the host's it
// tells what the policy shows. What it does not declare, the embedded nil panics for.
type Rtype struct {
	reflect.Type
	m *exec.Machine
	t *ir.Type
}

// ReflectType is t as a reflect.Type, nil for none.
func ReflectType(m *exec.Machine, t *ir.Type) reflect.Type {
	if t == nil {
		return nil
	}
	return Rtype{m: m, t: t}
}

// typeIn is the type that a reflect.Type of the script's stands for.
func typeIn(m *exec.Machine, t reflect.Type) *ir.Type {
	switch r := t.(type) {
	case nil:
		exec.ThrowNil()
	case Rtype:
		return r.t
	}
	return m.TypeOfHost(t)
}

// ShownType is a reflect.Type of the host's as scripts have it.
func ShownType(m *exec.Machine, t reflect.Type) reflect.Type {
	if _, ok := t.(Rtype); ok || t == nil {
		return t
	}
	return ReflectType(m, m.TypeOfHost(t))
}

// Format prints the name with any verb: what a type is made of is not shown.
func (r Rtype) Format(s fmt.State, verb rune) {
	if verb == 'v' {
		fmt.Fprintf(s, fmt.FormatString(printer.Bare{State: s}, 's'), r.t.Str)
		return
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), r.t.Str)
}

func (r Rtype) of(t types.Type) reflect.Type { return ReflectType(r.m, r.m.TypeOf(t)) }

// ScriptType tells it from a type of the host's.
func (r Rtype) ScriptType() *ir.Type { return r.t }

func (Rtype) GoName() string { return "*reflect.rtype" }

func (r Rtype) String() string     { return r.t.Str }
func (r Rtype) Kind() reflect.Kind { return kindOf(r.t) }
func (r Rtype) Name() string       { return typeName(r.t) }

func (r Rtype) PkgPath() string {
	if n, ok := r.t.T.(*types.Named); ok && n.Obj().Pkg() != nil {
		return typename.Path(n.Obj().Pkg())
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
func (r Rtype) must(method string, kinds ...reflect.Kind) {
	if !slices.Contains(kinds, r.Kind()) {
		exec.Throw("reflect: " + method + " of invalid type " + r.t.Str)
	}
}

func (r Rtype) Elem() reflect.Type {
	r.must("Elem", reflect.Array, reflect.Chan, reflect.Map, reflect.Pointer, reflect.Slice)
	return ReflectType(r.m, r.t.Elem)
}

func (r Rtype) Key() reflect.Type {
	if r.Kind() != reflect.Map {
		exec.Throw("reflect: Key of non-map type " + r.t.Str)
	}
	return ReflectType(r.m, r.t.Key)
}

func (r Rtype) Len() int {
	if r.Kind() != reflect.Array {
		exec.Throw("reflect: Len of non-array type " + r.t.Str)
	}
	return r.t.N
}

func (r Rtype) Bits() int {
	rt := ir.KindTypes[r.t.Kind]
	if rt == nil || r.t.Kind == reflect.Bool || r.t.Kind == reflect.String {
		exec.Throw("reflect: Bits of non-arithmetic Type " + r.t.Str)
	}
	return rt.Bits()
}

func (r Rtype) ChanDir() reflect.ChanDir {
	c, ok := r.t.T.Underlying().(*types.Chan)
	if !ok {
		exec.Throw("reflect: ChanDir of non-chan type " + r.t.Str)
	}
	return ir.ChanDirs[c.Dir()]
}

func (r Rtype) signature(method string) *types.Signature {
	s, ok := r.t.T.Underlying().(*types.Signature)
	if !ok {
		exec.Throw("reflect: " + method + " of non-func type " + r.t.Str)
	}
	return s
}

func (r Rtype) IsVariadic() bool { return r.signature("IsVariadic").Variadic() }
func (r Rtype) NumIn() int       { return r.signature("NumIn").Params().Len() }
func (r Rtype) NumOut() int      { return r.signature("NumOut").Results().Len() }

func (r Rtype) In(i int) reflect.Type  { return r.at(r.signature("In").Params(), i) }
func (r Rtype) Out(i int) reflect.Type { return r.at(r.signature("Out").Results(), i) }

func (r Rtype) at(t *types.Tuple, i int) reflect.Type {
	if i < 0 || i >= t.Len() {
		exec.ThrowIndex(int64(i), t.Len(), false)
	}
	return r.of(t.At(i).Type())
}

func (r Rtype) Ins() goiter.Seq[reflect.Type]  { return each(r.NumIn(), r.In) }
func (r Rtype) Outs() goiter.Seq[reflect.Type] { return each(r.NumOut(), r.Out) }

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

func (r Rtype) Size() uintptr {
	size, _, _ := ir.GoShape(r.t)
	return uintptr(size)
}

func (r Rtype) Align() int {
	_, align, _ := ir.GoShape(r.t)
	return int(align)
}

func (r Rtype) FieldAlign() int { return r.Align() }

func (r Rtype) Implements(u reflect.Type) bool {
	if u == nil {
		exec.Throw("reflect: nil type passed to Type.Implements")
	}
	i := typeIn(r.m, u)
	if i.Kind != reflect.Interface {
		exec.Throw("reflect: non-interface type passed to Type.Implements")
	}
	return Implements(r.m, r.t, i)
}

func (r Rtype) AssignableTo(u reflect.Type) bool {
	if u == nil {
		exec.Throw("reflect: nil type passed to Type.AssignableTo")
	}
	return Assignable(r.m, r.t, typeIn(r.m, u))
}

func (r Rtype) ConvertibleTo(u reflect.Type) bool {
	if u == nil {
		exec.Throw("reflect: nil type passed to Type.ConvertibleTo")
	}
	to := typeIn(r.m, u)
	return Assignable(r.m, r.t, to) || types.ConvertibleTo(r.t.T, to.T)
}

func (r Rtype) Comparable() bool { return types.Comparable(r.t.T) }

func (r Rtype) OverflowInt(x int64) bool {
	if !ir.IsInteger(r.t) || ir.IsUnsigned(r.t) {
		exec.Throw("reflect: OverflowInt of non-int type " + r.t.Str)
	}
	return inspect.OverflowsInt(r.t.Kind, x)
}

func (r Rtype) OverflowUint(x uint64) bool {
	if !ir.IsUnsigned(r.t) {
		exec.Throw("reflect: OverflowUint of non-uint type " + r.t.Str)
	}
	return inspect.OverflowsUint(r.t.Kind, x)
}

func (r Rtype) OverflowFloat(x float64) bool {
	if !ir.IsFloat(r.t) {
		exec.Throw("reflect: OverflowFloat of non-float type " + r.t.Str)
	}
	return r.t.Kind == reflect.Float32 && reflect.Zero(ir.KindTypes[reflect.Float32]).OverflowFloat(x)
}

func (r Rtype) OverflowComplex(x complex128) bool {
	if !ir.IsComplex(r.t) {
		exec.Throw("reflect: OverflowComplex of non-complex type " + r.t.Str)
	}
	return reflect.Zero(ir.KindTypes[r.t.Kind]).OverflowComplex(x)
}
