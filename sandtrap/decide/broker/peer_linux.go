package broker

import (
	"net"

	"golang.org/x/sys/unix"
)

// peer is the user and group of the process at the other end, as the kernel noted them when it listened or connected.
func peer(c *net.UnixConn) (uid, gid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var its *unix.Ucred
	if e := raw.Control(func(fd uintptr) { its, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); e != nil {
		return 0, 0, e
	}
	if err != nil {
		return 0, 0, err
	}
	return int(its.Uid), int(its.Gid), nil
}
