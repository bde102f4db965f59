package sandtraptest

import (
	"fmt"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Builder has the name and methods of a type that engines may do by themselves.
type Builder struct{ parts []string }

func (b *Builder) WriteString(s string) (int, error) { b.parts = append(b.parts, s); return -1, nil }
func (b *Builder) Len() int                          { return len(b.parts) }

// TestReplacedPackages: a package of the host's in the place of a standard one is
// called, whatever an engine does for the members of the standard one.
func TestReplacedPackages(t *testing.T) {
	calls := ""
	note := func(f string, args ...any) { calls += fmt.Sprintf(f, args...) + ";" }
	packages := []sandtrap.Package{
		{Path: "errors", Members: map[string]any{
			"Is": func(err, target error) bool { note("Is"); return true },
			"As": func(err error, target any) bool { note("As %T", target); return true },
		}},
		{Path: "time", Members: map[string]any{"Sleep": func(d time.Duration) { note("Sleep %d", d) }, "Duration": (*time.Duration)(nil)}},
		{Path: "sort", Members: map[string]any{"Slice": func(list any, less func(i, j int) bool) { note("Slice %v", less(0, 1)) }}},
		{Path: "fmt", Members: map[string]any{
			"Sprintf": func(format string, args ...any) string { note("Sprintf %s %d", format, len(args)); return "own" },
			"Sscan":   func(s string, args ...any) int { note("Sscan"); return -2 },
		}},
		{Path: "runtime", Members: map[string]any{"Gosched": func() { note("Gosched") }, "NumGoroutine": func() int { note("NumGoroutine"); return -3 }}},
		{Path: "strings", Members: map[string]any{"Builder": (*Builder)(nil), "ToUpper": func(s string) string { note("ToUpper"); return "UP" }}},
	}
	for _, tc := range []struct{ src, calls, want string }{
		{`r := errors.Is(nil, nil)`, "Is;", "true"},
		{`var n int; r := errors.As(nil, &n)`, "As *int;", "true"},
		{`time.Sleep(5); r := 0`, "Sleep 5;", "0"},
		{`r := 0; sort.Slice([]int{1}, func(i, j int) bool { return i < j })`, "Slice true;", "0"},
		{`r := fmt.Sprintf("%T", 1)`, "Sprintf %T 1;", "own"},
		{`var n int; r := fmt.Sscan("1", &n)`, "Sscan;", "-2"},
		{`runtime.Gosched(); r := runtime.NumGoroutine()`, "Gosched;NumGoroutine;", "-3"},
		{`var b strings.Builder; n, _ := b.WriteString("x"); r := n + b.Len()`, "", "0"},
		{`r := strings.ToUpper("a")`, "ToUpper;", "UP"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				calls = ""
				res, err := b.RunOnce(sandtrap.Policy{Limits: limits, Std: sandtrap.StdDefault(), Packages: packages}, tc.src)
				if b.RefusedByEngine(res) {
					return
				}
				if err != nil || fmt.Sprint(res.Vars["r"]) != tc.want || calls != tc.calls {
					b.Errorf("got %v, %v, calls %q, want %s and %q", res.Vars["r"], err, calls, tc.want, tc.calls)
				}
			})
		})
	}
}
