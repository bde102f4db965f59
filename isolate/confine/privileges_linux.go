package confine

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// onAllThreads makes a call on each thread of the process: the kernel keeps
// privileges by thread.
func onAllThreads(call, a1, a2 uintptr) error {
	if _, _, errno := psx.Syscall6(call, a1, a2, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// locked is all secure bits with their locks, but for keeping capabilities, whose lock
// alone is set: root has no privileges by being root, and this stays so.
const locked = 0xef

// lockSecurebits has nothing to do where a spawner has begun with it.
func lockSecurebits(*process, posture.Profile) error {
	if held, err := unix.PrctlRetInt(unix.PR_GET_SECUREBITS, 0, 0, 0, 0); err == nil && held == locked {
		return nil // on this thread, so on all: each was started by one that began with it
	}
	return onAllThreads(unix.SYS_PRCTL, unix.PR_SET_SECUREBITS, locked)
}

// dropBounding empties the set of what a program could ever get, of each thread. It takes a
// call for each capability, so it comes while there are few threads; what a spawner has
// started has none left.
func dropBounding(*process, posture.Profile) error {
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if held, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, c, 0, 0, 0); err == nil && held == 0 {
			continue // on this thread, so on all: each was started by one that began with it
		}
		err := onAllThreads(unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c)
		if errors.Is(err, unix.EINVAL) {
			return nil // the kernel knows fewer
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dropCapabilities empties the other four sets of each thread: what is not inheritable is not
// ambient either.
func dropCapabilities(*process, posture.Profile) error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	_, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none[0])), 0)
	if errno != 0 {
		return fmt.Errorf("capset: %w", errno)
	}
	return nil
}
