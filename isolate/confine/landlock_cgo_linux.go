//go:build cgo

package confine

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// landlockAll is that of landlock_linux.go by the kernel's own calls. Where cgo is
// enabled, go-landlock brings a library that links C into every program with this
// package, and a program with C in it cannot be locked down: see docs/rationale.md.
func landlockAll(*process, wire.Profile) error {
	abi, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		abi = 0
	}
	r, err := atABI(int(abi))
	if err != nil {
		return err
	}
	attr := [3]uint64{r.files, r.network, r.scopes}
	size := uintptr(8)
	switch {
	case r.scopes != 0:
		size = 24
	case r.network != 0:
		size = 16
	}
	fd, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("landlock_create_ruleset: %w", errno)
	}
	defer unix.Close(int(fd))
	if err := onAllThreads(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0); err != nil {
		return fmt.Errorf("landlock_restrict_self: %w", err)
	}
	return nil
}
