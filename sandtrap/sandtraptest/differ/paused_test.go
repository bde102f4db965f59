package differ

import (
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/paused"
)

// pausedPrograms is how many programs TestPaused makes.
const pausedPrograms = 12

// TestPaused: programs made up at random that wait at calls go on as if they had not waited.
func TestPaused(t *testing.T) {
	var c paused.Count
	for seed := *diffSeed; seed < *diffSeed+pausedPrograms; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c.Check(t, paused.Program{Text: program(seed)}, seed, false, sandtrap.None)
		})
	}
	t.Log(&c)
	if c.Programs.Load() < pausedPrograms/2 || c.Pauses.Load() < 10*c.Programs.Load() {
		t.Error(&c)
	}
}
