package cluster

import (
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A connection whose other end has been silent for so many pings is given up, on both sides: within noneFor, so that jobs that are sent into it
// find another worker in time.
const (
	pingEach = 2 * time.Second
	maxPings = 3
)

// A Conn is a connection to servers of NATS.
type Conn = nats.Conn

// A Link says how servers of NATS are reached.
type Link struct {
	URL      string
	Identity *Identity // nil: the URL has the user
	CA       string    // file of the authority that signs the certificates of the servers; empty: one that this machine trusts
	Out      func()    // is called when the cluster lets the key in no more, and the connection has ended for good; nil for nobody
}

// A connection that ends soon after it began, so many times, is ended by somebody: the server does so when another process has the key.
const (
	soon     = 2 * time.Second
	maxSoons = 5
)

// An uptime is of a connection that ends and begins.
type uptime struct {
	mu    sync.Mutex
	began time.Time
	soons int
}

// begins notes that the connection is there.
func (u *uptime) begins() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.began = time.Now()
}

// ends notes that it has ended, and reports each maxSoons times that it was soon.
func (u *uptime) ends() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if time.Since(u.began) > soon {
		u.soons = 0
	}
	u.soons++
	return u.soons%maxSoons == 0
}

// Connect connects, and again for as long as it takes when the servers are gone.
func (l *Link) Connect(log *slog.Logger) (*Conn, error) {
	up := &uptime{began: time.Now()}
	name := ""
	if l.Identity != nil {
		name = l.Identity.Name
	}
	o := []nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond), nats.Timeout(5 * time.Second),
		nats.PingInterval(pingEach), nats.MaxPingsOutstanding(maxPings),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err == nil { // this process has ended it
				return
			}
			log.Warn("the cluster is gone: this process connects again as soon as it is there", "url", redacted(l.URL), "error", err)
			if up.ends() {
				log.Error("the cluster ends the connection again and again: has another process the key too?", "name", name)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			up.begins()
			log.Info("the cluster is there again", "url", c.ConnectedUrlRedacted())
		}),
		nats.ClosedHandler(func(c *nats.Conn) {
			if err := c.LastError(); errors.Is(err, nats.ErrAuthorization) {
				log.Error("the cluster lets this process in no more: its key was removed", "name", name)
				if l.Out != nil {
					l.Out()
				}
			}
		}),
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
		return nil, fmt.Errorf("the cluster at %s: %w%s", redacted(l.URL), err, hint(err))
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
	if errors.Is(err, nats.ErrNoServers) {
		return ": nothing answers there: is NATS, or the server with --cluster embedded and --cluster-listen, started, and can this machine reach it?"
	}
	return ""
}

// redacted is the URLs of a cluster, separated by commas, without what they have of secrets.
func redacted(urls string) string {
	list := strings.Split(urls, ",")
	for i, one := range list {
		one = strings.TrimSpace(one)
		scheme, at, ok := strings.Cut(one, "://")
		if !ok {
			scheme, at = "nats", one
		}
		list[i] = scheme + "://" + at[strings.LastIndex(at, "@")+1:]
	}
	return strings.Join(list, ",")
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
