package parse

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
)

// refusal parses src and wants just one rejection.
func refusal(t *testing.T, src string) *diag.Rejection {
	t.Helper()
	_, err := Parse(Source{Text: src}, Bounds{})
	var rs diag.Rejections
	if !errors.As(err, &rs) || len(rs) != 1 {
		t.Fatalf("error %v, want one rejection", err)
	}
	return rs[0]
}

func TestReservedNames(t *testing.T) {
	const head = "package main\nfunc main() {}\n"
	for _, tc := range []struct{ position, src, pos string }{
		{"variable", head + "var __stx = 1", "3:5"},
		{"constant", head + "const __ST = 1", "3:7"},
		{"type", head + "type __St int", "3:6"},
		{"alias", head + "type __sT = int", "3:6"},
		{"function", head + "func __st() {}", "3:6"},
		{"parameter", head + "func f(__st1 int) {}", "3:8"},
		{"result", head + "func f() (__st1 int) { return }", "3:11"},
		{"receiver", head + "type T int\nfunc (__st T) m() {}", "4:7"},
		{"method", head + "type T int\nfunc (t T) __st() {}", "4:12"},
		{"interface method", head + "type T interface { __st() }", "3:20"},
		{"type parameter", head + "func f[__st any]() {}", "3:8"},
		{"field", head + "type T struct { __st int }", "3:17"},
		{"selector", head + "var x = y.__st", "3:11"},
		{"key", head + "var x = T{__st: 1}", "3:11"},
		{"label", head + "func f() { __st: for { break } }", "3:12"},
		{"branch", head + "func f() { goto __st }", "3:17"},
		{"import name", "package main\nimport __st \"fmt\"\nfunc main() {}", "2:8"},
		{"package name", "package __st\nfunc main() {}", "1:9"},
		{"use", head + "func f() { __st.Tick() }", "3:12"},
		{"range variable", head + "func f() { for __st := range 3 {} }", "3:16"},
		{"type switch variable", head + "func f() { switch __st := x.(type) {} }", "3:19"},
		{"dot", head + "var x = __st.B0", "3:9"},
		{"long s folds to s", head + "var __\u017ft = 1", "3:5"},
		{"snippet", "__st_t0 := 1", "1:1"},
		{"snippet main", "func __st_main() {}", "1:6"},
	} {
		t.Run(tc.position, func(t *testing.T) {
			r := refusal(t, tc.src)
			if r.Code != diag.ReservedName || r.Pos.String() != "script.go:"+tc.pos {
				t.Errorf("got %v %v, want ReservedName at %s", r.Code, r, tc.pos)
			}
		})
	}
	for _, name := range []string{"_st", "st__", "__s", "___st"} {
		if _, err := Parse(Source{Text: name + " := 1"}, Bounds{}); err != nil {
			t.Errorf("name %s: %v", name, err)
		}
	}
}

func TestRefusedConstructs(t *testing.T) {
	const head = "package main\nfunc main() {}\n"
	for _, tc := range []struct {
		name, src string
		code      diag.Code
		pos       string
		names     string // what the message names
	}{
		{"linkname", head + "//go:linkname f runtime.f\nfunc f() {}", diag.BadDirective, "3:1", "//go:linkname"},
		{"linkname in a function", "package main\nfunc main() {\n\tx() //go:linkname f runtime.f\n}", diag.BadDirective, "3:6", "//go:linkname"},
		{"embed", head + "//go:embed a.txt\nvar s string", diag.BadDirective, "3:1", "//go:embed"},
		{"embed with tab", head + "//go:embed\ta.txt\nvar s string", diag.BadDirective, "3:1", "//go:embed"},
		{"cgo", head + "//go:cgo_import_dynamic a b \"c\"", diag.BadDirective, "3:1", "//go:cgo_import_dynamic"},
		{"wasm", head + "//go:wasmimport a b", diag.BadDirective, "3:1", "//go:wasmimport"},
		{"unknown directive", head + "//go:magic", diag.BadDirective, "3:1", "//go:magic"},
		{"CRLF directive", head + "//go:linkname\r\n", diag.BadDirective, "3:1", "//go:linkname"},
		{"directive in a snippet", "//go:linkname f runtime.f\nx := 1", diag.BadDirective, "1:1", "//go:linkname"},
		{"import of the gates", "package main\nimport g \"sandtrap/gate\"\nfunc main() {}", diag.BadImport, "2:8", "gates"},
		{"import below the gates", "package main\nimport g \"sandtrap/gate/x\"\nfunc main() {}", diag.BadImport, "2:8", "gates"},
		{"import C", "package main\nimport \"C\"\nfunc main() {}", diag.BadImport, "2:8", `"C"`},
		{"import unsafe", "package main\nimport \"unsafe\"\nfunc main() {}", diag.BadImport, "2:8", `"unsafe"`},
		{"import unsafe, raw", "package main\nimport `unsafe`\nfunc main() {}", diag.BadImport, "2:8", "unsafe"},
		{"import unsafe, escaped", "package main\nimport \"uns\\x61fe\"\nfunc main() {}", diag.BadImport, "2:8", "unsafe"},
		{"import unsafe, renamed, grouped", "package main\nimport (\n\tu \"unsafe\"\n)\nfunc main() {}", diag.BadImport, "3:2", `"unsafe"`},
		{"import unsafe in a snippet", "x := 1\nimport \"unsafe\"", diag.BadImport, "2:8", `"unsafe"`},
		{"dot import", "package main\nimport . \"fmt\"\nfunc main() {}", diag.BadImport, "2:8", "dot import of fmt"},
		{"function without body", head + "func asm(x int) int", diag.NoBody, "3:6", "asm"},
		{"main without body", "package main\nfunc main()", diag.NoBody, "2:6", "main"},
		{"method without body in a snippet", "func (t T) m()", diag.NoBody, "1:12", "m"},
		{"not main", "package lib\nfunc F() {}", diag.BadPackage, "1:9", "lib"},
		{"no main", "package main\nfunc Main() {}", diag.NoMain, "1:9", "main"},
		{"main is a method", "package main\nfunc (T) main() {}", diag.NoMain, "1:9", "main"},
		{"second package clause", head + "package main", diag.BadPackage, "3:1", "second package clause"},
		{"late package clause", "import \"fmt\"\npackage main\nfunc main() {}", diag.BadPackage, "2:1", "package clause"},
		{"NUL", "x := \"a\x00\"", diag.BadText, "1:8", "NUL"},
		{"NUL in a comment", "// \x00", diag.BadText, "1:4", "NUL"},
		{"invalid UTF-8", "x := 1\ny := \"\xff\"", diag.BadText, "2:7", "UTF-8"},
		{"no new variables", "x := 1\nx := 2", diag.NoNewVariables, "2:1", "no new variables"},
		{"no new variables, blank", "x := 1\n_, x := 2, 3", diag.NoNewVariables, "2:1", "no new variables"},
		{"no new variables after var", "var x int\nx := 2", diag.NoNewVariables, "2:1", "no new variables"},
		{"repeated name", "x, x := 1, 2", diag.BadSyntax, "1:4", "x repeated"},
		{"define a field", "a.x := 1", diag.BadSyntax, "1:1", "non-name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := refusal(t, tc.src)
			if r.Code != tc.code || r.Pos.String() != "script.go:"+tc.pos {
				t.Errorf("got %v %v, want %v at %s", r.Code, r, tc.code, tc.pos)
			}
			if !strings.Contains(r.Message, tc.names) {
				t.Errorf("message %q does not name %s", r.Message, tc.names)
			}
		})
	}
}

// A comment that only looks like a directive, or has no effect, is let pass.
func TestHarmlessComments(t *testing.T) {
	for _, src := range []string{
		"//go:noinline\nfunc f() {}", "//go:build ignore\n", "//go:generate x", "//export F", "//line x.go:99\n",
		"// go:linkname f g", "/*go:linkname f g*/", "x := `\n//go:linkname f g\n`", "//line x.go:0", "/*line :1:0*/",
	} {
		if _, err := Parse(Source{Text: src}, Bounds{}); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestLineDirectivesHaveNoEffect(t *testing.T) {
	const src = "//line other.go:99\npackage main\n/*line x.go:7:7*/ func main() { f() }\n//line y.go:1\nx := 1"
	r := refusal(t, src)
	if got, want := r.Pos.String(), "script.go:5:1"; got != want {
		t.Errorf("position %s, want %s", got, want)
	}
	p, err := Parse(Source{Name: "a.go", Text: src[:strings.Index(src, "x :=")]}, Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Fset.Position(funcNamed(p.File.Decls, "main").Name.Pos()).String(), "a.go:3:24"; got != want {
		t.Errorf("position %s, want %s", got, want)
	}
}

// TestCommentsAreBlanked: the parser sees spaces where the comments are, and lines where they were.
func TestCommentsAreBlanked(t *testing.T) {
	const src = "a // one\r\n/* two\n */ b /*line x.go:1*/ c\n// three"
	want := "a        \n      \n    b                 c\n        "
	out, rs := newScript(Source{Text: src}).scan([]byte(src), Bounds{}.OrDefault())
	if len(rs) > 0 || string(out.code) != want {
		t.Errorf("got  %q, %v\nwant %q", out.code, rs, want)
	}
}

func TestBounds(t *testing.T) {
	const n = 30_000
	rep := strings.Repeat
	for _, tc := range []struct {
		name, src string
		code      diag.Code
	}{
		{"bytes", rep("x()\n", 100_000), diag.TooLarge},
		{"bytes of a comment", "//" + rep("x", 256<<10), diag.TooLarge},
		{"tokens", rep("1,", 120_000), diag.TooLarge},
		{"identifier", rep("x", 257) + " := 1", diag.TooLarge},
		{"digits", "x := 1" + rep("0", 1024), diag.TooLarge},
		{"exponent", "x := 1e999999999", diag.TooLarge},
		{"exponent beyond an int", "x := 1e-99999999999999999999999", diag.TooLarge},
		{"hex exponent", "x := 0x1p-999999999", diag.TooLarge},
		{"imaginary exponent", "x := 1e999999999i", diag.TooLarge},
		{"exponent with underscores", "x := 1e9_9_9_9_9_9", diag.TooLarge},
		{"brackets one too many", "x := " + rep("(", 201) + "1" + rep(")", 201), diag.TooDeep},
		{"parens", "x := " + rep("(", n) + "1" + rep(")", n), diag.TooDeep},
		{"open parens", rep("(", n), diag.TooDeep},
		{"braces", "func f() " + rep("{", n) + rep("}", n), diag.TooDeep},
		{"brackets", "var x " + rep("[", n), diag.TooDeep},
		{"composite literals", "var x = T" + rep("{", n) + rep("}", n), diag.TooDeep},
		{"indices", "x := " + rep("a[", n) + "0" + rep("]", n), diag.TooDeep},
		{"array types", "var x " + rep("[]", n) + "int", diag.TooDeep},
		{"unary", "x := " + rep("!", n) + "true", diag.TooDeep},
		{"minus", "x := " + rep("- ", n) + "1", diag.TooDeep},
		{"receive", "x := " + rep("<-", n) + "c", diag.TooDeep},
		{"binary", "x := 1" + rep("+1", n), diag.TooDeep},
		{"binary over lines", "x := 1" + rep(" +\n1", n), diag.TooDeep},
		{"mixed binary", "x := 1" + rep("*1+1", n), diag.TooDeep},
		{"else if", "if a {} " + rep("else if a {}", 20_000), diag.TooDeep},
		{"else if with separators", "if a {} " + rep("else if a,b:=1,2;a{}", 12_000), diag.TooDeep},
		{"else if with functions", "if a {} " + rep("else if a:=func(){};a{}", 8_000), diag.TooDeep},
		{"else if with if in it", "if a {} " + rep("else if if a{}", 12_000), diag.BadSyntax},
		{"else if with if after a function", "if a {} " + rep("else if a:=func(){};if a{}", 8_000), diag.BadSyntax},
		{"selectors", "x := a" + rep(".b", n), diag.TooDeep},
		{"calls", "x := f" + rep("()", n), diag.TooDeep},
		{"methods", "x := f" + rep(".b()", n), diag.TooDeep},
		{"slicing", "x := f" + rep("[:]", n), diag.TooDeep},
		{"assertions", "x := f" + rep(".(T)", n), diag.TooDeep},
		{"pointer types", "var x " + rep("*", n) + "int", diag.TooDeep},
		{"channel types", "var x " + rep("chan ", n) + "int", diag.TooDeep},
		{"map types", "var x " + rep("map[int]", n) + "int", diag.TooDeep},
		{"func types", "var x " + rep("func() ", n), diag.TooDeep},
		{"func parameters", "var x " + rep("func(", n), diag.TooDeep},
		{"func literals", "x := " + rep("func(){", n) + rep("}", n), diag.TooDeep},
		{"struct types", "type T " + rep("struct{x ", 20_000), diag.TooDeep},
		{"interface types", "type T " + rep("interface{m(", 10_000), diag.TooDeep},
		{"type arguments", "var x " + rep("T[", n) + "int" + rep("]", n), diag.TooDeep},
		{"unions", "type T interface { int" + rep("|int", n) + "}", diag.TooDeep},
		{"labels", rep("L:", n), diag.TooDeep},
		{"labels over lines", rep("L:\n", n), diag.TooDeep},
		{"blocks in clauses", rep("switch{case a:", 15_000), diag.TooDeep},
		{"for loops", rep("for{", n), diag.TooDeep},
		{"go and defer", rep("go func(){", 20_000), diag.TooDeep},
		{"comments", rep("/* ", n) + "x := 1", diag.BadSyntax},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Parse(Source{Text: tc.src}, Bounds{})
			var r *diag.Rejection
			if !errors.As(err, &r) || r.Code != tc.code {
				t.Fatalf("got %.200v, want %v", err, tc.code)
			}
			checkFast(t, tc.src)
			if len(r.Error()) > 300 {
				t.Errorf("message of %d bytes", len(r.Error()))
			}
		})
	}
}

func checkFast(t *testing.T, src string) {
	t.Helper()
	took := rewritetest.InTime(t, 1500*time.Millisecond, func() { _, _ = Parse(Source{Text: src}, Bounds{}) })
	t.Logf("%d bytes in %v", len(src), took)
}

func TestWithinBounds(t *testing.T) {
	rep := strings.Repeat
	for _, tc := range []struct{ name, src string }{
		{"deep parens", "x := " + rep("(", 199) + "1" + rep(")", 199)},
		{"long sum", "x := 1" + rep("+1", 900)},
		{"many elses in many functions", rep("func f() { if a {} else if b {} else {} }\n", 3000)},
		{"many elses in one function", rep("if a {} else if b {} else {}\n", 3000)},
		{"many elses in one clause", "switch { case a:\n" + rep("if a {} else if b {} else {}\n", 3000) + "}"},
		{"many cases", "switch x {" + rep("case 1:\n", 5000) + "}"},
		{"big table", "x := []int{" + rep("1, ", 60_000) + "}"},
		{"many comments", rep("/**/", 60_000)},
		{"many line comments", rep("//\n", 80_000)},
		{"comments before a semicolon", "x := 1" + rep("/**/", 60_000)},
		{"great float", "x := 1e9999"},
		{"hex digits that are e", "x := 0xe999999"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Parse(Source{Text: tc.src}, Bounds{}); err != nil {
				t.Fatal(err)
			}
			checkFast(t, tc.src)
		})
	}
}

type stubNode struct{ ast.BadExpr }

func TestUnknownNodeRefused(t *testing.T) {
	s := newScript(Source{Text: "x"})
	for _, n := range []ast.Node{&stubNode{}, stubNodeValue{}, &ast.BadExpr{}, &ast.ParenExpr{X: &stubNode{}}} {
		rs := s.validate(&ast.File{Name: ast.NewIdent("main"), Decls: []ast.Decl{&ast.GenDecl{Specs: []ast.Spec{&ast.ValueSpec{Values: []ast.Expr{n.(ast.Expr)}}}}}})
		if len(rs) != 1 || rs[0].Code != diag.BadNode {
			t.Errorf("%s: got %v, want BadNode", fmt.Sprintf("%T", n), rs)
		}
	}
}

// A stubNodeValue is a node that is no pointer.
type stubNodeValue struct{ ast.Expr }

func (stubNodeValue) Pos() (p token.Pos) { return }
func (stubNodeValue) End() (p token.Pos) { return }
