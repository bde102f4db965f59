package rewrite

import (
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// readBack is t, and others, written to a table and read from it.
func readBack(t *testing.T, scope func(string, int) *types.Scope, list ...types.Type) []types.Type {
	t.Helper()
	w := &TypeWriter{Cell: func(*types.Package) (int, error) { return 1, nil }}
	var at []int
	for _, typ := range list {
		i, err := w.Add(typ)
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		at = append(at, i)
	}
	all, err := (&TypeReader{Scope: scope}).Read(w.List)
	if err != nil {
		t.Fatal(err)
	}
	var out []types.Type
	for _, i := range at {
		out = append(out, all[i])
	}
	return out
}

// TestSavedTypes: types that go into a table and come out of it are identical, as go/types says.
func TestSavedTypes(t *testing.T) {
	s, list := declared(t, `import "strings"`, "type T struct{ A int; t *T }", "type G[K comparable, V any] map[K]V", "type E interface{ error; F(x int, more ...T) (T, bool) }",
		"type R []R", "type Alias = map[string]T")
	scopes := map[string]*types.Scope{}
	for _, p := range list {
		for _, obj := range p.Declares() {
			scopes[obj.Name()] = obj.Pkg().Scope()
		}
	}
	for _, expr := range []string{
		"0", `""`, "1.5", "2i", "'a'", "byte(1)", "uintptr(1)", "true",
		"T{}", "&T{}", "[]T{}", "[3][]*T{}", "map[string][]T{}", "map[[2]int]chan T{}", "make(chan<- T)", "make(<-chan []T)",
		"G[string, T]{}", "G[int, G[string, T]]{}", "struct{ A, b int; T; c *T }{}", "struct{ A int `json:\"a\"`; B any `x`; _ int }{}", "struct{}{}",
		"func() {}", "func(a int, b ...string) (x T, err error) { return }", "func(f func(T) bool) func(...T) { return nil }",
		"E(nil)", "error(nil)", "any(nil)", "interface{ M(T) *T; N() }(nil)", "R{}", "Alias{}", "strings.Builder{}", "[]*strings.Builder{}",
	} {
		typ, err := s.TypeOf(expr)
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		// A table says which cell declares a type; here each type has a cell of its own, found by its name.
		back := readBack(t, func(path string, _ int) *types.Scope {
			if path != "main" {
				pkg, _ := s.universe.Import(path)
				return pkg.Scope()
			}
			all := types.NewScope(nil, 0, 0, "")
			for name, scope := range scopes {
				all.Insert(scope.Lookup(name))
			}
			return all
		}, typ)[0]
		if !types.Identical(back, typ) {
			t.Errorf("%s: %s has become %s", expr, typ, back)
		}
	}
}

// TestSavedTypesOnce: a type that several are made of is in the table once.
func TestSavedTypesOnce(t *testing.T) {
	w := &TypeWriter{}
	deep := types.Type(types.Typ[types.Int])
	for range 60 {
		deep = types.NewStruct([]*types.Var{types.NewField(0, nil, "A", deep, false), types.NewField(0, nil, "B", deep, false)}, nil)
	}
	for range 3 {
		if _, err := w.Add(deep); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.List) != 61 {
		t.Errorf("%d types in the table, want 61", len(w.List))
	}
	if _, err := (&TypeReader{}).Read(w.List); err == nil {
		t.Error("a type of 2^60 fields was read")
	}
}

// TestSavedTypesRefused: what has no values, or cannot be named where it is read, is not written.
func TestSavedTypesRefused(t *testing.T) {
	_, list := declared(t, "func f() any { type local int; return local(1) }", "type N interface{ ~int | ~string }", "func g[P N](p P) P { return p }")
	param := list[2].Declares()[0].Type().(*types.Signature).TypeParams().At(0)
	local := types.NewNamed(types.NewTypeName(1, list[0].Main().Package, "local", nil), types.Typ[types.Int], nil)
	for name, typ := range map[string]types.Type{
		"a constraint":        list[1].Declares()[0].Type().Underlying(),
		"a parameter":         param,
		"untyped nil":         types.Typ[types.UntypedNil],
		"an invalid type":     types.NewPointer(types.Typ[types.Invalid]),
		"an unsafe pointer":   types.Typ[types.UnsafePointer],
		"a slice of these":    types.NewSlice(param),
		"a type of a func":    local,
		"a function of these": types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", local)), nil, false),
	} {
		w := &TypeWriter{Cell: func(*types.Package) (int, error) { return 1, nil }}
		if _, err := w.Add(typ); err == nil {
			t.Errorf("%s was written: %v", name, w.List)
		}
	}
}

// malformed are tables that no writer makes, each with what is wrong.
var malformed = map[string][]SavedType{
	"no kind":                     {{}},
	"unknown kind":                {{Kind: "tuple"}},
	"no such basic type":          {{Kind: "basic", Name: "int128"}},
	"a function as a basic type":  {{Kind: "basic", Name: "len"}},
	"an interface as a basic one": {{Kind: "basic", Name: "error"}},
	"of itself":                   {{Kind: "slice", Of: []int{0}}},
	"of what comes later":         {{Kind: "slice", Of: []int{1}}, {Kind: "basic", Name: "int"}},
	"of what is not there":        {{Kind: "pointer", Of: []int{-1}}},
	"of nothing":                  {{Kind: "slice"}},
	"of too much":                 {{Kind: "basic", Name: "int"}, {Kind: "pointer", Of: []int{0, 0}}},
	"a map of one":                {{Kind: "basic", Name: "int"}, {Kind: "map", Of: []int{0}}},
	"a map by slices":             {{Kind: "basic", Name: "int"}, {Kind: "slice", Of: []int{0}}, {Kind: "map", Of: []int{1, 0}}},
	"a negative array":            {{Kind: "basic", Name: "int"}, {Kind: "array", Len: -1, Of: []int{0}}},
	"a huge array":                {{Kind: "basic", Name: "int"}, {Kind: "array", Len: 1 << 62, Of: []int{0}}},
	"a large array of arrays":     {{Kind: "basic", Name: "int"}, {Kind: "array", Len: 1 << 20, Of: []int{0}}, {Kind: "array", Len: 1 << 20, Of: []int{1}}},
	"a channel of no direction":   {{Kind: "basic", Name: "int"}, {Kind: "chan", Len: 3, Of: []int{0}}},
	"too many parameters":         {{Kind: "func", Params: 1}},
	"negative parameters":         {{Kind: "func", Params: -1}},
	"variadic without parameters": {{Kind: "func", Variadic: true}},
	"variadic of no slice":        {{Kind: "basic", Name: "int"}, {Kind: "func", Params: 1, Variadic: true, Of: []int{0}}},
	"fields without names":        {{Kind: "basic", Name: "int"}, {Kind: "struct", Of: []int{0}}},
	"names without fields":        {{Kind: "struct", Names: []string{"A"}, Tags: []string{""}}},
	"no tags":                     {{Kind: "basic", Name: "int"}, {Kind: "struct", Names: []string{"A"}, Of: []int{0}}},
	"an empty name":               {{Kind: "basic", Name: "int"}, {Kind: "struct", Names: []string{""}, Tags: []string{""}, Of: []int{0}}},
	"an empty embedded name":      {{Kind: "basic", Name: "int"}, {Kind: "struct", Names: []string{"*"}, Tags: []string{""}, Of: []int{0}}},
	"a field twice":               {{Kind: "basic", Name: "int"}, {Kind: "struct", Names: []string{"A", "A"}, Tags: []string{"", ""}, Of: []int{0, 0}}},
	"a method twice":              {{Kind: "func"}, {Kind: "interface", Names: []string{"M", "M"}, Of: []int{0, 0}}},
	"a method that is none":       {{Kind: "basic", Name: "int"}, {Kind: "interface", Names: []string{"M"}, Of: []int{0}}},
	"a method without name":       {{Kind: "func"}, {Kind: "interface", Of: []int{0}}},
	"no such package":             {{Kind: "named", Name: "T", Path: "nowhere"}},
	"no such type":                {{Kind: "named", Name: "T", Path: "strings"}},
	"no type":                     {{Kind: "named", Name: "ToUpper", Path: "strings"}},
	"not predeclared":             {{Kind: "named", Name: "T"}},
	"arguments of a plain type":   {{Kind: "basic", Name: "int"}, {Kind: "named", Name: "Builder", Path: "strings", Of: []int{0}}},
}

// TestSavedTypesMalformed: a table that no writer makes is an error, and not a panic or a type that go/types would
// not have made.
func TestSavedTypesMalformed(t *testing.T) {
	u := newTestUniverse()
	scope := func(path string, _ int) *types.Scope {
		pkg, err := u.Import(path)
		if err != nil {
			return nil
		}
		return pkg.Scope()
	}
	for name, list := range malformed {
		if got, err := (&TypeReader{Scope: scope}).Read(list); err == nil {
			t.Errorf("%s: read as %v", name, got)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []string{"basic", "named", "pointer", "slice", "array", "map", "chan", "func", "struct", "interface"}
	names := []string{"int", "string", "error", "A", "*B", "", "Builder", "any"}
	for range 20_000 {
		var list []SavedType
		for i := range 1 + random.IntN(6) {
			s := SavedType{
				Kind: kinds[random.IntN(len(kinds))], Name: names[random.IntN(len(names))], Len: random.Int64N(5) - 1, Params: random.IntN(4) - 1, Variadic: random.IntN(3) == 0,
			}
			for range random.IntN(3) {
				s.Of, s.Names, s.Tags = append(s.Of, random.IntN(i+1)), append(s.Names, names[random.IntN(len(names))]), append(s.Tags, "")
			}
			list = append(list, s)
		}
		read, err := (&TypeReader{Scope: scope}).Read(list)
		if err != nil {
			continue
		}
		// Those that are types can be written, and are the same again.
		for i, typ := range readBack(t, scope, read...) {
			if !types.Identical(typ, read[i]) {
				t.Fatalf("%v: %s has become %s", list, read[i], typ)
			}
		}
	}
}

// TestSavedTypesOfCells: a type of a cell is the one of the cell whose number the table has, however many have the name.
func TestSavedTypesOfCells(t *testing.T) {
	s, list := declared(t, "type T int", "a := T(1)", "type T string", "b := T(\"x\")")
	w := &TypeWriter{Cell: func(p *types.Package) (int, error) {
		return slices.IndexFunc(list, func(c *Program) bool { return c.Main().Package == p }), nil
	}}
	for _, name := range []string{"a", "b"} {
		i := slices.IndexFunc(s.Names(), func(o types.Object) bool { return o.Name() == name })
		if _, err := w.Add(s.Names()[i].Type()); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.List) != 2 || w.List[0].Cell != 0 || w.List[1].Cell != 2 || w.List[0].Name+w.List[1].Name != "TT" {
		t.Errorf("%+v", w.List)
	}
	text := strings.Join([]string{s.Text(list[1].Declares()[0].Type()), s.Text(list[3].Declares()[0].Type().Underlying())}, " ")
	if text != "T string" {
		t.Error(text)
	}
	if _, err := s.Compile(parse.Source{Text: "a + b"}, nil); err == nil {
		t.Error("values of two types of one name were added")
	}
}
