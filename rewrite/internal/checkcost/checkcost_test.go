package checkcost

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
)

func parse(t *testing.T, src string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", "package main\n"+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func refused(code diag.Code, _ ast.Node, name, message, hint string) *diag.Rejection {
	return &diag.Rejection{Code: code, Name: name, Message: message, Hint: hint}
}

func codeOf(rs diag.Rejections) string {
	if len(rs) == 0 {
		return ""
	}
	return rs[0].Code.String()
}

// TestBoundsOfCheck takes each bound from both sides: what is just within it passes, what is
// just above is refused.
func TestBoundsOfCheck(t *testing.T) {
	thousands := "type A struct{\n" + rewritetest.Series(maxParts*3/10, "a{i} int\n") + "}\n"
	for _, tc := range []struct {
		name          string
		within, above string
		want          diag.Code
	}{
		{"values within a value", thousands + "type T struct{ a, b, c A }", thousands + "type T struct{ a, b, c, d A }", diag.TypeTooLarge},
		{"types within each other", "type T0 int\n" + rewritetest.Series(maxDepth-1, "type T{i} struct{ T{p} }\n"), "type T0 int\n" + rewritetest.Series(maxDepth+1, "type T{i} struct{ T{p} }\n"), diag.TypeTooLarge},
		{"embedded types of all structs", "type T0 int\n" + rewritetest.Series(100, "type T{i} struct{ *T{p} }\n"), "type T0 int\n" + rewritetest.Series(200, "type T{i} struct{ *T{p} }\n"), diag.TooComplex},
		{"embedded types of instances", "type T0 int\n" + rewritetest.Series(100, "type T{i} struct{ *T{p} }\n") + "type G[A any] struct{ *T100 }\n" + rewritetest.Series(40, "var x{i} G[[{i}]int]\n"), "type T0 int\n" + rewritetest.Series(100, "type T{i} struct{ *T{p} }\n") + "type G[A any] struct{ *T100 }\n" + rewritetest.Series(100, "var x{i} G[[{i}]int]\n"), diag.TooComplex},
		{"fields of embedded types", "type B struct{\n" + rewritetest.Series(500, "F{i} int\n") + "}\n" + rewritetest.Series(200, "type T{i} struct{ *B }\n"), "type B struct{\n" + rewritetest.Series(500, "F{i} int\n") + "}\n" + rewritetest.Series(500, "type T{i} struct{ *B }\n"), diag.TooComplex},
		{"methods of an interface", "type I interface{\n" + rewritetest.Series(maxMethods, "M{i}()\n") + "}", "type I interface{\n" + rewritetest.Series(maxMethods+1, "M{i}()\n") + "}", diag.TypeTooLarge},
		{"declarations in a chain", rewritetest.Series(maxChain, "var a{p} = a{i}\n"), rewritetest.Series(maxChain+2, "var a{p} = a{i}\n"), diag.TooComplex},
		{"bytes of a constant", "const c = \"" + strings.Repeat("a", maxStringConst/2) + "\" + \"b\"", "const c = \"" + strings.Repeat("a", maxStringConst) + "\" + \"b\"", diag.ConstTooLarge},
		{"size of a number", "const c = 1e50000 * 1e50000", "const c = 1e99999 * 1e99999 * 1e99999", diag.ConstTooLarge},
		{"doubling fields", "type T0 int\n" + rewritetest.Series(10, "type T{i} struct{ a, b T{p} }\n"), "type T0 int\n" + rewritetest.Series(20, "type T{i} struct{ a, b T{p} }\n"), diag.TypeTooLarge},
		{"doubling arguments", "type P[A, B any] struct{ a *A; b *B }\ntype T0 int\n" + rewritetest.Series(8, "type T{i} = P[T{p}, T{p}]\n"), "type P[A, B any] struct{ a *A; b *B }\ntype T0 int\n" + rewritetest.Series(20, "type T{i} = P[T{p}, T{p}]\n"), diag.TypeTooLarge},
		{"growth without end", "type T[A any] struct{ next *T[A] }", "type T[A any] struct{ next *T[[]A] }", diag.TooComplex},
		{"growth through another", "type T[A any] struct{ u *U[A] }\ntype U[A any] struct{ t *T[A] }", "type T[A any] struct{ u *U[A] }\ntype U[A any] struct{ t *T[*A] }", diag.TooComplex},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, rs := Check(parse(t, tc.within), nil, refused); len(rs) > 0 {
				t.Errorf("within the bound: %v", rs[0])
			}
			if _, rs := Check(parse(t, tc.above), nil, refused); codeOf(rs) != tc.want.String() {
				t.Errorf("above the bound: got %q, want %v", codeOf(rs), tc.want)
			}
		})
	}
}

// TestEarlierCosts: what an earlier cell declares is as large as if it stood in this file.
func TestEarlierCosts(t *testing.T) {
	members := Members{}
	first, rs := Check(parse(t, "type T struct{\n"+rewritetest.Series(maxParts*3/10, "a{i} int\n")+"}"), &Earlier{Of: nobody, Members: members}, refused)
	if len(rs) > 0 {
		t.Fatal(rs)
	}
	members.Add(first)
	of := func(name string) (Costs, bool) { return first, name == "T" }
	for src, want := range map[string]string{
		"type U struct{ a, b, c T }":    "",
		"type U struct{ a, b, c, d T }": "TypeTooLarge",
		"type U struct{ a, b, c, d V }": "", // of nobody
	} {
		if _, rs := Check(parse(t, src), &Earlier{Of: of, Members: members}, refused); codeOf(rs) != want {
			t.Errorf("%s: got %q, want %q", src, codeOf(rs), want)
		}
	}
	if alone, _ := Check(parse(t, "type T int"), nil, refused); alone.names != nil {
		t.Error("a file that is no cell keeps costs")
	}
}

// TestMembersKeepTheLargest: of the members of one name in all cells, the largest counts,
// in whichever order they come.
func TestMembersKeepTheLargest(t *testing.T) {
	small, large := "type S struct{ f int }", "type L struct{ f map[string]map[string]int }"
	for _, cells := range [][]string{{small, large}, {large, small}} {
		all := Members{}
		for _, src := range cells {
			c, rs := Check(parse(t, src), &Earlier{Of: nobody, Members: all}, refused)
			if len(rs) > 0 {
				t.Fatal(rs)
			}
			all.Add(c)
		}
		if got := all["f"].total(); got < 3 {
			t.Errorf("%q: f has %v names", cells, got)
		}
	}
}

func nobody(string) (Costs, bool) { return Costs{}, false }

func typeCheck(t *testing.T, src string) Typed {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", "package main\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return withTypes(t, fset, f)
}

func withTypes(t *testing.T, fset *token.FileSet, f *ast.File) Typed {
	t.Helper()
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
	}
	conf := types.Config{Importer: importer.Default(), Sizes: Layouts}
	pkg, err := conf.Check("main", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return Typed{File: f, Pkg: pkg, Info: info}
}

func TestHugeTypes(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"small", "var a [1 << 20]int", ""},
		{"one type", "type T [1 << 26]int", "a value of type [67108864]int takes too much memory"},
		{"package-level variables together", "var a [1 << 24]int; var b [1 << 24]int; var c [1]int", "the sum of the package-level variables takes too much memory"},
		{"just as much", "var a [1 << 24]int; var b [1 << 24]int", ""},
		{"variable of a function", "func f() { var a [1 << 24]int; _ = a }", "variable a takes too much memory"},
		{"key of a literal", "var a = []byte{1 << 29: 1}", "the literal takes too much memory"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rs := HugeTypes(typeCheck(t, tc.src), func(t types.Type) string { return t.String() }, 1, refused)
			got := ""
			if len(rs) > 0 {
				got = rs[0].Message
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if len(rs) > 1 {
				t.Errorf("%d rejections above the limit", len(rs))
			}
		})
	}
}

func TestMeasure(t *testing.T) {
	for src, want := range map[string]float64{
		"int8": 1, "int": 8, "string": 16, "[]int": 24, "map[int]int": 8, "any": 16, "*[100]int": 8, "func()": 8, "chan int": 8,
		"[10]int": 80, "struct{ a int; b [2]string }": 40, "[3]struct{ a, b int }": 48, "complex128": 16,
	} {
		f := typeCheck(t, "type T "+src)
		var m Measure
		if got := m.Bytes(f.Pkg.Scope().Lookup("T").Type()); got != want {
			t.Errorf("%s: %v bytes, want %v", src, got, want)
		}
	}
}

func TestInstances(t *testing.T) {
	doubling := func(n int) string {
		return rewritetest.Series(n, "func f{i}[T any]() { f{p}[[]T](); f{p}[*T]() }\n") + fmt.Sprintf("func f0[T any]() {}\nfunc main() { f%d[int]() }", n)
	}
	large := "func f[T any](x T) {\n" + strings.Repeat("println(any(x) != nil)\n", 300) + "}\nfunc main() {\n"
	for _, tc := range []struct{ name, src, want string }{
		{"none", "func main() {}", ""},
		{"some", doubling(5), ""},
		{"too many", doubling(14), "TooComplex"},
		{"one of a large function", large + "f(1)\n}", ""},
		{"the same again and again", large + strings.Repeat("f(1)\n", 400) + "}", ""},
		{"many of a large function", large + rewritetest.Series(400, "f([{i}]int{})\n") + "}", "TooComplex"},
		{"methods count with their type", "type T[P any] struct{}\nfunc (T[P]) m(x P) {\n" + strings.Repeat("println(any(x) != nil)\n", 300) + "}\nfunc main() {\n" + rewritetest.Series(400, "T[[{i}]int]{}.m([{i}]int{})\n") + "}", "TooComplex"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := typeCheck(t, tc.src)
			rs := Instances([]Typed{f}, func(pkg *types.Package) bool { return pkg == f.Pkg }, refused)
			if codeOf(rs) != tc.want {
				t.Errorf("got %q, want %q", codeOf(rs), tc.want)
			}
		})
	}
}

func TestReceiver(t *testing.T) {
	for recv, want := range map[string]string{
		"T": "T", "*T": "T", "(*T)": "T", "*T[A]": "T", "T[A, B]": "T", "p.T": "", "[]T": "",
	} {
		f := parse(t, "func (r "+recv+") m() {}")
		got := ""
		if id := Receiver(f.Decls[0].(*ast.FuncDecl).Recv.List[0].Type); id != nil {
			got = id.Name
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", recv, got, want)
		}
	}
}

func TestExponent(t *testing.T) {
	for lit, want := range map[string]int{
		"1": 0, "1.5": 0, "1e10": 10, "1E-10": 10, "0x1p+7": 7, "0x1e2": 0, "1e1_0": 10, "1e5i": 5,
		"1e99999999999999999999": MaxExponent + 1,
	} {
		if got := Exponent(lit); got != want {
			t.Errorf("%s: got %d, want %d", lit, got, want)
		}
	}
}
