package egress

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// Bounds of connections that wait for another request.
const (
	maxPools = 128 // of a gate
	maxIdle  = 4   // of a pool
	idleTime = 30 * time.Second
)

// A poolKey says who may use a connection: requests of one tenant that one rule allows.
type poolKey struct {
	tenant string
	rule   *rule
}

// pools are the connections of a gate.
type pools struct {
	mu    sync.Mutex
	clock int64
	all   map[poolKey]*pool
}

type pool struct {
	transport *http.Transport
	used      int64 // by the clock of pools
}

// transport makes requests of a tenant that a rule allows.
func (g *Gate) transport(tenant string, r *rule) *http.Transport {
	p := &g.pools
	p.mu.Lock()
	defer p.mu.Unlock()
	key := poolKey{tenant, r}
	if p.all[key] == nil {
		if len(p.all) >= maxPools {
			p.drop()
		}
		if p.all == nil {
			p.all = map[poolKey]*pool{}
		}
		p.all[key] = &pool{transport: g.newTransport(r)}
	}
	p.clock++
	p.all[key].used = p.clock
	return p.all[key].transport
}

// drop closes the pool that was not used for the longest time.
func (p *pools) drop() {
	var oldest poolKey
	least := p.clock + 1
	for key, one := range p.all {
		if one.used < least {
			oldest, least = key, one.used
		}
	}
	p.all[oldest].transport.CloseIdleConnections()
	delete(p.all, oldest)
}

func (p *pools) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.all {
		one.transport.CloseIdleConnections()
	}
	clear(p.all)
}

func (g *Gate) newTransport(r *rule) *http.Transport {
	t := &http.Transport{
		Proxy:                  nil, // those of the environment are for the host
		DialContext:            func(ctx context.Context, _, addr string) (net.Conn, error) { return g.connect(ctx, r, addr, nil) },
		TLSClientConfig:        &tls.Config{RootCAs: g.options.Roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerConnection: 1 << 20, MaxReceiveBufferPerStream: 256 << 10},
		DisableCompression:     true, // the gate counts what a body becomes
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdle,
		IdleConnTimeout:        idleTime,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: g.limits.Header,
	}
	t.DialTLSContext = func(ctx context.Context, _, addr string) (net.Conn, error) {
		return g.connect(ctx, r, addr, t.TLSClientConfig) // to which t has added its protocols
	}
	return t
}
