package sandtrap_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestSessionFuncs: a function that a cell leaves sees what later cells assign, between cells
// and after one that was stopped; cells see what it does.
func TestSessionFuncs(t *testing.T) {
	s := newSession(t, func(p *sandtrap.Policy) { p.Limits.Ticks = 10_000 })
	ctx := context.Background()
	res, err := s.Run(ctx, sandtrap.Script{Text: "n := 1\nhook := func() int { return 0 }\nadd := func(k int) int { n += k; return n + hook() }"})
	if err != nil {
		t.Fatal(err)
	}
	add := res.Vars["add"].(*sandtrap.Func)
	call := func(k, want int) {
		t.Helper()
		if res, err := add.Call(ctx, k); err != nil || res.Returned[0] != want {
			t.Errorf("add(%d) gives %v, %v, want %d", k, res.Returned, err, want)
		}
	}
	call(2, 3)
	runSteps(t, s, []step{{"n", "= 3"}, {"hook = func() int { return 100 * len(strings.Repeat(\"x\", 2)) }; n = 10", ""}})
	call(1, 211)
	if _, err := s.Run(ctx, sandtrap.Script{Text: "n = 20; for {}"}); !errors.Is(err, sandtrap.KindTicks) {
		t.Fatal(err)
	}
	call(0, 220)
	runSteps(t, s, []step{{"n := \"other\"", ""}})
	call(1, 221)
	s.Close()
	if _, err := add.Call(ctx, 1); err != sandtrap.ErrRunOver {
		t.Errorf("after Close: %v", err)
	}
}

// TestSessionContract: a cell may be asked for one value, too.
func TestSessionContract(t *testing.T) {
	s := newSession(t, nil)
	runSteps(t, s, []step{{"type P struct { X int }\np := P{3}", ""}})
	var got struct{ X int8 }
	res, err := s.Run(context.Background(), sandtrap.Script{Text: "result := p", Result: &got})
	if err != nil || got.X != 3 || len(res.Vars) > 0 {
		t.Errorf("got %v, %v, %v", got, err, res.Vars)
	}
	_, err = s.Run(context.Background(), sandtrap.Script{Text: "result := 1.5; p.X = 4", Result: &got})
	if !errors.Is(err, sandtrap.KindContract) || !errors.Is(err, sandtrap.ErrRefused) {
		t.Errorf("error %v", err)
	}
	runSteps(t, s, []step{{"p.X", "= 3"}})
}
