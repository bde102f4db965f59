package ends

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// lasting are programs that the time ends, by what their tasks are at then.
var lasting = []struct{ name, src string }{
	{"one loop", "for {}"},
	{"straight code", "x := 1\nfor {\n" + strings.Repeat("x = x*3 ^ 5\n", 2000) + "}"}, // compiled well within the time
	{"all wait for a timer", "c := make(chan int)\nfor range 100 { go func() { <-c }() }\ntime.Sleep(time.Hour)"},
	{"all wait, one ticks", "for range time.Tick(time.Millisecond) {}"},
	{"timers without pause", "for range 1000 { t := time.NewTicker(1); go func() { for range t.C {} }() }\nselect {}"},
	{"functions by timers without pause", "var f func()\nf = func() { time.AfterFunc(0, f) }\nfor range 100 { f() }\nselect {}"},
	{"waiting for a channel of the host", "<-never"},
	{"waiting for many channels of the host", "for range 1000 { go func() { <-never }() }\n<-never"},
	{"a blocking call", "block()"},
	{"many blocking calls", "for range 100 { go block() }\nblock()"},
	{"a blocking call that does not listen", "linger()"},
	{"ten thousand tasks at work", "for range 10_000 { go func() { for {} }() }\nfor {}"},
	{"ten thousand tasks that give way", "for range 10_000 { go func() { for { runtime.Gosched() } }() }\nfor { runtime.Gosched() }"},
	{"tasks without end", "for { go func() {}(); runtime.Gosched() }"},
	{"ten thousand tasks for one lock", "var mu sync.Mutex\nfor range 10_000 { go func() { for { mu.Lock(); runtime.Gosched(); mu.Unlock() } }() }\nselect {}"},
	{"to and fro", "a, b := make(chan int), make(chan int)\ngo func() { for { b <- <-a } }()\nfor { a <- 1; <-b }"},
	{"closing", "for { c := make(chan int); for range 100 { go func() { <-c }() }; close(c); runtime.Gosched() }"},
	{"a callback at work", "strings.Map(func(r rune) rune { for {} }, \"abc\")"},
	{"a callback that waits", "go func() { for { runtime.Gosched() } }()\nstrings.Map(func(r rune) rune { select {} }, \"abc\")"},
	{"callbacks in callbacks", "var f func(r rune) rune\nf = func(r rune) rune { if r < 500 { strings.Map(f, string(r+1)) }; return r }\nfor { f(1) }"},
	{"many callbacks that wait", "for range 200 { go strings.Map(func(r rune) rune { time.Sleep(1); select {} }, \"abc\") }\nfor range time.Tick(time.Millisecond) {}"},
	{"a sort that compares for ever", "l := make([]int, 100_000)\nfor { sort.Slice(l, func(i, j int) bool { return rand.Int() < rand.Int() }) }"},
	{"a comparison of many steps", "sort.Slice(make([]int, 100), func(i, j int) bool { for {} })"},
	{"deep recursion", "var f func(n int) int\nf = func(n int) int { if n == 0 { for {} }; return f(n-1) + 1 }\nf(500_000)"},
	{"deep recursion with deferred calls", "var f func(n int)\nf = func(n int) { defer func() { recover(); for {} }(); if n == 0 { for {} }; f(n-1) }\nf(100_000)"},
	{"panics that are recovered", "for { func() { defer func() { recover() }(); panic(1) }() }"},
	{"deep panics", "var f func(n int)\nf = func(n int) { defer func() { panic(recover()) }(); if n == 0 { panic(1) }; f(n-1) }\nfor { func() { defer func() { recover() }(); f(1000) }() }"},
	{"printing callbacks", "type T int\nfunc (t T) String() string { if t > 2000 { return \"\" }; return fmt.Sprint(t+1, t+2) }\nfor { func() { defer func() { recover() }(); _ = fmt.Sprint(T(1)) }() }"},
	{"a visit of the host at work", "visit(func() { for {} })\n<-never"},
	{"a visit of the host that waits", "visit(func() { select {} })\n<-never"},
	{"visits without end", "visitOften(func() {})\n<-never"},
	{"contexts without end", "ctx := context.Background()\nfor { ctx, _ = context.WithTimeout(ctx, time.Hour) }"},
}

// lateMost is how late a run is that does not end; BenchmarkLateness has how late those are that do.
const lateMost = time.Minute

// serving is what the host gives those programs. Its goroutines end with the context that
// stopped gives when they begin.
func serving(stopped func() context.Context) map[string]any {
	again := func(f func(), times int) {
		stop := stopped()
		go func() {
			for i := 0; stop.Err() == nil && i < times; i++ {
				func() {
					defer func() { recover() }() // the run is over
					f()
				}()
			}
		}()
	}
	return map[string]any{
		"block":      sandtrap.Member{Value: func(ctx context.Context) { <-ctx.Done() }, Blocking: true},
		"linger":     sandtrap.Member{Value: func() { <-stopped().Done() }, Blocking: true},
		"visit":      func(f func()) { again(f, 1) },
		"visitOften": func(f func()) { again(f, 1<<40) },
	}
}

// TestEndsInTime: whatever the tasks of a run are at, it ends soon after its time is up or
// its context is cancelled, and leaves no goroutine.
func TestEndsInTime(t *testing.T) {
	for _, tc := range lasting {
		t.Run(tc.name, func(t *testing.T) {
			for _, cancels := range []bool{false, true} {
				if testing.Short() && cancels {
					continue
				}
				before := runtime.NumGoroutine()
				late := newLaster(t, tc.src, cancels, 50*time.Millisecond).lateness(t)
				if n := rig.Settled(before); n > before {
					t.Errorf("%d goroutines are left", n-before)
				}
				t.Logf("cancelled %v: %v late", cancels, late)
				if late > lateMost {
					t.Errorf("cancelled %v: %v late, want at most %v", cancels, late, lateMost)
				}
			}
		})
	}
}
