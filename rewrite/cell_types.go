package rewrite

import (
	"errors"
	"fmt"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
)

// A SavedType is a type in a table of types: it refers to its parts by index.
type SavedType struct {
	Kind     string   `cbor:"k"`
	Name     string   `cbor:"n,omitempty"` // of a predeclared or declared type
	Path     string   `cbor:"p,omitempty"` // of its package
	Cell     int      `cbor:"c,omitempty"` // of package main: the cell that declares it, from 1
	Len      int64    `cbor:"l,omitempty"` // of an array; the direction of a channel
	Of       []int    `cbor:"o,omitempty"`
	Params   int      `cbor:"a,omitempty"` // how many of Of are parameters; the rest are results
	Variadic bool     `cbor:"v,omitempty"`
	Names    []string `cbor:"f,omitempty"` // of fields and methods; an embedded field has a * before it
	Tags     []string `cbor:"t,omitempty"`
}

// A TypeWriter makes a table of types.
type TypeWriter struct {
	List []SavedType
	Cell func(*types.Package) (int, error) // the number of the cell of a package main

	Known func(SavedType) bool // if not nil: whether the reader of the table finds this type of the host

	known map[types.Type]int
	alike map[shape]int // those of one or two parts: each []int of a cell is a type of its own
}

// Add returns the index of t.
func (w *TypeWriter) Add(t types.Type) (int, error) {
	t = types.Unalias(t)
	if i, ok := w.known[t]; ok {
		return i, nil
	}
	if w.known == nil {
		w.known, w.alike = map[types.Type]int{}, map[shape]int{}
	}
	s, err := w.describe(t)
	if err != nil {
		return 0, err
	}
	key, small := shapeOf(s)
	if i, ok := w.alike[key]; small && ok {
		w.known[t] = i
		return i, nil
	}
	i := len(w.List)
	w.List = append(w.List, s)
	if w.known[t] = i; small {
		w.alike[key] = i
	}
	return i, nil
}

// A shape is a type as its parts in the table make it.
type shape struct {
	kind string
	len  int64
	of   [2]int
}

// shapeOf is that of s, if it has at most two parts, and these are all it is made of.
func shapeOf(s SavedType) (key shape, ok bool) {
	n, ok := parts[s.Kind]
	if !ok || n == 0 {
		return shape{}, false
	}
	key.kind, key.len = s.Kind, s.Len
	copy(key.of[:], s.Of)
	return key, true
}

func (w *TypeWriter) describe(t types.Type) (s SavedType, err error) {
	var of []types.Type
	switch t := t.(type) {
	case *types.Basic:
		if types.Universe.Lookup(t.Name()) == nil {
			return s, fmt.Errorf("no variable has the type %s", t)
		}
		return SavedType{Kind: "basic", Name: t.Name()}, nil
	case *types.Named:
		if s, err = w.named(t); err != nil {
			return s, err
		}
		of = check.TypeList(t.TypeArgs())
	case *types.Pointer:
		s, of = SavedType{Kind: "pointer"}, []types.Type{t.Elem()}
	case *types.Slice:
		s, of = SavedType{Kind: "slice"}, []types.Type{t.Elem()}
	case *types.Array:
		s, of = SavedType{Kind: "array", Len: t.Len()}, []types.Type{t.Elem()}
	case *types.Map:
		s, of = SavedType{Kind: "map"}, []types.Type{t.Key(), t.Elem()}
	case *types.Chan:
		s, of = SavedType{Kind: "chan", Len: int64(t.Dir())}, []types.Type{t.Elem()}
	case *types.Signature:
		s = SavedType{Kind: "func", Variadic: t.Variadic(), Params: t.Params().Len()}
		of = slices.Concat(check.VarTypes(t.Params()), check.VarTypes(t.Results()))
	case *types.Struct:
		s.Kind = "struct"
		for i := range t.NumFields() {
			name := t.Field(i).Name()
			if t.Field(i).Embedded() {
				name = "*" + name
			}
			s.Names, s.Tags, of = append(s.Names, name), append(s.Tags, t.Tag(i)), append(of, t.Field(i).Type())
		}
	case *types.Interface:
		if !t.IsMethodSet() {
			return s, fmt.Errorf("the type %s has no values", t)
		}
		s.Kind = "interface"
		for m := range t.Methods() {
			sig := m.Signature()
			s.Names, of = append(s.Names, m.Name()), append(of, types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		}
	default:
		return s, fmt.Errorf("values of type %s cannot be saved", t)
	}
	for _, o := range of {
		i, err := w.Add(o)
		if err != nil {
			return s, err
		}
		s.Of = append(s.Of, i)
	}
	return s, nil
}

func (w *TypeWriter) named(t *types.Named) (s SavedType, err error) {
	obj := t.Obj()
	s = SavedType{Kind: "named", Name: obj.Name()}
	if obj.Pkg() == nil {
		return s, nil
	}
	if check.IsLocal(t) || obj.Parent() == nil && obj.Pos().IsValid() && t.TypeArgs().Len() == 0 { // those of the host have no place
		return s, fmt.Errorf("the type %s is declared in a function", obj.Name())
	}
	s.Path = obj.Pkg().Path()
	switch {
	case s.Path == "main" && obj.Pos().IsValid():
		s.Cell, err = w.Cell(obj.Pkg())
	case w.Known != nil && !w.Known(s):
		err = fmt.Errorf("scripts have no name for the type %s", obj.Name())
	}
	return s, err
}

// A TypeReader makes types from a table.
type TypeReader struct {
	Scope       func(path string, cell int) *types.Scope // nil if there is no such package
	Predeclared []types.Object                           // of the host, in packages that cannot be imported

	list   []types.Type
	weight []int // what each is made of, all in all
	main   *types.Package
}

// maxSavedType bounds what a type is made of.
const maxSavedType = 1 << 14

var errSavedType = errors.New("a type that is saved is none")

// Read returns the types of list, by index.
func (r *TypeReader) Read(list []SavedType) ([]types.Type, error) {
	r.main = types.NewPackage("main", "main")
	var m checkcost.Measure
	for _, s := range list {
		var of []types.Type
		weight := 1
		for _, i := range s.Of {
			if i < 0 || i >= len(r.list) {
				return nil, errSavedType // what a type is made of comes before it
			}
			of = append(of, r.list[i])
			if weight += r.weight[i]; weight > maxSavedType {
				return nil, errSavedType
			}
		}
		t, err := r.make(s, of)
		if err != nil {
			return nil, err
		}
		if m.Bytes(t) > checkcost.MaxBytes {
			return nil, errSavedType
		}
		r.list, r.weight = append(r.list, t), append(r.weight, weight)
	}
	return r.list, nil
}

// parts is how many types each kind is made of.
var parts = map[string]int{"basic": 0, "pointer": 1, "slice": 1, "array": 1, "map": 2, "chan": 1}

func (r *TypeReader) make(s SavedType, of []types.Type) (types.Type, error) {
	if n, ok := parts[s.Kind]; ok && n != len(of) {
		return nil, errSavedType
	}
	switch s.Kind {
	case "basic":
		if obj, ok := types.Universe.Lookup(s.Name).(*types.TypeName); ok {
			if t, ok := types.Unalias(obj.Type()).(*types.Basic); ok {
				return t, nil
			}
		}
	case "named":
		return r.named(s, of)
	case "pointer":
		return types.NewPointer(of[0]), nil
	case "slice":
		return types.NewSlice(of[0]), nil
	case "array":
		if s.Len >= 0 && s.Len <= checkcost.MaxBytes {
			return types.NewArray(of[0], s.Len), nil
		}
	case "map":
		if types.Comparable(of[0]) {
			return types.NewMap(of[0], of[1]), nil
		}
	case "chan":
		if s.Len >= 0 && s.Len <= int64(types.RecvOnly) {
			return types.NewChan(types.ChanDir(s.Len), of[0]), nil
		}
	case "func":
		return funcOfSaved(s, of)
	case "struct":
		return r.structOf(s, of)
	case "interface":
		return r.interfaceOf(s, of)
	}
	return nil, errSavedType
}

func (r *TypeReader) named(s SavedType, args []types.Type) (types.Type, error) {
	obj, err := r.object(s)
	if err != nil {
		return nil, err
	}
	n, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok || n.TypeParams().Len() != len(args) {
		return nil, fmt.Errorf("%s.%s is another type now", s.Path, s.Name)
	}
	if len(args) == 0 {
		return n, nil
	}
	return types.Instantiate(nil, n, args, true)
}

// object is what declares a named type.
func (r *TypeReader) object(s SavedType) (*types.TypeName, error) {
	scope := types.Universe
	if s.Path != "" {
		scope = r.Scope(s.Path, s.Cell)
	}
	if scope != nil {
		if obj, ok := scope.Lookup(s.Name).(*types.TypeName); ok {
			return obj, nil
		}
	}
	if obj := predeclared(r.Predeclared, s); obj != nil {
		return obj, nil
	}
	if scope == nil {
		return nil, fmt.Errorf("there is no package %s", s.Path)
	}
	return nil, fmt.Errorf("there is no type %s.%s", s.Path, s.Name)
}

// predeclared is the one of list that declares a saved type, or is an alias of it.
func predeclared(list []types.Object, s SavedType) *types.TypeName {
	for _, o := range list {
		if obj, ok := o.(*types.TypeName); ok && isOf(obj, s) {
			return obj
		}
	}
	return nil
}

// isOf reports that obj, or what it is an alias of, is the saved type.
func isOf(obj *types.TypeName, s SavedType) bool {
	n, ok := types.Unalias(obj.Type()).(*types.Named)
	return ok && n.Obj().Name() == s.Name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == s.Path
}

func funcOfSaved(s SavedType, of []types.Type) (types.Type, error) {
	if s.Params < 0 || s.Params > len(of) {
		return nil, errSavedType
	}
	if s.Variadic {
		if s.Params == 0 {
			return nil, errSavedType
		}
		if _, ok := of[s.Params-1].(*types.Slice); !ok {
			return nil, errSavedType
		}
	}
	return signature(nil, of[:s.Params], of[s.Params:], s.Variadic), nil
}

func (r *TypeReader) structOf(s SavedType, of []types.Type) (types.Type, error) {
	if len(s.Names) != len(of) || len(s.Tags) != len(of) {
		return nil, errSavedType
	}
	var fields []*types.Var
	seen := map[string]bool{}
	for i, name := range s.Names {
		embedded := len(name) > 0 && name[0] == '*'
		if embedded {
			name = name[1:]
		}
		if name == "" || seen[name] && name != "_" {
			return nil, errSavedType
		}
		seen[name] = true
		fields = append(fields, types.NewField(0, r.main, name, of[i], embedded))
	}
	return types.NewStruct(fields, s.Tags), nil
}

func (r *TypeReader) interfaceOf(s SavedType, of []types.Type) (types.Type, error) {
	if len(s.Names) != len(of) {
		return nil, errSavedType
	}
	if len(of) == 0 {
		return types.Universe.Lookup("any").Type(), nil // as people write it
	}
	var methods []*types.Func
	seen := map[string]bool{}
	for i, name := range s.Names {
		sig, ok := of[i].(*types.Signature)
		if !ok || seen[name] {
			return nil, errSavedType
		}
		seen[name] = true
		methods = append(methods, types.NewFunc(0, r.main, name, sig))
	}
	return types.NewInterfaceType(methods, nil).Complete(), nil
}
