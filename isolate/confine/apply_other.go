//go:build !linux

package confine

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A process is what the layers have to know of each other.
type process struct{ listener int }

// layers: there are none elsewhere than on Linux.
var layers = []layer{
	{wire.Seccomp, func(*process, wire.Profile) error {
		return fmt.Errorf("%w on %s", errors.ErrUnsupported, runtime.GOOS)
	}, "no process is held here"},
}

// Spawn refuses.
func Spawn() error { return errors.ErrUnsupported }
