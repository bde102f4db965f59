// Package cookbook holds the recipes of docs/cookbook.md, which is made of them.
//
// It may not be imported.
package cookbook

import (
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

func TestMain(m *testing.M) {
	worker.Init() // with an isolation, the program of these tests is that of its workers too
	os.Exit(m.Run())
}
