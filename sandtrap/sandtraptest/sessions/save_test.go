package sessions

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// savable has cells in groups: a session runs them all, and another one is saved and loaded
// between the groups. Both show the same.
var savable = []struct {
	name   string
	groups [][]rig.Cell
}{
	{"earlier names without imports", [][]rig.Cell{
		{{"import str \"strings\"\nfunc f(n int) int { return n + base }\nvar base = 2", ""}, {"f(3)", "= 5"}, {"g(3)", "! type"}},
		{{"str.ToUpper(\"a\")", "= \"A\""}, {"f(4)", "= 6"}},
	}},
	{"a type again, while values of the old one live", [][]rig.Cell{
		{{"type T struct{ A int }\nfunc (t T) String() string { return \"old\" }\nold := T{1}\nvar held any = old", ""}, {"type T struct{ A, B int }\nt := T{1, 2}", ""}},
		{{"old = t", "! type"}, {"_, is := held.(T)\nfmt.Println(held, old, t, is)", "old old {1 2} false"}},
	}},
	{"a cell that fails changes nothing, one that stops leaves what it did", [][]rig.Cell{
		{{"n := 1", ""}, {"n = 2\nmissing", "! type"}, {"n", "= 1"}, {"n = 3\nm := 4\npanic(\"no\")", "! panic"}},
		{{"n + m", "= 7"}},
	}},
	{"functions with what they call", [][]rig.Cell{
		{{"func dep(n int) int { return n + 1 }\nconst one = 1", ""}, {"func f(n int) int { return dep(n) * one }", ""}, {"dep := 0\nconst one = 5", ""}},
		{{"f(5)", "= 6"}, {"dep + one", "= 5"}},
	}},
	{"closures over one variable", [][]rig.Cell{
		{{"func pair() (func(), func() int) { k := 0; return func() { k++ }, func() int { return k } }\ninc, get := pair()", ""}},
		{{"inc()\nget()", "= 1"}}, {{"inc()\nget()", "= 2"}},
	}},
	{"values with methods", [][]rig.Cell{
		{
			{"type Base struct{ N int }\nfunc (b *Base) Add(n int) { b.N += n }\ntype S []Base\nfunc (s S) Len() int { return len(s) }\nfunc (s S) Less(i, j int) bool { return s[i].N < s[j].N }\nfunc (s S) Swap(i, j int) { s[i], s[j] = s[j], s[i] }", ""},
			{"type Wide struct{ *Base; s S; inner struct{ sort.Interface } }\nfunc (w Wide) String() string { return fmt.Sprint(w.N, w.s) }\nw := Wide{Base: &Base{1}, s: S{{3}, {1}, {2}}}\nw.inner.Interface = w.s\nvar shown fmt.Stringer = w", ""},
		},
		{{"w.Add(4)\nsort.Sort(w.inner)\nfmt.Println(shown, w.inner.Len())", "5 [{1} {2} {3}] 3"}},
	}},
	{"cycles", [][]rig.Cell{
		{{"type N struct{ other *N; all map[string]*N; any any }\na, b := &N{}, &N{}\na.other, b.other = b, a\na.all = map[string]*N{\"a\": a, \"b\": b}\na.any = a.all\nring := []any{nil}\nring[0] = ring", ""}},
		{{"a.other.other == a && a.all[\"b\"].other == a && a.any.(map[string]*N)[\"a\"] == a", "= true"}, {"ring[0].([]any)[0].([]any) != nil", "= true"}},
	}},
	{"packages of the script by path and by another name", [][]rig.Cell{
		{{"import \"lib/count\"\nimport c \"lib/count\"\ncount.Next() + c.Next()", "= 3"}},
		{{"next := count.Next\nnext()", "= 3"}}, {{"next() + c.Next()", "= 9"}, {"c.Calls", "= []int{1, 2, 3, 4, 5}"}},
	}},
	{"methods that saving would call in Go", [][]rig.Cell{
		{{"calls := 0\ntype M struct{ n int }\nfunc (m *M) MarshalBinary() ([]byte, error) { calls++; return nil, nil }\nfunc (m *M) UnmarshalBinary([]byte) error { calls++; return nil }\nfunc (m *M) GobDecode([]byte) error { calls++; return nil }\nm := &M{3}", ""}},
		{{"m.n*10 + calls", "= 30"}},
	}},
	{"functions of the host by name", [][]rig.Cell{
		{{"f := twice\nfs := map[string]func(int) int{\"t\": twice}", ""}},
		{{"f(2) + fs[\"t\"](3)", "= 10"}},
	}},
}

// sessionPolicy is what the sessions of savable need.
func sessionPolicy() sandtrap.Policy {
	p := rig.Pure()
	p.Funcs = map[string]any{"twice": func(n int) int { return 2 * n }}
	p.Files = &sandtrap.Files{ModuleRoot: "mod", Open: func() (afero.Fs, error) {
		fs := afero.NewMemMapFs()
		return fs, afero.WriteFile(fs, "/mod/lib/count/count.go", []byte("package count\nvar Calls []int\nfunc Next() int { Calls = append(Calls, len(Calls)+1); return len(Calls) }\n"), 0o600)
	}}
	return p
}

// TestSessionsSaved: a session is the same, whether or not it is saved and loaded between its cells.
func TestSessionsSaved(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		for _, tc := range savable {
			b.In(tc.name, func(b rig.Bench) {
				stays, moves := b.Session(sessionPolicy()), b.Session(sessionPolicy())
				for i, group := range tc.groups {
					b.Cells(stays, group...)
					if i > 0 {
						moves = moved(b, moves)
					}
					b.Cells(moves, group...)
				}
			})
		}
	})
}

// moved is s in another sandbox.
func moved(b rig.Bench, s *sandtrap.Session) *sandtrap.Session {
	b.Helper()
	var saved bytes.Buffer
	if _, err := s.Save(&saved); err != nil {
		b.Fatal(err)
	}
	s.Close()
	p := sessionPolicy()
	p.Echo = sandtrap.EchoLast
	out, err := b.Box(p).LoadSession(&saved)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { out.Close() })
	return out
}

// TestSessionsNotSaved: what is the host's alone is named by the variable that has it, and a
// function of the host is not there where it is not registered.
func TestSessionsNotSaved(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		s := b.Session(sessionPolicy())
		b.Cells(s, rig.Cell{"f := twice\nvar wg sync.WaitGroup\nwg.Add(1)", ""})
		var saved bytes.Buffer
		if skipped, err := s.Save(&saved); err != nil || len(skipped) != 1 || !strings.Contains(skipped["wg"], "sync.WaitGroup") {
			b.Errorf("a group that is waited for: %v, %v", skipped, err)
		}
		saved.Reset()
		b.Cells(s, rig.Cell{"wg.Done()\nf(1)", "= 2"})
		if _, err := s.Save(&saved); err != nil {
			b.Fatal(err)
		}
		if _, err := b.Box(rig.Pure()).LoadSession(&saved); err == nil || !strings.Contains(err.Error(), "twice") {
			b.Errorf("without the function: %v", err)
		}
	})
}
