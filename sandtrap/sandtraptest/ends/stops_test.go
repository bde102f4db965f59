package ends

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A watched context counts how often a run looks whether it has to stop, and measures
// the longest time between two looks.
type watched struct {
	context.Context
	mu      sync.Mutex
	looks   int
	last    time.Time
	longest time.Duration
}

func (w *watched) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if w.looks++; w.looks > 1 {
		w.longest = max(w.longest, now.Sub(w.last))
	}
	w.last = now
	return w.Context.Err()
}

// long are operations of the engine that take long at a time, and how many looks
// they need at least.
var long = []struct {
	name, before, op string
	looks            int
}{
	{"copy of bytes", "a, b := make([]byte, 16*mega), make([]byte, 16*mega)", "copy(a, b)", 16},
	{"copy to the right", "a := make([]byte, 16*mega)", "copy(a[1:], a)", 16},
	{"copy of structs", "type T struct { a int; s string }\na, b := make([]T, mega), make([]T, mega)", "copy(a, b)", 16},
	{"copy of int32s", "a, b := make([]int32, 4*mega), make([]int32, 4*mega)", "copy(a, b)", 16},
	{"append", "a, b := make([]byte, 0, 16*mega), make([]byte, 16*mega)", "a = append(a, b...)", 16},
	{"append, growing", "a, b := make([]int, 2*mega), make([]int, 1)", "a = append(a, b...)", 16},
	{"append of text", "s := strings.Repeat(\"x\", 16*mega)\na := make([]byte, 0, 16*mega)", "a = append(a, s...)", 16},
	{"clear of a slice", "a := make([]int, 2*mega)", "clear(a)", 16},
	{"concatenation", "s := strings.Repeat(\"x\", 8*mega)", "s = s + s", 16},
	{"text of bytes", "b := make([]byte, 16*mega)", "_ = string(b)", 16},
	{"bytes of text", "s := strings.Repeat(\"x\", 16*mega)", "b := []byte(s); _ = b", 16},
	{"text of runes", "r := []rune(strings.Repeat(\"x\", 4*mega))", "s := string(r); _ = s", 16},
	{"runes of text", "s := strings.Repeat(\"x\", 4*mega)", "r := []rune(s); _ = r", 16},
	{"equality of texts", "s, t := strings.Repeat(\"x\", 16*mega), strings.Repeat(\"x\", 16*mega)", "_ = s == t", 15},
	{"order of texts", "s, t := strings.Repeat(\"x\", 16*mega), strings.Repeat(\"x\", 16*mega)", "_ = s < t", 15},
	{"texts in a switch", "s, t := strings.Repeat(\"x\", 16*mega), strings.Repeat(\"x\", 16*mega)", "switch s { case t: }", 15},
	{"array copied", "a := new([2*mega]int)", "b := *a; _ = b[n]", 16},
	{"array stored", "a, b := new([2*mega]int), new([2*mega]int)", "*a = *b", 16},
	{"array of arrays copied", "a := new([64][mega/32]int)\nfor i := range a { a[i][1] = 1 }", "b := *a; _ = b[n]", 16},
	{"arrays compared", "a, b := new([mega/4]int), new([mega/4]int)", "_ = *a == *b", 16},
	{"array in a struct", "type T struct { a [2*mega]int }\na, b := new(T), new(T)\na.a[1], b.a[1] = 1, 1", "*a = *b", 16},
	{"slice to array", "a := make([]int, 2*mega)", "b := [2*mega]int(a); _ = b[n]", 16},
	{"range over text", "s := strings.Repeat(\"x\", mega/4)", "for range s {}", 16},
	{"range over a map", "m := map[int]int{}\nfor i := range mega/4 { m[i] = i }", "for k := range m { n += k }", 16},
	{"map emptied", "m := map[int]int{}\nfor i := range mega/4 { m[i] = i }", "for i := range mega/4 { delete(m, i) }", 16},
	{"map with gaps", "m := map[int]int{}\nfor i := range mega/4 { m[i] = i }\nfor i := range mega/6 { delete(m, i+1) }", "for range 16 { for k := range m { if k > 0 { break } } }", 8},
	{"select of many", "c := make(chan int)", "for range 100 { select {" + cases(500) + "default: } }", 16},
	{"deferred calls", "", "func() { for range 100_000 { defer func() {}() } }()", 64},
	{"panics in deferred calls", "", "func() { defer func() { recover() }(); for i := range 5_000 { defer func() { panic(i) }() } }()", 64},
	{"deep recursion", "var f func(n int) int\nf = func(n int) int { if n == 0 { return 0 }; return f(n-1) + 1 }", "f(100_000)", 64},
	{"sort.Slice", "a := make([]int, mega/16)\nfor i := range a { a[i] = i * 7919 % len(a) }", "sort.Slice(a, func(i, j int) bool { return a[i] < a[j] })", 64},
	{"deep value printed", "type T struct { n *T; i any }\nvar t any\nfor range 9_000 { t = T{nil, t} }", "_ = fmt.Sprint(t)", 16},
	{"many structs printed", "type T struct { a, b int }\nt := make([]T, mega/32)", "_ = fmt.Sprint(t)", 16},
	{"deep values compared", "type T struct { i any }\nvar t, u any\nfor range 15_000 { t, u = T{t}, T{u} }", "_ = t == u", 16},
	{"goroutines", "c := make(chan int)", "for range 5_000 { go func() { <-c }() }", 64},
	{"slice given to the host", "a := make([][]int, mega/16)", "give(a)", 32},
	{"array given to the host", "a := new([64][1024][]int)", "giveArray(*a)", 32},
	{"map given to the host", "m := map[int][]int{}\nfor i := range mega/16 { m[i] = nil }", "giveMap(m)", 32},
	{"map kept by the host", "m := map[int][]int{}\nfor i := range mega/16 { m[i] = nil }", "var v any = m; keep(v)", 32},
	{"slice kept by the host", "a := make([][]int, mega/16)", "var v any = a; keep(v)", 32},
	{"array of the host", "", "a := array(); n += len(a[n])", 32},
	{"many woken", "c := make(chan int)\nfor range 5_000 { go func() { <-c }() }\ntime.Sleep(1)", "close(c); time.Sleep(1)", 16},
}

// takers are functions of the host that take what has to be made for them.
var takers = map[string]any{
	"give":      func([][]int) {},
	"giveArray": func([64][1024][]int) {},
	"giveMap":   func(map[int][]int) {},
	"keep":      func(any) {},
	"array":     func() (a [64][1024][]int) { return a },
}

func cases(n int) string {
	s := ""
	for range n {
		s += "case <-c:\n"
	}
	return s
}

// TestLooksOften: a run looks often whether it has to stop, whatever it is at, and
// needs nobody else to do so: these are second runs, on the goroutine of their caller. The
// times in the log hold the time that the machine was away.
func TestLooksOften(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, tc := range long {
		t.Run(tc.name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{
				Std: sandtrap.StdDefault(), Funcs: takers, Limits: sandtrap.Limits{Timeout: sandtrap.Forever},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			run := func(do bool) (looks int, longest time.Duration) {
				for range 2 {
					w := &watched{Context: context.Background()}
					if _, err := box.Run(w, sandtrap.Script{Text: longScript(tc.before, tc.op, do)}); err != nil {
						t.Fatal(err)
					}
					looks = w.looks
					w.Err() // what came after the last look
					longest = w.longest
				}
				return looks, longest
			}
			without, _ := run(false)
			with, longest := run(true)
			t.Logf("%d looks, at most %v between two", with-without, longest)
			if got := with - without; got < tc.looks {
				t.Errorf("%d looks, want %d at least", got, tc.looks)
			}
		})
	}
}

func longScript(before, op string, do bool) string {
	return fmt.Sprintf(`package main

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

const mega, do = 1 << 20, %v

var n = 0
var _, _, _, _ = fmt.Sprint, sort.Slice, strings.Repeat, time.Now

func main() {
	%s
	if do {
		%s
	}
}
`, do, before, op)
}
