package parse

import (
	"go/ast"
	"go/printer"
	"go/token"
	"strings"
	"testing"
)

// printed is the syntax of p as one line of Go, for comparison.
func printed(t *testing.T, p *Parsed) string {
	t.Helper()
	var b strings.Builder
	if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, token.NewFileSet(), p.File); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

var parseCases = []struct {
	name, src string
	snippet   bool
	want      string // the syntax, printed
}{
	{"program", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(1) }\n", false,
		`package main import "fmt" func main() { fmt.Println(1) }`},
	{"program with comments and build tag", "//go:build ignore\n\n// Package main.\npackage main // x\n/* a\nb */ func main() {}\n", false,
		`package main func main() { }`},
	{"BOM and CRLF", "\uFEFFpackage main\r\nfunc main() {\r\n\tx := `a\r\nb`\r\n\t_ = x\r\n}\r\n", false,
		"package main func main() { x := `a b` _ = x }"},
	{"empty", "", true, `package main func main() { }`},
	{"only comments", "// nothing\n/* here */", true, `package main func main() { }`},
	{"statements", "println(1)\nfor i := range 3 { println(i) }", true,
		`package main func main() { println(1) for i := range 3 { println(i) } }`},
	{"declarations and statements mixed", "f()\nimport \"fmt\"\nfunc f() { fmt.Println(x) }\nx := 1; type T int\nconst c = 2\nf()", true,
		`package main import "fmt" func f() { fmt.Println(x) } var x = 1 type T int const c = 2 func main() { f() f() }`},
	{"method and function literal", "func (t T) M() int { return 1 }\nfunc() { println(1) }()\nfunc(x int) T { return T{} }(3).M()\ntype T struct{}", true,
		`package main func (t T) M() int { return 1 } type T struct{} func main() { func() { println(1) }() func(x int) T { return T{} }(3).M() }`},
	{"one expression", "1 + 2", true, `package main func main() { __st.Echo(0, 1+2) }`},
	{"calls stay", "(f())\nf()\n<-c", true, `package main func main() { (f()) f() __st.Echo(0, <-c) }`},
	{"var", "var a, b = 1, 2\nvar c int\nvar (d = 3; e T)", true,
		`package main var a, b = 1, 2 var c int var d = 3 var e T func main() { }`},
	{"redeclaring define", "a, err := f()\nb, err := g()\n_, c := 1, a", true,
		`package main var a, err = f() var b, __st_t0 = g() var _, c = 1, a func main() { }`},
	{"labels", "L: x := 1\nM: for { break M }", true,
		`package main var x = 1 func main() { L: ; M: for { break M } }`},
	{"local declaration under a label", "L: type T int", true, `package main func main() { L: type T int }`},
	{"missing package clause only", "import \"fmt\"\nfunc main() { fmt.Println() }", true,
		`package main import "fmt" func main() { fmt.Println() }`},
	{"statements and func main", "println(1)\nfunc main() { println(2) }", true,
		`package main func main() { println(2) } func __st_main() { println(1) main() }`},
	{"statements call main", "defer main()\nfunc main() { println(2) }", true,
		`package main func main() { println(2) } func __st_main() { defer main() }`},
	{"headers with semicolons", "for i := 0; i < 3; i++ { println(i) }\nif f := 1; f > 0 { }", true,
		`package main func main() { for i := 0; i < 3; i++ { println(i) } if f := 1; f > 0 { } }`},
}

func TestParse(t *testing.T) {
	for _, tc := range parseCases {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Parse(Source{Text: tc.src}, Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			if p.Snippet != tc.snippet {
				t.Errorf("snippet = %v, want %v", p.Snippet, tc.snippet)
			}
			if got := printed(t, p); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			checkPositions(t, p, tc.src)
		})
	}
}

// checkPositions wants every identifier that the user wrote where it stands in the text.
func checkPositions(t *testing.T, p *Parsed, src string) {
	t.Helper()
	ast.Inspect(p.File, func(n ast.Node) bool {
		if n == nil || len(src) == 0 {
			return true
		}
		off := int(n.Pos()) - (1 + room)
		if off < 0 || off > len(src) {
			t.Errorf("%T at offset %d of %d", n, off, len(src))
		}
		id, ok := n.(*ast.Ident)
		if !ok || Reserved(id.Name) || id.Name == "Echo" || id == p.File.Name || p.Body != nil && id == p.Body.Name {
			return true
		}
		if !strings.HasPrefix(src[off:], id.Name) {
			t.Errorf("identifier %s at offset %d, where the text is %.20q", id.Name, off, src[off:])
		}
		want := 1 + strings.Count(src[:off], "\n")
		if got := p.Fset.Position(n.Pos()).Line; got != want {
			t.Errorf("identifier %s on line %d, want %d", id.Name, got, want)
		}
		return true
	})
}
