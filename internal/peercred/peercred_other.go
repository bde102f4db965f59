//go:build !linux

package peercred

import (
	"errors"
	"fmt"
	"net"
	"runtime"
)

func of(*net.UnixConn) (Peer, error) {
	return Peer{}, fmt.Errorf("who is at the other end of a socket is not known on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}

const known = false
