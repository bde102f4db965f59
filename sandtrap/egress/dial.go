package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"
)

// An addressError says that a host has only addresses to which requests of a rule may not go.
type addressError struct {
	host string
	ip   netip.Addr // the first one
	is   Special
}

func (e *addressError) Error() string { return e.reason() + ": " + wayForward(e.ip, e.is) }

func (e *addressError) reason() string {
	return fmt.Sprintf("%s has the address %s, which is %s", e.host, e.ip.Unmap(), e.is.Why)
}

// wantedBy is the key of the context of the request that a connection is made for.
type wantedBy struct{}

// connect connects to a host of a rule, with TLS if there is a config. It ends with the request that the connection is for: package
// net/http would go on when that is given up, and with many such requests the host would have no files left.
func (g *Gate) connect(ctx context.Context, r *rule, hostPort string, config *tls.Config) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, g.limits.FirstByte)
	defer cancel()
	defer context.AfterFunc(g.ctx, cancel)()
	if of, ok := ctx.Value(wantedBy{}).(context.Context); ok {
		defer context.AfterFunc(of, cancel)()
	}
	conn, err := g.dial(ctx, r, hostPort)
	if err != nil || config == nil {
		return conn, err
	}
	config = config.Clone()
	config.ServerName, _, err = net.SplitHostPort(hostPort)
	secure := tls.Client(conn, config)
	if err == nil {
		err = secure.HandshakeContext(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return secure, nil
}

// dial resolves a name once, and dials only addresses that it has checked.
func (g *Gate) dial(ctx context.Context, r *rule, hostPort string) (net.Conn, error) {
	a, err := Canonical(hostPort)
	if err != nil {
		return nil, err
	}
	addrs, err := g.addresses(ctx, &a)
	if err != nil {
		return nil, err
	}
	var open []netip.AddrPort
	var refused *addressError
	for _, ip := range addrs {
		if s, ok := r.opens(ip); ok {
			open = append(open, netip.AddrPortFrom(ip.Unmap(), a.Port))
		} else if refused == nil {
			refused = &addressError{a.Host, ip, s}
		}
	}
	if len(open) == 0 {
		return nil, refused
	}
	return g.race(ctx, open[:min(len(open), maxAttempts)])
}

// maxAttempts is how many addresses of a host are tried.
const maxAttempts = 8

// addresses are those of a host, at least one.
func (g *Gate) addresses(ctx context.Context, a *Address) ([]netip.Addr, error) {
	if ip, ok := a.IP(); ok {
		return []netip.Addr{ip}, nil
	}
	addrs, err := g.options.Resolve(ctx, a.Host)
	if err == nil && len(addrs) == 0 {
		err = &net.DNSError{Err: "no addresses", Name: a.Host, IsNotFound: true}
	}
	return addrs, err
}

// attemptTime is how long a connection may take before the next address is tried beside it.
const attemptTime = 250 * time.Millisecond

// race dials addresses in their order, each some time after the one before or when that has failed. The first connection is used.
func (g *Gate) race(ctx context.Context, addrs []netip.AddrPort) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type attempt struct {
		conn net.Conn
		err  error
	}
	done := make(chan attempt)
	var errs []error
	var next <-chan time.Time
	for running := 0; running > 0 || len(addrs) > 0; {
		if len(addrs) > 0 && (running == 0 || next == nil) {
			to := addrs[0]
			addrs, next, running = addrs[1:], time.After(attemptTime), running+1
			go func() {
				conn, err := g.options.Dial(ctx, to)
				select {
				case done <- attempt{conn, err}:
				case <-ctx.Done():
					if conn != nil {
						conn.Close()
					}
				}
			}()
		}
		select {
		case a := <-done:
			if a.err == nil {
				return a.conn, nil
			}
			running, next = running-1, nil
			errs = append(errs, a.err)
		case <-next:
			next = nil
		case <-ctx.Done():
			return nil, errors.Join(append(errs, ctx.Err())...)
		}
	}
	return nil, errors.Join(errs...)
}

// resolve asks the resolver of the system.
func resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if strings.Contains(host, ".") {
		host += "."
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// dial connects by TCP.
func dial(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", to.String())
}
