package sandtrap

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
)

// TestVMAllocatesNothing: what scripts do all the time leaves no garbage.
func TestVMAllocatesNothing(t *testing.T) {
	for _, tc := range []struct{ name, body string }{
		{"unbuffered channels", `
			a, b := make(chan int), make(chan string)
			go func() { for range a { b <- "x" } }()
			for i := range N { a <- i; <-b }`},
		{"a buffered channel", `
			c := make(chan string, 3)
			for range N { c <- "x"; c <- "y"; <-c; <-c }`},
		{"select with a case that is ready", `
			c := make(chan int, 1)
			for i := range N { select { case c <- i: case <-c: } }`},
		{"text in a builder that has room", `
			var b strings.Builder
			b.Grow(2 * N)
			for range N { b.WriteByte('x'); b.WriteString("y") }`},
		{"append where there is room", `
			a, b := make([]int, 0, 2*N), make([]string, 0, N)
			for i := range N { a = append(a, i, -i); b = append(b, "x") }`},
		{"methods of a reflect.Type", `
			t := reflect.TypeOf(struct{ a, b int }{})
			for range N { _, _, _ = t.Kind(), t.NumField(), t.Comparable() }`},
		{"sorting with a function", `
			a := make([]int, N)
			for i := range a { a[i] = i * 7919 % N }
			sort.Slice(a, func(i, j int) bool { return a[i] < a[j] })`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			few, many := allocations(t, tc.body, 1000), allocations(t, tc.body, 11000)
			if many-few > 500 {
				t.Errorf("10000 more times round are %v more allocations", many-few)
			}
		})
	}
}

// TestHostCallAllocations: a call between the script and the host allocates what one call by package reflect does,
// and little more: values that are not basic take cells, which are used again.
func TestHostCallAllocations(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		most       float64 // of each
	}{
		{"of numbers", `strings.Map(func(r rune) rune { return r }, strings.Repeat("x", N))`, 2},
		{"of a text to a text and an error", `tell(N, func(s string) (string, error) { return s, nil })`, 7},
		{"of numbers, by the library beside a function of the host", `each(0, nil); strings.Map(func(r rune) rune { return r }, strings.Repeat("x", N))`, 2},
		{"of numbers, by who has goroutines", `each(N, func(i int) int { return i })`, 4},
		{"of a context and a struct to a struct and an error", `q := Query{Text: "x"}; for range N { _, _ = ask(q) }`, 5},
		{"of a number to an error", `for range N { _ = failing(1) }`, 3},
		{"of texts to a number", `s := []string{"a", "b"}; for range N { _ = counted(s) }`, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			few, many := allocations(t, tc.body, 1000), allocations(t, tc.body, 11000)
			if each := (many - few) / 10_000; each > tc.most+0.1 {
				t.Errorf("a call makes %.2f allocations, want at most %v", each, tc.most)
			}
		})
	}
}

var errFailing = errors.New("failing")

type question struct{ Text string }

type reply struct {
	Text string
	Rows int
}

// calling are functions of the host that call the script n times, and one that is called.
var calling = map[string]any{
	"Query":   (*question)(nil),
	"failing": func(int) error { return errFailing },
	"counted": func(s []string) int { return len(s) },
	"ask":     func(_ context.Context, q question) (reply, error) { return reply{q.Text, 1}, nil },
	"each": func(n int, f func(int) int) {
		for i := range n {
			f(i)
		}
	},
	"tell": func(n int, f func(string) (string, error)) {
		for range n {
			f("text")
		}
	},
}

// allocations is how many a run of the body makes, where N is n.
func allocations(t *testing.T, body string, n int) float64 {
	box, err := New(context.Background(), Policy{Engine: "vm", Std: []string{"reflect", "sort", "strings"}, Funcs: calling, Limits: Limits{Memory: 64 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	imports := ""
	for _, pkg := range []string{"reflect", "sort", "strings"} {
		if strings.Contains(body, pkg+".") {
			imports += "import \"" + pkg + "\"\n"
		}
	}
	src := Script{Text: "package main\n" + imports + "const N = " + strconv.Itoa(n) + "\nfunc main() {" + body + "\n}\n"}
	return testing.AllocsPerRun(3, func() {
		if _, err := box.Run(context.Background(), src); err != nil {
			t.Error(err)
		}
	})
}
