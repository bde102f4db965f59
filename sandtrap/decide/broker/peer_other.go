//go:build !linux

package broker

import (
	"errors"
	"fmt"
	"net"
	"runtime"
)

// peer is not known here.
func peer(*net.UnixConn) (uid, gid int, err error) {
	return 0, 0, fmt.Errorf("who is at the other end of a socket is not known on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}
