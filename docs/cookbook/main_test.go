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
	worker.Init() // with isolation process or kernel, workers are processes of this test
	os.Exit(m.Run())
}
