package isolate

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// unread reports that the other end has not read all that was written to the socket.
func unread(socket *os.File) bool {
	return asked(socket, func(fd int) (int, error) { return unix.IoctlGetInt(fd, unix.SIOCOUTQ) }) > 0
}

// refused reports that the other end was closed before it had read all. The kernel says so once, to this or to
// who reads.
func refused(socket *os.File) bool {
	return asked(socket, func(fd int) (int, error) {
		return unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
	}) == int(unix.ECONNRESET)
}

// asked is what the kernel says of a socket, 0 if it says nothing.
func asked(socket *os.File, ask func(fd int) (int, error)) (n int) {
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Control(func(fd uintptr) { // unless it is closed
		if n, err = ask(int(fd)); err != nil {
			n = 0
		}
	})
	return n
}

// asleep reports that no thread runs, wants to run, or waits for the kernel.
func (s *seen) asleep() bool {
	return !slices.ContainsFunc(s.threads, func(its status) bool {
		state := its.value("State")
		return strings.HasPrefix(state, "R") || strings.HasPrefix(state, "D")
	})
}
