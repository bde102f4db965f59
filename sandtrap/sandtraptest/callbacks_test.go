package sandtraptest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// callers is a policy whose functions call those of the script.
func callers() sandtrap.Policy {
	p := bank()
	p.Limits = limits
	var kept func(int) int
	p.Funcs = map[string]any{
		"each": func(list []int, f func(int) int) []int {
			out := []int{}
			for _, n := range list {
				out = append(out, f(n))
			}
			return out
		},
		"try": func(f func() error) string { return fmt.Sprint("got ", f()) },
		"guard": func(f func()) (s string) {
			defer func() { s = fmt.Sprint("host saw it: ", recover() != nil) }()
			f()
			return "nothing"
		},
		"call":  func(f func()) { f() },
		"isNil": func(f func()) bool { return f == nil },
		"sum":   func(f func(...int) int) int { return f(1, 2, 3) },
		"keep":  func(f func(int) int) { kept = f },
		"fire":  func(n int) int { return kept(n) },
		"edit":  func(a *Account, f func(*Account)) string { f(a); return a.Owner },
		"slow":  sandtrap.Member{Value: func(f func(int) int) int { time.Sleep(time.Millisecond); return f(1) + f(2) }, Blocking: true},
		"two":   func(n int) int { return 2 * n },
	}
	return p
}

// TestCallbacks: functions of the script that functions of the host call.
func TestCallbacks(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(callers())
		for _, tc := range []struct{ src, want string }{
			{`n := 0; l := each([]int{1, 2}, func(i int) int { n += i; return 10 * i }); x := fmt.Sprint(l, n)`, "[10 20] 3"},
			{`x := try(func() error { return errors.New("no") })`, "got no"},
			{`x := try(func() error { return nil })`, "got <nil>"},
			{`func f() (s string) { defer func() { s = fmt.Sprint(recover()) }(); call(func() { panic("p") }); return "" }; x := f()`, "p"},
			{`type T struct{ n int }
func f() (s string) { defer func() { s = fmt.Sprint(recover().(T).n) }(); call(func() { panic(T{3}) }); return "" }; x := f()`, "3"},
			{`x := guard(func() { panic("p") })`, "host saw it: true"},
			{`x := fmt.Sprint(isNil(nil), isNil(func() {}))`, "true false"},
			{`x := sum(func(l ...int) int { return len(l) + l[2] })`, "6"},
			{`x := each([]int{1}, func(i int) int { return two(i) + each([]int{5}, two)[0] })[0]`, "12"},
			{`keep(func(i int) int { return i + 1 }); x := fire(4)`, "5"},
			{`a := bank.Open("a"); x := edit(a, func(c *bank.Account) { c.Owner = c.Label() + fmt.Sprint(c == a) })`, "a/0true"},
			{`n := 0; x := slow(func(i int) int { n += i; return n })`, "4"},
		} {
			b.In(tc.src, func(b bench) {
				res, err := box.Run(b.Context(), sandtrap.Script{Text: "import \"corp/bank\"\n_ = bank.Last\n" + tc.src})
				if !b.RefusedByEngine(res) && (err != nil || fmt.Sprint(res.Vars["x"]) != tc.want) {
					b.Errorf("got %v, %v, want %q", res.Vars["x"], err, tc.want)
				}
			})
		}
	})
}

// TestCallbackStops: a callback is part of the run that it belongs to: it is ticked, and a
// stop in it is handed to nobody.
func TestCallbackStops(t *testing.T) {
	for _, tc := range []struct {
		src  string
		want error
	}{
		{`call(func() { for {} })`, sandtrap.KindTicks},
		{`guard(func() { for {} })`, sandtrap.KindTicks},
		{`guard(func() { os.Exit(3) })`, sandtrap.KindExit},
		{`call(func() { var l []byte; for { l = append(l, make([]byte, 1<<20)...) } })`, sandtrap.KindMemory},
		{`call(func() { panic("out") })`, sandtrap.KindPanic},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(callers(), tc.src)
				if !b.RefusedByEngine(res) && !errors.Is(err, tc.want) && !(b.Engine == "yaegi" && tc.want == sandtrap.KindMemory) {
					b.Errorf("got %v, want %v", err, tc.want)
				}
			})
		})
	}
}

// TestCallbackOver: after its run a function of the script is none any more, and the next run
// knows nothing of it.
func TestCallbackOver(t *testing.T) {
	eachMode(t, func(b bench) {
		var kept func() error
		p := callers()
		p.Funcs["keepErr"] = func(f func() error) { kept = f }
		p.Funcs["fireErr"] = func() string { return fmt.Sprint(errors.Is(kept(), sandtrap.ErrRunOver)) }
		box := b.Box(p)
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "keepErr(func() error { return nil })"}); err != nil {
			b.Fatal(err)
		}
		if !b.KeepsFuncs {
			return
		}
		if err := kept(); !errors.Is(err, sandtrap.ErrRunOver) {
			b.Errorf("after the run: %v", err)
		}
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "f := func() error { return nil }; try(f); x := fireErr()"})
		if err != nil || res.Vars["x"] != "true" {
			b.Errorf("in the next one: %v, %v", res.Vars["x"], err)
		}
	})
}

// TestVariablesBesideHostCalls: a function of the host may change variables by what it was given
// before, so those beside a call of one are read when compiled Go reads them.
func TestVariablesBesideHostCalls(t *testing.T) {
	var kept func()
	p := pure()
	p.Funcs = map[string]any{
		"keep": func(f func()) { kept = f },
		"fire": func(n int) int { kept(); return n },
	}
	res, err := rig.RunOnce(t, p, "x := 1\nkeep(func() { x++ })\nfmt.Println(x, fire(0))\ny := x + fire(10)\nfmt.Println(y, x*10+fire(0), x)")
	if want := "2 0\n13 40 4\n"; err != nil || res.Stdout != want {
		t.Errorf("%q, %v, want %q", res.Stdout, err, want)
	}
}
