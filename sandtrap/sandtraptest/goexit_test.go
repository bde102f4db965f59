package sandtraptest

import (
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestHostEndsItsGoroutine: a function of the host that ends the goroutine it is called on, as
// t.Fatal does, ends the run at once, and not when its time is up. Others of the sandbox go on.
func TestHostEndsItsGoroutine(t *testing.T) {
	for _, tc := range []struct{ name, src string }{
		{"called", "leave()"},
		{"where panics are recovered", "func() { defer func() { recover() }(); leave() }()"},
		{"in a callback", "call(func() { leave() })"},
		{"by a goroutine", "go leave()\nselect {}"},
		{"while others are in callbacks", "c := make(chan int)\nfor range 3 { go call(func() { <-c }) }\nruntime.Gosched()\nleave()"},
		{"in a callback while others are, too", "c := make(chan int)\ncall(func() { for range 3 { go call(func() { <-c }) }; runtime.Gosched(); leave() })"},
		{"by one in a callback while others are", "c := make(chan int)\nfor range 3 { go call(func() { <-c }) }\ngo call(func() { leave() })\n<-c"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				p.Std = append(p.Std, "runtime")
				p.Limits.Timeout = sandtrap.Forever
				p.Funcs = map[string]any{"leave": runtime.Goexit, "call": func(f func()) { f() }}
				box := b.Box(p)
				before := runtime.NumGoroutine()
				ended := make(chan error, 1)
				go func() {
					_, err := box.Run(b.Context(), sandtrap.Script{Text: tc.src})
					ended <- err
				}()
				select {
				case err := <-ended:
					if err == nil && b.Isolation == sandtrap.None { // in a worker it is a panic, which can be recovered
						b.Error("it ended well")
					}
				case <-time.After(20 * time.Second):
					b.Fatal("it goes on")
				}
				if n := rig.Settled(before); n > before {
					b.Errorf("%d goroutines are left", n-before)
				}
				if _, err := box.Run(b.Context(), sandtrap.Script{Text: "_ = 1"}); err != nil {
					b.Error(err)
				}
			})
		})
	}
}
