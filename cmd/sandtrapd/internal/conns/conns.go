// Package conns bounds the connections of a server: all of them, and those on which no request with a key goes on, of all clients and of
// each address. So who has no key leaves room for others.
//
// It may not know what a key is: who has checked one says so.
package conns

import (
	"context"
	"net"
	"net/netip"
	"sync"

	"golang.org/x/net/netutil"
)

// Bounds are how many connections may be open at a time.
type Bounds struct {
	All     int // further ones wait until another one ends
	Keyless int // on which no request with a key goes on: further ones are closed
	Address int // of those, from one address, or one network of IPv6 with 64 bits
}

// Of are the bounds of a server that may have so many connections.
func Of(all int) Bounds { return Bounds{All: all, Keyless: max(1, all*3/4), Address: max(1, all/2)} }

// A listener accepts connections within bounds.
type listener struct {
	net.Listener
	bounds Bounds

	mu      sync.Mutex
	keyless int
	from    map[netip.Prefix]int // of those, by where they come from
}

// Listen bounds the connections that l accepts.
func Listen(l net.Listener, b Bounds) net.Listener {
	return &listener{Listener: netutil.LimitListener(l, b.All), bounds: b, from: map[netip.Prefix]int{}}
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: inner, of: l, from: network(inner.RemoteAddr())}
		if l.admits(c) {
			return c, nil
		}
		_ = inner.Close() // the client sees it
	}
}

// network is where an address is from.
func network(a net.Addr) netip.Prefix {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Prefix{} // all others are one
	}
	addr := at.Addr().Unmap().WithZone("")
	return netip.PrefixFrom(addr, min(64, addr.BitLen())).Masked()
}

// admits counts a connection that begins, unless there are too many.
func (l *listener) admits(c *conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keyless >= l.bounds.Keyless || l.from[c.from] >= l.bounds.Address {
		return false
	}
	l.count(c, 1)
	return true
}

// count counts a connection without a key, or one less. The lock is held.
func (l *listener) count(c *conn, n int) {
	l.keyless += n
	if l.from[c.from] += n; l.from[c.from] == 0 {
		delete(l.from, c.from)
	}
}

// A conn is a connection that is counted.
type conn struct {
	net.Conn
	of   *listener
	from netip.Prefix

	keyed, closed bool // the lock of the listener is held
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.of.mu.Lock()
	if !c.closed && !c.keyed {
		c.of.count(c, -1)
	}
	c.closed = true
	c.of.mu.Unlock()
	return c.Conn.Close()
}

type contextKey struct{}

// Context is for http.Server.ConnContext.
func Context(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// Keyed notes that a request whose context it gets has a key, until end is called. A connection has one request at a time.
func Keyed(ctx context.Context) (end func()) {
	c, ok := ctx.Value(contextKey{}).(*conn)
	if !ok {
		return func() {}
	}
	c.setKeyed(true)
	return func() { c.setKeyed(false) }
}

func (c *conn) setKeyed(is bool) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.keyed == is {
		return
	}
	if c.keyed = is; c.closed {
		return
	}
	if is {
		c.of.count(c, -1)
	} else {
		c.of.count(c, 1)
	}
}
