package rewrite

import (
	"errors"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// declared compiles cells into a session and declares each.
func declared(t *testing.T, texts ...string) (*Session, []*Program) {
	t.Helper()
	s := NewSession(newTestUniverse(), parse.Bounds{})
	var list []*Program
	for _, text := range texts {
		list = append(list, cell(t, s, text))
	}
	return s, list
}

// cell is one more cell of s.
func cell(t *testing.T, s *Session, text string) *Program {
	t.Helper()
	p, err := s.Compile(parse.Source{Text: text}, nil)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	s.Declare(p)
	return p
}

// namesOf are what the names of s mean, each as go/types writes it.
func namesOf(s *Session) []string {
	var list []string
	for _, obj := range s.Names() {
		list = append(list, types.ObjectString(obj, func(*types.Package) string { return "" }))
	}
	return list
}

// TestSessionNames: a cell's declarations are known to later cells, whatever kind they are of, and a name that is
// declared again means the new thing.
func TestSessionNames(t *testing.T) {
	for _, tc := range []struct {
		name  string
		cells []string
		want  []string
	}{
		{"nothing", nil, nil},
		{"each kind", []string{"x := 1", "const c = 2.5", "type T struct{ A int }", "func f(t T) (int, error) { return t.A, nil }", "func g[P any](p P) P { return p }"},
			[]string{"type T struct{A int}", "const c untyped float", "func f(t T) (int, error)", "func g[P any](p P) P", "var x int"}},
		{"used later", []string{"x := 1", "y := x + 1", "func f() int { return x * y }", "z := f()"},
			[]string{"func f() int", "var x int", "var y int", "var z int"}},
		{"another type", []string{"x := 1", `x := "text"`}, []string{"var x string"}},
		{"another kind", []string{"x := 1", "func x() {}", "type x []int"}, []string{"type x []int"}},
		{"values keep their old type", []string{"type T struct{ A int }", "v := T{1}", "type T struct{ B string }", "w := T{}"},
			[]string{"type T struct{B string}", "var v T", "var w T"}},
		{"nothing declared", []string{"x := 1", "x = 2", "x"}, []string{"var x int"}},
		{"blank", []string{"_ = 1", "var _ = 2", "func _() {}"}, nil},
		{"main", []string{"func main() { fmt.Println() }"}, []string{"func main()"}},
		{"statements are no main", []string{"fmt.Println()"}, nil},
		{"methods", []string{"type T int\nfunc (t T) M() int { return int(t) }", "v := T(2).M()"}, []string{"type T int", "var v int"}},
		{"predeclared names", []string{"len := func(s string) int { return 7 }", `n := len("")`}, []string{"var len func(s string) int", "var n int"}},
	} {
		s, _ := declared(t, tc.cells...)
		if got := namesOf(s); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestSessionDeclares: what is asked of one cell is what that cell declares, and no more.
func TestSessionDeclares(t *testing.T) {
	_, list := declared(t, "a, b := 1, 2", "c := a + b\nfunc f() {}", "a")
	for i, want := range []string{"a b", "c f", ""} {
		var got []string
		for _, obj := range list[i].Declares() {
			got = append(got, obj.Name())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("cell %d declares %q, want %q", i, got, want)
		}
	}
}

// TestSessionCompile: a cell that is refused, or compiled and not declared, changes nothing; and one that is compiled
// before another is declared does not see that.
func TestSessionCompile(t *testing.T) {
	s, _ := declared(t, "x := 1", `import "strings"`)
	before := namesOf(s)
	for _, text := range []string{"x := ", "y := undefinedName", `x := "a" * 2`, "import \"nowhere\"", "func x() { os.Exit(1) }"} {
		if p, err := s.Compile(parse.Source{Text: text}, nil); err == nil && text != "func x() { os.Exit(1) }" {
			t.Errorf("%q was compiled: %v", text, p.Declares())
		}
	}
	early, err := s.Compile(parse.Source{Text: "y := x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(s); !slices.Equal(got, before) || !maps.Equal(s.Imports(), map[string]string{"strings": "strings"}) {
		t.Errorf("a cell that was not declared left %q %v", got, s.Imports())
	}
	cell(t, s, "x := true")
	s.Declare(early)
	if got := namesOf(s); !slices.Equal(got, []string{"var x bool", "var y int"}) {
		t.Errorf("afterwards: %q", got)
	}
}

// TestSessionErrors: errors of cells have the kind, the place in the cell and the name of what a script's would have.
func TestSessionErrors(t *testing.T) {
	s, _ := declared(t, "x := 1", "type T struct{ Size int }", "func f(n int) string { return \"\" }")
	for _, tc := range []struct {
		text string
		code diag.Code
		line int
		col  int
		in   string
	}{
		{"\n\ty := z", diag.Undefined, 2, 7, "z"},
		{"x + \"a\"", diag.MismatchedTypes, 1, 0, "mismatched types"},
		{"f(\"a\")", diag.WrongType, 1, 3, "string"},
		{"n := f(1) + 1", diag.MismatchedTypes, 1, 0, "string"},
		{"var t T\nt.Sise = 1", diag.UndefinedMember, 2, 0, "Size"},
		{"x := ", diag.BadSyntax, 1, 0, ""},
	} {
		_, err := s.Compile(parse.Source{Text: tc.text}, nil)
		var list diag.Rejections
		if !errors.As(err, &list) || len(list) == 0 {
			t.Errorf("%q: %v", tc.text, err)
			continue
		}
		r := list[0]
		if r.Code != tc.code || r.Pos.Line != tc.line || tc.col > 0 && r.Pos.Column != tc.col || !strings.Contains(r.Error(), tc.in) {
			t.Errorf("%q: %v %v %v, want %v at %d:%d with %q", tc.text, r.Code, r.Pos, r.Error(), tc.code, tc.line, tc.col, tc.in)
		}
	}
}

// TestSessionImports: an import is one of the session; declarations take its name, and imports take that of declarations.
func TestSessionImports(t *testing.T) {
	s, _ := declared(t, `import "strings"`, `import str "strconv"`, "a := strings.ToUpper(str.Itoa(1))")
	if got, want := s.Imports(), map[string]string{"strings": "strings", "str": "strconv"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	clear(s.Imports())
	if len(s.Imports()) != 2 {
		t.Error("the imports of a session were changed from outside")
	}
	cell(t, s, "str := 1")
	if got := s.Imports(); got["str"] != "" {
		t.Errorf("a variable of that name: %v", got)
	}
	cell(t, s, `import str "strings"`)
	if got := namesOf(s); slices.Contains(got, "var str int") {
		t.Errorf("an import of that name: %q", got)
	}
	cell(t, s, `b := str.ToUpper("a")`)
}

// TestSessionInputs: an input is a variable of the cell it is given to, and of later ones.
func TestSessionInputs(t *testing.T) {
	s := NewSession(newTestUniverse(), parse.Bounds{})
	in := []check.Input{{Name: "rows", Type: types.NewSlice(types.Typ[types.String])}}
	p, err := s.Compile(parse.Source{Text: "n := len(rows)"}, in)
	if err != nil {
		t.Fatal(err)
	}
	s.Declare(p)
	cell(t, s, "m := len(rows[0])")
	if got, want := namesOf(s), []string{"var m int", "var n int", "var rows []string"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	p, err = s.Compile(parse.Source{Text: "k := rows + 1"}, []check.Input{{Name: "rows", Type: types.Typ[types.Int]}})
	if err != nil {
		t.Fatal("an input of another type: ", err)
	}
	s.Declare(p)
	if got := namesOf(s); !slices.Contains(got, "var rows int") || !slices.Contains(got, "var k int") {
		t.Errorf("%q", got)
	}
	_, err = s.Compile(parse.Source{Text: "k = rows\nvar rows string\n_ = rows"}, []check.Input{{Name: "rows", Type: types.Typ[types.Int]}})
	if err == nil || !strings.Contains(err.Error(), "rows is used before it is declared") {
		t.Errorf("an input above a variable of its name, which an earlier cell has, too: %v", err)
	}
}

// TestSessionGenerics: a later cell gets the source of generic declarations that it uses, and of no others.
func TestSessionGenerics(t *testing.T) {
	s, list := declared(t, "func id[P any](p P) P { return p }", "func twice[P any](p P) [2]P { return [2]P{id(p), id(p)} }", "x := 1", "y := twice(x)", "z := x")
	for i, want := range []int{0, 1, 0, 2, 0} {
		if got := len(list[i].Earlier()); got != want {
			t.Errorf("cell %d may need %d earlier units, want %d", i, got, want)
		}
	}
	if n := len(list[0].Sources()); n != 1 {
		t.Errorf("a cell with a generic function has %d sources for later ones", n)
	}
	if n := len(list[2].Sources()); n != 0 {
		t.Errorf("a cell without has %d", n)
	}
	if got := namesOf(s); !slices.Contains(got, "var y [2]int") {
		t.Errorf("%q", got)
	}
}
