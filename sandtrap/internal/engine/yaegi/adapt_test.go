package yaegi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// Each program is about an adaptation; TestRawIsWrong runs them without.
var adapted = []struct {
	name, src, want string
}{
	{"case lists", `switch x := 2; { case x == 1, x == 2: fmt.Print("ok"); default: fmt.Print("no") }`, "ok"},
	{"switch init", `switch x := 2; x { case 2: fmt.Print("ok"); default: fmt.Print("no") }`, "ok"},
	{"break out of a switch with init", `L: switch x := 2; x { case 2: for { break L } }; fmt.Print("ok")`, "ok"},
	{"min and max", `type t int; fmt.Print(min(3, 1, 2), max(2.5, 1), min("b", "a"), max(t(1), t(2)))`, "1 2.5a2"},
	{"two results to elements", `m := map[string]string{}; var ok bool; var v any = "y"; m["x"], ok = v.(string); fmt.Print(m["x"], ok)`, "ytrue"},
	{"nil pointer read into a map", `m := map[int]int{}; var p *int; func() { defer func() { recover() }(); m[0] = *p; fmt.Print("no") }(); fmt.Print(len(m))`, "0"},
	{"nil pointer read into nothing", `var p *int; func() { defer func() { recover() }(); _ = *p; fmt.Print("no") }()`, ""},
	{"clear", `m := map[int]int{1: 2}; s := []int{1, 2}; clear(m); clear(s); fmt.Print(len(m), s)`, "0 [0 0]"},
	{"range over int", `for i := range 3 { fmt.Print(i) }; for range 2 { fmt.Print("x") }`, "012xx"},
	{"range over a typed int", `var n uint8 = 2; for i := range n { fmt.Printf("%T%d", i, i) }`, "uint80uint81"},
	{"variables of iterations", `var f []func() int; for i := 0; i < 3; i++ { f = append(f, func() int { i += 10; return i }) }; for _, g := range f { fmt.Print(g(), " ") }`, "10 11 12 "},
	{"variables of iterations with continue", `var f []func() int; for i := 0; i < 4; i++ { if i%2 == 0 { continue }; f = append(f, func() int { return i }) }; for _, g := range f { fmt.Print(g()) }`, "13"},
	{"variables of ranges", `var p []*int; for _, v := range []int{1, 2} { p = append(p, &v) }; fmt.Print(*p[0], *p[1])`, "1 2"},
	{"tuple assignment", `a, b, c := 1, 2, 3; a, b, c = c, a, b; fmt.Print(a, b, c)`, "3 1 2"},
	{"tuple assignment of elements", `s := []int{1, 2, 3}; i := 0; i, s[i] = 2, 9; s[0], s[2] = s[2], s[0]; fmt.Print(i, s)`, "2 [3 2 9]"},
	{"tuple assignment in a post statement", `for a, b := 0, 1; a < 10; a, b = b, a+b { fmt.Print(a, " ") }`, "0 1 1 2 3 5 8 "},
	{"named results", `f := func(b bool) (n int) { if b { n = 7 }; return }; fmt.Print(f(true), f(false))`, "7 0"},
	{"deferred arguments", `func() { x := 1; defer fmt.Print(x); x = 2; fmt.Print(x) }()`, "21"},
	{"constants", `const big = 1 << 62; const f = 1.0 / 3; fmt.Print(big>>60, f*3 == 1, uint8(255), 'a')`, "4 true 255 97"},
	{"unnamed parameters", `f := func(int, string) bool { for range 2 { }; return true }; fmt.Print(f(1, "x"))`, "true"},
	{"strings put together", `type s string; x := s("a"); x += "b"; m := map[string]string{}; m["k"] += "v" + string(x); fmt.Print(x, m["k"]+"!")`, "abvab!"},
	{"appends", `s := append([]int(nil), []int{1, 2}...); s = append(s, 3); fmt.Print(append(s[:1:1], s...), len(append(s, 4)))`, "[1 1 2 3] 4"},
	{"recovered values", `func() { defer func() { r := recover(); fmt.Print(r.(string)) }(); panic("p") }()`, "p"},
	{"recovered errors", `func() { defer func() { fmt.Print(recover().(error).Error()) }(); panic(errors.New("e")) }()`, "e"},
	{"recovered errors of the run time", `func() { defer func() { fmt.Print(recover()) }(); var x []int; var z int; fmt.Print(1 / z, x) }()`, "runtime error: integer divide by zero"},
	{"recover without panic", `func() { defer func() { fmt.Print(recover() == nil) }() }()`, "true"},
	{"nested panics", `func() { defer func() { fmt.Print(recover()) }(); defer func() { defer func() { fmt.Print(recover()) }(); panic(2) }(); panic(1) }()`, "21"},
}

func wrapMain(body string) string {
	imports := ""
	for _, p := range []string{"fmt", "errors"} {
		if strings.Contains(body, p+".") {
			imports += fmt.Sprintf("import %q\n", p)
		}
	}
	return "package main\n" + imports + "func main() {\n" + body + "\n}\n"
}

func TestAdapted(t *testing.T) {
	for _, tc := range adapted {
		t.Run(tc.name, func(t *testing.T) {
			o, f, _, _ := runSource(t, wrapMain(tc.src), gates.Limits{Timeout: 10 * time.Second})
			if o.Stop != nil || o.Panic != nil || o.Fault != nil {
				t.Fatalf("stop %v, panic %v, fault %v", o.Stop, o.Panic, o.Fault)
			}
			if got := f.stdout.String(); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// rightAlone are the programs that the interpreter runs right without the adaptation. They are there for
// what is made of them: the adapted program has to be right as well.
var rightAlone = []string{
	"switch init",
	"break out of a switch with init",
	"tuple assignment",
	"tuple assignment of elements",
	"tuple assignment in a post statement",
	"named results",
	"constants",
	"strings put together",
	"appends",
	"recovered errors of the run time",
	"recover without panic",
	"nested panics",
}

// TestRawIsWrong: every other program goes wrong without its adaptation, so each of those is needed, and
// TestAdapted is about it.
func TestRawIsWrong(t *testing.T) {
	for _, tc := range adapted {
		got := raw(wrapMain(tc.src))
		if right := got == tc.want; right != slices.Contains(rightAlone, tc.name) {
			t.Errorf("%s: the interpreter alone makes %q, want %q: right %v", tc.name, got, tc.want, right)
		}
	}
}

func raw(src string) (out string) {
	defer func() {
		if v := recover(); v != nil {
			out += fmt.Sprint("panic ", v)
		}
	}()
	var b strings.Builder
	i := interp.New(interp.Options{Stdout: &b, Stderr: &b})
	if err := i.Use(stdlib.Symbols); err != nil {
		return err.Error()
	}
	if _, err := i.Eval(src); err != nil {
		return b.String() + err.Error()
	}
	return b.String()
}

func TestPackageVariablesInGoOrder(t *testing.T) {
	const src = `package main
import "fmt"
var (
	a = c + b
	b = f("b")
	c = f("c")
	_ = f("_")
)
func f(s string) string { fmt.Print(s); return s }
func main() { fmt.Print(" ", a) }
`
	o, f, _, _ := runSource(t, src, gates.Limits{Timeout: 10 * time.Second})
	if got, want := f.stdout.String(), "bc_ cb"; got != want {
		t.Errorf("got %q, want %q (%+v)", got, want, o)
	}
}

func TestFunctionInPackageVariable(t *testing.T) {
	o, f, m, _ := runSource(t, "package main\nimport \"fmt\"\nvar g = func() int { return 3 }\nvar v = g()\nfunc main() { fmt.Print(v) }", gates.Limits{Timeout: 10 * time.Second})
	if got := f.stdout.String(); got != "3" || m.Ticks() != 2 {
		t.Errorf("got %q after %d ticks, want 3 after 2 (%+v)", got, m.Ticks(), o)
	}
}

func TestQuirksAreRefused(t *testing.T) {
	for _, q := range quirks {
		t.Run(q.construct, func(t *testing.T) {
			if q.why == "" {
				t.Error("no reason")
			}
			f := mustCompile(t, q.example)
			_, err := Engine{}.Load(f.program, nil, nil)
			var rs diag.Rejections
			if !errors.As(err, &rs) {
				t.Fatalf("Load: %v, want a refusal", err)
			}
			r := rs[0]
			if want := "engine yaegi cannot " + q.construct; r.Message != want || r.Hint != "use engine vm" || r.Code != diag.EngineCannot || r.Pos.Line == 0 {
				t.Errorf("got %+v, want %q", r, want)
			}
		})
	}
}

func TestPanicsAndStreams(t *testing.T) {
	for _, tc := range []struct {
		name, src  string
		text       string
		line       int
		out, stder string
	}{
		{"text", "fmt.Println(1)\nprintln(2.5, \"x\")\npanic(\"p\")", "p", 6, "1\n", "2.5 x\n"},
		{"error", "panic(errors.New(\"e\"))", "e", 4, "", ""},
		{"wrapped error", "panic(fmt.Errorf(\"a: %w\", errors.New(\"e\")))", "a: e", 5, "", ""},
		{"named type", "type t int\npanic(t(3))", "main.t(3)", 4, "", ""},
		{"run time", "var m map[int]int\nm[1] = 2", "assignment to entry in nil map", 0, "", ""},
		{"in a deferred call", "defer func() { panic(2) }()", "2", 3, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, f, _, stderr := runSource(t, wrapMain(tc.src), gates.Limits{Timeout: 10 * time.Second})
			if o.Panic == nil {
				t.Fatalf("no panic: %+v", o)
			}
			if o.Panic.Text != tc.text {
				t.Errorf("text = %q, want %q", o.Panic.Text, tc.text)
			}
			if len(o.Panic.Stack) == 0 || tc.line > 0 && o.Panic.Stack[0].Pos.Line != tc.line {
				t.Errorf("stack = %v, want line %d", o.Panic.Stack, tc.line)
			}
			if f.stdout.String() != tc.out || stderr != tc.stder {
				t.Errorf("stdout %q, stderr %q; want %q, %q", f.stdout, stderr, tc.out, tc.stder)
			}
		})
	}
}

func TestTicksAreTheSameEachRun(t *testing.T) {
	var want int64
	for i := range 5 {
		_, _, m, _ := runSource(t, wrapMain(`n := 0; for i := 0; i < 10000; i++ { n += i }; fmt.Print(n)`), gates.Limits{})
		if i == 0 {
			want = m.Ticks()
		}
		if m.Ticks() != want || want != 10001 {
			t.Errorf("run %d: %d ticks, want 10001", i, m.Ticks())
		}
	}
}
