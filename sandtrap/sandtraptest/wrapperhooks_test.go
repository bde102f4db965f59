package sandtraptest

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestWrapperMisbehaves: a wrapper of the host's, or a method of what it made, that blocks, panics, ends its
// goroutine, closes the sandbox or runs scripts in it, costs its run at most. The run ends in time, the host goes
// on, and the next sandbox of the plan runs.
func TestWrapperMisbehaves(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for functions that do not return; the plain command runs it")
	}
	const script = `type T struct{}
func (T) Get(string) (string, error) { return "x", nil }
func (T) Put(string, ...int) int { return 1 }
func (T) Self() any { return 1 }
n := 0
if bad { n = use(T{}) }`
	ends := map[string]error{"blocks": sandtrap.KindTimeout, "panics": sandtrap.KindPanic, "ends": sandtrap.KindInternal}
	type host struct {
		box  *sandtrap.Sandbox
		gate chan struct{}
	}
	for name, do := range map[string]func(h *host){
		"blocks":        func(h *host) { <-h.gate },
		"panics":        func(*host) { panic("the host's") },
		"ends":          func(*host) { runtime.Goexit() },
		"closes":        func(h *host) { h.box.Close() },
		"closes beside": func(h *host) { go h.box.Close(); time.Sleep(time.Millisecond) },
		"runs in itself": func(h *host) {
			_, _ = h.box.Run(t.Context(), sandtrap.Script{Text: script, Inputs: map[string]any{"bad": false}})
		},
		"runs and recurses": func(h *host) {
			_, _ = h.box.Run(t.Context(), sandtrap.Script{Text: script, Inputs: map[string]any{"bad": true}})
		},
		"nil": nil,
	} {
		for _, where := range []string{"wrapper", "method"} {
			t.Run(name+"/"+where, func(t *testing.T) {
				before := runtime.NumGoroutine()
				h := &host{gate: make(chan struct{})}
				depth := 0
				wrap := func(v sandtrap.Value) Store {
					if where == "wrapper" && do == nil {
						return nil
					}
					if depth++; where == "wrapper" && depth < 20 {
						do(h)
					}
					return badStore{scriptStore{v}, func() {
						if where == "method" && do != nil && depth < 20 {
							do(h)
						}
					}}
				}
				use := func(s Store) int {
					if s == nil {
						return -1
					}
					return s.Put("a", 1)
				}
				plan, err := sandtrap.Compile(sandtrap.Policy{
					Limits: sandtrap.Limits{Timeout: 300 * time.Millisecond}, Wrappers: []any{wrap}, Funcs: map[string]any{"use": use},
				})
				if err != nil {
					t.Fatal(err)
				}
				for range 3 {
					if h.box, err = plan.New(t.Context()); err != nil {
						t.Fatal(err)
					}
					start := time.Now()
					res, err := h.box.Run(t.Context(), sandtrap.Script{Text: script, Inputs: map[string]any{"bad": true}})
					if took := time.Since(start); took > time.Minute {
						t.Errorf("it took %v", took)
					}
					if want := ends[name]; !errors.Is(err, want) && (err != nil || want != nil) {
						t.Errorf("%v, %v, want %v", res.Vars["n"], err, want)
					}
					h.box.Close()
				}
				close(h.gate)
				if n := rig.Settled(before); n > before {
					t.Errorf("%d goroutines are left", n-before)
				}
			})
		}
	}
}

// A badStore does something else before it puts.
type badStore struct {
	Store
	first func()
}

func (b badStore) Put(key string, values ...int) int {
	b.first()
	return b.Store.Put(key, values...)
}
