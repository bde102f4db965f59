package rewrite

import (
	"fmt"
	"go/ast"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// lines repeats a line n times with {i} counting from 1 and {p} from 0.
func lines(n int, line string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(strings.NewReplacer("{i}", fmt.Sprint(i), "{p}", fmt.Sprint(i-1)).Replace(line))
	}
	return b.String()
}

// TestCheckRefusesBombs wants sources that keep go/types busy for seconds or for
// ever refused before it sees them.
func TestCheckRefusesBombs(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      diag.Code
	}{
		{"chain of variables", lines(5000, "var a{p} = a{i}\n") + "var a5000 = 1\nfunc main(){}", diag.TooComplex},
		{"instances that double", lines(14, "func f{i}[T any](){ f{p}[[]T](); f{p}[*T]() }\n") + "func f0[T any](){}\nfunc main(){f14[int]()}", diag.TooComplex},
		{"instances of types that double", "type N0[T any] struct{}\n" + lines(14, "type N{i}[T any] struct{ a *N{p}[[]T]; b *N{p}[*T] }\n") + "func main(){ var x N14[int]; _ = x }", diag.TooComplex},
		{"instances of methods that double", "type N0[T any] struct{}\n" + lines(14, "type N{i}[T any] struct{}\nfunc (N{i}[T]) m() { var a N{p}[[]T]; var b N{p}[*T]; _, _ = a, b }\n") + "func main(){ var x N14[int]; _ = x }", diag.TooComplex},
		{"instances of a large function", "func f[T any](x T){\n" + strings.Repeat("println(any(x) != nil)\n", 300) + "}\nfunc main(){" + lines(400, "f([{i}]int{});") + "}", diag.TooComplex},
		{"instances of a type with large methods", "type T[P any] struct{}\nfunc (T[P]) m(x P){\n" + strings.Repeat("println(any(x) != nil)\n", 300) + "}\nfunc main(){" + lines(400, "T[[{i}]int]{}.m([{i}]int{});") + "}", diag.TooComplex},
		{"instances of the host's", "import \"slices\"\nfunc main(){" + lines(2000, "slices.Contains([][{i}]int{}, [{i}]int{});") + "}", diag.TooComplex},
		{"growing arguments", "type P[A any] struct{}\n" + lines(20, "func f{i}[T any](){ f{p}[P[func(T) T]]() }\n") + "func f0[T any](){}\nfunc main(){f20[int]()}", diag.TooComplex},
		{"doubling through two results", "type P[A,B any] struct{a A;b B}\nfunc two[T any](x T) (T, T) { return x, x }\nfunc pair[A, B any](a A, b B) P[A,B] { return P[A,B]{a,b} }\nfunc main(){ x0:=1\n" + lines(40, "x{i} := pair(two(x{p}))\n") + "_=x40}", diag.TypeTooLarge},
		{"doubling through a method", "type P[A,B any] struct{a A;b B}\nfunc (p P[A,B]) twice() P[P[A,B],P[A,B]] { panic(0) }\nfunc main(){ x0:=P[int,int]{}\n" + lines(40, "x{i} := x{p}.twice()\n") + "_=x40}", diag.TypeTooLarge},
		{"doubling through a field", "type P[A any] struct{ a *P2[A,A] }\ntype P2[A,B any] struct { b P3[A,B] }\ntype P3[A,B any] struct{ f func(A,B) }\nfunc mk[T any](x T) P[T] { panic(0) }\nfunc main(){ x0:=mk(1)\n" + lines(40, "x{i} := mk(x{p}.a.b)\n") + "_=x40}", diag.TypeTooLarge},
		{"doubling in package variables", "type P[A,B any] struct{a A;b B}\nfunc pair[T any](x T) P[T,T] { panic(0) }\nvar x0 = 1\n" + lines(40, "var x{i} = pair(x{p})\n") + "func main(){}", diag.TypeTooLarge},
		{"doubling in one expression", "type P[A,B any] struct{a A;b B}\nfunc pair[T any](x T) P[T,T] { panic(0) }\nfunc main(){ println(" + strings.Repeat("pair(", 40) + "1" + strings.Repeat(")", 40) + ") }", diag.TypeTooLarge},
		{"doubling through a range", "type P[A,B any] struct{a A;b B}\nfunc pair[T any](x T) []P[T,T] { panic(0) }\nfunc main(){ x0:=1\n" + lines(40, "for _, x{i} := range pair(x{p}) {\n") + strings.Repeat("}", 40) + "}", diag.TypeTooLarge},
		{"doubling through a closure", "type P[A,B any] struct{a A;b B}\nfunc pair[T any](x T) func() P[T,T] { panic(0) }\nfunc main(){ x0:=1\n" + lines(40, "x{i} := pair(x{p})()\n") + "_=x40}", diag.TypeTooLarge},
		{"literal with a far key", "func main() { _ = []int{1 << 40: 1} }", diag.TypeTooLarge},
		{"array of arrays", "type A [1<<20]B\ntype B [1<<20]int\nfunc main() { var a *A; _ = a }", diag.TypeTooLarge},
		{"local array", "func main() { var a [1<<24]int; _ = a }", diag.TypeTooLarge},
		{"array variables", lines(40, "var a{i} [1<<20]int\n") + "func main() {}", diag.TypeTooLarge},
		{"structdouble", "type T0 struct{a,b int}\n" + lines(22, "type T{i} struct{a,b T{p}}\n") + "func main(){var x,y T22; _ = x==y}", diag.TypeTooLarge},
		{"aliasdouble", "type T0 = struct{a,b int}\n" + lines(22, "type T{i} = struct{a,b T{p}}\n") + "func main(){var x T22; var y struct{a,b T21}=x; _=y}", diag.TypeTooLarge},
		{"constdouble", "const c0 = \"aaaaaaaa\"\n" + lines(24, "const c{i} = c{p}+c{p}\n") + "func main(){_ = len(c24)}", diag.ConstTooLarge},
		{"constdouble without values", "const c0 = \"aaaaaaaa\"\n" + lines(24, "const (d{i} = c{p}+c{p}; c{i})\n") + "func main(){_ = len(c24)}", diag.ConstTooLarge},
		{"constdouble in a function", "func main(){\nconst c0 = \"aaaaaaaa\"\n" + lines(24, "const (d{i} = c{p}+c{p}; c{i})\n") + "_ = len(c24)}", diag.ConstTooLarge},
		{"square", "const c0 = 1e100000\n" + lines(24, "const c{i} = c{p}*c{p}\n") + strings.Repeat("var _ = c24+1 > 0\n", 1000) + "func main(){}", diag.ConstTooLarge},
		{"square of a small number", "const c0 = 0x1p-99999\n" + lines(24, "const (d{i} = c{p}*c{p}; c{i})\n") + "func main(){ println(c24+1 > 0) }", diag.ConstTooLarge},
		{"quotients", "const c0 = 1e100000\n" + lines(24, "const c{i} = c{p}/(1/c{p})\n") + "func main(){ println(c24+1 > 0) }", diag.ConstTooLarge},
		{"square of complex numbers", "const c0 = 1e100000i\n" + lines(24, "const c{i} = complex(1, real(c{p}*c{p}))\n") + "func main(){ println(c24 == 0) }", diag.ConstTooLarge},
		{"square of the greatest host constant", "const c0 = 1e90000\n" + lines(24, "const c{i} = max(math.Pi, -c{p}*c{p})\n") + "func main(){}", diag.ConstTooLarge},
		{"iotarepeat", "const (a0 = " + strings.Repeat("1+", 900) + "1\n" + lines(5000, "a{i}\n") + ")\nfunc main(){}", diag.TooComplex},
		{"genericalias", "type P[A,B any] struct{a A;b B}\ntype T0 = int\n" + lines(20, "type T{i} = P[T{p},T{p}]\n") + "func main(){var x T20;_=x}", diag.TypeTooLarge},
		{"inferdouble", "type P[A,B any] struct{a A;b B}\nfunc pair[T any](x T) P[T,T] {return P[T,T]{x,x}}\nfunc main(){ x0:=1\n" + lines(18, "x{i} := pair(x{p})\n") + "_=x18}", diag.TypeTooLarge},
		{"genstruct", "type T0[P any] struct{a,b P}\n" + lines(20, "type T{i}[P any] struct{a,b T{p}[P]}\n") + "func main(){var x T20[int];_=x}", diag.TypeTooLarge},
		{"genembed", "type A0[T any] struct{}\ntype B0[T any] struct{}\n" + lines(18, "type A{i}[T any] struct{*A{p}[T]; *B{p}[*T]}\ntype B{i}[T any] struct{*A{p}[**T]; *B{p}[***T]}\n") + "func main(){var x A18[int];_=x.foo}", diag.TypeTooLarge},
		{"geninf", "type T[P any] struct{*T[*P]}\nfunc main(){var x T[int];_=x.foo}", diag.TooComplex},
		{"geninf2", "type T[P any] struct{f *T[T[P]]}\nfunc main(){var x T[int];_=x.f.f.f}", diag.TooComplex},
		{"ifacechain", "type I0 interface{m0()}\n" + lines(6000, "type I{i} interface{I{p};m{i}()}\n") + "func main(){}", diag.TypeTooLarge},
		{"ifacedouble", "type I0 interface{m0()}\ntype J0 interface{m0()}\n" + lines(2000, "type I{i} interface{I{p};J{p}}\ntype J{i} interface{I{p};J{p}}\n") + "func main(){}", diag.TypeTooLarge},
		{"aliasiface", "type I0 = interface{m0()}\n" + lines(22, "type I{i} = interface{I{p}; m{i}(I{p},I{p})}\n") + "func main(){var x I22; var y interface{I21; m22(I21,I21)} = x; _ = y}", diag.TypeTooLarge},
		{"initorder", lines(6000, "var v{i} = f()\n") + "func f() int {" + lines(6000, "_=w{i};") + "return 0}\n" + lines(6000, "var w{i} int\n") + "func main(){}", diag.TooComplex},
		{"typechain", lines(12000, "type T{p} T{i}\n") + "type T12000 int\nfunc main(){}", diag.TooComplex},
		{"structchain", lines(9000, "type T{p} struct{a T{i}}\n") + "type T9000 int\nfunc main(){}", diag.TooComplex},
		{"typeswitch", "func main(){var x any\nswitch x.(type){\n" + lines(10000, "case [{i}]int:\n") + "}}", diag.TooComplex},
		{"methods", "type T int\n" + lines(3000, "func(T)a{i}(){}\n") + "type I interface{" + lines(3000, "a{i}();") + "}\nfunc main(){var t T\n" + strings.Repeat("_=I(t)\n", 3000) + "}", diag.TypeTooLarge},
		{"methods256", "type T int\n" + lines(256, "func(T)a{i}(){}\n") + "type I interface{" + lines(256, "a{i}();") + "}\nfunc main(){var t T\n" + strings.Repeat("_=I(t)\n", 30000) + "}", diag.TooComplex},
		{"embedchain", lines(3000, "type T{p} struct{T{i}}\n") + "type T3000 struct{x int}\nfunc main(){var t T0\n" + strings.Repeat("_=t.x\n", 10000) + "}", diag.TooComplex},
		{"unions", "type I interface{" + lines(99, "[{i}]int|") + "int}\n" + "type J interface{" + strings.Repeat("I;", 20000) + "}\nfunc f[T J](){}\nfunc main(){}", diag.TypeTooLarge},
		{"unionsmany", "type I interface{" + lines(99, "[{i}]int|") + "int}\n" + lines(5000, "type J{i} interface{I;I;I;I;I}\n") + "func main(){}", diag.TooComplex},
		{"funcrec", "type F0 = func(int)int\n" + lines(22, "type F{i} = func(F{p})F{p}\n") + "func main(){var x F22; var y func(F21)F21 = x;_=y}", diag.TypeTooLarge},
		{"selfembed", lines(300, "type T{i} struct{*T{p}; *U{p}}\ntype U{i} struct{*T{p}; *U{p}}\n") + "type T0 struct{x int}\ntype U0 struct{x int}\nfunc main(){var t T300\n" + strings.Repeat("_=t.zz\n", 10) + "}", diag.TypeTooLarge},
		{"localtypes", "func main(){\ntype T0 struct{a,b int}\n" + lines(22, "type T{i} struct{a,b T{p}}\n") + "}", diag.TypeTooLarge},
		{"structcmp", "type A [1]struct{" + lines(3000, "a{i} int;") + "}\nfunc main(){var x A\n" + strings.Repeat("_=x==x\n", 20000) + "}", diag.TooComplex},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\n" + tc.src
			u := newTestUniverse()
			var rs diag.Rejections
			took := rewritetest.InTime(t, 4*time.Second, func() {
				_, err := Compile(parse.Source{Text: src}, parse.Bounds{Bytes: 1 << 20}, u, nil)
				rs, _ = err.(diag.Rejections)
			})
			t.Logf("%d bytes refused in %v", len(src), took)
			if len(rs) == 0 || rs[0].Code != tc.want || rs[0].Pos.Line == 0 {
				t.Errorf("got %.300v, want %v", rs, tc.want)
			}
		})
	}
}

// TestBoundsAcceptGo wants no program of Go's own tests refused by the bounds
// before go/types.
func TestBoundsAcceptGo(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "test", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "test", "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	parsed := 0
	for _, file := range append(files, more...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "// run\n") {
			continue
		}
		p, err := parse.Parse(parse.Source{Name: file, Text: string(text)}, parse.Bounds{})
		if err != nil {
			continue // TestParse's matter
		}
		parsed++
		reject := func(code diag.Code, _ ast.Node, name, message, hint string) *diag.Rejection {
			return &diag.Rejection{Code: code, Name: name, Message: message, Hint: hint}
		}
		if _, rs := checkcost.Check(p.File, nil, reject); len(rs) > 0 {
			t.Errorf("refused: %v", rs)
		}
	}
	if parsed < 500 {
		t.Errorf("only %d programs parsed", parsed)
	}
}
