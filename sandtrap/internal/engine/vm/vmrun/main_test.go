package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm"
)

// exec runs the source and gives what it printed and how it ended.
func exec(t *testing.T, src string, l vm.Limits) (string, vm.Result) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := p.Exec(&out, &out, l)
	return out.String(), r
}

func TestPrograms(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"shared memory with the host", `xs := []int{3, 1, 2}; sort.Ints(xs[1:]); fmt.Println(xs)`, "[3 1 2]\n"},
		{"append in capacity shares", `a := make([]int, 1, 4); b := append(a, 1); c := append(a, 2); fmt.Println(b, c)`, "[0 2] [0 2]\n"},
		{"arrays are values", `a := [3]int{1}; b := a; b[0] = 2; p := &a; p[1] = 7; fmt.Println(a, b, a == b)`, "[1 7 0] [2 0 0] false\n"},
		{"struct in map", `m := map[[2]int]string{{1, 2}: "x"}; fmt.Println(m[[2]int{1, 2}], len(m))`, "x 1\n"},
		{"recover gives runtime errors", `defer func() { _, ok := recover().(runtime.Error); fmt.Println(ok) }(); var p *struct{ x int }; fmt.Println(p.x)`, "true\n"},
		{"phis swap", `a, b := 1, 2; for i := 0; i < 3; i++ { a, b = b, a }; fmt.Println(a, b)`, "2 1\n"},
		{"loop variables are new each time", `var fs []func() int; for i := range 3 { fs = append(fs, func() int { i += 10; return i }) }; for _, f := range fs { fmt.Print(f(), f(), " ") }; fmt.Println()`, "10 20 11 21 12 22 \n"},
		{"callback", `xs := []string{"b", "c", "a"}; sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] }); fmt.Println(xs)`, "[a b c]\n"},
		{"unsigned wraps", `var u uint8 = 250; u += 10; var i int8 = -128; i--; fmt.Println(u, i, ^uint16(1), uint32(1)<<31>>30)`, "4 127 65534 2\n"},
		{"nan compares false", `n := math.NaN(); fmt.Println(n < 1, n >= 1, n == n, !(n < 1))`, "false false false true\n"},
		{"select and close", `c := make(chan int, 1); close(c); select { case v, ok := <-c: fmt.Println(v, ok) }`, "0 false\n"},
		{"defer order", `for i := range 3 { defer fmt.Print(i, " ") }; defer func() { recover() }(); panic(1)`, "2 1 0 "},
		{"defer in a range over a function", `for i := range func(yield func(int) bool) { _ = yield(1) && yield(2) } { defer fmt.Print(i, " ") }; fmt.Print("end ")`, "end 2 1 "},
		{"map while iterating", `m := map[int]int{1: 1, 2: 2, 3: 3}; n := 0; for k := range m { delete(m, k); n++ }; fmt.Println(n, len(m))`, "3 0\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport (\"fmt\"; \"math\"; \"runtime\"; \"sort\")\nvar _, _, _ = math.Pi, runtime.GOOS, sort.Ints\nfunc main() {\n" + tc.body + "\n}\n"
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := run(file)
			if err != nil || got != tc.want {
				t.Errorf("got %q, %v, want %q", got, err, tc.want)
			}
		})
	}
}

func TestEndings(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		limits     vm.Limits
		reason     string
		panic      string
	}{
		{"ticks", `for {}`, vm.Limits{Ticks: 100000}, "ticks", "out of ticks"},
		{"depth", `var f func(int) int; f = func(n int) int { return f(n+1) + 1 }; f(0)`, vm.Limits{Depth: 1000}, "depth", "stack overflow"},
		{"deadlock", `<-make(chan int)`, vm.Limits{}, "deadlock", "fatal error: all goroutines are asleep - deadlock!"},
		{"index", `x := []int{1}; i := 5; println(x[i])`, vm.Limits{}, "", "panic: runtime error: index out of range [5] with length 1"},
		{"panic in a task", `go func() { panic("boom") }(); select {}`, vm.Limits{}, "", "panic: boom"},
		{"panic in a panic", `defer func() { panic("two") }(); panic("one")`, vm.Limits{}, "", "panic: one\n\tpanic: two"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, r := exec(t, "package main\nfunc main() {\n"+tc.body+"\n}\n", tc.limits)
			if r.Reason != tc.reason || r.Panic != tc.panic || r.Fault != nil {
				t.Errorf("got %q %q %v, want %q %q", r.Reason, r.Panic, r.Fault, tc.reason, tc.panic)
			}
		})
	}
}
