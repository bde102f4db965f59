package ends

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// stoppedIn gives, for so many calls of level that are in each other when a stop comes, how many
// frames are on the Go stack when each ends. level calls noted in a deferred function.
func stoppedIn(t *testing.T, levels int, level func(f, noted func())) []int {
	var depths []int
	noted := func() { depths = append(depths, runtime.Callers(0, make([]uintptr, 100*levels))) }
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: "vm", Funcs: map[string]any{"level": func(f func()) { level(f, noted) }},
		Limits: sandtrap.Limits{Ticks: 10_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, _ := box.Run(t.Context(), sandtrap.Script{Text: fmt.Sprintf(`
var f func(n int)
f = func(n int) {
	if n == 0 {
		for {}
	}
	level(func() { f(n-1) })
}
f(%d)
`, levels)})
	if res.Error == nil || res.Error.Kind != sandtrap.KindTicks {
		t.Fatalf("ended with %v", res.Error)
	}
	if len(depths) != levels {
		t.Fatalf("%d calls of the host have ended, want %d", len(depths), levels)
	}
	return depths
}

// TestStopsPassHostFrames: a stop goes through calls of the host that are in each other by few
// panics. If it were caught in each of them, the frames above would be gone whenever the next
// hears of it.
func TestStopsPassHostFrames(t *testing.T) {
	const levels, atOnce = 300, 10
	depths := stoppedIn(t, levels, func(f, noted func()) {
		defer noted()
		f()
	})
	if caught := len(slices.Compact(depths)); caught > levels/atOnce {
		t.Errorf("a stop is caught %d times in %d calls", caught, levels)
	}
}

// TestStopsPassWhoPanicsAgain: calls of the host that are in each other, and all recover and panic
// again, leave their frames to few of those below. Else each panic would go past all of them.
func TestStopsPassWhoPanicsAgain(t *testing.T) {
	const levels, more = 120, 200 // all on one stack
	depths := stoppedIn(t, levels, func(f, noted func()) {
		defer func() {
			r := recover()
			noted()
			panic(r)
		}()
		f()
	})
	if most := slices.Max(depths); most > depths[0]+more {
		t.Errorf("a call of the host ends with %d frames on the Go stack, the first with %d", most, depths[0])
	}
}

// TestStopsAreNotPrinted: package fmt, which recovers what methods panic with and prints it,
// does not see a stop in them.
func TestStopsAreNotPrinted(t *testing.T) {
	for name, src := range map[string]string{
		"String":   "type T int\nfunc (t T) String() string { for {} }\nshow(T(1))",
		"Error":    "type T int\nfunc (t T) Error() string { for {} }\nshow(T(1))",
		"Format":   "type T int\nfunc (t T) Format(fmt.State, rune) { for {} }\nshow(T(1))",
		"in lists": "type T int\nfunc (t T) String() string { for {} }\nshow([]any{T(1), T(2)})",
		"nested":   "type T int\nfunc (t T) String() string { if t > 50 { for {} }; return fmt.Sprint(t+1, t+2) }\nshow(T(1))",
	} {
		t.Run(name, func(t *testing.T) {
			shown := "nothing"
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{
				Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Ticks: 10_000},
				Funcs: map[string]any{"show": func(v any) { shown = fmt.Sprint(v) }},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			res, _ := box.Run(t.Context(), sandtrap.Script{Text: src})
			if res.Error == nil || res.Error.Kind != sandtrap.KindTicks {
				t.Fatalf("ended with %v", res.Error)
			}
			if strings.Trim(shown, "[ ]") != "" {
				t.Errorf("the host has got %q", shown)
			}
		})
	}
}

// spacious are operations that need much memory at a time, which the runtime of Go clears
// in one go.
var spacious = []struct {
	name, before, op string
	times            int // three times it takes so many goroutines at least
}{
	{"make", "", "_ = make([]byte, 16*mega)", 3},
	{"make of structs", "type T struct { a int; s string }", "_ = make([]T, mega)", 3},
	{"new", "", "a := new([2*mega]int); n += a[n]", 3},
	{"array copied", "a := new([2*mega]int)", "b := *a; n += b[n]", 3},
	{"append", "a, b := make([]int, 2*mega), make([]int, 1)", "_ = append(a, b...)", 3},
	{"append of one", "a := make([]int, 2*mega)", "_ = append(a, 1)", 3},
	{"concatenation", "s := strings.Repeat(\"x\", 8*mega)", "_ = s + s", 3},
	{"text of bytes", "b := make([]byte, 16*mega)", "_ = string(b)", 3},
	{"bytes of text", "s := strings.Repeat(\"x\", 16*mega)", "b := []byte(s); _ = b", 3},
	{"text of runes", "r := []rune(strings.Repeat(\"x\", 8*mega))", "_ = string(r)", 3},
	{"runes of text", "s := strings.Repeat(\"x\", 4*mega)", "r := []rune(s); _ = r", 3},
	{"deep recursion", "var f func(n int) int\nf = func(n int) int { if n == 0 { return 0 }; return f(n-1) + 1 }", "f(200_000)", 1},
	{"a map that grows", "m := map[int]int{}\nfor i := range mega/4 { m[i] = i }\nk := len(m)", "for i := range mega/4 { m[k+i] = i }", 1},
}

// TestLargeMemoryIsMadeAside: what takes long in one go is made on another goroutine, so that
// a stop need not wait for it.
func TestLargeMemoryIsMadeAside(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, tc := range spacious {
		t.Run(tc.name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Timeout: sandtrap.Forever}})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			started := func(do bool) int {
				script := sandtrap.Script{Text: longScript(tc.before, "for range 3 { "+tc.op+" }", do)}
				var before uint64
				for range 2 { // the first time it is compiled
					before = goroutinesMade()
					if _, err := box.Run(context.Background(), script); err != nil {
						t.Fatal(err)
					}
				}
				return int(goroutinesMade() - before)
			}
			if without, with := started(false), started(true); with-without < tc.times {
				t.Errorf("%d goroutines of the host have been started, %d without that, want %d more", with, without, tc.times)
			}
		})
	}
}

// goroutinesMade is how many the process has started.
func goroutinesMade() uint64 {
	s := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
