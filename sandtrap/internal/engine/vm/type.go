package vm

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// mask says which banks a cell uses.
type mask uint8

const (
	mI mask = 1 << iota
	mS
	mR
	mP = mI | mR
)

// A cell is one column over the three banks. Every type is a row of cells, the
// same in registers and in memory.
type cell struct {
	m   mask
	agg *Type // set for a value held by reference and copied by value
}

// inlineMax is the widest struct that lives flat in registers and in its
// parent; a wider one is an object of its own, as an array is.
const inlineMax = 10

// Types of this package that reflect has no kind for.
const (
	kindHost  = reflect.Kind(60) // a struct type of the host, opaque
	kindTuple = reflect.Kind(61)
)

// Type is the run-time form of a Go type. Identical types have one Type per
// program.
type Type struct {
	id     int
	t      types.Type
	kind   reflect.Kind
	named  bool
	cells  []cell // layout of a value
	inner  []cell // layout of what new(T) points to
	banks  mask   // union over inner
	agg    bool
	elem   *Type
	key    *Type
	in     *Type // parameters and results of a function
	out    *Type
	fields []field
	n      int
	host   reflect.Type // of host types and of types made of nothing but them
	mem    reflect.Type // of kindHost: the struct of the host that a value is
	str    string
	native bool // an interface holds it as the Go value itself

	entries []int32          // by method id: entry of the method, its receiver in one cell
	shown   []*method        // its methods
	code    []*Func          // theirs
	ids     []int            // of its methods
	methods map[string]int32 // by method id string: function and 1, same

	declared map[string]*Func // of a named type of a session: the methods declared on it, by name
	cell     *rewrite.Cell    // and where it is declared
}

type field struct {
	name     string
	off      int
	typ      *Type
	embedded bool
	exported bool
}

func (t *Type) w() int { return len(t.cells) }

// hostNamed is the Go type of a named type of the host's.
func (tt *typeTable) hostNamed(n *types.Named) reflect.Type {
	if mentionsTypeParam(n) {
		return nil
	}
	t, err := tt.typeOf(n)
	if err != nil {
		return nil
	}
	return t
}

func mentionsTypeParam(n *types.Named) bool {
	if n.TypeArgs().Len() == 0 {
		return n.TypeParams().Len() > 0
	}
	return false
}

var basicKinds = map[types.BasicKind]reflect.Kind{
	types.Bool: reflect.Bool, types.Int: reflect.Int, types.Int8: reflect.Int8, types.Int16: reflect.Int16,
	types.Int32: reflect.Int32, types.Int64: reflect.Int64, types.Uint: reflect.Uint, types.Uint8: reflect.Uint8,
	types.Uint16: reflect.Uint16, types.Uint32: reflect.Uint32, types.Uint64: reflect.Uint64,
	types.Uintptr: reflect.Uintptr, types.Float32: reflect.Float32, types.Float64: reflect.Float64,
	types.Complex64: reflect.Complex64, types.Complex128: reflect.Complex128, types.String: reflect.String,
	types.UnsafePointer: reflect.UnsafePointer, types.UntypedBool: reflect.Bool, types.UntypedInt: reflect.Int,
	types.UntypedRune: reflect.Int32, types.UntypedFloat: reflect.Float64, types.UntypedString: reflect.String,
	types.UntypedComplex: reflect.Complex128, types.UntypedNil: reflect.UnsafePointer, types.Invalid: reflect.Invalid,
}

var kindTypes = map[reflect.Kind]reflect.Type{
	reflect.Bool: reflect.TypeFor[bool](), reflect.Int: reflect.TypeFor[int](), reflect.Int8: reflect.TypeFor[int8](),
	reflect.Int16: reflect.TypeFor[int16](), reflect.Int32: reflect.TypeFor[int32](), reflect.Int64: reflect.TypeFor[int64](),
	reflect.Uint: reflect.TypeFor[uint](), reflect.Uint8: reflect.TypeFor[uint8](), reflect.Uint16: reflect.TypeFor[uint16](),
	reflect.Uint32: reflect.TypeFor[uint32](), reflect.Uint64: reflect.TypeFor[uint64](), reflect.Uintptr: reflect.TypeFor[uintptr](),
	reflect.Float32: reflect.TypeFor[float32](), reflect.Float64: reflect.TypeFor[float64](),
	reflect.Complex64: reflect.TypeFor[complex64](), reflect.Complex128: reflect.TypeFor[complex128](),
	reflect.String: reflect.TypeFor[string](),
}

func (tt *typeTable) layout(x *Type) {
	switch u := x.t.Underlying().(type) {
	case *types.Basic:
		x.kind = basicKinds[u.Kind()]
		switch x.kind {
		case reflect.String:
			x.cells = cellS
		case reflect.Complex64, reflect.Complex128:
			x.cells = []cell{{m: mI}, {m: mI}}
		case reflect.UnsafePointer:
			x.cells = cellP
		case reflect.Invalid:
		default:
			x.cells = cellI
		}
		if !x.named {
			x.host = kindTypes[x.kind]
			x.native = x.host != nil
		}
	case *types.Pointer:
		x.kind = reflect.Pointer
		x.cells = cellP
		if _, ok := u.Elem().Underlying().(*types.Array); ok {
			x.cells = cellPI
		}
	case *types.Slice:
		x.kind = reflect.Slice
		x.cells = cellPI
	case *types.Map:
		x.kind, x.cells = reflect.Map, cellR
	case *types.Chan:
		x.kind, x.cells = reflect.Chan, cellR
	case *types.Signature:
		x.kind, x.cells = reflect.Func, cellR
	case *types.Interface:
		x.kind, x.cells = reflect.Interface, cellR
	case *types.Array:
		x.kind, x.n, x.agg = reflect.Array, int(u.Len()), true
		x.cells = []cell{{m: mR, agg: x}}
		x.elem = tt.make(u.Elem())
	case *types.Struct:
		tt.layoutStruct(x, u)
	case *types.Tuple:
		x.kind = kindTuple
		x.fields, x.cells = make([]field, 0, u.Len()), make([]cell, 0, u.Len())
		for i := range u.Len() {
			ft := tt.make(u.At(i).Type())
			x.fields = append(x.fields, field{off: len(x.cells), typ: ft})
			x.cells = append(x.cells, ft.cells...)
		}
	default:
		x.kind, x.cells = reflect.Invalid, cellP
	}
	if x.inner == nil {
		x.inner = x.cells
	}
	for _, c := range x.inner {
		x.banks |= c.m
	}
	if x.named && x.host != nil {
		x.native = true
	}
}

func (tt *typeTable) layoutStruct(x *Type, u *types.Struct) {
	x.kind = reflect.Struct
	if x.mem = tt.hostStruct(x, u); x.mem != nil {
		x.kind, x.agg = kindHost, true
		x.cells = []cell{{m: mR, agg: x}}
		return
	}
	var flat []cell
	for i := range u.NumFields() {
		f := u.Field(i)
		ft := tt.make(f.Type())
		x.fields = append(x.fields, field{f.Name(), len(flat), ft, f.Embedded(), f.Exported()})
		flat = append(flat, ft.cells...)
	}
	x.cells, x.inner = flat, flat
	if len(flat) > inlineMax {
		x.agg, x.cells = true, []cell{{m: mR, agg: x}}
	}
	if flat == nil {
		x.inner = []cell{}
	}
}

// hostStruct is the Go type in whose form values of x, a struct with the fields of
// u, are held: types of the host, what the script declares to be like one, and
// structs without a name that the host knows too.
func (tt *typeTable) hostStruct(x *Type, u *types.Struct) reflect.Type {
	switch {
	case x.host != nil || u.NumFields() == 0:
		return x.host
	case x.named:
		return tt.likeHost(u)
	case tt.typeOf == nil:
		return nil
	}
	rt, err := tt.typeOf(u)
	if err != nil {
		return nil
	}
	x.host, x.native = rt, true
	return rt
}

// likeHost finds the host's type that a type of the script was declared with.
func (tt *typeTable) likeHost(u *types.Struct) reflect.Type {
	p := u.Field(0).Pkg()
	if p == nil || tt.script(p) {
		return nil
	}
	for _, name := range p.Scope().Names() {
		obj := p.Scope().Lookup(name)
		n, ok := obj.Type().(*types.Named)
		if _, isType := obj.(*types.TypeName); isType && ok && n.Underlying() == u {
			return tt.hostNamed(n)
		}
	}
	return nil
}

// complete fills what a layout does not need.
func (tt *typeTable) complete(x *Type) {
	switch u := x.t.Underlying().(type) {
	case *types.Pointer:
		x.elem = tt.make(u.Elem())
	case *types.Slice:
		x.elem = tt.make(u.Elem())
	case *types.Chan:
		x.elem = tt.make(u.Elem())
	case *types.Map:
		x.key, x.elem = tt.make(u.Key()), tt.make(u.Elem())
	case *types.Signature:
		x.in, x.out = tt.make(u.Params()), tt.make(u.Results())
	}
	if x.host == nil && !x.named {
		x.host = tt.hostOf(x)
		if x.kind == reflect.Pointer && x.host != nil && x.elem.kind == kindHost {
			x.native = true
		}
	}
}

// hostOf is the Go type of an unnamed type that mentions nothing of the script.
func (tt *typeTable) hostOf(x *Type) reflect.Type {
	sub := func(e *Type) reflect.Type {
		if e.host == nil && !e.named {
			tt.complete(e)
		}
		return e.host
	}
	switch x.kind {
	case reflect.Pointer:
		return tt.madeElem(x.kind, sub(x.elem), reflect.PointerTo)
	case reflect.Slice:
		return tt.madeElem(x.kind, sub(x.elem), reflect.SliceOf)
	case reflect.Array:
		if e := sub(x.elem); e != nil && (e.Size() == 0 || uintptr(x.n) < maxArray/e.Size()) {
			return tt.madeOf(madeKey{kind: x.kind, elem: e, n: x.n}, func() reflect.Type { return reflect.ArrayOf(x.n, e) })
		}
	case reflect.Map:
		k, e := sub(x.key), sub(x.elem)
		if k != nil && e != nil && k.Comparable() {
			return tt.madeOf(madeKey{kind: x.kind, key: k, elem: e}, func() reflect.Type { return reflect.MapOf(k, e) })
		}
	case reflect.Chan:
		if e := sub(x.elem); e != nil && e.Size() < maxChanElem {
			dir := chanDirs[x.t.Underlying().(*types.Chan).Dir()]
			return tt.madeOf(madeKey{kind: x.kind, elem: e, n: int(dir)}, func() reflect.Type { return reflect.ChanOf(dir, e) })
		}
	case reflect.Func:
		return tt.hostFunc(x.t.Underlying().(*types.Signature))
	case reflect.Interface:
		return tt.hostIface(x.t.Underlying().(*types.Interface))
	case reflect.Struct:
		if x.w() == 0 && len(x.fields) == 0 {
			return reflect.TypeFor[struct{}]()
		}
	}
	return nil
}

// What reflect can make types of.
const (
	maxChanElem = 1 << 16
	maxArray    = 1 << 46 // make of a constant length names arrays that cannot be
	maxFuncVars = 128
)

var chanDirs = map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}

// hostFunc is the Go type of functions with the signature s.
func (tt *typeTable) hostFunc(s *types.Signature) reflect.Type {
	list := func(t *types.Tuple) (out []reflect.Type) {
		for v := range t.Variables() {
			e := tt.make(v.Type())
			if e.host == nil && !e.named {
				tt.complete(e)
			}
			out = append(out, e.host)
		}
		return out
	}
	in, out := list(s.Params()), list(s.Results())
	if slices.Contains(in, nil) || slices.Contains(out, nil) || len(in)+len(out) > maxFuncVars || s.TypeParams().Len() > 0 {
		return nil
	}
	k := madeKey{kind: reflect.Func, list: madeForAll.list(in) + ">" + madeForAll.list(out)}
	if s.Variadic() {
		k.n = 1
	}
	return tt.madeOf(k, func() reflect.Type { return reflect.FuncOf(in, out, s.Variadic()) })
}

// hostIface is the Go type of an interface without a name.
func (tt *typeTable) hostIface(i *types.Interface) reflect.Type {
	switch {
	case i.NumMethods() == 0:
		return reflect.TypeFor[any]()
	case tt.typeOf == nil:
		return nil
	}
	rt, err := tt.typeOf(i)
	if err != nil {
		return nil
	}
	return rt
}

func isFloat(t *Type) bool { return t.kind == reflect.Float32 || t.kind == reflect.Float64 }
func isComplex(t *Type) bool {
	return t.kind == reflect.Complex64 || t.kind == reflect.Complex128
}

func isUnsigned(t *Type) bool { return t.kind >= reflect.Uint && t.kind <= reflect.Uintptr }

func isInteger(t *Type) bool { return t.kind >= reflect.Int && t.kind <= reflect.Uintptr }

// zeroSize reports a type without memory: pointers to it are all equal.
func (t *Type) zeroSize() bool {
	return t.kind == reflect.Array && (t.n == 0 || t.elem.zeroSize()) || t.kind == reflect.Struct && len(t.inner) == 0
}

// The rows of cells of most types. Nobody writes to them, and there is no room behind them.
var (
	cellI  = []cell{{m: mI}}
	cellS  = []cell{{m: mS}}
	cellR  = []cell{{m: mR}}
	cellP  = []cell{{m: mP}}
	cellPI = []cell{{m: mP}, {m: mI}}
)

// A frameElem is the type of the elements of a slice whose first ones are in the frame.
type frameElem struct {
	*Type
	room int
}

// isNative reports an element type that has a store of its own.
func isNative(t *Type) bool {
	return t.w() == 1 && !t.agg && (t.cells[0].m == mI && t.kind != reflect.Struct || t.kind == reflect.String)
}

// plain reports that no cell is held by reference.
func (t *Type) plain() bool {
	for _, c := range t.cells {
		if c.agg != nil {
			return false
		}
	}
	return true
}

// moves is the number of instructions that load or store a value of type t.
func (t *Type) moves() int {
	n := t.w()
	for k := 0; k < t.w(); k++ {
		if t.sliceAt(k) {
			n--
			k++
		}
	}
	return n
}

// sliceAt reports two cells that one instruction moves.
func (t *Type) sliceAt(k int) bool {
	return k+1 < t.w() && t.cells[k].m == mP && t.cells[k+1].m == mI
}

// sameForm reports that values of two types that differ in name are held alike. A
// struct of the host's, which is memory of its own, and one that the script declares
// with the same fields are not. Below a pointer, names may differ once.
func sameForm(a, b *Type) bool {
	if a.kind == reflect.Pointer && b.kind == reflect.Pointer {
		a, b = a.elem, b.elem
	}
	return a.kind == b.kind && a.mem == b.mem
}
