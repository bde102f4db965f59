package sandtrap

import "testing"

// TestVMCaptured: a closure sees what happens to the variables around it, whether it has
// them or their only value.
func TestVMCaptured(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"one value", `s, n, f := []int{1, 2}, 7, 1.5; g := func() { fmt.Print(s, n, f, len(s)) }; s[0] = 9; g()`, "[9 2] 7 1.5 2"},
		{"set later", `n := 1; g := func() int { return n }; n = 2; fmt.Print(g(), n)`, "2 2"},
		{"set by the closure", `n := 1; g := func() { n++ }; g(); g(); fmt.Print(n)`, "3"},
		{"set by another closure", `n := 1; g, h := func() int { return n }, func() { n = 5 }; h(); fmt.Print(g())`, "5"},
		{"set after the closure is there", `var f func(int) int; f = func(n int) int { if n < 2 { return 1 }; return n * f(n-1) }; fmt.Print(f(5))`, "120"},
		{"set in a loop outside", `var x int; var fs []func() int; for i := range 3 { x = i; fs = append(fs, func() int { return x }) }; for _, f := range fs { fmt.Print(f(), " ") }`, "2 2 2 "},
		{"each round", `var fs []func() int; for i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }; for i := range 3 { k := i * i; fs = append(fs, func() int { return k }) }; for _, f := range fs { fmt.Print(f(), " ") }`, "0 1 2 0 1 4 "},
		{"changed by the loop's step", `var fs []func() int; for i := 0; i < 4; i++ { fs = append(fs, func() int { return i }); i++ }; fmt.Print(fs[0](), fs[1]())`, "1 3"},
		{"closures in closures", `s := "a"; n := 3; g := func(k int) func() string { p := &n; return func() string { *p++; return func() string { return fmt.Sprint(s, k, n) }() } }; h := g(5); fmt.Print(h(), h())`, "a5 4a5 5"},
		{"the value is in closures in closures", `s := "a"; n := 3; g := func(k int) func() string { return func() string { return func() string { return fmt.Sprint(s, k, n) }() } }; fmt.Print(g(5)(), n, s)`, "a5 33a"},
		{"fields", `type p struct{ x, y int }; v := p{1, 2}; g := func() int { return v.x + v.y }; fmt.Print(g()); v.x = 5; fmt.Print(" ", g(), v)`, "3 7 {5 2}"},
		{"a struct as one value", `type p struct{ x int; s []string }; v := p{1, []string{"q"}}; g := func() p { return v }; w := g(); w.x = 9; fmt.Print(g(), w, v)`, "{1 [q]} {9 [q]} {1 [q]}"},
		{"arrays", `v := [3]int{1, 2}; g := func() [3]int { return v }; w := g(); w[0] = 5; fmt.Print(g(), w)`, "[1 2 0] [5 2 0]"},
		{"parameters and results", `f := func(a int, b string) (n int, err error) { defer func() { if recover() != nil { n = a; err = fmt.Errorf("%s%d", b, n) } }(); panic(1) }; fmt.Print(f(4, "e"))`, "4 e4"},
		{"a result that is never reached", `f := func() (n int) { defer func() { recover(); fmt.Print(n, " ") }(); var m map[string]int; m["a"] = 1; n = 7; return }; fmt.Print(f())`, "0 0"},
		{"deferred", `x := 3; y := "y"; defer func() { fmt.Print(x, y) }(); z := x; { x := z + 1; _ = x }`, "3y"},
		{"goroutines", `var wg sync.WaitGroup; out := make([]int, 3); for i := range 3 { v := i * 10; wg.Go(func() { out[i] = v }) }; wg.Wait(); fmt.Print(out)`, "[0 10 20]"},
		{"constants", `n, s, ok := 5, "s", true; g := func() string { return fmt.Sprint(n, s, ok) }; for range 2 { fmt.Print(g(), n, s, ok, " ") }`, "5strue5strue 5strue5strue "},
		{"in branches", `n := 1; if len(os) > 0 { n = 2 }; g := func() int { return n }; fmt.Print(g())`, "1"},
		{"range over a function", `seq := func(yield func(int) bool) { for i := range 5 { if !yield(i) { return } } }; sum, k := 0, 2; for x := range seq { if x == 4 { break }; y := x * k; func() { sum += y }() }; fmt.Print(sum)`, "12"},
		{"maps, interfaces, channels", `m, c := map[string]int{"a": 1}, make(chan any, 1); var e error = fmt.Errorf("e"); func() { m["b"] = len(m); c <- e }(); fmt.Print(m, <-c == any(e))`, "map[a:1 b:1] true"},
		{"address", `n := 1; p := &n; g := func() int { return n }; *p = 4; fmt.Print(g())`, "4"},
		{"swapped", `a, b := 1, 2; g := func() { fmt.Print(a, b, " ") }; g(); a, b = b, a; g()`, "1 2 2 1 "},
		{"sorted", `a := []int{3, 1, 2}; idx := []int{0, 1, 2}; sort.Slice(idx, func(i, j int) bool { return a[idx[i]] < a[idx[j]] }); fmt.Print(idx)`, "[1 2 0]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport (\"fmt\"; \"sort\"; \"sync\")\nvar _, os = sort.Ints, []int{}\nvar _ sync.Mutex\nfunc main() {" + tc.body + "\n}\n"
			res, e := onVM(t, Limits{}, src)
			if e != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, e, tc.want)
			}
		})
	}
}
