// Package peercred asks the kernel which process is at the other end of a unix socket.
//
// It may not decide whom to serve, or send anything.
package peercred

import "net"

// A Peer is a process at the other end of a socket, as it was when it connected, or when it began to listen. Of a process that the
// namespaces of this one do not show, PID is 0.
type Peer struct{ PID, UID, GID int }

// Known says that this system tells who is at the other end.
const Known = known

// Of is the process at the other end of a connection. Where the system does not say, the error is errors.ErrUnsupported.
func Of(c *net.UnixConn) (Peer, error) { return of(c) }
