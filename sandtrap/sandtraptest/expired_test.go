package sandtraptest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestContextEndsInACall: a run whose context ends while a function of the host has it ends with that in
// each mode, also if it has nothing more to do.
func TestContextEndsInACall(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	eachMode(t, func(b bench) {
		wait := func(ctx context.Context) { <-ctx.Done() }
		p := pure()
		p.Funcs = map[string]any{"wait": wait, "waitBeside": sandtrap.Member{Value: wait, Blocking: true}}
		box := b.Box(p)
		for _, text := range []string{"wait()", "waitBeside()", "wait(); for {}", "x := 1; wait(); x++"} {
			ctx, cancel := context.WithTimeout(b.Context(), 50*time.Millisecond)
			res, err := box.Run(ctx, sandtrap.Script{Text: text})
			if !b.RefusedByEngine(res) && (!errors.Is(err, sandtrap.KindTimeout) || !errors.Is(err, context.DeadlineExceeded)) {
				b.Errorf("%s: error %v, want a timeout", text, err)
			}
			cancel()
			ctx, cancel = context.WithCancel(b.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			res, err = box.Run(ctx, sandtrap.Script{Text: text})
			if !b.RefusedByEngine(res) && (!errors.Is(err, sandtrap.KindCancelled) || !errors.Is(err, context.Canceled)) {
				b.Errorf("%s: error %v, want it cancelled", text, err)
			}
		}
		if b.KeepsFuncs {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: "f := func() int { wait(); return 1 }"})
			if err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(b.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := res.Vars["f"].(*sandtrap.Func).Call(ctx); !errors.Is(err, sandtrap.KindTimeout) {
				b.Errorf("a call of a function: %v, want a timeout", err)
			}
		}
	})
}
