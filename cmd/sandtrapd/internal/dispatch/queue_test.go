package dispatch_test

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

// TestLocal: the queue of a process does as every queue does.
func TestLocal(t *testing.T) {
	dispatchtest.Run(t, func(_ *testing.T, turns int, h dispatch.Handler) dispatch.Queue {
		return &dispatch.Local{Turns: dispatch.NewTurns(turns), Handler: h}
	})
}
