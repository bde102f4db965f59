package dispatch_test

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
)

// TestLocal: the queue of a process does as every queue does.
func TestLocal(t *testing.T) {
	dispatchtest.Run(t, func(_ *testing.T, n int, h dispatch.Handler) dispatch.Queue {
		return &dispatch.Local{Turns: turns.New(n), Handler: h}
	})
}
