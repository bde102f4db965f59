package rewrite

import (
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// saved is s as Save describes it, through the bytes of a file. All variables have values, so the cells of their types
// are known, as they are to an engine.
func saved(t *testing.T, s *Session) *SavedSession {
	t.Helper()
	var types []*Cell
	for _, c := range s.Live(nil) {
		types = append(types, s.typesFrom(c)...)
	}
	cells, valued := s.Live(types), map[*Cell][]string{}
	for _, c := range cells {
		for _, obj := range c.names {
			if c.variable(obj.Name()) != nil {
				valued[c] = append(valued[c], obj.Name())
			}
		}
	}
	out, _, skipped, err := s.Save(cells, valued)
	if err != nil {
		t.Fatal(err)
	}
	for c, names := range skipped {
		if len(names) > 0 {
			t.Errorf("%s: skipped %v", c.source.Name, names)
		}
	}
	data, err := cbor.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	back := &SavedSession{}
	if err := cbor.Unmarshal(data, back); err != nil {
		t.Fatal(err)
	}
	return back
}

// restored is a session of saved.
func restored(in *SavedSession) (s *Session, programs []*Program, err error) {
	r := NewSession(newTestUniverse(), parse.Bounds{}).Restore(in, nil)
	if _, err := r.Packages(); err != nil {
		return nil, nil, err
	}
	for {
		p, _, err := r.Next()
		if err != nil {
			return nil, nil, err
		}
		if p == nil {
			break
		}
		programs = append(programs, p)
	}
	if _, err := r.Last(); err != nil {
		return nil, nil, err
	}
	_, err = r.Done()
	return r.Session, programs, err
}

// over is an engine's note of a cell no function literal of which is left.
type over struct{}

func (over) Working() bool { return false }

var sessions = []struct {
	name  string
	cells []string
	next  []string // cells that compile afterwards
	not   []string // and that do not
}{
	{"nothing", nil, []string{"x := 1"}, []string{"x"}},
	{"variables", []string{"x, y := 1, \"a\"", "z := []any{x, y}"}, []string{"x + 1", "y + z[0].(string)"}, []string{"x + y"}},
	{"functions", []string{"func f(n int) int { if n > 0 { return g(n - 1) }; return 0 }\nfunc g(n int) int { return f(n) }", "func h() int { return f(3) }"},
		[]string{"f(g(h()))"}, []string{"f(\"\")"}},
	{"types", []string{"type T struct{ A int; next *T }\nfunc (T) M() {}", "t := T{next: &T{}}"}, []string{"t.next.A"}, []string{"t.B"}},
	{"methods", []string{"type T int\nfunc (t T) M() T { return t + 1 }", "t := T(1)"}, []string{"t.M().M()"}, []string{"t.N()"}},
	{"generics", []string{"type Pair[A, B any] struct{ A A; B B }", "func pair[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }", "p := pair(1, \"x\")"},
		[]string{"pair(p, p).A.B", "var q Pair[int, string] = p\n_ = q"}, []string{"p.B + 1"}},
	{"imports", []string{`import str "strings"`, "s := str.ToUpper(\"a\")"}, []string{"str.Repeat(s, 2)"}, []string{"stringsx.ToUpper(s)"}},
	{"constants", []string{"const c = 1 << 40", "const d, e = c * 2, \"e\"", "type day int\nconst (\n\tmon day = iota\n\ttue\n)"}, []string{"c + d", "tue + 1", "e + \"x\""}, []string{"e + 1"}},
	{"declared again", []string{"type T int", "a := T(1)", "type T string", "b := T(\"x\")", "func f() T { return b }", "f := a"},
		[]string{"b == T(\"y\")", "f + 1"}, []string{"a == b", "f()"}},
	{"shadowed imports", []string{`import "strings"`, "strings := 1"}, []string{"strings + 1"}, nil},
	{"closures", []string{"n := 0", "inc := func() int { n++; return n }"}, []string{"inc() + n"}, []string{"inc(1)"}},
	{"anonymous types", []string{"rows := []struct{ A int; B map[string][]bool }{{A: 1}}", "f := func(struct{ A int }) any { return 1 }"}, []string{"rows[0].B[\"x\"][0]", "f(struct{ A int }{1})"}, []string{"f(rows[0])"}},
	{"embedded", []string{"type base struct{ N int }\nfunc (b *base) Inc() { b.N++ }", "type T struct{ base; M int }", "t := &T{}"}, []string{"t.Inc(); t.N + t.M"}, []string{"t.X"}},
	{"used by what is gone", []string{"type T struct{ A int }", "v := T{1}.A", "type T bool"}, []string{"v + 1", "T(true)"}, []string{"T{1}"}},
}

// TestSessionSaved: a session that was saved and restored compiles what it would have compiled, and refuses what it
// would have refused; before its cells are settled, and after.
func TestSessionSaved(t *testing.T) {
	for _, tc := range sessions {
		for _, settled := range []bool{false, true} {
			name := fmt.Sprintf("%s, settled: %v", tc.name, settled)
			s, list := declared(t, tc.cells...)
			for _, p := range list {
				if settled {
					p.Cell().Linked = over{}
				}
			}
			s.Tidy()
			back, programs, err := restored(saved(t, s))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if a, b := namesOf(s), namesOf(back); !slices.Equal(a, b) {
				t.Errorf("%s: names are %q, want %q", name, b, a)
			}
			if !maps.Equal(s.Imports(), back.Imports()) {
				t.Errorf("%s: imports are %v, want %v", name, back.Imports(), s.Imports())
			}
			for _, text := range tc.next {
				for of, s := range map[string]*Session{"the session": s, "the restored one": back} {
					if _, err := s.Compile(parse.Source{Text: text}, nil); err != nil {
						t.Errorf("%s: %s: %q: %v", name, of, text, err)
					}
				}
			}
			for _, text := range tc.not {
				if _, err := back.Compile(parse.Source{Text: text}, nil); err == nil {
					t.Errorf("%s: %q was compiled", name, text)
				}
			}
			if again, _, err := restored(saved(t, back)); err != nil || !slices.Equal(namesOf(again), namesOf(back)) {
				t.Errorf("%s: once more: %v", name, err)
			}
			runtime.KeepAlive(programs) // as an engine does: they have the types of the variables
			runtime.KeepAlive(list)
		}
	}
}

// TestSessionSettled: what only the statements of a cell needed goes with them, and what it declares stays.
func TestSessionSettled(t *testing.T) {
	s, list := declared(t,
		"big := 1\nother := big * 2\nfor i := range 100 { other += i }\nfunc f() int { return g() }\nfunc g() int { return 1 }",
		"x := other + f()",
		"y := x",
	)
	for _, p := range list {
		p.Cell().Linked = over{}
	}
	s.Tidy()
	first, second := list[0].Cell(), list[1].Cell()
	if text := first.source.Text; strings.Contains(text, "range") || !strings.Contains(text, "func f()") || !strings.Contains(text, "func g()") {
		t.Errorf("the source is %q", text)
	}
	if got := strings.TrimSpace(second.source.Text); got != "" || len(second.uses) > 0 {
		t.Errorf("a cell of statements has the source %q and uses %d others", got, len(second.uses))
	}
	if got := len(s.Live(nil)); got != 3 {
		t.Errorf("%d cells are live, want 3", got)
	}
	cell(t, s, "x, y, big, other := 0, 0, 0, 0")
	cell(t, s, "func f() {}\nfunc g() {}")
	if got := len(s.Live(nil)); got != 2 {
		t.Errorf("%d cells are live after all names have been declared again, want 2", got)
	}
	if got := len(s.Live([]*Cell{second})); got != 3 {
		t.Errorf("%d cells are live with one that the caller knows of, want 3", got)
	}
}

// working is an engine's note of a cell with a function literal that is referred to.
type working struct{}

func (working) Working() bool { return true }

// TestSessionUnsettled: a cell keeps its source as long as a function of its statements may run, or the engine has
// not said so.
func TestSessionUnsettled(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		linked     Linked
	}{
		{"working", "f := func() int { return 1 }", working{}},
		{"not linked", "x := 1", nil},
	} {
		s := NewSession(newTestUniverse(), parse.Bounds{})
		p := cell(t, s, tc.text)
		p.Cell().Linked = tc.linked
		s.Tidy()
		if p.Cell().settled || p.Cell().source.Text != tc.text {
			t.Errorf("%s: the source is %q", tc.name, p.Cell().source.Text)
		}
	}
}

// TestSessionSpelled: variables of a settled cell's own types come back with these.
func TestSessionSpelled(t *testing.T) {
	s, list := declared(t, "import \"strings\"\ntype T struct{ B *strings.Builder }\na, b := T{}, []map[string]T{}\nc := 1", "a.B = nil")
	for _, p := range list {
		p.Cell().Linked = over{}
	}
	s.Tidy()
	want := map[string]string{"a": "\nvar a T", "b": "\nvar b []map[string]T"}
	if got := list[0].Cell().spelled; !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	out := saved(t, s)
	if len(out.Cells) != 2 || !reflect.DeepEqual(out.Cells[0].Inputs, map[string]int{"c": 0}) || out.Names["c"] != 1 || out.Names["a"] != 2 {
		t.Errorf("%+v", out)
	}
}

// TestRestoreMalformed: a description that Save did not make is an error.
func TestRestoreMalformed(t *testing.T) {
	one := SavedCell{Name: "a.go", Text: "x := 1"}
	for name, in := range map[string]*SavedSession{
		"no such cell":            {Names: map[string]int{"x": 1}},
		"cell 0":                  {Cells: []SavedCell{one}, Names: map[string]int{"x": 0}},
		"not declared":            {Cells: []SavedCell{one}, Names: map[string]int{"y": 1}},
		"uses itself":             {Cells: []SavedCell{{Text: "x", Uses: map[string]int{"x": 1}}}},
		"uses a later one":        {Cells: []SavedCell{{Text: "x", Uses: map[string]int{"x": 2}}, one}},
		"uses what is not there":  {Cells: []SavedCell{one, {Text: "y", Uses: map[string]int{"y": 1}}}},
		"uses nothing it has":     {Cells: []SavedCell{one, {Text: "x"}}},
		"is no source":            {Cells: []SavedCell{{Text: "func"}}},
		"has no types":            {Cells: []SavedCell{{Text: "x := rows", Inputs: map[string]int{"rows": 0}}}},
		"has malformed types":     {Cells: []SavedCell{{Text: "1", Types: []SavedType{{Kind: "slice"}}}}},
		"a package of nothing":    {Packages: []SavedPackage{{Path: "script/p"}}},
		"a package of no name":    {Packages: []SavedPackage{{Path: "", Files: []SavedFile{{"a.go", "package p"}}}}},
		"a package that is wrong": {Packages: []SavedPackage{{Path: "script/p", Files: []SavedFile{{"a.go", "package p; var x = y"}}}}},
	} {
		if s, _, err := restored(in); err == nil {
			t.Errorf("%s: restored with the names %q", name, namesOf(s))
		}
	}
	for _, name := range []string{"", "_", "a b", "main", "init", "func", "__st1"} {
		in := &SavedSession{Cells: []SavedCell{{Inputs: map[string]int{name: 0}, Types: []SavedType{{Kind: "basic", Name: "int"}}}}}
		if s, _, err := restored(in); err == nil {
			t.Errorf("variable %q: restored with the names %q", name, namesOf(s))
		}
	}
}
