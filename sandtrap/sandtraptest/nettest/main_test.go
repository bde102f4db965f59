package nettest

import (
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// roles are what the program of the tests does in other processes.
var roles = map[string]func(){}

// TestMain makes the program of the tests its own worker, and the other processes of tests in namespaces.
func TestMain(m *testing.M) {
	worker.Init()
	if do := roles[os.Getenv("NETTEST_ROLE")]; do != nil {
		do()
		return
	}
	os.Exit(m.Run())
}
