package cluster

import (
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// A Conn is a connection to servers of NATS.
type Conn = nats.Conn

// A Link says how servers of NATS are reached.
type Link struct {
	URL      string
	Identity *Identity // nil: the URL has the user
	CA       string    // file of the authority that signs the certificates of the servers; empty: one that this machine trusts
}

// Connect connects, and again for as long as it takes when the servers are gone.
func (l *Link) Connect(log *slog.Logger) (*Conn, error) {
	o := []nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond), nats.Timeout(5 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { log.Warn("the cluster is gone", "error", err) }),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("the cluster is there again") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Error("cluster", "error", err) }),
	}
	if l.Identity != nil {
		o = append(o, nats.Name(l.Identity.Name), l.Identity.option())
	}
	if l.CA != "" {
		o = append(o, nats.RootCAs(l.CA)) // which has TLS be needed
	}
	conn, err := nats.Connect(l.URL, o...)
	if err != nil {
		return nil, fmt.Errorf("the cluster: %w%s", err, hint(err))
	}
	if _, err := conn.TLSConnectionState(); err != nil && !near(conn.ConnectedUrl()) {
		log.Warn("the connection to the cluster has no TLS: others can read scripts and change outcomes on the way", "url", conn.ConnectedUrlRedacted())
	}
	return conn, nil
}

// hint says what to do about an error.
func hint(err error) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return ": --cluster-ca names the file of an authority of your own"
	}
	if errors.Is(err, nats.ErrSecureConnWanted) {
		return ": the server has no TLS, and tls:// or --cluster-ca asks for it"
	}
	if errors.Is(err, nats.ErrNkeysNotSupported) {
		return ": the server lets in everybody: give it the public keys of workers and fronts"
	}
	if errors.Is(err, nats.ErrAuthorization) {
		return ": the server does not know the key: \"sandtrapd cluster list\" says which it knows"
	}
	return ""
}

// near reports whether a URL is one of this machine.
func near(url string) bool {
	_, at, _ := strings.Cut(url, "://")
	host, _, err := net.SplitHostPort(at[strings.LastIndex(at, "@")+1:])
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
