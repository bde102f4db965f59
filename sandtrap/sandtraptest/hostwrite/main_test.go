// Package hostwrite holds the tests of what scripts do not write to: what the process shares, and what the host
// does not show.
package hostwrite

import (
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
	_ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
)

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}

func run(t *testing.T, p sandtrap.Policy, src string) (*sandtrap.Result, error) {
	t.Helper()
	return rig.RunOnce(t, p, src)
}
