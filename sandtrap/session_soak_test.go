package sandtrap_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// count is what the variable of the environment says, or else n.
func count(t testing.TB, name string, n int) int {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		return n
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// soakCells are cells of mixed kinds whose live data does not grow, however often they are
// run: what the i-th of a kind declares is what the next of that kind declares again.
var soakCells = []func(i int) string{
	func(i int) string { return fmt.Sprintf("n := %d\ntext := fmt.Sprint(\"n is \", n)\ntext", i) },
	func(i int) string { return "n = n*3 + 1\nn" },
	func(i int) string { return "next := total + 1\nnext" }, // in turn, so that each cell uses one before
	func(i int) string { return "total := next\ntotal" },
	func(i int) string { return fmt.Sprintf("func f(k int) int { return k*%d + base }\nf(n)", i) },
	func(i int) string {
		return fmt.Sprintf("type T struct{ A int; b%d string }\nfunc (t T) String() string { return fmt.Sprint(\"T\", t.A) }\nfunc (t *T) Set(a int) { t.A = a }\nt := &T{A: %[1]d}\nt.Set(n)\nt", i)
	},
	func(i int) string { return fmt.Sprintf("keep[%d] = t\nlen(keep)", i%5) }, // of old types, too
	func(i int) string {
		return fmt.Sprintf("hooks[%d] = func() int { return base + %d }\nhooks[0]", i%5, i)
	},
	func(i int) string { return "sum := 0\nfor _, h := range hooks { if h != nil { sum += h() } }\nsum" },
	func(i int) string {
		return fmt.Sprintf("type Box[P any] struct{ v P }\nfunc (b Box[P]) Get() P { return b.v }\nfunc Map%d[P, Q any](s []P, f func(P) Q) (r []Q) { for _, x := range s { r = append(r, f(x)) }; return }\nBox[int]{1}.Get()", i%3)
	},
	func(i int) string {
		return "keepAny = append(keepAny[:0], Box[string]{\"b\"}, struct{ n int }{1}, T{}, base)\nfmt.Sprint(keepAny...)"
	},
	func(i int) string {
		return "words := Map0([]int{1, 2}, func(k int) string { return fmt.Sprint(k) })\nwords"
	},
	func(i int) string {
		return fmt.Sprintf("type Named interface{ Name%d() string }\nvar named Named\nnamed == nil", i)
	},
	func(i int) string { return "ch := make(chan T, 1)\ngo func() { ch <- T{A: n} }()\n(<-ch).A" },
	func(i int) string {
		return "slices.SortFunc(words, func(a, b string) int { return -strings.Compare(a, b) })\nwords"
	},
	func(i int) string { return fmt.Sprintf("const size = %d\nvar table [size + 1]int\ntable[0]", 1+i%7) },
	func(i int) string { return "undefined + n" },
	func(i int) string { return "var nothing *T\nnothing.A = 1" },
	func(i int) string { return "set := t.Set\nset(4)\nreflect.TypeOf(t).NumMethod()" },
	func(i int) string { return "out, _ := json.Marshal(map[string]any{\"t\": t, \"n\": n})\nstring(out)" },
	func(i int) string { return "strings.ToUpper(strings.Repeat(\"ab\", 40))" },
	func(i int) string { return "var once sync.OnceFuncT" },
	func(i int) string { return "ptr := atomic.Pointer[T]{}\nptr.Store(&T{A: n})\nptr.Load().A" },
}

var soakStart = "base := 10\ntotal := 0\nvar keep [5]any\nvar hooks [5]func() int\nvar keepAny []any"

// soak runs cell i of the list.
func soak(t testing.TB, s *sandtrap.Session, i int) {
	t.Helper()
	cell := soakCells[i%len(soakCells)](i / len(soakCells))
	res, _ := s.Run(context.Background(), sandtrap.Script{Text: cell})
	if e := res.Error; e != nil && e.Kind != sandtrap.KindType && e.Kind != sandtrap.KindPanic {
		t.Fatalf("cell %d:\n%s\n%v", i, cell, e)
	}
}

// heldBytes is what is reachable.
func heldBytes() int64 {
	var m runtime.MemStats
	for range 2 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSessionSoak: what a session holds does not grow with its cells if what they refer
// to does not. SESSION_CELLS is how many to run.
func TestSessionSoak(t *testing.T) {
	n := count(t, "SESSION_CELLS", 1500)
	s := newSession(t, nil)
	runCell(t, s, soakStart)
	held := func(from, to int) int64 {
		for i := from; i < to; i++ {
			soak(t, s, i)
		}
		s.Tidy()
		return heldBytes()
	}
	first := held(0, n/3)
	last := held(n/3, n)
	t.Logf("%d bytes after %d cells, %d after %d", first, n/3, last, n)
	if last > first+first/20 {
		t.Errorf("the session grows by %d bytes a cell", (last-first)/int64(n-n/3))
	}
	runSteps(t, s, []step{{"base", "= 10"}})
}
