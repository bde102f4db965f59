package sandtraptest

import (
	"os"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}

// These are short names: most tests of the package are run in each mode.
type (
	mode  = rig.Mode
	bench = rig.Bench
	cell  = rig.Cell
)

var (
	modes         = rig.Modes
	eachMode      = rig.EachMode
	eachSession   = rig.EachSession
	engineRefused = rig.EngineRefused
	children      = rig.Children
	limits        = rig.Limits
	pure          = rig.Pure
)

// numbered is a script of n lines with the given texts in the lines of the
// given numbers.
func numbered(n int, at map[int]string) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = at[i+1]
	}
	return strings.Join(lines, "\n")
}
