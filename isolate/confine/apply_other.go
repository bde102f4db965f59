//go:build !linux

package confine

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A process is what the layers have to know of each other.
type process struct {
	listener int
	reasons  map[string]string
}

// layers: there are none elsewhere than on Linux.
var layers = []layer{
	{posture.Seccomp, func(*process, posture.Profile) error {
		return fmt.Errorf("%w on %s", errors.ErrUnsupported, runtime.GOOS)
	}, "no process is held here"},
}

// Given is empty: no directories are handed in here.
func Given() []*os.Root { return nil }

// GivenFlags is how files in them would be opened.
const GivenFlags = os.O_RDONLY

// Spawn refuses.
func Spawn() error { return errors.ErrUnsupported }
