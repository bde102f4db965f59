// Package dryruntest tests dry runs as hosts see them, in each mode.
package dryruntest

import (
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
	_ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
)

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}
