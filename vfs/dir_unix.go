//go:build unix

package vfs

import "syscall"

// noWait has a pipe opened without waiting for its other end. Package os has no name for it.
const noWait = syscall.O_NONBLOCK
