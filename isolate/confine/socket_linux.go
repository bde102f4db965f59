package confine

import (
	"io"

	"golang.org/x/sys/unix"
)

// A Link is the socket to the host. It reads and writes with plain calls, which the
// filter knows by the number of the descriptor.
type Link struct{}

func (Link) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(Socket, p)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (Link) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		n, err := unix.Write(Socket, p[done:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}
