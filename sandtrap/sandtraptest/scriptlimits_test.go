package sandtraptest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestScriptLimits: the limits of a script end its run where those of the policy would not, and never let it go on
// past those; the next script has the policy's again. Functions that the run leaves have them too.
func TestScriptLimits(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Limits = sandtrap.Limits{Timeout: 20 * time.Second, Ticks: 5_000_000, Memory: 64 << 20, Output: 1 << 20, Tasks: 50, Depth: 1000}
		box := b.Box(p)
		for _, tc := range []struct {
			name, text string
			limits     sandtrap.Limits
			want       error
		}{
			{"time", `time.Sleep(time.Second)`, sandtrap.Limits{Timeout: 200 * time.Millisecond}, sandtrap.KindTimeout},
			{"ticks", `for range 2_000_000 {}`, sandtrap.Limits{Ticks: 1_000_000}, sandtrap.KindTicks},
			{"memory", `x := make([]byte, 32<<20); _ = x`, sandtrap.Limits{Memory: 16 << 20}, sandtrap.KindMemory},
			{"tasks", `for range 20 { go func() { time.Sleep(1) }() }; time.Sleep(10)`, sandtrap.Limits{Tasks: 10}, sandtrap.KindTasks},
			{"depth", `var f func(int); f = func(n int) { if n > 0 { f(n - 1) } }; f(500)`, sandtrap.Limits{Depth: 100}, sandtrap.KindDepth},
			{"no more ticks", `for {}`, sandtrap.Limits{Ticks: 1 << 40}, sandtrap.KindTicks},
			{"no more memory", `x := make([]byte, 80<<20); _ = x`, sandtrap.Limits{Memory: 1 << 40}, sandtrap.KindMemory},
			{"no more time", `for {}`, sandtrap.Limits{Timeout: sandtrap.Forever}, sandtrap.KindTicks},
		} {
			if b.Engine == "yaegi" && tc.name == "tasks" {
				continue // it has no goroutines
			}
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text, Limits: tc.limits}); !errors.Is(err, tc.want) {
				b.Errorf("%s: %v; want %v", tc.name, err, tc.want)
			}
			if strings.HasPrefix(tc.name, "no more") || b.Engine == "yaegi" && tc.name == "depth" { // which has a limit of its own
				continue
			}
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text}); err != nil {
				b.Errorf("%s, with the policy's limits: %v", tc.name, err)
			}
		}
		res, err := box.Run(b.Context(), sandtrap.Script{Text: `for range 100_000 { print("0123456789") }`, Limits: sandtrap.Limits{Output: 1000}})
		if err != nil || len(res.Stdout)+len(res.Stderr) > 3000 {
			b.Errorf("output: %d bytes, %v", len(res.Stdout), err)
		}
	})
}

// TestScriptLimitsKept: functions that a run leaves have the limits of its script, and so has one cell of a session
// and no other.
func TestScriptLimitsKept(t *testing.T) {
	eachSession(t, func(b bench) {
		few := sandtrap.Limits{Ticks: 1_000_000}
		const text = `f := func() { for range 2_000_000 {} }`
		res, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{Text: text, Limits: few})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := res.Vars["f"].(*sandtrap.Func).Call(b.Context()); !errors.Is(err, sandtrap.KindTicks) {
			b.Errorf("a function that was left: %v", err)
		}
		p := pure()
		p.Limits = sandtrap.Limits{}
		s := b.Session(p)
		for i, cell := range []struct {
			script sandtrap.Script
			want   error
		}{
			{sandtrap.Script{Text: text}, nil}, {sandtrap.Script{Text: "f()", Limits: few}, sandtrap.KindTicks}, {sandtrap.Script{Text: "f()"}, nil},
		} {
			if _, err := s.Run(b.Context(), cell.script); !errors.Is(err, cell.want) || (err == nil) != (cell.want == nil) {
				b.Errorf("cell %d: %v, want %v", i, err, cell.want)
			}
		}
	})
}

// TestScriptLimitsNamed: a limit of a script that cannot be is an error of the call.
func TestScriptLimitsNamed(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		for want, limits := range map[string]sandtrap.Limits{
			"Script.Limits.Ticks: -1 is negative": {Ticks: -1}, "of the policy alone": {Source: 10}, "CPU and ReadRate are of": {CPU: 1},
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: "1", Limits: limits})
			if _, told := errors.AsType[*sandtrap.Error](err); err == nil || told || res == nil || !strings.Contains(err.Error(), want) {
				b.Errorf("%v, want %s", err, want)
			}
		}
	})
}
