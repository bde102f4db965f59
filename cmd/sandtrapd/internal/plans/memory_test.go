package plans_test

import (
	"math"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestMemory: what a run may have is what its policy says, and without it the default of package sandtrap.
func TestMemory(t *testing.T) {
	agent, err := sandtrap.Preset("agent")
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]int64{0: agent.Limits.Memory, 1 << 20: 1 << 20, math.MaxInt64: math.MaxInt64} {
		b := plans.Box{Policy: sandtrap.Policy{Limits: sandtrap.Limits{Memory: limit}}}
		if got := b.Memory(); got != want {
			t.Errorf("limit %d: %d, want %d", limit, got, want)
		}
	}
}
