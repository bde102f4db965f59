package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// endless are scripts that go on for ever, one for each place where a tick is
// paid.
var endless = map[string]string{
	"for":                 "for {}",
	"for, condition":      "n := 0\nfor n >= 0 { n = 0 }",
	"for, clauses":        "for i := 0; i < 1; i = 0 {}",
	"continue":            "for { continue }",
	"labelled continue":   "func f() {\nouter:\nfor { for { continue outer } }\n}\nf()",
	"range over an int":   "for { for range 3 {} }",
	"range over a slice":  "l := []int{1}\nfor { for range l {} }",
	"range over a map":    "m := map[int]int{1: 1}\nfor { for k := range m { m[k]++ } }",
	"range over a string": "for { for range \"abc\" {} }",
	"goto":                "func f() {\nagain:\n\tgoto again\n}\nf()",
	"goto, in a list":     "func f() {\n\tn := 0\nagain:\n\tn++\n\tgoto again\n}\nf()",
	"goto, in an if":      "func f() {\n\tn := 0\nagain:\n\tif n < 1 {\n\t\tgoto again\n\t}\n}\nf()",
	"goto, forward first": "func f() {\n\tgoto there\nhere:\n\tgoto there\nthere:\n\tgoto here\n}\nf()",
	"function":            "func f() {}\nfunc g() { f(); f(); f(); g2() }\nfunc g2() { for { f() } }\ng()",
	"closure":             "f := func() {}\nfor { f() }",
	"closure, itself":     "var f func(int) int\nf = func(n int) int { if n > 0 { return f(n-1) + f(n-1) }; return 1 }\nx := f(60)",
	"doubled calls":       "func f(n int) int { if n > 0 { return f(n-1) + f(n-1) }; return 1 }\nx := f(60)",
	"method":              "package main\ntype T int\nfunc (t T) M(n int) int { if n > 0 { return t.M(n-1) + t.M(n-1) }; return 1 }\nfunc main() { T(1).M(60) }",
	"through an interface": `package main
type I interface{ M(int) int }
type T int
func (t T) M(n int) int { var i I = t; if n > 0 { return i.M(n-1) + i.M(n-1) }; return 1 }
func main() { T(1).M(60) }`,
	"init":               "package main\nfunc init() { for {} }\nfunc main() {}",
	"variable":           "package main\nvar x = f()\nfunc f() int { for {} }\nfunc main() {}",
	"deferred":           "func f() { defer func() { for {} }() }\nf()",
	"deferred in a loop": "func f() { for { func() { defer func() {}() }() } }\nf()",
	"deferred, panic":    "func f() { defer func() { recover(); for {} }(); panic(1) }\nf()",
	"callback of a host": "for { strings.Map(func(r rune) rune { return r }, \"abc\") }",
	"sort, unfair":       "l := []int{3, 1, 2}\nfor { sort.Slice(l, func(i, j int) bool { return true }) }",
	"iterator":           "package main\nfunc seq(yield func(int) bool) { for yield(1) {} }\nfunc main() { for range seq {} }",
	"switch":             "n := 0\nfor { switch n { case 0: n = 1; default: n = 0 } }",
	"select":             "func f() { for { select { default: } } }\nf()",
}

// TestEveryLoopTicks: no script goes on for ever, and the ticks reported are those
// of the limit, to the tick.
func TestEveryLoopTicks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for name, src := range endless {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				p.Limits.Ticks = 20_001
				res, err := b.RunOnce(p, src)
				if b.RefusedByEngine(res) {
					return
				}
				if !errors.Is(err, sandtrap.KindTicks) || res.Ticks != 20_001 {
					b.Errorf("error %v after %d ticks, want the limit of 20001", err, res.Ticks)
				}
			})
		})
	}
}

// TestTicksAreTheSame: the same script takes the same ticks, a hundred times; host
// functions and waiting cost no more than the call.
func TestTicksAreTheSame(t *testing.T) {
	const src = `
func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
x := fib(12)
m := map[int]int{}
for i := range 50 { m[i%7] += len(strings.Fields("a b c")) }
s := 0
for _, v := range m { s += v }
`
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		var want int64
		for i := range 100 {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: src})
			if err != nil {
				b.Fatal(err)
			}
			if i == 0 {
				want = res.Ticks
			}
			if res.Ticks != want || want < 500 {
				b.Fatalf("run %d took %d ticks, the first %d", i, res.Ticks, want)
			}
		}
	})
}

// TestHostWorkIsFree: what the host does for a script is not ticks.
func TestHostWorkIsFree(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Funcs = map[string]any{"work": func(d int) {
			for end := time.Now().Add(time.Duration(d) * time.Millisecond); time.Now().Before(end); {
				runtime.Gosched()
			}
		}}
		ticks := func(src string) int64 {
			res, err := b.RunOnce(p, src)
			if err != nil {
				b.Fatal(err)
			}
			return res.Ticks
		}
		for _, tc := range []struct{ short, long string }{
			{"work(0)", "work(30)"},
			{"time.Sleep(0)", "time.Sleep(30 * time.Millisecond)"},
			{"x := strings.Repeat(\"a\", 1)", "x := strings.Repeat(\"a\", 100000)"},
		} {
			if short, long := ticks(tc.short), ticks(tc.long); short != long {
				b.Errorf("%s takes %d ticks, %s %d", tc.short, short, tc.long, long)
			}
		}
	})
}

// TestStopsInOrder: of several limits at once the first of cancel, ticks, time is
// reported.
func TestStopsInOrder(t *testing.T) {
	eachMode(t, func(b bench) {
		cancelled, cancel := context.WithCancel(b.Context())
		cancel()
		for _, tc := range []struct {
			name string
			ctx  context.Context
			l    sandtrap.Limits
			want error
		}{
			{"all", cancelled, sandtrap.Limits{Ticks: 1, Timeout: 1, Memory: 1}, sandtrap.KindCancelled},
			{"cancel, time", cancelled, sandtrap.Limits{Timeout: 1}, sandtrap.KindCancelled},
			{"time, memory", b.Context(), sandtrap.Limits{Timeout: 1, Memory: 1}, sandtrap.KindTimeout},
		} {
			box := b.Box(sandtrap.Policy{Limits: tc.l})
			_, err := box.Run(tc.ctx, sandtrap.Script{Text: "n := 1 << 20\nfor { for range 10 {}; _ = make([]byte, n) }"})
			if !errors.Is(err, tc.want) {
				b.Errorf("%s: error %v, want %v", tc.name, err, tc.want)
			}
		}
	})
}

// TestCancelTimings: cancelling early, in the middle, late and twice.
func TestCancelTimings(t *testing.T) {
	eachMode(t, func(b bench) {
		const forever = "n := 0\nfor { n++ }"
		b.In("before", func(b bench) {
			ctx, cancel := context.WithCancel(b.Context())
			cancel()
			called := false
			box := b.Box(sandtrap.Policy{Funcs: map[string]any{"touch": func() { called = true }}})
			res, err := box.Run(ctx, sandtrap.Script{Text: "touch()\nfor {}"})
			if !errors.Is(err, sandtrap.KindCancelled) || res.Ticks > 1 || called {
				b.Errorf("error %v after %d ticks, the host was called: %v", err, res.Ticks, called)
			}
		})
		b.In("during", func(b bench) {
			ctx, cancel := context.WithCancel(b.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			_, err := b.Box(sandtrap.Policy{}).Run(ctx, sandtrap.Script{Text: forever})
			if !errors.Is(err, sandtrap.KindCancelled) || !errors.Is(err, context.Canceled) {
				b.Errorf("error %v", err)
			}
		})
		b.In("in a sleep", func(b bench) {
			ctx, cancel := context.WithCancel(b.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			start := time.Now()
			_, err := b.Box(pure()).Run(ctx, sandtrap.Script{Text: "time.Sleep(time.Hour)"})
			if took := time.Since(start); !errors.Is(err, sandtrap.KindCancelled) || took > slack {
				b.Errorf("error %v after %v", err, took)
			}
		})
		b.In("after", func(b bench) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			box := b.Box(sandtrap.Policy{})
			if _, err := box.Run(ctx, sandtrap.Script{Text: "x := 1"}); err != nil {
				b.Error(err)
			}
			cancel()
			cancel()
			if res, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1"}); err != nil || res.Vars["x"] != 1 {
				b.Errorf("the next run: %v, %v", res.Vars, err)
			}
		})
		b.In("twice, by several", func(b bench) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			for range 4 {
				time.AfterFunc(10*time.Millisecond, func() { cancel(); cancel() })
			}
			if _, err := b.Box(sandtrap.Policy{}).Run(ctx, sandtrap.Script{Text: forever}); !errors.Is(err, sandtrap.KindCancelled) {
				b.Errorf("error %v", err)
			}
		})
	})
}

// TestRecursion: too many calls, whichever way they come about, end the run and
// not the host, with a limit given and without.
func TestRecursion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for name, src := range map[string]string{
		"function":    "func f() { f() }\nf()",
		"results":     "func f(n int) int { return f(n+1) + 1 }\nx := f(0)",
		"mutual":      "func f() { g() }\nfunc g() { f() }\nf()",
		"closure":     "var f func()\nf = func() { f() }\nf()",
		"method":      "package main\ntype T int\nfunc (t T) M() { t.M() }\nfunc main() { T(1).M() }",
		"interface":   "package main\ntype I interface{ M() }\ntype T int\nfunc (t T) M() { var i I = t; i.M() }\nfunc main() { T(1).M() }",
		"String":      "package main\nimport \"fmt\"\ntype T int\nfunc (t T) String() string { return fmt.Sprint(t) }\nfunc main() { fmt.Println(T(1)) }",
		"Error":       "package main\nimport \"fmt\"\ntype E int\nfunc (e E) Error() string { return fmt.Sprint(e) }\nfunc main() { fmt.Println(E(1)) }",
		"callback":    "func f(r rune) rune { strings.Map(f, \"a\"); return r }\nf('a')",
		"comparison":  "var l = []int{2, 1}\nfunc less(i, j int) bool { sort.Slice([]int{2, 1}, less); return i < j }\nsort.Slice(l, less)",
		"deferred":    "func f() { defer f() }\nf()",
		"in recover":  "func f() { defer func() { recover(); f() }(); panic(1) }\nf()",
		"init":        "package main\nfunc f() int { return f() }\nvar x = f()\nfunc main() {}",
		"large frame": "func f(a [512]int) int { return f(a) + a[0] }\nx := f([512]int{})",
	} {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				b.OnceApart()
				depths := []int{100, 0}
				if testing.Short() {
					depths = depths[:1]
				}
				for _, depth := range depths {
					p := pure()
					p.Limits = sandtrap.Limits{Depth: depth, Timeout: 10 * time.Second, Memory: 256 << 20}
					box := b.Box(p)
					res, err := box.Run(b.Context(), sandtrap.Script{Text: src})
					if b.RefusedByEngine(res) {
						return
					}
					if wide := name == "large frame" || name == "in recover"; !errors.Is(err, sandtrap.KindDepth) && !(wide && depth == 0 && errors.Is(err, sandtrap.KindMemory)) {
						b.Errorf("depth %d: error %v, want KindDepth", depth, err)
					}
					if res, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1"}); err != nil || res.Vars["x"] != 1 {
						b.Errorf("the next run: %v", err)
					}
				}
			})
		})
	}
}

// TestSwallowing: neither recover nor a deferred call keeps a stop from ending the run: not a tick
// is used after it.
func TestSwallowing(t *testing.T) {
	const ticks = 20_001
	for name, src := range map[string]string{
		"recover":          "func f() { defer func() { recover(); for {} }(); for {} }\nf()",
		"recover and loop": "func f() { defer func() { recover() }(); for {} }\nfor { f() }",
		"many defers":      "func f() { for range 100 { defer func() { recover(); for {} }() }; for {} }\nf()",
		"panic over it":    "func f() { defer func() { panic(recover()) }(); for {} }\nfor { func() { defer func() { recover() }(); f() }() }",
		"exit in a defer":  "func f() { defer os.Exit(0); for {} }\nf()",
		"in a callback":    "func f() { defer func() { recover() }(); strings.Map(func(r rune) rune { for {} }, \"abc\") }\nfor { f() }",
	} {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Ticks: ticks}}
				res, err := b.RunOnce(p, src)
				if b.RefusedByEngine(res) {
					return
				}
				if !errors.Is(err, sandtrap.KindTicks) || res.Ticks != ticks {
					b.Errorf("error %v after %d ticks, want the limit of %d", err, res.Ticks, ticks)
				}
			})
		})
	}
}

// TestStopIsNotRecovered: after a stop a script does nothing more: no host call, no
// output.
func TestStopIsNotRecovered(t *testing.T) {
	eachMode(t, func(b bench) {
		for name, l := range map[string]sandtrap.Limits{
			"ticks": {Ticks: 1000}, "time": {Timeout: 50 * time.Millisecond}, "memory": {Memory: 1 << 20, Ticks: 1_000_000}, "depth": {Depth: 100},
		} {
			var after atomic.Int64
			p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: l, Funcs: map[string]any{"after": func() { after.Add(1) }}}
			res, err := b.RunOnce(p, fmt.Sprintf(`
func deep(n int) int { return deep(n+1) + 1 }
func work() {
	defer func() {
		r := recover()
		after()
		fmt.Println("swallowed", r)
	}()
	switch %q {
	case "memory":
		n := 1 << 24
		for { _ = make([]byte, n) }
	case "depth":
		deep(0)
	}
	for {}
}
work()
after()
`, name))
			if !errors.Is(err, sandtrap.ErrLimit) || after.Load() != 0 || res.Stdout != "" {
				b.Errorf("%s: error %v, %d calls after it, stdout %q", name, err, after.Load(), res.Stdout)
			}
		}
	})
}

// TestNesting: brackets may be nested as deep as the policy says, and no deeper.
func TestNesting(t *testing.T) {
	for _, tc := range []struct {
		limit, depth int // 0 is the default, of 200
		refused      bool
	}{
		{50, 48, false}, {50, 51, true}, {0, 198, false}, {0, 201, true}, {0, 100_000, true},
	} {
		for _, form := range []string{"()", "{}"} {
			src := "x := " + strings.Repeat("(", tc.depth) + "1" + strings.Repeat(")", tc.depth)
			if form == "{}" {
				src = strings.Repeat("{", tc.depth) + strings.Repeat("}", tc.depth)
			}
			eachMode(t, func(b bench) {
				_, err := b.RunOnce(sandtrap.Policy{Limits: sandtrap.Limits{Nesting: tc.limit}}, src)
				if got := errors.Is(err, sandtrap.KindRejected); got != tc.refused || err != nil && !strings.Contains(err.Error(), "nested") {
					b.Errorf("%d of %s at a limit of %d: error %v, want a refusal: %v", tc.depth, form, tc.limit, err, tc.refused)
				}
			})
		}
	}
}

// TestAllocLimit: garbage counts, and the run ends at the same place each time.
func TestAllocLimit(t *testing.T) {
	const limit = 3 << 20
	eachMode(t, func(b bench) {
		var ends []string
		for range 3 {
			p := pure()
			p.Limits.Alloc = limit
			if b.Engine == "yaegi" {
				p.Engine = b.Engine
				if _, err := sandtrap.New(b.Context(), p); !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), "Limits.Alloc") {
					b.Errorf("engine yaegi: %v, want an error about Limits.Alloc", err)
				}
				return
			}
			res, err := b.RunOnce(p, "package main\nvar last []int\nfunc main() { for i := 0; ; i++ { last = make([]int, 100); if i%100 == 0 { println(i) } } }")
			if !errors.Is(err, sandtrap.KindMemory) || !strings.Contains(err.Error(), "3072 KiB") {
				b.Fatalf("error %v, want the limit of 3072 KiB", err)
			}
			ends = append(ends, fmt.Sprintf("%d ticks, %s", res.Ticks, res.Stderr))
		}
		if ends[0] != ends[1] || ends[1] != ends[2] {
			b.Errorf("it ended at %q", ends)
		}
		p := pure()
		p.Limits.Alloc = limit
		if _, err := b.RunOnce(p, "s := 0\nfor i := range 100_000 { s += i }"); err != nil {
			b.Errorf("a script that allocates nothing: %v", err)
		}
	})
}
