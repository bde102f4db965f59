package memory

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// holding are programs that hold some 40 MB when they call held.
var holding = map[string]string{
	"bytes":          "a := make([]byte, 40<<20)\nheld()\n_ = a[n]",
	"small slices":   "l := make([][]byte, 0, 300_000)\nfor range 300_000 { l = append(l, make([]byte, 100)) }\nheld()\n_ = l[n]",
	"ints":           "l := make([]int, 0, 4 << 20)\nfor i := range 4 << 20 { l = append(l, i) }\nheld()\n_ = l[n]",
	"list":           "type T struct { next *T; a, b int }\nvar t *T\nfor i := range 200_000 { t = &T{t, i, i} }\nheld()\n_ = t.a",
	"list of texts":  "type T struct { next *T; s string }\nvar t *T\nfor i := range 200_000 { t = &T{t, strconv.Itoa(i)} }\nheld()\n_ = t.s",
	"tree":           "type T struct { l, r *T; v float64 }\nvar f func(n int) *T\nf = func(n int) *T { if n == 0 { return nil }; return &T{f(n-1), f(n-1), 1} }\nt := f(17)\nheld()\n_ = t.v",
	"structs":        "type T struct { a, b int; s string; f float64 }\nl := make([]T, 800_000)\nheld()\n_ = l[n]",
	"wide structs":   "type T struct { a, b, c, d, e, f, g, h, i, j, k, l int }\nl := make([]*T, 0, 150_000)\nfor range 150_000 { l = append(l, &T{}) }\nheld()\n_ = l[n]",
	"texts":          "l := make([]string, 0, 400_000)\nfor i := range 400_000 { l = append(l, strings.Repeat(\"x\", 40+i%50)) }\nheld()\n_ = l[n]",
	"one text":       "s := strings.Repeat(\"x\", 40<<20)\nheld()\n_ = s[n]",
	"map of ints":    "m := map[int]int{}\nfor i := range 400_000 { m[i] = i }\nheld()\n_ = m[n]",
	"map of texts":   "m := map[string]string{}\nfor i := range 200_000 { m[strconv.Itoa(i)] = \"value\" }\nheld()\n_ = m[\"1\"]",
	"map of structs": "type K struct { a, b int }\nm := map[K]int{}\nfor i := range 150_000 { m[K{i, i}] = i }\nheld()\n_ = m[K{}]",
	"maps":           "l := make([]map[int]int, 0, 60_000)\nfor range 60_000 { l = append(l, map[int]int{1: 1}) }\nheld()\n_ = l[n]",
	"boxed ints":     "l := make([]any, 0, 1 << 20)\nfor i := range 1 << 20 { l = append(l, i+1000) }\nheld()\n_ = l[n]",
	"boxed structs":  "type T struct { a, b int }\nl := make([]any, 0, 200_000)\nfor i := range 200_000 { l = append(l, T{i, i}) }\nheld()\n_ = l[n]",
	"closures":       "l := make([]func() int, 0, 200_000)\nfor i := range 200_000 { l = append(l, func() int { return i }) }\nheld()\n_ = l[n]()",
	"channels":       "l := make([]chan int, 0, 100_000)\nfor range 100_000 { c := make(chan int, 4); c <- 1; l = append(l, c) }\nheld()\n_ = l[n]",
	"tasks":          "c := make(chan int)\nfor range 50_000 { go func() { <-c }() }\ntime.Sleep(1)\nheld()\nclose(c)",
	"arrays":         "l := make([]*[100]int, 0, 50_000)\nfor range 50_000 { l = append(l, new([100]int)) }\nheld()\n_ = l[n]",
	"stack":          "var f func(n int) int\nf = func(n int) int { if n == 0 { held(); return 0 }; return f(n-1) + 1 }\nf(100_000)",
	"after garbage":  "var l [][]byte\nfor i := range 100_000 { b := make([]byte, 1000); if i%3 == 0 { l = append(l, b) } }\nheld()\n_ = l[n]",
}

// profiled are the bytes by which a run may hold more, where nothing it holds can be followed: the heap profile
// tells it, and twice the error of that stops no run. A number in an interface shares a block of 16 bytes
// with another, so of 2^20 the profile has 8 on average.
var profiled = map[string]int64{"boxed ints": 8 << 20}

// TestHeldIsKnown: what a run is taken to hold is what the heap of the host says, to a
// tenth: with a limit somewhat below that it is stopped, somewhat above it is not, also
// beside other runs. The last sixteenth of a limit is not for use.
func TestHeldIsKnown(t *testing.T) {
	heaps := map[string]int64{}
	for name, src := range rig.Some(holding, 4) {
		heaps[name] = heapHeld(t, src)
	}
	for _, beside := range []int{0, 4} {
		t.Run(fmt.Sprint(beside, " beside"), func(t *testing.T) {
			defer holders(t, beside)()
			for name, src := range rig.Some(holding, 4) {
				heap := heaps[name]
				if runsWithin(t, src, heap*90/100-profiled[name]) {
					t.Errorf("%s: with %.1f MB on the heap it runs within 90 %% of that, less %d", name, float64(heap)/1e6, profiled[name])
				}
				if !runsWithin(t, src, heap*110/100*16/15) {
					t.Errorf("%s: with %.1f MB on the heap it is stopped within 110 %% of that", name, float64(heap)/1e6)
				}
			}
		})
	}
}

func holdingPolicy(limit int64, begin, held func()) sandtrap.Policy {
	return sandtrap.Policy{
		Std: sandtrap.StdDefault(), Funcs: map[string]any{"begin": begin, "held": held},
		Limits: sandtrap.Limits{Memory: limit, Timeout: time.Minute},
	}
}

// heapHeld is by how much the heap has grown between the calls of begin and held.
func heapHeld(t *testing.T, src string) int64 {
	var before, n int64
	collected := func() int64 { runtime.GC(); return rig.HeapNow() }
	_, err := rig.RunOnce(t, holdingPolicy(0, func() { before = collected() }, func() { n = collected() - before }), holdingScript(src))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// runsWithin says whether the program gets by with a limit when it comes to held.
func runsWithin(t *testing.T, src string, limit int64) bool {
	runtime.GC() // what the run before has left is not to go while this one is there
	time.Sleep(time.Millisecond)
	_, err := rig.RunOnce(t, holdingPolicy(limit, func() {}, func() {}), holdingScript(src))
	if err != nil && !errors.Is(err, sandtrap.KindMemory) && !errors.Is(err, sandtrap.KindDepth) { // which a stack without memory is
		t.Fatal(err)
	}
	return err == nil
}

func holdingScript(src string) string {
	return fmt.Sprintf("package main\nimport (\"strconv\"; \"strings\"; \"time\")\nvar _, _, _ = strconv.Itoa, strings.Repeat, time.Now\nvar n = 0\nfunc main() {\nbegin()\n%s\n}\n", src)
}
