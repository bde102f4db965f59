package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestRunsWithinRuns: a function of the host may run another script while a run waits for
// it, in another sandbox or the same. Each has limits, a policy and output of its own.
func TestRunsWithinRuns(t *testing.T) {
	eachMode(t, func(b bench) {
		var outer *sandtrap.Sandbox
		strict := b.Box(sandtrap.Policy{Limits: sandtrap.Limits{Ticks: 500}})
		p := pure()
		p.Limits.Ticks = 5000
		p.Funcs = map[string]any{
			"within": func(ctx context.Context, text string) string {
				res, err := strict.Run(ctx, sandtrap.Script{Text: text})
				return fmt.Sprint(res.Ticks, errors.Is(err, sandtrap.KindTicks), errors.Is(err, sandtrap.KindDenied) || errors.Is(err, sandtrap.KindType))
			},
			"again": func(ctx context.Context, n int) string {
				res, err := outer.Run(ctx, sandtrap.Script{Text: fmt.Sprintf("fmt.Print(\"inner\")\nfor range %d {}", n)})
				return fmt.Sprint(res.Stdout, errors.Is(err, sandtrap.KindTicks))
			},
		}
		outer = b.Box(p)
		res, err := outer.Run(b.Context(), sandtrap.Script{Text: `
fmt.Print(within("for {}"), ";", within("strings.ToUpper(\"a\")"), ";", again(10), ";", again(6000), ";")
for range 1000 {}
fmt.Print("outer")
`})
		if b.RefusedByEngine(res) {
			return
		}
		if want := "500 true false;0 false true;innerfalse;innertrue;outer"; err != nil || res.Stdout != want {
			b.Errorf("got %q, %v, want %q", res.Stdout, err, want)
		}
		if res.Ticks < 1000 || res.Ticks > 1200 {
			b.Errorf("%d ticks, want those of its own", res.Ticks)
		}
	})
}

// TestGrantsInTasks: what runs in goroutines, timers and what package sync calls may do what
// the script may, and no more.
func TestGrantsInTasks(t *testing.T) {
	p := pure()
	p.Funcs = map[string]any{"plain": may, "net": sandtrap.Member{Value: may, Network: true}}
	for name, src := range map[string]string{
		"go":                "go f()",
		"go in go":          "go func() { go f() }()",
		"time.AfterFunc":    "time.AfterFunc(1, f)",
		"context.AfterFunc": "ctx, cancel := context.WithCancel(context.Background())\ncontext.AfterFunc(ctx, f)\ncancel()",
		"sync.Once":         "var o sync.Once\ngo o.Do(f)",
		"sync.OnceFunc":     "go sync.OnceFunc(f)()",
		"sync.WaitGroup":    "var wg sync.WaitGroup\nwg.Go(f)",
		"sync.Pool":         "p := sync.Pool{New: func() any { f(); return 1 }}\ngo p.Get()",
		"callback":          "go strings.Map(func(r rune) rune { f(); return r }, \"a\")",
	} {
		t.Run(name, func(t *testing.T) {
			res, err := runTasks(t, p, "c := make(chan string, 1)\nf := func() { a, b := plain(); d, e := net(); c <- fmt.Sprint(a, b, d, e) }\n"+src+"\nfmt.Print(<-c)")
			if err != nil || res.Stdout != "false false true false" {
				t.Errorf("got %q, %v, want what the functions are granted", res.Stdout, err)
			}
		})
		t.Run(name+", panic", func(t *testing.T) {
			_, err := runTasks(t, p, "f := func() { panic(\"in it\") }\n"+src+"\nselect {}")
			if !errors.Is(err, sandtrap.KindPanic) {
				t.Errorf("error %v, want a panic", err)
			}
		})
	}
}
