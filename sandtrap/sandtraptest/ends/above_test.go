package ends

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// nested are programs whose n callbacks are in each other; the last calls deep.
var nested = []struct{ name, src string }{
	{"String", "type T int\nfunc (t T) String() string { if t == 0 { deep(); return \"\" }; return fmt.Sprint(t-1) }\n_ = fmt.Sprint(T(n))"},
	{"Error", "type T int\nfunc (t T) Error() string { if t == 0 { deep(); return \"\" }; return fmt.Errorf(\"%w\", t-1).Error() }\n_ = fmt.Sprintf(\"%v\", T(n))"},
	{"MarshalJSON", "type T int\nfunc (t T) MarshalJSON() ([]byte, error) { if t == 0 { deep(); return []byte(\"1\"), nil }; return json.Marshal(t-1) }\njson.Marshal(T(n))"},
	{"functions", "var f func(r rune) rune\nleft := n\nf = func(r rune) rune { if left--; left == 0 { deep() } else { strings.Map(f, \"a\") }; return r }\nf(1)"},
	{"functions of the host's", "left := n\nvar f func()\nf = func() { if left--; left == 0 { deep() } else { call(f) } }\nf()"},
	{"functions that wait", "left := n\nvar f func(r rune) rune\nf = func(r rune) rune { if left--; left == 0 { deep() } else { strings.Map(f, \"a\") }; runtime.Gosched(); time.Sleep(1); return r }\ngo func() { for { runtime.Gosched() } }()\nf(1)"},
}

// TestNestedCallbacksAreOnManyStacks: no Go stack has all of the callbacks that are in each
// other. To grow it would take milliseconds, in which a stop is not heard.
func TestNestedCallbacksAreOnManyStacks(t *testing.T) {
	const levels, most = 2000, 5000
	for _, tc := range nested {
		t.Run(tc.name, func(t *testing.T) {
			var trace []uintptr
			res, err := runNested(t.Context(), t, tc.src, levels, func() {
				trace = make([]uintptr, 100*levels)
				trace = trace[:runtime.Callers(0, trace)]
			})
			if err != nil {
				t.Fatalf("%v, %v", err, res.Error)
			}
			if n := len(trace); n == 0 || n > most {
				t.Errorf("%d frames are on a Go stack, want at most %d", n, most)
			}
		})
	}
}

// TestNestedCallbacksEnd: a run whose time is up while they are in each other ends so, and leaves
// no goroutine.
func TestNestedCallbacksEnd(t *testing.T) {
	for _, tc := range nested {
		for _, how := range []string{"in the last", "in the host", "in waiting"} {
			t.Run(tc.name+" "+how, func(t *testing.T) {
				before := runtime.NumGoroutine()
				ctx, cancel := context.WithCancel(t.Context())
				deep := map[string]string{"in the last": "cancel(); for {}", "in the host": "cancel()", "in waiting": "cancel(); <-never"}[how]
				src := strings.Replace(tc.src, "deep()", deep, 1)
				res, _ := runNested(ctx, t, src, 1000, cancel)
				if res.Error == nil || res.Error.Kind != sandtrap.KindCancelled {
					t.Errorf("ended with %v", res.Error)
				}
				if n := rig.Settled(before); n > before {
					t.Errorf("%d goroutines are left", n-before)
				}
			})
		}
	}
}

// TestNestedGoexit: code of the host that ends a goroutine which has callbacks ends the run.
func TestNestedGoexit(t *testing.T) {
	res, _ := runNested(t.Context(), t, nested[4].src, 200, runtime.Goexit)
	if res.Error == nil || res.Error.Kind != sandtrap.KindInternal {
		t.Errorf("ended with %v", res.Error)
	}
}

// TestNestedPrintsAreCalledByType: calls of fmt that are in each other do not go through package
// reflect, whose frames are a third of the stack.
func TestNestedPrintsAreCalledByType(t *testing.T) {
	for _, call := range []string{`fmt.Sprint(t-1)`, `fmt.Sprintln(t-1)`, `fmt.Sprintf("%v", t-1)`, `fmt.Errorf("%v", t-1).Error()`} {
		var names []string
		src := "type T int\nfunc (t T) String() string { if t == 0 { deep(); return \"\" }; return " + call + " }\n_ = fmt.Sprint(T(n))"
		if _, err := runNested(t.Context(), t, src, 3, func() { names = onStack() }); err != nil {
			t.Fatal(err)
		}
		if s := strings.Join(names, " "); strings.Contains(s, "reflect.Value.CallSlice") || !strings.Contains(s, "fmt.(*pp).handleMethods") {
			t.Errorf("%s: on the stack are %s", call, s)
		}
	}
}

// onStack are the functions that call it.
func onStack() (names []string) {
	pcs := make([]uintptr, 1000)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		names = append(names, f.Function)
		if !more {
			return names
		}
	}
}

// runNested runs src with so many levels.
func runNested(ctx context.Context, t *testing.T, src string, levels int, deep func()) (*sandtrap.Result, error) {
	t.Helper()
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: "vm",
		Funcs:  map[string]any{"deep": deep, "cancel": deep, "call": func(f func()) { f() }},
		Limits: sandtrap.Limits{Memory: 1 << 30},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: src, Inputs: map[string]any{"n": levels, "never": make(chan int)}})
	return res, err
}
