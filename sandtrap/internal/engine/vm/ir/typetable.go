package ir

import (
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/sandtrap-go/sandtrap/internal/detached"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// TypeTable makes the Types of a program while it is compiled, or those that only a
// run comes upon. All programs share those of universe.
type TypeTable struct {
	Known  map[types.Type]*Type // by pointer
	Seen   map[types.Type]*Type // the same, of types that a cell has written down again
	alike  typeutil.Map         // by identity, which is slow
	All    []*Type              // made here
	count  int                  // of all that ever were
	todo   []*Type              // not complete yet
	TypeOf engine.TypeOf
	Script func(*types.Package) bool
	Base   *TypeTable                         // of the program, if this one is of a run
	made   int                                // types of the host's
	CellOf func(*types.Package) *rewrite.Cell // of a session
}

func (tt *TypeTable) Of(t types.Type) *Type {
	r := tt.make(t)
	for len(tt.todo) > 0 {
		x := tt.todo[len(tt.todo)-1]
		tt.todo = tt.todo[:len(tt.todo)-1]
		tt.complete(x)
	}
	return r
}

// Find gives the Type of t if there is one.
func (tt *TypeTable) Find(t types.Type) *Type {
	if x := tt.Known[t]; x != nil {
		return x
	}
	if x := tt.Seen[t]; x != nil {
		return x
	}
	if x, ok := tt.alike.At(t).(*Type); ok {
		return x
	}
	return nil
}

func (tt *TypeTable) make(t types.Type) *Type {
	t = types.Unalias(t)
	if x := Universe.Find(t); x != nil {
		return x
	}
	x := tt.Find(t)
	if x == nil && tt.Base != nil {
		x = tt.Base.Find(t)
	}
	if x != nil {
		if tt.Base == nil {
			x.Met = false
		}
		tt.note(t, x)
		return x
	}
	x = &Type{T: t}
	if tt.Seen != nil { // which outlives the package of the cell
		x.T = detached.Type(t)
		tt.Seen[t] = x
	}
	tt.add(x)
	tt.todo = append(tt.todo, x)
	if _, tuple := t.(*types.Tuple); !tuple {
		x.Str = typeString(t)
	}
	if n, ok := t.(*types.Named); ok {
		x.Named = true
		if p := n.Obj().Pkg(); p != nil && !tt.Script(p) {
			x.Host = tt.hostNamed(n)
		} else if p != nil && tt.CellOf != nil && p.Path() == "main" {
			x.Cell = tt.CellOf(p)
		}
	}
	tt.layout(x)
	return x
}

// note keeps that t is x, which was made for a type like it.
func (tt *TypeTable) note(t types.Type, x *Type) {
	if tt.Seen != nil {
		tt.Seen[t] = x
	} else {
		tt.Known[t] = x
	}
}

func (tt *TypeTable) add(x *Type) {
	x.ID = Universe.count + tt.count
	tt.count++
	tt.Enter(x)
}

func (tt *TypeTable) Enter(x *Type) {
	tt.All = append(tt.All, x)
	tt.Known[x.T] = x
	tt.alike.Set(x.T, x)
}

// Clear lets go of all types.
func (tt *TypeTable) Clear() {
	clear(tt.All)
	tt.All = tt.All[:0]
	clear(tt.Known)
	tt.alike = typeutil.Map{}
}

// Universe holds the predeclared types, which are those of all programs.
var Universe *universeTypes

func init() {
	Universe = newUniverse()
	Universe.addContainers()
}

type universeTypes struct {
	Basic  []*Type // by types.BasicKind
	Str    *Type
	Any    *Type
	Error  *Type
	none   *Type // no results, or no parameters
	count  int
	ByHost map[reflect.Type]*Type

	anySlice *Type // []any
	anyMap   *Type // map[string]any

	// What calls of Println and its kin are made with, *any, and by length [n]any and *[n]any,
	// and what they and many others return: (int, error).
	intError      *Type
	anyPointer    *Type
	anyArrays     [fewArguments]*Type
	arrayPointers [fewArguments]*Type

	// Made of one predeclared type T by itself, by its kind: *T, (T), and func() T; and func().
	pointers, singles, suppliers [types.UnsafePointer]*Type
	thunk                        *Type
}

// fewArguments is one more than the arguments of type any that most calls have.
const fewArguments = 9

func newUniverse() *universeTypes {
	u := &universeTypes{ByHost: map[reflect.Type]*Type{}}
	tt := &TypeTable{}
	add := func(t types.Type) *Type {
		x := &Type{ID: len(tt.All), T: t}
		if _, tuple := t.(*types.Tuple); !tuple {
			x.Str = typeString(t)
		}
		_, x.Named = t.(*types.Named)
		tt.All = append(tt.All, x)
		tt.layout(x)
		tt.complete(x)
		return x
	}
	for _, b := range types.Typ {
		x := add(b)
		u.Basic = append(u.Basic, x)
		if b.Info()&types.IsUntyped == 0 && x.Host != nil {
			u.ByHost[x.Host] = x
		}
	}
	u.Str = u.Basic[types.String]
	u.Any = add(types.Unalias(types.Universe.Lookup("any").Type()))
	u.Error = add(types.Universe.Lookup("error").Type())
	u.Error.Host = reflect.TypeFor[error]()
	u.none = add((*types.Tuple)(nil))
	u.ByHost[u.Any.Host] = u.Any
	u.count = len(tt.All)
	return u
}

// addContainers makes the types of what is decoded where any is wanted, of what is passed
// there, and of what is returned.
func (u *universeTypes) addContainers() {
	tt := &TypeTable{Known: map[types.Type]*Type{}}
	list := tt.Of(types.NewSlice(u.Any.T))
	object := tt.Of(types.NewMap(u.Str.T, u.Any.T))
	pointer := tt.Of(types.NewPointer(u.Any.T))
	var arrays, pointers [fewArguments]*Type
	for n := range arrays {
		t := types.NewArray(u.Any.T, int64(n))
		arrays[n], pointers[n] = tt.Of(t), tt.Of(types.NewPointer(t))
	}
	results := tt.Of(types.NewTuple(types.NewVar(token.NoPos, nil, "", u.Basic[types.Int].T), types.NewVar(token.NoPos, nil, "", u.Error.T)))
	u.anySlice, u.anyMap, u.intError = list, object, results
	u.anyPointer, u.anyArrays, u.arrayPointers = pointer, arrays, pointers
	var pointersTo, singles, suppliers [types.UnsafePointer]*Type
	for _, b := range types.Typ[types.Bool:types.UnsafePointer] {
		single := types.NewTuple(types.NewVar(token.NoPos, nil, "", b))
		pointersTo[b.Kind()], singles[b.Kind()] = tt.Of(types.NewPointer(b)), tt.Of(single)
		suppliers[b.Kind()] = tt.Of(types.NewSignatureType(nil, nil, nil, nil, single, false))
	}
	u.thunk = tt.Of(types.NewSignatureType(nil, nil, nil, nil, nil, false))
	u.pointers, u.singles, u.suppliers = pointersTo, singles, suppliers
	u.count += len(tt.All)
	for _, t := range tt.All {
		if t.Host != nil {
			u.ByHost[t.Host] = t
		}
	}
}

// Find gives the Type of a predeclared type, or of one of those that addContainers makes;
// nil for others.
func (u *universeTypes) Find(t types.Type) *Type {
	switch t := t.(type) {
	case *types.Basic:
		return u.Basic[t.Kind()]
	case *types.Tuple:
		switch {
		case t.Len() == 0:
			return u.none
		case t.Len() == 1:
			return u.singles[plainKind(t.At(0).Type())]
		case t.Len() == 2 && u.intError != nil && t.At(0).Type() == u.Basic[types.Int].T && t.At(1).Type() == u.Error.T:
			return u.intError
		}
	case *types.Interface:
		if isAny(t) {
			return u.Any
		}
	case *types.Named:
		if t == u.Error.T {
			return u.Error
		}
	case *types.Slice:
		if u.anySlice != nil && u.Find(types.Unalias(t.Elem())) == u.Any {
			return u.anySlice
		}
	case *types.Map:
		if u.anyMap != nil && u.Find(types.Unalias(t.Key())) == u.Str && u.Find(types.Unalias(t.Elem())) == u.Any {
			return u.anyMap
		}
	case *types.Array:
		if n := t.Len(); 0 <= n && n < fewArguments && isAny(t.Elem()) {
			return u.anyArrays[n]
		}
	case *types.Pointer:
		if isAny(t.Elem()) {
			return u.anyPointer
		}
		if k := plainKind(t.Elem()); k != types.Invalid {
			return u.pointers[k]
		}
		if a, ok := types.Unalias(t.Elem()).(*types.Array); ok && 0 <= a.Len() && a.Len() < fewArguments && isAny(a.Elem()) {
			return u.arrayPointers[a.Len()]
		}
	case *types.Signature:
		if t.Params().Len() > 0 || t.Results().Len() > 1 || t.TypeParams().Len() > 0 {
			return nil
		}
		if t.Results().Len() == 0 {
			return u.thunk
		}
		return u.suppliers[plainKind(t.Results().At(0).Type())]
	}
	return nil
}

// plainKind is the kind of t if it is a predeclared type of values by its first name: byte and rune are not.
func plainKind(t types.Type) types.BasicKind {
	if b, ok := t.(*types.Basic); ok && b.Kind() < types.UnsafePointer && b == types.Typ[b.Kind()] {
		return b.Kind()
	}
	return types.Invalid
}

// isAny reports an interface without methods that has no name.
func isAny(t types.Type) bool {
	i, ok := types.Unalias(t).(*types.Interface)
	return ok && i.NumExplicitMethods() == 0 && i.NumEmbeddeds() == 0
}

// Take adds the types that a run has come upon.
func (tt *TypeTable) Take(from *TypeTable) {
	for _, t := range from.All {
		t.Met = true
		tt.add(t)
	}
}
