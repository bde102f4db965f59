package durabletest

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestLooking: a script that looks again and again for an answer ends by a limit, and one that sleeps in between waits.
func TestLooking(t *testing.T) {
	for _, mode := range isolations() {
		b := mustBox(t, corpusPolicy(mode, true))
		_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: `done := false; go func() { ask("a"); done = true }(); for !done { runtime.Gosched() }`}, nil)
		if pause != nil || !errors.Is(err, sandtrap.KindTicks) {
			t.Errorf("%s: %v, %v", mode, pause, err)
		}
		_, pause, err = b.Start(t.Context(), sandtrap.Script{Text: `done := false; go func() { ask("a"); done = true }(); for !done { time.Sleep(time.Second) }`}, nil)
		if pause == nil || err != nil {
			t.Errorf("%s: %v, %v", mode, pause, err)
		}
	}
}
