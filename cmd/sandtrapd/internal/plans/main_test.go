package plans_test

import (
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}
