//go:build unix

package cli

import "syscall"

// openFiles is how many files the process may have open, 0 if nothing bounds that.
func openFiles() uint64 {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil || l.Cur >= 1<<31 {
		return 0
	}
	return uint64(l.Cur)
}
