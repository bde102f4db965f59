//go:build unix

package vfs

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// noWait has a pipe opened without waiting for its other end. Package os has no name for it.
const noWait = syscall.O_NONBLOCK

// Rename moves a name of one directory to another, by their handles: what leads to them may have changed.
func (d *straightDir) Rename(old, new string) error {
	return d.in(old, func(from *dirFs, a string) error {
		return d.in(new, func(to *dirFs, b string) error {
			x, err := from.root.Open(".")
			if err != nil {
				return err
			}
			defer x.Close()
			y, err := to.root.Open(".")
			if err != nil {
				return err
			}
			defer y.Close()
			return unix.Renameat(int(x.Fd()), a, int(y.Fd()), b)
		})
	})
}
