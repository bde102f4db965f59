//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package vfs

import (
	"os"
	"syscall"
)

// lockFile locks an open file for as long as it is open, or fails if another has it locked. Where the file system
// has no locks it does nothing.
func lockFile(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) }); err != nil {
		return err
	}
	if failed == syscall.EWOULDBLOCK {
		return errCommitting
	}
	return nil
}
