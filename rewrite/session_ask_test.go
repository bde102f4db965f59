package rewrite

import (
	"slices"
	"strings"
	"testing"
)

// TestSessionTypeOf: an expression has the type that it has in a cell; what is none is an error of the script's kind.
func TestSessionTypeOf(t *testing.T) {
	s, _ := declared(t, "x := 1", "type T struct{ A []string; b int }", "t := &T{}", "func f(n int, s ...string) (T, error) { return T{}, nil }", `import "strings"`)
	for _, tc := range []struct{ expr, want string }{
		{"x", "int"},
		{"x * 2.0", "int"},
		{"1.5", "float64"},
		{"'a'", "rune"},
		{"nil", "untyped nil"},
		{"x == 1", "bool"},
		{"t", "*T"},
		{"t.A", "[]string"},
		{"t.A[0]", "string"},
		{"*t", "T"},
		{"f", "func(n int, s ...string) (T, error)"},
		{"f(1)", "(T, error)"},
		{"strings.Builder{}", "strings.Builder"},
		{"strings.ToUpper", "func(s string) string"},
		{"func() map[string]T { return nil }()", "map[string]T"},
		{"struct{ P T }{}", "struct{P T}"},
	} {
		got, err := s.TypeOf(tc.expr)
		if err != nil {
			t.Errorf("%s: %v", tc.expr, err)
			continue
		}
		if text := s.Text(got); text != tc.want {
			t.Errorf("%s: %s, want %s", tc.expr, text, tc.want)
		}
	}
	for _, expr := range []string{"", "x := 2", "y", "x +", "for {}", "x; x", "import \"fmt\"", "type U int", "func g() {}", "t.A.B"} {
		if got, err := s.TypeOf(expr); err == nil {
			t.Errorf("%q has the type %v", expr, got)
		}
	}
	if got := namesOf(s); slices.ContainsFunc(got, func(n string) bool { return strings.Contains(n, " U ") || strings.Contains(n, " g(") }) {
		t.Errorf("a question declared something: %q", got)
	}
}

// TestSessionComplete: the names that may stand where the text ends.
func TestSessionComplete(t *testing.T) {
	s, _ := declared(t, "value, other := 1, \"\"", "type Pair struct{ First, Second int; third bool }\nfunc (p *Pair) Swap() {}\nfunc (p Pair) Sum() int { return 0 }",
		"pair := &Pair{}", "pairs := []Pair{}", "func make2(n int) Pair { return Pair{} }", `import str "strings"`, "strconv := 1")
	paths := []string{"fmt", "strings", "strconv", "math/rand"}
	for _, tc := range []struct {
		text string
		want string // in this order, with none between that begin alike
	}{
		{"val", "value"},
		{"x := val", "value"},
		{"pa", "package pair pairs panic"},
		{"pair.", "First Second Sum Swap third"},
		{"pair.S", "Second Sum Swap"},
		{"pair .F", "First"},
		{"pair.\n\tF", "First"},
		{"pairs[0].Se", "Second"},
		{"make2(1).F", "First"},
		{"pairs[len(pairs)-1].F", "First"},
		{"(*pair).F", "First"},
		{"fmt.Print(pair.F", "First"},
		{"fmt.Spr", "Sprint Sprintf"},
		{"str.To", "ToUpper"},
		{"strings.To", "ToUpper"},
		{"rand.", "Int Intn"},
		{"strconv.", ""}, // a variable
		{"value.", ""},
		{"nothing.", ""},
		{"nothing.x.", ""},
		{"pair.Nothing", ""},
		{"fmt.Nothing", ""},
		{"swi", "switch"},
		{"appe", "append"},
		{"st", "str strconv string strings struct"},
		{"(", "*"},
		{"]x)y.", ""},
		{"1.", ""},
	} {
		got := s.Complete(tc.text, len(tc.text), paths)
		if tc.want == "*" {
			if len(got) < 60 {
				t.Errorf("%q: only %d names", tc.text, len(got))
			}
			continue
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
	for _, name := range s.Complete("", 0, paths) {
		if strings.HasPrefix(name, "sandtrap") || strings.Contains(name, "__") || name == "_" {
			t.Errorf("an internal name is offered: %s", name)
		}
	}
	for offset, want := range map[int]int{-1: 0, 100: 3, 3: 3} {
		if got := s.Complete("pai", offset, paths); (len(got) == 2) != (want == 3) {
			t.Errorf("offset %d: %q", offset, got)
		}
	}
}
