package ends

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestDepthIsExact: below main, and below what a goroutine begins with, so many calls may be
// nested as the limit says, and no more.
func TestDepthIsExact(t *testing.T) {
	for _, limit := range []int{1, 2, 14, 15, 16, 100, 1000, 1024, 5000} {
		for name, src := range map[string]string{
			"main":      "func main() { f() }",
			"goroutine": "func main() { go func() { f() }(); select {} }",
			"deferred":  "func main() { defer f() }",
		} {
			n := 0
			p := sandtrap.Policy{
				Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Depth: limit, Timeout: time.Minute},
				Funcs: map[string]any{"called": func() { n++ }},
			}
			_, err := rig.RunOnce(t, p, "package main\nfunc f() { called(); f() }\n"+src+"\n")
			if !errors.Is(err, sandtrap.KindDepth) || n != limit {
				t.Errorf("%s: %d calls at a limit of %d, then %v", name, n, limit, err)
			}
		}
	}
}

// TestOverflow: a recursion without end says so, whatever runs out first: the calls, or the memory
// for the stack. Where it is what the calls keep, the error still tells how many there are.
func TestOverflow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for name, tc := range map[string]struct {
		src  string
		want error
		text string
	}{
		"calls":     {"func f() { f() }\nf()", sandtrap.KindDepth, "stack overflow"},
		"results":   {"func fib(n int) int { return fib(n-1) + fib(n-2) }\nfib(10)", sandtrap.KindDepth, "stack overflow"},
		"wide":      {"func f(a, b, c, d, e, g int) int { return f(b, c, d, e, g, a) + a + b + c + d + e + g }\nf(1, 2, 3, 4, 5, 6)", sandtrap.KindDepth, "stack overflow"},
		"texts":     {"func f(s string) (a, b string) { a, b = f(s); return b, a + s }\nf(\"x\")", sandtrap.KindDepth, "stack overflow"},
		"objects":   {"type T struct { p *T }\nvar f func(t *T) *T\nf = func(t *T) *T { return f(&T{t}) }\nf(nil)", sandtrap.KindDepth, "stack overflow"},
		"deferred":  {"func f() { defer f() }\nf()", sandtrap.KindDepth, "stack overflow"},
		"iterators": {"func seq(yield func(int) bool) { yield(1) }\nvar f func(n int)\nf = func(n int) { for range seq { f(n+1) } }\nf(0)", sandtrap.KindDepth, "stack overflow"},
		"goroutine": {"func f(n int) int { return f(n+1) + 1 }\ngo f(0)\nselect {}", sandtrap.KindDepth, "stack overflow"},
		"kept":      {"func f(b []byte) int { return f(make([]byte, 1000)) + len(b) }\nf(nil)", sandtrap.KindMemory, "calls are nested"},
	} {
		for _, memory := range []int64{64 << 20, 256 << 20} {
			p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: memory, Timeout: time.Minute}}
			_, err := rig.RunOnce(t, p, tc.src)
			if !errors.Is(err, tc.want) || !strings.Contains(fmt.Sprint(err), tc.text) {
				t.Errorf("%s in %d MiB: %v, want %v", name, memory>>20, err, tc.want)
			}
		}
	}
}
