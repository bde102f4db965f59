//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"os"
	"syscall"
)

// TryLock locks an open file for as long as it is open, or fails if another has it locked. Where the file system
// has no locks it does nothing.
func TryLock(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) }); err != nil {
		return err
	}
	if failed == syscall.EWOULDBLOCK {
		return ErrLocked
	}
	return nil
}
