package sandtraptest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// sameResult compares results, whose own errors are compared apart, and errors by their
// texts.
var sameResult = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool {
		return slices.Contains([]string{".Duration", ".Isolation", ".PeakBytes", ".refused", ".isImport", ".malformed", ".Error"}, p.Last().String())
	}, cmp.Ignore()),
	cmp.AllowUnexported(sandtrap.Error{}), // the excerpt
	cmp.Comparer(func(a, b error) bool { return a == nil && b == nil || a != nil && b != nil && a.Error() == b.Error() }),
}

// TestSameResult: a Result of a worker is that of a run in process, field by field, but for
// what tells of times and of the isolation.
func TestSameResult(t *testing.T) {
	for _, tc := range []struct{ name, src string }{
		{"all", `
type point struct { X, Y int; note string }
count := 3
list, table, set := []string{"a", "b"}, map[string][]int{"a": {1}}, map[int]bool{1: true}
at, nothing := &point{1, 2, "n"}, (*point)(nil)
err := fmt.Errorf("no %d", 7)
took := 2 * time.Second
when := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
var ch chan int = make(chan int)
loop := []any{nil}
loop[0] = loop
huge := make([]int, 2_000_000)
fmt.Println("out", at, list)
println("err")
count
at
tool(count)`},
		{"panic", "func f(n int) int { return 1 / n }\nx := 1\nfmt.Print(x)\nx = f(0)"},
		{"own error", "type e struct{ n int }\nfunc (x e) Error() string { return fmt.Sprint(\"e\", x.n) }\npanic(e{3})"},
		{"exit", "fmt.Print(1); os.Exit(3)"},
		{"ticks", "n := 0\nfor { n++ }"},
		{"depth", "func f(n int) int { return f(n+1) + 1 }\nf(0)"},
		{"memory", "l := [][]byte{}\nfor { l = append(l, make([]byte, 1<<20)) }"},
		{"deadlock", "ch := make(chan int)\ngo func() { select {} }()\nfmt.Print(1)\n<-ch"},
		{"type", "x := 1 + \"a\"\ny := nothing"},
		{"syntax", "x := := 1"},
		{"denied", "import \"os/exec\"\nexec.Command(\"ls\").Run()"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := pure()
			p.Echo = sandtrap.EchoAll
			p.Funcs = map[string]any{"tool": func(n int) []int { return []int{n, n + 1} }}
			run := func(b bench) *sandtrap.Result {
				res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: tc.src, Prints: true})
				if (err == nil) != (res.Error == nil) {
					b.Fatal(err)
				}
				return res
			}
			here := run(bench{T: t, Mode: mode{Engine: "vm", Isolation: sandtrap.None}})
			eachWorker(t, func(b bench) {
				there := run(b)
				if diff := cmp.Diff(here, there, sameResult); diff != "" {
					b.Error(diff)
				}
				if (here.Error == nil) != (there.Error == nil) {
					b.Errorf("errors %v and %v", here.Error, there.Error)
				} else if here.Error != nil {
					if diff := cmp.Diff(*here.Error, *there.Error, sameResult); diff != "" {
						b.Error(diff)
					}
				}
			})
		})
	}
}
