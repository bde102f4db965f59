package peercred

import (
	"net"

	"golang.org/x/sys/unix"
)

func of(c *net.UnixConn) (Peer, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return Peer{}, err
	}
	var its *unix.Ucred
	if e := raw.Control(func(fd uintptr) { its, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); e != nil {
		return Peer{}, e
	}
	if err != nil {
		return Peer{}, err
	}
	return Peer{int(its.Pid), int(its.Uid), int(its.Gid)}, nil
}

const known = true
