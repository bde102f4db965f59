//go:build cgo

package confine

import "golang.org/x/sys/unix"

// Linked says whether the program is linked with C, as Go does by default where there is
// a C compiler and the program has package net in it.
const Linked = true

// linkedCalls are rows of the filter that only such a program needs.
var linkedCalls = []call{
	{"rseq", nil, "a thread of the C library that still starts when the filter comes"},
	{"set_robust_list", nil, "a thread of the C library that still starts when the filter comes"},
}

// showThreads mounts the processes of the namespace, which are this one alone. In a program
// that is linked with C the Go runtime does not know all threads; they are found there
// each time that something of all of them is changed. No file of it can be opened later.
func showThreads() error {
	if err := unix.Mkdir("/tmp/proc", 0o555); err != nil {
		return err
	}
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_RDONLY
	return unix.Mount("proc", "/tmp/proc", "proc", flags, "")
}
