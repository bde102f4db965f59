package sandtraptest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// rows is n times what f writes, with sep between.
func rows(n int, sep string, f string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(f, "#", fmt.Sprint(i))
	}
	return strings.Join(list, sep)
}

// tooWide is what is said of a function with more parameters, or results, than the engine takes.
const tooWide = "engine vm cannot compile a function with "

// A lot is a program with many of something. It prints what it says, or is refused.
type lot struct{ name, decls, body, prints, refused string }

// manyOf makes these programs when they are needed: what is made with the variables of a package each worker of its tests
// makes, too.
func manyOf() []lot {
	return []lot{
		{"parameters", "func f(" + rows(200, ", ", "a#") + " int) int { return a0 + a199 }", "println(f(" + rows(200, ", ", "#") + "))", "199", ""},
		{"too many parameters", "func f(" + rows(300, ", ", "a#") + " int) int { return a0 + a299 }", "println(f(" + rows(300, ", ", "#") + "))", "", tooWide + "parameters"},
		{"too many slices as parameters", "func f(" + rows(110, ", ", "a#") + " []int) int { return len(a0) }", "println(f(" + rows(110, ", ", "nil") + "))", "", tooWide + "parameters"},
		{"results", "func f() (" + rows(200, ", ", "_") + " int) { return " + rows(200, ", ", "#") + " }", rows(200, ", ", "a#") + " := f()\nprintln(" + rows(200, "+", "a#") + ")", "19900", ""},
		{"too many results", "func f() (" + rows(300, ", ", "_") + " int) { return " + rows(300, ", ", "#") + " }", rows(300, ", ", "a#") + " := f()\nprintln(" + rows(300, "+", "a#") + ")", "", tooWide + "results"},
		{"too many parameters of a method", "type T int\nfunc (T) f(" + rows(300, ", ", "a#") + " int) int { return a299 }", "println(interface{ f(" + rows(300, ", ", "a#") + " int) int }(T(1)).f(" + rows(300, ", ", "#") + "))", "", tooWide + "parameters"},
		{"too many parameters of a literal", "", "println(func(" + rows(300, ", ", "a#") + " int) int { return a299 }(" + rows(300, ", ", "#") + "))", "", tooWide + "parameters"},
		{"parameters of no function", "var f func(" + rows(300, ", ", "a#") + " int)", "defer func() { println(recover() != nil) }()\nf(" + rows(300, ", ", "#") + ")", "true", ""},
		{"variables", "", rows(900, "\n", "a# := len(s) + #") + "\nprintln(" + rows(900, "+", "a#") + ")", "404550", ""},
		{"captured variables", "", rows(1900, "\n", "a# := #") + "\nf := func() (s int) {\n" + rows(1900, "\n", "a#++; s += a#") + "\nreturn s }\nf()\nprintln(f())", "1807850", ""},
		{"captured by a loop's body", "func it(y func(int) bool) { _ = y(1) && y(2) }", rows(1900, "\n", "a# := #") + "\ns := 0\nfor x := range it {\n" + rows(1900, "\n", "a# += x; s += a#") + "\n}\nprintln(s)", "3615700", ""},
		{"cases", "", "for _, v := range []int{0, 4999, -1} { switch v {\n" + rows(5000, "\n", "case #: print(#, \" \")") + "\ndefault: println(v) } }", "0 4999 -1", ""},
		{"cases of texts", "", "for _, v := range []string{\"s0\", \"s4999\", \"\"} { switch v {\n" + rows(5000, "\n", "case \"s#\": print(#, \" \")") + "\ndefault: println(v == \"\") } }", "0 4999 true", ""},
		{"fields", "type T struct {\n" + rows(1000, "\n", "F# int") + "\n}", "t := T{F999: 3}\nu := t\nu.F0++\nprintln(t == u, u.F0, u.F999, map[T]int{t: 5}[t])", "false 1 3 5", ""},
		{"elements", "", "a := [...]int{" + rows(20_000, ", ", "#") + "}\nt := 0\nfor _, x := range a { t += x }\nprintln(t)", "199990000", ""},
		{"entries", "var m = map[int]string{" + rows(5000, ", ", "#: \"v#\"") + "}", "println(len(m), m[4999])", "5000 v4999", ""},
		{"arguments", "func f(a ...int) int { return a[4999] }", "println(f(" + rows(5000, ", ", "#") + "))", "4999", ""},
		{"values at once", "", "x := make([]int, 1000)\n" + rows(1000, ", ", "x[#]") + " = " + rows(1000, ", ", "len(x)+#") + "\nprintln(x[0], x[999])", "1000 1999", ""},
		{"cases of a select", "", "c := make([]chan int, 3000)\nc[2999] = make(chan int, 1)\nc[2999] <- 5\nselect {\n" + rows(3000, "\n", "case x := <-c[#]: println(x, #)") + "\n}", "5 2999", ""},
		{"functions", "func f0() int { return 0 }\n" + rows(1500, "\n", "func g#() int { return # + f0() }"), "println(" + rows(300, "+", "g#()") + " + g1499())", "46349", ""},
		{"type arguments", "func f[" + rows(300, ", ", "T#") + " any]() { println(300) }", "f[" + rows(300, ", ", "int") + "]()", "300", ""},
		{"literals of functions", "", "x := 0\n" + rows(3000, "\n", "func() { x += # }()") + "\nprintln(x)", "4498500", ""},
		{"deferred calls", "", "x := 0\ndefer func() { println(x) }()\n" + rows(3000, "\n", "defer func() { x += # }()"), "4498500", ""},
		{"blocks in blocks", "", strings.Repeat("if len(s) == 0 {\n", 150) + "println(1)\n" + strings.Repeat("}\n", 150), "1", ""},
		{"too many blocks in blocks", "", strings.Repeat("if len(s) == 0 {\n", 300) + "println(1)\n" + strings.Repeat("}\n", 300), "", "brackets nested more than 200 deep"},
	}
}

// TestSizes: whatever there is a lot of in a program, it runs, or it is refused with a place and
// with what to do. It is never a fault of the sandbox.
func TestSizes(t *testing.T) {
	box, err := sandtrap.New(t.Context(), pure())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for _, tc := range manyOf() {
		t.Run(tc.name, func(t *testing.T) {
			res, err := box.Run(t.Context(), sandtrap.Script{Text: "package main\n" + tc.decls + "\nvar s = \"\"\nfunc main() {\n" + tc.body + "\n}\n"})
			if tc.refused == "" {
				if got := strings.TrimSpace(string(res.Stderr)); err != nil || got != tc.prints {
					t.Errorf("%v, printed %s, want %s", err, got, tc.prints)
				}
				return
			}
			e := res.Error
			if e == nil || e.Kind != sandtrap.KindRejected || !strings.Contains(e.Message, tc.refused) || e.Pos.Line == 0 || e.Hint == "" {
				t.Errorf("%v, want a rejection for %s", err, tc.refused)
			}
		})
	}
}
