package cli

import "golang.org/x/sys/unix"

// flushInput drops what a terminal has received and nobody has read.
func flushInput(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, unix.TCIFLUSH) }
