package ir

import (
	"go/types"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Mask says which banks a cell uses.
type Mask uint8

const (
	BankI Mask = 1 << iota
	BankS
	BankR
	BankP = BankI | BankR
)

// A Cell is one column over the three banks. Every type is a row of cells, the
// same in registers and in memory.
type Cell struct {
	M   Mask
	Agg *Type // set for a value held by reference and copied by value
}

// InlineMax is the widest struct that lives flat in registers and in its
// parent; a wider one is an object of its own, as an array is.
const InlineMax = 10

// Types of this package that reflect has no kind for.
const (
	KindHost  = reflect.Kind(60) // a struct type of the host, opaque
	KindTuple = reflect.Kind(61)
)

// Type is the run-time form of a Go type. Identical types have one Type per
// program.
type Type struct {
	ID     int
	T      types.Type
	Kind   reflect.Kind
	Named  bool
	Cells  []Cell // layout of a value
	Inner  []Cell // layout of what new(T) points to
	Banks  Mask   // union over inner
	Agg    bool
	Elem   *Type
	Key    *Type
	In     *Type // parameters and results of a function
	Out    *Type
	Fields []Field
	N      int
	Host   reflect.Type // of host types and of types made of nothing but them
	Mem    reflect.Type // of KindHost: the struct of the host that a value is
	Str    string
	Native bool // an interface holds it as the Go value itself
	Met    bool // by an earlier run of a session, and no code names it

	Entries []int32          // by method id: entry of the method, its receiver in one cell
	Shown   []*Method        // its methods
	Code    []*Func          // theirs
	Ids     []int            // of its methods
	Methods map[string]int32 // by method id string: function and 1, same

	Declared map[string]*Func // of a named type of a session: the methods declared on it, by name
	Cell     *rewrite.Cell    // and where it is declared

	inVars atomic.Pointer[[]jsontext.Field]
}

// maxNoted is how many fields of a struct are noted with its type. Programs are kept for long, and structs that embed
// the same large one multiply its fields.
const maxNoted = 64

// InVars are the fields that the host gets of a struct; noted says that they are found at once the next time.
func (t *Type) InVars() (list []jsontext.Field, noted bool) {
	if known := t.inVars.Load(); known != nil {
		return *known, true
	}
	list = engine.ScriptFields(t.T)
	if noted = len(list) <= maxNoted; noted {
		t.inVars.Store(&list)
	}
	return list, noted
}

type Field struct {
	Name     string
	Off      int
	Typ      *Type
	Embedded bool
	Exported bool
}

func (t *Type) W() int { return len(t.Cells) }

// hostNamed is the Go type of a named type of the host's.
func (tt *TypeTable) hostNamed(n *types.Named) reflect.Type {
	if mentionsTypeParam(n) {
		return nil
	}
	t, err := tt.TypeOf(n)
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

// KindTypes has the basic types, which are their own type in memory of the host.
var KindTypes = kinds.Types

func (tt *TypeTable) layout(x *Type) {
	switch u := x.T.Underlying().(type) {
	case *types.Basic:
		x.Kind = kinds.OfBasic(u)
		switch x.Kind {
		case reflect.String:
			x.Cells = CellS
		case reflect.Complex64, reflect.Complex128:
			x.Cells = []Cell{{M: BankI}, {M: BankI}}
		case reflect.UnsafePointer:
			x.Cells = CellP
		case reflect.Invalid:
		default:
			x.Cells = CellI
		}
		if !x.Named {
			x.Host = KindTypes[x.Kind]
			x.Native = x.Host != nil
		}
	case *types.Pointer:
		x.Kind = reflect.Pointer
		x.Cells = CellP
		if _, ok := u.Elem().Underlying().(*types.Array); ok {
			x.Cells = cellPI
		}
	case *types.Slice:
		x.Kind = reflect.Slice
		x.Cells = cellPI
	case *types.Map:
		x.Kind, x.Cells = reflect.Map, CellR
	case *types.Chan:
		x.Kind, x.Cells = reflect.Chan, CellR
	case *types.Signature:
		x.Kind, x.Cells = reflect.Func, CellR
	case *types.Interface:
		x.Kind, x.Cells = reflect.Interface, CellR
	case *types.Array:
		x.Kind, x.N, x.Agg = reflect.Array, int(u.Len()), true
		x.Cells = []Cell{{M: BankR, Agg: x}}
		x.Elem = tt.make(u.Elem())
	case *types.Struct:
		tt.layoutStruct(x, u)
	case *types.Tuple:
		x.Kind = KindTuple
		x.Fields, x.Cells = make([]Field, 0, u.Len()), make([]Cell, 0, u.Len())
		for i := range u.Len() {
			ft := tt.make(u.At(i).Type())
			x.Fields = append(x.Fields, Field{Off: len(x.Cells), Typ: ft})
			x.Cells = append(x.Cells, ft.Cells...)
		}
	default:
		x.Kind, x.Cells = reflect.Invalid, CellP
	}
	if x.Inner == nil {
		x.Inner = x.Cells
	}
	for _, c := range x.Inner {
		x.Banks |= c.M
	}
	if x.Named && x.Host != nil {
		x.Native = true
	}
}

func (tt *TypeTable) layoutStruct(x *Type, u *types.Struct) {
	x.Kind = reflect.Struct
	if x.Mem = tt.hostStruct(x, u); x.Mem != nil {
		x.Kind, x.Agg = KindHost, true
		x.Cells = []Cell{{M: BankR, Agg: x}}
		return
	}
	var flat []Cell
	for i := range u.NumFields() {
		f := u.Field(i)
		ft := tt.make(f.Type())
		x.Fields = append(x.Fields, Field{f.Name(), len(flat), ft, f.Embedded(), f.Exported()})
		flat = append(flat, ft.Cells...)
	}
	x.Cells, x.Inner = flat, flat
	if len(flat) > InlineMax {
		x.Agg, x.Cells = true, []Cell{{M: BankR, Agg: x}}
	}
	if flat == nil {
		x.Inner = []Cell{}
	}
}

// hostStruct is the Go type in whose form values of x, a struct with the fields of
// u, are held: types of the host, what the script declares to be like one, and
// structs without a name that the host knows too.
func (tt *TypeTable) hostStruct(x *Type, u *types.Struct) reflect.Type {
	switch {
	case x.Host != nil || u.NumFields() == 0:
		return x.Host
	case x.Named:
		return tt.likeHost(u)
	case tt.TypeOf == nil:
		return nil
	}
	rt, err := tt.TypeOf(u)
	if err != nil {
		return nil
	}
	x.Host, x.Native = rt, true
	return rt
}

// likeHost finds the host's type that a type of the script was declared with.
func (tt *TypeTable) likeHost(u *types.Struct) reflect.Type {
	p := u.Field(0).Pkg()
	if p == nil || tt.Script(p) {
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
func (tt *TypeTable) complete(x *Type) {
	switch u := x.T.Underlying().(type) {
	case *types.Pointer:
		x.Elem = tt.make(u.Elem())
	case *types.Slice:
		x.Elem = tt.make(u.Elem())
	case *types.Chan:
		x.Elem = tt.make(u.Elem())
	case *types.Map:
		x.Key, x.Elem = tt.make(u.Key()), tt.make(u.Elem())
	case *types.Signature:
		x.In, x.Out = tt.make(u.Params()), tt.make(u.Results())
	}
	if x.Host == nil && !x.Named {
		x.Host = tt.hostOf(x)
		if x.Kind == reflect.Pointer && x.Host != nil && x.Elem.Kind == KindHost {
			x.Native = true
		}
	}
}

// hostOf is the Go type of an unnamed type that mentions nothing of the script.
func (tt *TypeTable) hostOf(x *Type) reflect.Type {
	sub := func(e *Type) reflect.Type {
		if e.Host == nil && !e.Named {
			tt.complete(e)
		}
		return e.Host
	}
	switch x.Kind {
	case reflect.Pointer:
		return tt.madeElem(x.Kind, sub(x.Elem), reflect.PointerTo)
	case reflect.Slice:
		return tt.madeElem(x.Kind, sub(x.Elem), reflect.SliceOf)
	case reflect.Array:
		if e := sub(x.Elem); e != nil && (e.Size() == 0 || uintptr(x.N) < maxArray/e.Size()) {
			return tt.madeOf(madeKey{kind: x.Kind, elem: e, n: x.N}, func() reflect.Type { return reflect.ArrayOf(x.N, e) })
		}
	case reflect.Map:
		k, e := sub(x.Key), sub(x.Elem)
		if k != nil && e != nil && k.Comparable() {
			return tt.madeOf(madeKey{kind: x.Kind, key: k, elem: e}, func() reflect.Type { return reflect.MapOf(k, e) })
		}
	case reflect.Chan:
		if e := sub(x.Elem); e != nil && e.Size() < maxChanElem {
			dir := ChanDirs[x.T.Underlying().(*types.Chan).Dir()]
			return tt.madeOf(madeKey{kind: x.Kind, elem: e, n: int(dir)}, func() reflect.Type { return reflect.ChanOf(dir, e) })
		}
	case reflect.Func:
		return tt.hostFunc(x.T.Underlying().(*types.Signature))
	case reflect.Interface:
		return tt.hostIface(x.T.Underlying().(*types.Interface))
	case reflect.Struct:
		if x.W() == 0 && len(x.Fields) == 0 {
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

var ChanDirs = map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}

// hostFunc is the Go type of functions with the signature s.
func (tt *TypeTable) hostFunc(s *types.Signature) reflect.Type {
	list := func(t *types.Tuple) (out []reflect.Type) {
		for v := range t.Variables() {
			e := tt.make(v.Type())
			if e.Host == nil && !e.Named {
				tt.complete(e)
			}
			out = append(out, e.Host)
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
func (tt *TypeTable) hostIface(i *types.Interface) reflect.Type {
	switch {
	case i.NumMethods() == 0:
		return reflect.TypeFor[any]()
	case tt.TypeOf == nil:
		return nil
	}
	rt, err := tt.TypeOf(i)
	if err != nil {
		return nil
	}
	return rt
}

func IsFloat(t *Type) bool { return t.Kind == reflect.Float32 || t.Kind == reflect.Float64 }
func IsComplex(t *Type) bool {
	return t.Kind == reflect.Complex64 || t.Kind == reflect.Complex128
}

func IsUnsigned(t *Type) bool { return t.Kind >= reflect.Uint && t.Kind <= reflect.Uintptr }

func IsInteger(t *Type) bool { return t.Kind >= reflect.Int && t.Kind <= reflect.Uintptr }

// ZeroSize reports a type without memory: pointers to it are all equal.
func (t *Type) ZeroSize() bool {
	return t.Kind == reflect.Array && (t.N == 0 || t.Elem.ZeroSize()) || t.Kind == reflect.Struct && len(t.Inner) == 0
}

// The rows of cells of most types. Nobody writes to them, and there is no room behind them.
var (
	CellI  = []Cell{{M: BankI}}
	CellS  = []Cell{{M: BankS}}
	CellR  = []Cell{{M: BankR}}
	CellP  = []Cell{{M: BankP}}
	cellPI = []Cell{{M: BankP}, {M: BankI}}
)

// A FrameElem is the type of the elements of a slice whose first ones are in the frame.
type FrameElem struct {
	*Type
	Room int
}

// IsNative reports an element type that has a store of its own.
func IsNative(t *Type) bool {
	return t.W() == 1 && !t.Agg && (t.Cells[0].M == BankI && t.Kind != reflect.Struct || t.Kind == reflect.String)
}

// Plain reports that no cell is held by reference.
func (t *Type) Plain() bool {
	for _, c := range t.Cells {
		if c.Agg != nil {
			return false
		}
	}
	return true
}

// Moves is the number of instructions that load or store a value of type t.
func (t *Type) Moves() int {
	n := t.W()
	for k := 0; k < t.W(); k++ {
		if t.SliceAt(k) {
			n--
			k++
		}
	}
	return n
}

// SliceAt reports two cells that one instruction moves.
func (t *Type) SliceAt(k int) bool {
	return k+1 < t.W() && t.Cells[k].M == BankP && t.Cells[k+1].M == BankI
}

// SameForm reports that values of two types that differ in name are held alike. A
// struct of the host's, which is memory of its own, and one that the script declares
// with the same fields are not. Below a pointer, names may differ once.
func SameForm(a, b *Type) bool {
	if a.Kind == reflect.Pointer && b.Kind == reflect.Pointer {
		a, b = a.Elem, b.Elem
	}
	return a.Kind == b.Kind && a.Mem == b.Mem
}
