package sandtraptest

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// blocked are ways to wait without end, in a script and in functions that it calls. Beside each a goroutine goes on, so
// that none is a deadlock.
var blocked = map[string]string{
	"receive":       "<-make(chan int)",
	"send":          "make(chan int) <- 1",
	"range":         "for range make(chan int) {}",
	"nil channel":   "var c chan int; <-c",
	"select":        "select { case <-make(chan int): case make(chan int) <- 1: }",
	"empty select":  "select {}",
	"mutex":         "var mu sync.Mutex; mu.Lock(); mu.Lock()",
	"reader":        "var mu sync.RWMutex; mu.Lock(); mu.RLock()",
	"sleep":         "time.Sleep(time.Hour)",
	"timer":         "<-time.After(time.Hour)",
	"wait group":    "var wg sync.WaitGroup; wg.Add(1); wg.Wait()",
	"condition":     "c := sync.NewCond(new(sync.Mutex)); c.L.Lock(); c.Wait()",
	"context":       "ctx, cancel := context.WithCancel(context.Background()); defer cancel(); <-ctx.Done()",
	"callback":      "strings.Map(func(rune) rune { select {} }, \"a\")",
	"deferred":      "defer func() { recover(); <-make(chan int) }(); panic(1)",
	"host function": "wait()",
	"blocking":      "waitBeside()",
	"nested":        "call(func() { call(func() { call(func() { select {} }) }) })",
	"nested run":    "run()",
}

// TestBlocked: a run that waits without end ends with its timeout, whatever it waits for, and no goroutine is left.
func TestBlocked(t *testing.T) {
	for name, src := range blocked {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				b.OnceApart()
				if b.Engine != "vm" {
					return // it has no goroutines
				}
				wait := func(ctx context.Context) { <-ctx.Done() }
				p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: 300 * time.Millisecond}}
				inner := p
				inner.Limits.Timeout = time.Hour
				var box, within *sandtrap.Sandbox
				p.Funcs = map[string]any{
					"wait": wait, "waitBeside": sandtrap.Member{Value: wait, Blocking: true}, "call": func(f func()) { f() },
					"run": func(ctx context.Context) { within.Run(ctx, sandtrap.Script{Text: "time.Sleep(time.Hour)"}) },
				}
				box, within = b.Box(p), b.Box(inner)
				if _, err := box.Run(b.Context(), sandtrap.Script{Text: "1"}); err != nil { // a worker is there
					b.Fatal(err)
				}
				before := runtime.NumGoroutine()
				_, err := box.Run(b.Context(), sandtrap.Script{Text: "go func() { for { time.Sleep(time.Millisecond) } }()\n" + src})
				if !errors.Is(err, sandtrap.KindTimeout) {
					b.Errorf("error %v, want the timeout", err)
				}
				if b.Isolation != sandtrap.None {
					return // its goroutines are those of its worker
				}
				if n := rig.Settled(before); n > before {
					b.Errorf("%d goroutines are left", n-before)
				}
			})
		})
	}
}
