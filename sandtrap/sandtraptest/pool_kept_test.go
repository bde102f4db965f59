package sandtraptest

import (
	"context"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPoolForgets: functions that scripts leave keep workers of a pool while somebody holds them. When
// nobody does the next tenant has not to wait until the host needs memory.
func TestPoolForgets(t *testing.T) {
	pool := mustPool(t, sandtrap.Policy{Isolation: sandtrap.Process}, sandtrap.PoolLimits{Size: 1, Max: 2})
	greedy, other := tenant(t, pool, "greedy"), tenant(t, pool, "other")
	for range 2 {
		if _, err := greedy.Run(t.Context(), sandtrap.Script{Text: "f := func() int { return 1 }"}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := other.Run(ctx, sandtrap.Script{Text: "x := 1"}); err != nil {
		t.Error(err)
	}
}
