package atonce

import (
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}

// eachIsolation runs a test in each isolation that has workers. Where the machine has no isolation kernel
// that is skipped: see rig.NoKernel.
func eachIsolation(t *testing.T, test func(t *testing.T, mode sandtrap.Isolation)) {
	for _, mode := range []sandtrap.Isolation{sandtrap.Process, sandtrap.Kernel} {
		t.Run(string(mode), func(t *testing.T) {
			if mode == sandtrap.Kernel {
				needKernel(t)
			}
			test(t, mode)
		})
	}
}

func needKernel(t *testing.T) {
	t.Helper()
	if machine.Raced {
		t.Skip("the race detector makes system calls that no worker of isolation kernel may make")
	}
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: sandtrap.Kernel})
	rig.NoKernel(t, err)
	if err != nil {
		t.Fatal(err)
	}
	box.Close()
}

func mustBox(t *testing.T, p sandtrap.Policy) *sandtrap.Sandbox {
	t.Helper()
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	return box
}
