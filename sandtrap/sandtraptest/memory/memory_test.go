package memory

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

const memoryLimit = 64 << 20

// hungry are programs that want more than the limit, each in another way.
var hungry = map[string]string{
	"huge make":            "n := 1 << 40\n_ = make([]byte, n)",
	"strings":              "s := \"x\"\nfor { s += s }",
	"strings, kept":        "var l []string\nfor i := 0; ; i++ { l = append(l, fmt.Sprint(i, strings.Repeat(\"x\", 1000))) }",
	"append":               "var l []int\nfor { l = append(l, 1, 2, 3) }",
	"append doubles":       "l := []int{1}\nfor { l = append(l, l...) }",
	"slices":               "var l [][]byte\nfor { l = append(l, make([]byte, 1000)) }",
	"map":                  "m := map[int]int{}\nfor i := 0; ; i++ { m[i] = i }",
	"map of strings":       "m := map[string]string{}\nfor i := 0; ; i++ { m[fmt.Sprint(i)] = \"x\" }",
	"list":                 "type T struct { next *T; n int }\nvar t *T\nfor { t = &T{next: t} }",
	"list, hidden":         "type T struct { next *T; a, b, c, d int }\nvar t *T\nvar g []byte\nfor { t = &T{next: t}; g = make([]byte, 400) }\n_ = g",
	"closures":             "f := func() int { return 1 }\nfor { g := f; f = func() int { return g() } }",
	"boxes":                "type P struct { a, b int }\nvar l any\nfor i := 0; ; i++ { l = [2]any{l, P{i, i}} }",
	"channel":              "var l []chan [100]int\nfor { l = append(l, make(chan [100]int, 10)) }",
	"huge channel":         "n := 1 << 27\n_ = make(chan [10]int, n)",
	"defers":               "func f() { for { defer println() } }\nf()",
	"tasks":                "c := make(chan int)\nfor { go func() { var a [20]int; <-c; a[len(c)]++ }() }",
	"stack":                "func f(a [100]int) int { return f(a) + a[0] }\nf([100]int{})",
	"conversions":          "var l [][]rune\ns := strings.Repeat(\"x\", 10000)\nfor { l = append(l, []rune(s)) }",
	"host results":         "var l [][]string\ns := strings.Repeat(\"x \", 1000)\nfor { l = append(l, strings.Fields(s)) }",
	"printed pointers":     "for { fmt.Sprint(new(int)) }",
	"sync.Map":             "var m sync.Map\nfor i := 0; ; i++ { m.Store(i, i) }",
	"sync.Pool":            "var p sync.Pool\nfor { p.Put(1) }",
	"contexts":             "ctx := context.Background()\nfor { ctx, _ = context.WithCancel(ctx) }",
	"functions later":      "for { time.AfterFunc(time.Hour, func() {}) }",
	"recursive structure":  "type T []T\nvar t T\nfor { t = T{t, nil} }",
	"array variables":      "type A [1 << 21]int\nvar a, b [4]A\nfor i := range 4 { a[i][1], b[i][1] = 1, 1 }",
	"arrays made late":     "type T struct { n int; a [1000]int }\nvar l [20_000]T\nfor i := range l { l[i].a[1] = i }",
	"arrays in structs":    "type T struct { n int; a [1000]int }\nvar l []T\nfor { var t T; t.a[1] = 1; l = append(l, t) }",
	"arrays in interfaces": "var l []any\nfor { l = append(l, [1000]int{1}) }",
	"arrays copied":        "type T struct { n int; a [1000]int }\nm := map[int]T{}\nvar t T\nt.a[0] = 1\nfor i := 0; ; i++ { m[i] = t }",
	"array parameters":     "type T struct { n int; a [1000]int }\nvar l []func()\nvar t T\nt.a[0] = 1\nfor { u := t; l = append(l, func() { u.a[0]++ }) }",
	"array results":        "f := func(n int) [1000]int { return [1000]int{n} }\nvar l []any\nfor { l = append(l, f(1)) }",
	"arrays in channels":   "c := make(chan [1000]int, 1 << 20)\nfor { c <- [1000]int{1} }",
	"arrays in a select":   "c := make(chan [1000]int, 1 << 20)\nfor { select { case c <- [1000]int{1}: } }",
	"arrays of goroutines": "c := make(chan int)\nfor { go func(a [1000]int) { <-c }([1000]int{1}) }",
	"deferred arrays":      "func f() { for { defer func(a [1000]int) {}([1000]int{1}) } }\nf()",
	"method values":        "type T struct { a, b, c int }\nfunc (t T) m() {}\nvar l []func()\nfor { l = append(l, T{}.m) }",
	"runes":                "var l []string\nfor i := 0; ; i++ { l = append(l, string(rune(i%0x10000+300))) }",
	"waiting senders":      "c := make(chan [100]int)\nfor { go func() { c <- [100]int{1} }() }",
	"waiting selects":      "c, d := make(chan int), make(chan int)\nfor { go func() { select { case <-c: case <-d: } }() }",
	"timers":               "for { go time.Sleep(time.Hour) }",
	"panics kept":          "func f(n int) { if n > 0 { defer func() {}(); f(n-1); return }; for i := range 100_000 { defer func() { panic(i) }() } }\nf(20_000)",
	"recovered values":     "var l []any\nfor { func() { defer func() { l = append(l, recover()) }(); panic(fmt.Sprint(len(l))) }() }",
	"map of maps":          "m := map[int]map[int]int{}\nfor i := 0; ; i++ { m[i] = map[int]int{} }",
	"map of structs":       "type K struct { a, b int; s string }\nm := map[K]int{}\nfor i := 0; ; i++ { m[K{i, i, \"x\"}] = i }",
	"map of any":           "m := map[any]any{}\nfor i := 0; ; i++ { m[i] = i }",
	"map cleared":          "var l []map[int]int\nfor { m := map[int]int{}; for i := range 1000 { m[i] = i }; clear(m); for i := range 8 { m[i] = i }; l = append(l, m) }",
	"split text":           "s := strings.Repeat(\"x,\", 1<<20)\nvar l [][]string\nfor { l = append(l, strings.Split(s, \",\")) }",
	"joined errors":        "err := errors.New(\"x\")\nfor { err = errors.Join(err, err) }",
	"wrapped errors":       "err := errors.New(\"x\")\nfor { err = fmt.Errorf(\"%w %w\", err, err) }",
	"substrings of text":   "var l []string\nfor { s := strings.Repeat(\"x\", 10000); l = append(l, s[1:2]) }",
	"complex numbers":      "var l []complex128\nfor { l = append(l, 1i) }",
	"bools":                "var l []bool\nfor { l = append(l, true) }",
	"pointers to locals":   "var l []*int\nfor { n := 1; l = append(l, &n) }",
	"slices of slices":     "l := make([]int, 10)\nvar ll [][]int\nfor { ll = append(ll, l[:]) }",
	"generic lists":        "type N[T any] struct { v T; n *N[T] }\nvar n *N[[4]string]\nfor { n = &N[[4]string]{n: n} }",
}

// TestMemory: what a program holds is bounded, whatever it is made of, and the host
// with it.
func TestMemory(t *testing.T) {
	for name, src := range rig.Some(hungry, 5) {
		t.Run(name, func(t *testing.T) {
			p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: time.Minute}}
			runtime.GC()
			before := rig.HeapNow()
			most := rig.Peak()
			_, err := rig.RunOnce(t, p, src)
			if !errors.Is(err, sandtrap.KindMemory) {
				t.Errorf("error %v, want KindMemory", err)
			}
			grown := most() - before
			t.Logf("the heap of the host grew by %d MiB", grown>>20)
			if grown > 3*memoryLimit { // garbage too: what a list has outgrown
				t.Errorf("the heap of the host grew by %d MiB", grown>>20)
			}
		})
	}
}

// TestOnlyTheHungryStops: a program that wants too much is stopped, and those beside
// it, which hold what they may, are not.
func TestOnlyTheHungryStops(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	defer holders(t, 4)()
	for _, name := range []string{"strings", "strings, kept", "append", "slices", "map", "list", "closures", "tasks", "host results"} {
		p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: 30 * time.Second}}
		if _, err := rig.RunOnce(t, p, hungry[name]); !errors.Is(err, sandtrap.KindMemory) {
			t.Errorf("%s: error %v, want KindMemory", name, err)
		}
	}
}

// thrifty are programs that allocate much more than the limit, and hold little.
var thrifty = map[string]string{
	"slices":      "for range 200 { l := make([]byte, 1 << 20); l[0] = 1 }",
	"small":       "type T struct { a, b int }\nvar p *T\nfor i := range 2_000_000 { p = &T{i, i} }",
	"strings":     "s := \"\"\nfor i := range 200_000 { s = fmt.Sprint(i, \"0123456789012345678901234567890123456789\") + strings.Repeat(\"x\", 500) }",
	"maps":        "for range 20 { m := map[int]int{}; for i := range 20_000 { m[i] = i } }",
	"one map":     "m := map[int]int{}\nfor i := range 1_000_000 { m[i] = i; delete(m, i-10) }",
	"closures":    "var f func() int\nfor i := range 1_000_000 { f = func() int { return i } }\nf()",
	"boxes":       "type T struct { a, b, c int }\nvar x any\nfor i := range 1_000_000 { x = T{i, i, i} }",
	"tasks":       "for range 20_000 { c := make(chan int); go func() { c <- 1 }(); <-c }",
	"append":      "for range 100 { var l []int; for i := range 50_000 { l = append(l, i) } }",
	"held, small": "l := make([]int, 5 << 20)\nfor range 100 { l = append(make([]int, 0, 100_000), 1) }",
	"selects":     "never, c := make(chan int), make(chan int, 1)\nfor i := range 50_000 { go func() { c <- i }(); select { case <-never: case <-c: } }",
	"sorting":     "for range 30 { l := make([]int, 2000); for i := range l { l[i] = i * 7919 % 2000 }; sort.Slice(l, func(i, j int) bool { return l[i] < l[j] }) }",
}

// TestGarbage: what a program let go of does not count, also beside others that hold
// what they may.
func TestGarbage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, beside := range []int{0, 4} {
		t.Run(fmt.Sprint(beside, " beside"), func(t *testing.T) {
			defer holders(t, beside)()
			for name, src := range rig.Some(thrifty, 4) {
				t.Run(name, func(t *testing.T) {
					p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: 30 * time.Second}}
					res, err := rig.RunOnce(t, p, src)
					if err != nil {
						t.Error(err)
					}
					t.Logf("%d MiB in all, %d MiB at most", res.AllocBytes>>20, res.PeakBytes>>20)
				})
			}
		})
	}
}

// holders starts runs that each hold 40 MB until the function it returns is called.
func holders(t *testing.T, n int) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: memoryLimit}})
			if err != nil {
				t.Error(err)
				return
			}
			defer box.Close()
			held := "make([]byte, 40<<20)"
			if i%2 == 1 {
				held = "strings.Repeat(\"x\", 40<<20)"
			}
			_, err = box.Run(ctx, sandtrap.Script{Text: "l, n := " + held + ", 0\nfor { n += int(l[0]); time.Sleep(time.Millisecond) }"})
			if !errors.Is(err, sandtrap.KindCancelled) {
				t.Errorf("a run that holds what it may: %v", err)
			}
		})
	}
	return func() { cancel(); wg.Wait() }
}

// beside is f on a goroutine of the host's own: what it allocates is not the run's.
func beside(f func()) func() {
	return func() {
		done := make(chan struct{})
		go func() { defer close(done); f() }()
		<-done
	}
}

// TestGarbageIsKnown: texts and what is printed stop to count when the collector has taken
// them, though the heap of the process has grown by what is nobody's.
func TestGarbageIsKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	var grown []byte // by the host, while the run is there
	for name, src := range map[string]string{
		"joined":    "s := \"\"\nfor i := range 3_000_000 { s = string(rune('a'+i%26)) + \"0123456789012345678901234567890123456789\" }\n_ = s",
		"converted": "b := make([]byte, 100)\ns := \"\"\nfor i := range 1_000_000 { b[0] = byte(i); s = string(b) }\n_ = s",
		"large":     "b := make([]byte, 1 << 20)\ns := \"\"\nfor range 300 { s = string(b) }\n_ = s",
		"runes":     "b := make([]rune, 100)\ns := \"\"\nfor i := range 500_000 { b[0] = rune(i); s = string(b) }\n_ = s",
		"returned":  "s := \"\"\nfor range 500_000 { s = strings.Repeat(\"x\", 500) }\n_ = s",
		"printed":   "s := \"\"\nfor i := range 300_000 { s = fmt.Sprint([]int{i}, i, \"0123456789012345678901234567890123456789\") }\n_ = s",
	} {
		t.Run(name, func(t *testing.T) {
			p := sandtrap.Policy{
				Std: sandtrap.StdDefault(), Funcs: map[string]any{"grow": beside(func() { grown = make([]byte, 2*memoryLimit); runtime.GC() })},
				Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: time.Minute},
			}
			res, err := rig.RunOnce(t, p, "grow()\n"+src)
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d MiB in all, %d MiB at most", res.AllocBytes>>20, res.PeakBytes>>20)
			runtime.KeepAlive(grown)
		})
	}
}

// TestHugeChannels: a channel with more room than the limit of memory is refused for that;
// Go's panic is for what no machine has. Room for what has no size is free.
func TestHugeChannels(t *testing.T) {
	for _, tc := range []struct {
		make string
		want error
	}{
		{"make(chan bool, n)", sandtrap.KindMemory},
		{"make(chan string, n*8)", sandtrap.KindMemory},
		{"make(chan bool, n*n)", sandtrap.KindPanic},
		{"make(chan struct{}, n*n)", nil},
	} {
		p := sandtrap.Policy{Engine: "vm", Limits: sandtrap.Limits{Memory: 64 << 20}}
		_, err := rig.RunOnce(t, p, "package main\nfunc main() {\nn := 1<<31 - 1\nprintln(cap("+tc.make+"))\n}\n")
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.make, err, tc.want)
		}
	}
}
