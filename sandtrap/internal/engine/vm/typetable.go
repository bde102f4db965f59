package vm

import (
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// typeTable makes the Types of a program while it is compiled, or those that only a
// run comes upon. All programs share those of universe.
type typeTable struct {
	known  map[types.Type]*Type // by pointer
	seen   map[types.Type]*Type // the same, of types that a cell has written down again
	alike  typeutil.Map         // by identity, which is slow
	all    []*Type              // made here
	count  int                  // of all that ever were
	todo   []*Type              // not complete yet
	typeOf engine.TypeOf
	script func(*types.Package) bool
	base   *typeTable                         // of the program, if this one is of a run
	made   int                                // types of the host's
	cellOf func(*types.Package) *rewrite.Cell // of a session
}

func (tt *typeTable) of(t types.Type) *Type {
	r := tt.make(t)
	for len(tt.todo) > 0 {
		x := tt.todo[len(tt.todo)-1]
		tt.todo = tt.todo[:len(tt.todo)-1]
		tt.complete(x)
	}
	return r
}

// find gives the Type of t if there is one.
func (tt *typeTable) find(t types.Type) *Type {
	if x := tt.known[t]; x != nil {
		return x
	}
	if x := tt.seen[t]; x != nil {
		return x
	}
	if x, ok := tt.alike.At(t).(*Type); ok {
		return x
	}
	return nil
}

func (tt *typeTable) make(t types.Type) *Type {
	t = types.Unalias(t)
	if x := universe.find(t); x != nil {
		return x
	}
	x := tt.find(t)
	if x == nil && tt.base != nil {
		x = tt.base.find(t)
	}
	if x != nil {
		tt.note(t, x)
		return x
	}
	x = &Type{t: t}
	tt.add(x)
	tt.todo = append(tt.todo, x)
	if _, tuple := t.(*types.Tuple); !tuple {
		x.str = typeString(t)
	}
	if n, ok := t.(*types.Named); ok {
		x.named = true
		if p := n.Obj().Pkg(); p != nil && !tt.script(p) {
			x.host = tt.hostNamed(n)
		} else if p != nil && tt.cellOf != nil && p.Path() == "main" {
			x.cell = tt.cellOf(p)
		}
	}
	tt.layout(x)
	return x
}

// note keeps that t is x, which was made for a type like it.
func (tt *typeTable) note(t types.Type, x *Type) {
	if tt.seen != nil {
		tt.seen[t] = x
	} else {
		tt.known[t] = x
	}
}

func (tt *typeTable) add(x *Type) {
	x.id = universe.count + tt.count
	tt.count++
	tt.enter(x)
}

func (tt *typeTable) enter(x *Type) {
	tt.all = append(tt.all, x)
	tt.known[x.t] = x
	tt.alike.Set(x.t, x)
}

// clear lets go of all types.
func (tt *typeTable) clear() {
	clear(tt.all)
	tt.all = tt.all[:0]
	clear(tt.known)
	tt.alike = typeutil.Map{}
}

// universe holds the predeclared types, which are those of all programs.
var universe *universeTypes

func init() {
	universe = newUniverse()
	universe.addContainers()
}

type universeTypes struct {
	basic  []*Type // by types.BasicKind
	str    *Type
	any    *Type
	error  *Type
	none   *Type // no results, or no parameters
	count  int
	byHost map[reflect.Type]*Type

	anySlice *Type // []any
	anyMap   *Type // map[string]any

	// What calls of Println and its kin are made with, *any, and by length [n]any and *[n]any,
	// and what they and many others return: (int, error).
	intError      *Type
	anyPointer    *Type
	anyArrays     [fewArguments]*Type
	arrayPointers [fewArguments]*Type
}

// fewArguments is one more than the arguments of type any that most calls have.
const fewArguments = 9

func newUniverse() *universeTypes {
	u := &universeTypes{byHost: map[reflect.Type]*Type{}}
	tt := &typeTable{}
	add := func(t types.Type) *Type {
		x := &Type{id: len(tt.all), t: t}
		if _, tuple := t.(*types.Tuple); !tuple {
			x.str = typeString(t)
		}
		_, x.named = t.(*types.Named)
		tt.all = append(tt.all, x)
		tt.layout(x)
		tt.complete(x)
		return x
	}
	for _, b := range types.Typ {
		x := add(b)
		u.basic = append(u.basic, x)
		if b.Info()&types.IsUntyped == 0 && x.host != nil {
			u.byHost[x.host] = x
		}
	}
	u.str = u.basic[types.String]
	u.any = add(types.Unalias(types.Universe.Lookup("any").Type()))
	u.error = add(types.Universe.Lookup("error").Type())
	u.error.host = reflect.TypeFor[error]()
	u.none = add((*types.Tuple)(nil))
	u.byHost[u.any.host] = u.any
	u.count = len(tt.all)
	return u
}

// addContainers makes the types of what is decoded where any is wanted, of what is passed
// there, and of what is returned.
func (u *universeTypes) addContainers() {
	tt := &typeTable{known: map[types.Type]*Type{}}
	list := tt.of(types.NewSlice(u.any.t))
	object := tt.of(types.NewMap(u.str.t, u.any.t))
	pointer := tt.of(types.NewPointer(u.any.t))
	var arrays, pointers [fewArguments]*Type
	for n := range arrays {
		t := types.NewArray(u.any.t, int64(n))
		arrays[n], pointers[n] = tt.of(t), tt.of(types.NewPointer(t))
	}
	results := tt.of(types.NewTuple(types.NewVar(token.NoPos, nil, "", u.basic[types.Int].t), types.NewVar(token.NoPos, nil, "", u.error.t)))
	u.anySlice, u.anyMap, u.intError = list, object, results
	u.anyPointer, u.anyArrays, u.arrayPointers = pointer, arrays, pointers
	u.count += len(tt.all)
	for _, t := range tt.all {
		if t.host != nil {
			u.byHost[t.host] = t
		}
	}
}

// find gives the Type of a predeclared type, or of one of those that addContainers makes;
// nil for others.
func (u *universeTypes) find(t types.Type) *Type {
	switch t := t.(type) {
	case *types.Basic:
		return u.basic[t.Kind()]
	case *types.Tuple:
		switch {
		case t.Len() == 0:
			return u.none
		case t.Len() == 2 && u.intError != nil && t.At(0).Type() == u.basic[types.Int].t && t.At(1).Type() == u.error.t:
			return u.intError
		}
	case *types.Interface:
		if isAny(t) {
			return u.any
		}
	case *types.Named:
		if t == u.error.t {
			return u.error
		}
	case *types.Slice:
		if u.anySlice != nil && u.find(types.Unalias(t.Elem())) == u.any {
			return u.anySlice
		}
	case *types.Map:
		if u.anyMap != nil && u.find(types.Unalias(t.Key())) == u.str && u.find(types.Unalias(t.Elem())) == u.any {
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
		if a, ok := types.Unalias(t.Elem()).(*types.Array); ok && 0 <= a.Len() && a.Len() < fewArguments && isAny(a.Elem()) {
			return u.arrayPointers[a.Len()]
		}
	}
	return nil
}

// isAny reports an interface without methods that has no name.
func isAny(t types.Type) bool {
	i, ok := types.Unalias(t).(*types.Interface)
	return ok && i.NumExplicitMethods() == 0 && i.NumEmbeddeds() == 0
}

// take adds the types that a run has come upon.
func (tt *typeTable) take(from *typeTable) {
	for _, t := range from.all {
		tt.add(t)
	}
}
