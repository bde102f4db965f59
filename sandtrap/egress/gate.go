package egress

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// Options are what a Gate gets from its host. The zero Options are for the internet.
type Options struct {
	// Resolve finds the addresses of a canonical name; nil asks the resolver of the system. A name of several labels ends with a
	// dot then, so that no search domain is tried.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)

	// Dial connects to an address that the gate has checked; nil dials TCP.
	Dial func(ctx context.Context, to netip.AddrPort) (net.Conn, error)

	// Clock is the time of events, and that in which tenants get new quotas; nil is time.Now.
	Clock func() time.Time

	// Roots are the certificates that servers are verified by; nil are those of the system.
	Roots *x509.CertPool

	// Decide is asked about each request that the rules allow, with its context, before its name is resolved. An error refuses
	// it: a *decide.Denied as it is, any other as its reason.
	Decide func(ctx context.Context, e Event) error

	// Observe is told of all events. It is called from any goroutine, also while a response is read.
	Observe func(Event)
}

// ErrClosed is the error of requests of a run, or a gate, that is closed.
var ErrClosed = errors.New("egress: the run is over")

// A Gate makes the requests that a policy allows. It is safe for concurrent use.
type Gate struct {
	rules   *ruleset
	limits  Limits
	secrets *secrets
	options Options
	ctx     context.Context
	close   context.CancelFunc
	pools   pools

	mu      sync.Mutex
	tenants map[string]*meter
}

// New checks a policy. Its errors name each rule that is wrong.
func New(p Policy, o Options) (*Gate, error) {
	limits, err := p.Limits.filled()
	rules, wrong := compile(&p)
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	secrets, err := compileSecrets(p.Secrets, rules)
	if err != nil {
		return nil, err
	}
	if o.Resolve == nil {
		o.Resolve = resolve
	}
	if o.Dial == nil {
		o.Dial = dial
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	g := &Gate{rules: rules, limits: limits, secrets: secrets, options: o, tenants: map[string]*meter{}}
	g.ctx, g.close = context.WithCancel(context.Background())
	return g, nil
}

// Close ends all requests, and closes connections: one of HTTP/2 whose requests it ends closes within 30 seconds.
func (g *Gate) Close() error {
	g.close()
	g.pools.close()
	return nil
}

// Begin begins a run on behalf of s. Its requests count for its tenant too; a tenant shares connections with no other one.
func (g *Gate) Begin(s decide.Subject) *Run {
	r := &Run{gate: g, subject: s, meters: meters{{of: "run", max: g.limits.Run}, g.tenant(s.Tenant)}}
	r.ctx, r.close = context.WithCancel(g.ctx)
	return r
}

// tenant is the meter of a tenant. Those that have nothing to remember are forgotten.
func (g *Gate) tenant(name string) *meter {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.options.Clock()
	if g.tenants[name] == nil {
		for other, m := range g.tenants {
			if m.runs == 0 && m.idle(now) {
				delete(g.tenants, other)
			}
		}
		g.tenants[name] = &meter{of: "tenant", max: g.limits.Tenant, since: now}
	}
	g.tenants[name].runs++
	return g.tenants[name]
}

// leave says that a run of a tenant is over.
func (g *Gate) leave(m *meter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	m.runs--
}
