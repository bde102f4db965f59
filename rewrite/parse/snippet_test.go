package parse

import (
	"errors"
	"fmt"
	"go/ast"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// What Check and Lower read of the top-level statements of a snippet.
func TestSnippetTops(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      string // tops: spec's names = number of values [assign back] at line of the placeholder
	}{
		{"none", "println(1)", ""},
		{"define", "\nx := 1", "x=1@2"},
		{"two values", "a, b := 1, 2", "a,b=2@1"},
		{"var without value", "var x, y int", "x,y=0@1"},
		{"var group", "var (\n\ta = 1\n\tb int\n)", "a=1@1 b=0@1"},
		{"declared before", "a, err := f()\nb, err := g()", "a,err=1@1 b,__st_t0=1[err]@2"},
		{"declared before by var", "var err error\nb, err := g()", "err=0@1 b,__st_t0=1[err]@2"},
		{"two temporaries", "a, b := f()\na, c, b := g()", "a,b=1@1 __st_t0,c,__st_t1=1[a b]@2"},
		{"blank is never declared", "_, a := f()\n_, b := f()", "_,a=1@1 _,b=1@2"},
		{"blocks do not declare", "if x := 1; x > 0 { y := 2 }\nfor i := range 3 { }\ny := 3", "y=1@3"},
		{"an assignment is none", "x := 1\nx = 2\nx += 3", "x=1@1"},
		{"label", "L:\nx := 1", "x=1@2"},
		{"two labels", "L: M: x := 1", "x=1@1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Parse(Source{Text: tc.src}, Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, top := range p.Tops {
				got = append(got, shownTop(p, top))
				if !holds(p.Body.Body.List, top.Placeholder) {
					t.Errorf("the placeholder of %s is not in the body", shownTop(p, top))
				}
			}
			if got := strings.Join(got, " "); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func shownTop(p *Parsed, top *TopVar) string {
	var names, back []string
	for _, n := range top.Spec.Names {
		names = append(names, n.Name)
	}
	for _, a := range top.Assign {
		back = append(back, a.To.Name)
	}
	s := fmt.Sprintf("%s=%d", strings.Join(names, ","), len(top.Spec.Values))
	if back != nil {
		s += fmt.Sprint(back)
	}
	return fmt.Sprintf("%s@%d", s, p.Fset.Position(top.Placeholder.Pos()).Line)
}

func holds(list []ast.Stmt, want ast.Stmt) bool {
	for _, s := range list {
		if s == want {
			return true
		}
	}
	return false
}

func TestSnippetEchoes(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"expression", "1", "0@1:1 last"},
		{"not the last", "1\nx := 2", "0@1:1"},
		{"before empty statements", "1;;", "0@1:1 last"},
		{"before declarations", "1\nfunc f() {}", "0@1:1 last"},
		{"several", "a\nb.c; d[0]\n[]int{1}\nfunc() {}", "0@1:1 1@2:1 2@2:6 3@3:1 4@4:1 last"},
		{"calls are left to Check", "f()\n(g())\n1", "0@3:1 last"},
		{"not in blocks", "for { f() }", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Parse(Source{Text: tc.src}, Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for id, e := range p.Echoes {
				at := p.Fset.Position(e.Pos)
				s := fmt.Sprintf("%d@%d:%d", id, at.Line, at.Column)
				if e.Last {
					s += " last"
				}
				got = append(got, s)
			}
			if got := strings.Join(got, " "); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// The top-level statements have a function of their own, but for programs that
// lack the package clause and nothing else.
func TestSnippetBody(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"nothing", "", "main"},
		{"declarations", "func f() {}", "main"},
		{"func main only", "func main() {}", ""},
		{"method main", "func (T) main() {}", "__st_main"},
		{"main of another cell", "main()", "__st_main"},
		{"both", "f()\nfunc main() {}", "__st_main"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Parse(Source{Text: tc.src}, Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if p.Body != nil {
				got = p.Body.Name.Name
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// A snippet's pieces do not see each other's text: brackets in one cannot close
// those of the function around another.
func TestSnippetCannotLeaveItsFunction(t *testing.T) {
	for _, src := range []string{
		"}\nfunc evil() {",
		"x := 1 }\nfunc evil() { y := 2",
		"func f() { }}; func evil() {",
		"x(]\n[)",
	} {
		_, err := Parse(Source{Text: src}, Bounds{})
		var r *diag.Rejection
		if !errors.As(err, &r) || r.Code != diag.Unbalanced {
			t.Errorf("%q: got %v, want Unbalanced", src, err)
		}
	}
}
