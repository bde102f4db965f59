package sandtrap

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestVMAppend: values that append is given one by one go where Go puts them, after they
// were all computed from what was there before.
func TestVMAppend(t *testing.T) {
	// Operands in registers that an instruction cannot name.
	var many strings.Builder
	for i := range 250 {
		fmt.Fprintf(&many, "v%d := len(none) + %d\n", i, i)
	}
	many.WriteString("s := []int{}\nuse := 0\n")
	for i := range 250 {
		fmt.Fprintf(&many, "use += v%d\n", i)
	}
	many.WriteString("far := append([]string{\"a\"}, fmt.Sprint(use))\nfor i := range 3 { s = append(s, v249+i, v0) }\n")
	for i := range 250 {
		fmt.Fprintf(&many, "use -= v%d\n", i)
	}
	many.WriteString("fmt.Print(s, far, use)")
	for _, tc := range []struct{ name, body, want string }{
		{"values that are read from the slice", `s := []int{1, 2}; s = append(s, s[0]+10, len(s)); s = append(s, s[3], s[2], cap(s)); fmt.Print(s)`, "[1 2 11 2 2 11 4]"},
		{"the slice in itself", `var s []any; s = append(s, 1); s = append(s, s, len(s)); fmt.Print(s)`, "[1 [1] 1]"},
		{"a slice of slices", `var s [][]int; t := []int{1}; s = append(s, t, append(t, 2)); t[0] = 9; s = append(s, nil); fmt.Print(s, s[2] == nil)`, "[[9] [1 2] []] true"},
		{"room behind the end", `a := make([]int, 1, 4); b := append(a, 5); c := append(a, 6, 7); fmt.Print(a, b, c, a[:4])`, "[0] [0 6] [0 6 7] [0 6 7 0]"},
		{"another place", `a := []string{"x"}; b := append(a[:0:0], "y"); a, b = append(b, a[0]), append(a, b[0]); fmt.Print(a, b)`, "[y x] [x y]"},
		{"structs", `type p struct { x int; s string; f *int }; n := 3; var s []p; for i := range 3 { s = append(s, p{i, fmt.Sprint(i), &n}, p{}) }; fmt.Print(len(s), s[4].x, s[4].s, *s[4].f, s[5].f == nil)`, "6 223 true"},
		{"arrays", `var s [][3]int; a := [3]int{1}; s = append(s, a); a[0] = 2; s = append(s, a); fmt.Print(s)`, "[[1 0 0] [2 0 0]]"},
		{"no size", `var s []struct{}; s = append(s, struct{}{}, struct{}{}); fmt.Print(len(s))`, "2"},
		{"a named slice, and bytes", `type b []byte; var s b; for i := range 20 { s = append(s, byte(i+97), '.') }; fmt.Print(string(s), cap(s))`, "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.64"},
		{"floats and booleans", `var f []float32; var b []bool; f = append(f, 1.5, 2.5); b = append(b, true, false, true); fmt.Print(f, b)`, "[1.5 2.5] [true false true]"},
		{"in a function that appends to what it was given", `var grow func(s []int, n int) []int; grow = func(s []int, n int) []int { if n == 0 { return s }; return append(grow(append(s, n), n-1), -n) }; fmt.Print(grow(nil, 3))`, "[3 2 1 -1 -2 -3]"},
		{"a value that is computed late", `s := []int{}; f := func() int { s = append(s, 7); return 8 }; s = append(s, f()); fmt.Print(s)`, "[7 8]"},
		{"hosts' memory", `s := strings.Split("a,b", ","); s = append(s, "c"); sort.Strings(s); s = append(s[:1], "z"); fmt.Print(s, s[:3])`, "[a z] [a z c]"},
		{"far registers", many.String(), "[249 0 250 0 251 0] [a 31125] 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {

			src := "package main\nimport (\"fmt\"; \"sort\"; \"strings\")\nvar _, _ = sort.Ints, strings.Split\nvar none []int\nfunc main() {" + tc.body + "\n}\n"
			res, e := onVM(t, Limits{}, src)
			if e != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, e, tc.want)
			}
		})
	}
}

// TestVMLongSlices: a slice may be as long as its header has room for, and is refused beyond that,
// by whatever it was to be made.
func TestVMLongSlices(t *testing.T) {
	const tooLong = "growslice: len out of range"
	for _, tc := range []struct{ name, body, want, fails string }{
		{"bytes", "b := make([]byte, 1<<29+8)\nc := b[1<<29:]\nc[7] = 5\nfmt.Print(len(b), len(c), cap(c), b[1<<29+7])", "536870920 8 8 5", ""},
		{"numbers", "b := make([]int32, 1<<28+8)\nc := &b[1<<28+1]\n*c = 5\nfmt.Print(len(b), b[1<<28+1], len(b[1<<28:]))", "268435464 5 8", ""},
		{"no size", "s := make([]struct{}, 1<<31-1)\nfmt.Print(len(s), len(s[1<<30:]), len(append(s[:1<<30], s[:1<<30-1]...)))", "2147483647 1073741823 2147483647", ""},
		{"no size, appended", "s := make([]struct{}, 1<<30)\n_ = append(s, s...)", "", tooLong},
		{"no size, one by one", "s := make([]struct{}, 1<<31-1)\nfor range n { s = append(s, struct{}{}) }", "", tooLong},
		{"no size, by reflection", "s := make([]struct{}, 1<<31-1)\nv := reflect.ValueOf(s)\nreflect.AppendSlice(v, v)", "", tooLong},
		{"no size, made", "_ = make([]struct{}, n<<31)", "", "makeslice: len out of range"},
		{"no size, of an array", "var x [1<<33]struct{}\nfmt.Print(len(x[:]), len(x[1<<32:]))\n_ = append(x[:], x[0])", "8589934592 4294967296", tooLong},
		{"bytes, made", "_ = make([]byte, n<<31)", "", "makeslice: len out of range"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport (\"fmt\"; \"reflect\")\nvar _ = reflect.ValueOf\nvar n = 1\nfunc main() {\n" + tc.body + "\nfmt.Print()\n}\n"
			res, e := onVM(t, Limits{Memory: math.MaxInt64}, src)
			failed := fmt.Sprint(e)
			if res.Stdout != tc.want || (e != nil) != (tc.fails != "") || !strings.Contains(failed, tc.fails) {
				t.Errorf("got %q, %v, want %q, %s", res.Stdout, e, tc.want, tc.fails)
			}
		})
	}
}
