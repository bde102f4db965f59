package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// inSnippet runs main with the given body under funcs.
func inSnippet(t *testing.T, funcs map[string]any, l sandtrap.Limits, body string) (*sandtrap.Result, error) {
	t.Helper()
	if l.Timeout == 0 {
		l.Timeout = 10 * time.Second
	}
	return runTasks(t, sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: funcs, Limits: l}, inMain(body))
}

// meeting is a host function that returns when n callers are in it.
func meeting(n int) func() {
	var mu sync.Mutex
	in, all := 0, make(chan struct{})
	return func() {
		mu.Lock()
		if in++; in == n {
			close(all)
		}
		mu.Unlock()
		<-all
	}
}

// TestBlockingCallsGoOnTogether: calls of a blocking function wait for each other's end in
// vain if they are made one after the other.
func TestBlockingCallsGoOnTogether(t *testing.T) {
	const n = 10
	res, err := inSnippet(t, map[string]any{"meet": sandtrap.Member{Value: meeting(n), Blocking: true}}, sandtrap.Limits{}, `
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() { meet(); fmt.Print(i, ";") })
	}
	strings.Map(func(r rune) rune { meet(); return r }, "x")
	wg.Wait()`)
	if err != nil || strings.Count(res.Stdout, ";") != n-1 {
		t.Errorf("got %q, %v", res.Stdout, err)
	}
}

// TestBlockingCalls: a blocking function is one like any other for the script.
func TestBlockingCalls(t *testing.T) {
	type point struct{ X, Y int }
	funcs := map[string]any{
		"add":    sandtrap.Member{Value: func(a, b int) int { return a + b }, Blocking: true},
		"fail":   sandtrap.Member{Value: func() (string, error) { return "half", errors.New("failed") }, Blocking: true},
		"crash":  sandtrap.Member{Value: func() { panic("crashed") }, Blocking: true},
		"index":  sandtrap.Member{Value: func(l []int) int { return l[3] }, Blocking: true},
		"leave":  sandtrap.Member{Value: func() { runtime.Goexit() }, Blocking: true},
		"join":   sandtrap.Member{Value: func(sep string, l ...any) string { return fmt.Sprint(l...) + sep }, Blocking: true},
		"nested": sandtrap.Member{Value: func(m map[string][]any) int { return len(m["a"]) }, Blocking: true},
		"each": sandtrap.Member{Value: func(n int, f func(int) int) (s int) {
			for i := range n {
				s += f(i)
			}
			return s
		}, Blocking: true},
		"named":   sandtrap.Member{Value: func(s fmt.Stringer) string { return s.String() }, Blocking: true},
		"point":   sandtrap.Member{Value: func(p point) int { return p.X + p.Y }, Blocking: true},
		"Point":   (*point)(nil),
		"hasDone": sandtrap.Member{Value: func(ctx context.Context) bool { return ctx.Done() != nil }, Blocking: true},
	}
	for _, tc := range []struct{ name, body, want string }{
		{"results", `s, err := fail(); fmt.Print(add(2, 3), s, err)`, "5halffailed"},
		{"panic", `defer func() { fmt.Print(recover()) }(); crash()`, "crashed"},
		{"run-time error", `defer func() { _, ok := recover().(error); fmt.Print(ok) }(); index([]int{1})`, "true"},
		{"end of the goroutine", `defer func() { fmt.Print(recover()) }(); leave()`, "a function of the host ended its goroutine"},
		{"variadic", `fmt.Print(join("!", 1, "a"), join("."))`, "1a!."},
		{"any", `fmt.Print(nested(map[string][]any{"a": {1, []string{"x"}, nil}}))`, "3"},
		{"callback", `n := 0; fmt.Print(each(10, func(i int) int { n++; return i }), n)`, "45 10"},
		{"callback that waits", `c := make(chan int); go func() { for i := range 3 { c <- i } }(); fmt.Print(each(3, func(int) int { return <-c }))`, "3"},
		{"method of the script's", `fmt.Print(named(time.Second), named(S("x")))`, "1s<x>"},
		{"struct", `fmt.Print(point(Point{X: 1, Y: 2}))`, "3"},
		{"its context", `fmt.Print(hasDone())`, "true"},
		{"as a value", `f := add; fmt.Print(f(1, 1))`, "2"},
		{"deferred, and go", `c := make(chan int); go func() { defer func() { c <- 1 }(); defer add(1, 2) }(); go add(3, 4); fmt.Print(<-c)`, "1"},
		{"not for two goroutines", `defer func() { fmt.Print(recover()) }(); join("", &strings.Builder{})`, "a *strings.Builder cannot be given to a blocking function of the host: the script could use it at the same time"},
		{"nested too deep", `defer func() { fmt.Print(recover()) }(); var x any; for range 2000 { x = []any{x} }; join("", x)`, "a value is nested too deep for a blocking function of the host"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := inSnippet(t, funcs, sandtrap.Limits{Memory: 64 << 20}, tc.body+"\n}\ntype S string\nfunc (s S) String() string { return \"<\" + string(s) + \">\"")
			if err != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, err, tc.want)
			}
		})
	}
}

// TestBlockingCopies: what the script does to its data meanwhile is not seen. The race
// detector has more to say about it.
func TestBlockingCopies(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	res, err := inSnippet(t, map[string]any{
		"watch": sandtrap.Member{Value: func(l []string, m map[string]any, n [2]string) string {
			close(began)
			for range 1000 {
				_ = strings.Join(l, "") + n[0]
				_ = fmt.Sprint(m)
			}
			<-release
			return strings.Join(l, "") + fmt.Sprint(m) + n[0]
		}, Blocking: true},
		"began": func() bool {
			select {
			case <-began:
				return true
			default:
				return false
			}
		},
		"release": func() { close(release) },
	}, sandtrap.Limits{}, `
	l := []string{"a", "b"}
	m := map[string]any{"k": []string{"v"}}
	n := [2]string{"n"}
	c := make(chan string)
	go func() { c <- watch(l, m, n) }()
	for !began() { time.Sleep(time.Millisecond) }
	for i := range 5000 {
		l[0], n[0] = strings.Repeat("x", i%7), "changed"
		m["k"].([]string)[0] = l[0]
		m["l"] = i
	}
	release()
	fmt.Print(<-c)`)
	if want := "abmap[k:[v]]n"; err != nil || res.Stdout != want {
		t.Errorf("got %q, %v, want %q", res.Stdout, err, want)
	}
}

// TestBlockingGivenUp: the end of the run ends the context of a call that is not over;
// what the call returns later is dropped.
func TestBlockingGivenUp(t *testing.T) {
	for name, tc := range map[string]struct {
		body string
		want error
	}{
		"timeout":   {"wait()", sandtrap.KindTimeout},
		"in a task": {"go wait()\nselect {}", sandtrap.KindTimeout},
		"callback":  {"strings.Map(func(r rune) rune { wait(); return r }, \"x\")", sandtrap.KindTimeout},
		"panic":     {"go wait()\nfor !waiting() { time.Sleep(time.Millisecond) }\npanic(1)", sandtrap.KindPanic},
		"end":       {"go wait()\nfor !waiting() { time.Sleep(time.Millisecond) }", nil},
		"ticks":     {"go wait()\nfor !waiting() { time.Sleep(time.Millisecond) }\nfor {}", sandtrap.KindTicks},
	} {
		t.Run(name, func(t *testing.T) {
			var waiting atomic.Bool
			ended := make(chan error, 1)
			start := time.Now()
			_, err := inSnippet(t, map[string]any{
				"wait": sandtrap.Member{Value: func(ctx context.Context) string {
					waiting.Store(true)
					<-ctx.Done()
					time.Sleep(5 * time.Millisecond)
					ended <- ctx.Err()
					return "late"
				}, Blocking: true},
				"waiting": waiting.Load,
			}, sandtrap.Limits{Timeout: 200 * time.Millisecond, Ticks: 200_000}, tc.body)
			if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
				t.Errorf("error %v, want %v", err, tc.want)
			}
			if took := time.Since(start); took > slack {
				t.Errorf("took %v", took)
			}
			if err := <-ended; err == nil {
				t.Error("the context of the call has no error")
			}
		})
	}
}

// TestBlockingCallsAreBounded: there are no more of them than goroutines.
func TestBlockingCallsAreBounded(t *testing.T) {
	var in, most atomic.Int64
	_, err := inSnippet(t, map[string]any{"wait": sandtrap.Member{Value: func(ctx context.Context) {
		most.Store(max(most.Load(), in.Add(1)))
		<-ctx.Done()
	}, Blocking: true}}, sandtrap.Limits{Tasks: 20}, "for { go wait(); time.Sleep(time.Microsecond) }")
	if !errors.Is(err, sandtrap.KindTasks) || most.Load() > 20 || most.Load() < 2 {
		t.Errorf("error %v, %d calls at a time", err, most.Load())
	}
}

// TestBlockingIsNoWork: waiting for the host takes no ticks, and is no deadlock; what
// waits for nobody is one when the call is over.
func TestBlockingIsNoWork(t *testing.T) {
	funcs := map[string]any{"nap": sandtrap.Member{Value: func(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }, Blocking: true}}
	var ticks []int64
	for _, ms := range []int{0, 50} {
		res, err := inSnippet(t, funcs, sandtrap.Limits{}, fmt.Sprintf("nap(%d)", ms))
		if err != nil {
			t.Fatal(err)
		}
		ticks = append(ticks, res.Ticks)
	}
	if ticks[0] != ticks[1] {
		t.Errorf("ticks %v", ticks)
	}
	if _, err := inSnippet(t, funcs, sandtrap.Limits{}, "c := make(chan int)\ngo func() { nap(20); c <- 1 }()\n<-c\n<-c"); !errors.Is(err, sandtrap.KindDeadlock) {
		t.Errorf("error %v, want a deadlock", err)
	}
}

// TestBlockingRefused: what cannot be shared with a script, or is no function, is an error
// of the policy.
func TestBlockingRefused(t *testing.T) {
	for name, v := range map[string]any{
		"builder":          sandtrap.Member{Value: func(*strings.Builder) {}, Blocking: true},
		"pointer":          sandtrap.Member{Value: func(*int) {}, Blocking: true},
		"in a slice":       sandtrap.Member{Value: func([]*strings.Builder) {}, Blocking: true},
		"in a struct":      sandtrap.Member{Value: func(struct{ B strings.Builder }) {}, Blocking: true},
		"no function":      sandtrap.Member{Value: 1, Blocking: true},
		"nil":              sandtrap.Member{Value: nil, Blocking: true},
		"nil function":     sandtrap.Member{Value: (func())(nil), Blocking: true},
		"no context there": builtins.Function{Fn: func(int) {}, Context: true},
	} {
		_, err := sandtrap.New(t.Context(), sandtrap.Policy{Funcs: map[string]any{"f": v}})
		if !errors.Is(err, sandtrap.ErrPolicy) {
			t.Errorf("%s: error %v, want ErrPolicy", name, err)
		}
	}
}

// keeper keeps functions and values of scripts, and uses them on goroutines of its own.
type keeper struct {
	mu   sync.Mutex
	f    []func(int) int
	errs []func(int) (string, error)
	v    []any
}

func (k *keeper) funcs() map[string]any {
	return map[string]any{
		"keep":    func(f func(int) int) { k.f = append(k.f, f) },
		"keepErr": func(f func(int) (string, error)) { k.errs = append(k.errs, f) },
		"keepAny": func(v any) { k.v = append(k.v, v) },
		"parallel": sandtrap.Member{Value: func(n int, f func(int) int) (sum int) {
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() {
					v := f(i)
					k.mu.Lock()
					sum += v
					k.mu.Unlock()
				})
			}
			wg.Wait()
			return sum
		}, Blocking: true},
		"use": sandtrap.Member{Value: func(n int) (sum int) {
			var wg sync.WaitGroup
			results := make(chan int, n)
			for i := range n {
				wg.Go(func() { results <- k.f[0](i) })
			}
			wg.Wait()
			for range n {
				sum += <-results
			}
			return sum
		}, Blocking: true},
		"show": sandtrap.Member{Value: func() string {
			var wg sync.WaitGroup
			texts := make([]string, 20)
			for i := range texts {
				wg.Go(func() { texts[i] = fmt.Sprint(k.v...) })
			}
			wg.Wait()
			return strings.Join(slices.Compact(texts), "|")
		}, Blocking: true},
	}
}

// TestVisits: functions and values of the script may be used from any goroutine of the
// host. What they do is done one after the other; the race detector has more to say.
func TestVisits(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"parallel", "n := 0\ns := parallel(50, func(i int) int { n++; return i })\nfmt.Print(s, n)", "1225 50"},
		{"beside a busy script", "n, s := 0, 0\ngo func() { s = parallel(20, func(i int) int { n++; return i }) }()\nfor s == 0 { n += 0 }\nfmt.Print(s, n)", "190 20"},
		{"that wait", "c := make(chan int)\ngo func() { for i := range 20 { c <- i } }()\nfmt.Print(parallel(20, func(int) int { return <-c }))", "190"},
		{"that call the host", "fmt.Print(parallel(10, func(i int) int { return parallel(3, func(j int) int { return len(strings.Map(func(r rune) rune { return r }, \"ab\")) }) }))", "60"},
		{"kept", "n := 0\nkeep(func(i int) int { n++; return n })\nuse(20)\nfmt.Print(use(1))", "21"},
		{"with locks", "var mu sync.Mutex\nn := 0\nfor range 3 { go func() { for range 50 { mu.Lock(); time.Sleep(time.Microsecond); mu.Unlock() } }() }\nfmt.Print(parallel(20, func(int) int { mu.Lock(); defer mu.Unlock(); n++; return n }))", "210"},
		{"values", "keepAny(E{[]string{\"a\"}})\nkeepAny(&T{1, map[string]int{\"k\": 2}})\nkeepAny(S(3))\nfmt.Print(show())", "e[a] {1 map[k:2]} s3"},
		{"cancelling", "ctx, cancel := context.WithCancel(context.Background())\ndone := make(chan bool)\ncontext.AfterFunc(ctx, func() { done <- true })\nparallel(5, func(int) int { cancel(); return 0 })\nfmt.Print(<-done, ctx.Err())", "true context canceled"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := &keeper{}
			res, err := inSnippet(t, k.funcs(), sandtrap.Limits{}, tc.body+"\n}\ntype E struct{ l []string }\nfunc (e E) Error() string { return fmt.Sprint(\"e\", e.l) }\ntype T struct { n int; m map[string]int }\ntype S int\nfunc (s S) String() string { return fmt.Sprintf(\"s%d\", int(s))")
			if want := strings.Replace(tc.want, "e[a] {", "e[a] &{", 1); err != nil || res.Stdout != want {
				t.Errorf("got %q, %v, want %q", res.Stdout, err, want)
			}
		})
	}
}

// TestVisitPanics: a panic in a call that came from another goroutine ends the run, as one
// in a goroutine of the script does.
func TestVisitPanics(t *testing.T) {
	k := &keeper{}
	got := make(chan any, 1)
	funcs := k.funcs()
	funcs["call"] = func(f func()) {
		go func() {
			defer func() { got <- recover() }()
			f()
		}()
	}
	_, err := inSnippet(t, funcs, sandtrap.Limits{}, "call(func() { panic(\"in a visit\") })\nselect {\ncase <-time.After(5*time.Second):\n}")
	if !errors.Is(err, sandtrap.KindPanic) || !strings.Contains(err.Error(), "in a visit") {
		t.Errorf("error %v", err)
	}
	if r := <-got; r != nil {
		t.Errorf("the caller recovered %v, want no panic", r)
	}
}

// TestVisitAfterTheRun: what a host keeps of a script is of no use after the run, and says
// so, on whichever goroutine.
func TestVisitAfterTheRun(t *testing.T) {
	k := &keeper{}
	_, err := inSnippet(t, k.funcs(), sandtrap.Limits{}, "keep(func(i int) int { return i })\nkeepErr(func(i int) (string, error) { return \"\", nil })\nkeepAny(S(1))\n}\ntype S int\nfunc (s S) String() string { return \"s\"")
	if err != nil {
		t.Fatal(err)
	}
	check := func() {
		if n := k.f[0](1); n != 0 {
			t.Errorf("result %d, want 0", n)
		}
		if _, err := k.errs[0](1); err != sandtrap.ErrRunOver {
			t.Errorf("error %v, want ErrRunOver", err)
		}
		if text := fmt.Sprint(k.v...); !strings.Contains(text, "main.S") {
			t.Errorf("printed %q", text)
		}
	}
	check()
	var wg sync.WaitGroup
	wg.Go(check)
	wg.Wait()
}

// TestContextsForTheHost: a function of the host that takes contexts from scripts gets one
// that ends with the script's, and with the run.
func TestContextsForTheHost(t *testing.T) {
	type keyType struct{}
	wait := func(ctx context.Context, ms int) string {
		_, dated := ctx.Deadline()
		select {
		case <-ctx.Done():
			return fmt.Sprint(ctx.Err(), " ", context.Cause(ctx), " ", dated, " ", ctx.Value(keyType{}))
		case <-time.After(time.Duration(ms) * time.Millisecond):
			return fmt.Sprint("done ", dated)
		}
	}
	funcs := map[string]any{
		"wait":  builtins.Function{Fn: wait, Context: true, Blocking: true},
		"check": builtins.Function{Fn: func(ctx context.Context) string { return fmt.Sprint(ctx.Err()) }, Context: true},
	}
	for _, tc := range []struct{ name, body, want string }{
		{"background", "fmt.Print(wait(context.Background(), 1))", "done true"}, // the run's own
		{"timeout", "ctx, c := context.WithTimeout(context.Background(), 5*time.Millisecond)\ndefer c()\nfmt.Print(wait(ctx, 5000))", "context deadline exceeded context deadline exceeded true run"},
		{"cancel", "ctx, c := context.WithCancel(context.Background())\ngo func() { time.Sleep(5*time.Millisecond); c() }()\nfmt.Print(wait(ctx, 5000))", "context canceled context canceled true run"},
		{"of the script's own", "ctx, c := context.WithCancel(context.Background())\ngo func() { time.Sleep(5*time.Millisecond); c() }()\nfmt.Print(wait(own{ctx}, 5000))", "context canceled context canceled true run"},
		{"before", "ctx, c := context.WithCancel(context.Background())\nc()\nfmt.Print(check(ctx), check(context.TODO()))", "context canceled<nil>"},
		{"nil", "fmt.Print(check(nil))", "<nil>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: funcs, Limits: sandtrap.Limits{Timeout: 10 * time.Second}})
			if err != nil {
				t.Fatal(err)
			}
			before := runtime.NumGoroutine()
			ctx := context.WithValue(t.Context(), keyType{}, "run")
			res, err := box.Run(ctx, sandtrap.Script{Text: inMain(tc.body + "\n}\ntype own struct{ context.Context }\nfunc f() {")})
			if err != nil || !strings.HasPrefix(res.Stdout, strings.TrimSuffix(tc.want, " run")) {
				t.Errorf("got %q, %v, want %q", res.Stdout, err, tc.want)
			}
			if strings.HasSuffix(tc.want, "run") && !strings.HasSuffix(res.Stdout, "run") {
				t.Errorf("got %q, want a value of the run's context", res.Stdout)
			}
			if n := rig.Settled(before); n > before {
				t.Errorf("%d goroutines are left", n-before)
			}
		})
	}
}
