package isolate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// PoolLimits say how many workers a pool has, and for how long.
type PoolLimits struct {
	Size int // workers that are kept ready
	Max  int // workers in all

	// Idle is how long a worker waits for its tenant, or without one if there are more than
	// Size. Session is how long it serves its tenant; a busy one is ended at its Release.
	// Zero is forever.
	Idle, Session time.Duration
}

// ErrPoolClosed is returned by a pool that is closed.
var ErrPoolClosed = errors.New("isolate: the pool is closed")

// ErrPoolFull is returned by TryHire when all permitted workers are busy.
var ErrPoolFull = errors.New("isolate: all workers of the pool are busy")

// A Pool keeps workers ready. A worker that had a tenant serves only that tenant. Any number of
// goroutines may use it.
type Pool[W interface {
	comparable
	io.Closer
}] struct {
	limits PoolLimits
	start  func(context.Context) (W, error)
	warm   func(context.Context, W) error
	now    func() time.Time // the clock, but in tests

	mu      sync.Mutex
	members []*member[W] // those that are not gone
	queue   []*waiter[W] // the longest first
	served  int64        // times that a worker was hired
	forced  turn         // when a tenant that did not pause lost its place last
	tenants map[string]int
	closed  bool
	clock   *time.Timer
	rings   time.Time     // when clock does; zero if it does not
	change  chan struct{} // closed, and another made, when a member is gone or given back
	ctx     context.Context
	cancel  context.CancelFunc // of what is being started
}

// A member is a worker with what the pool knows of it.
type member[W any] struct {
	worker W
	state  state
	tenant string
	since  time.Time // the first hiring
	last   time.Time // since when it waits
	hired  int64     // the run of the pool that it does, or did last
}

// NewPool makes a pool of workers from start, and begins to start Size of them. warm prepares a worker
// before it has a tenant, unless one waits for it.
func NewPool[W interface {
	comparable
	io.Closer
}](limits PoolLimits, start func(context.Context) (W, error), warm func(context.Context, W) error) (*Pool[W], error) {
	if limits.Size < 0 || limits.Max < 1 || limits.Size > limits.Max {
		return nil, fmt.Errorf("isolate: a pool of %d workers, at most %d", limits.Size, limits.Max)
	}
	p := &Pool[W]{limits: limits, start: start, warm: warm, now: time.Now, tenants: map[string]int{}, change: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle()
	return p, nil
}

// Join adds a user of a tenant's name. Leave undoes one Join; the last Leave ends the
// workers of the tenant.
func (p *Pool[W]) Join(tenant string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tenants[tenant]++
}

// Leave undoes a Join.
func (p *Pool[W]) Leave(tenant string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tenants[tenant]--; p.tenants[tenant] > 0 {
		return
	}
	delete(p.tenants, tenant)
	for _, m := range p.members {
		if m.state == tainted && m.tenant == tenant {
			p.step(m, evicted)
		}
	}
	p.settle()
}

// Hire returns a worker for a tenant. If the pool has Max workers it waits for one, behind
// tenants that have none and earlier callers. Release returns it.
func (p *Pool[W]) Hire(ctx context.Context, tenant string) (W, error) {
	return p.hireOne(ctx, tenant, false)
}

// TryHire is Hire for callers that cannot wait for a Release: the error is ErrPoolFull instead. It may take an
// idle worker from another tenant.
func (p *Pool[W]) TryHire(ctx context.Context, tenant string) (W, error) {
	return p.hireOne(ctx, tenant, true)
}

// HireReady is Hire without waiting, not even for the start of a worker, and without taking a worker from
// another tenant; otherwise the error is ErrPoolFull.
func (p *Pool[W]) HireReady(tenant string) (worker W, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return worker, ErrPoolClosed
	}
	m := p.find(tainted, tenant)
	if m == nil {
		m = p.find(warm, "")
	}
	if m == nil {
		return worker, ErrPoolFull
	}
	was := m.state
	p.hire(m, &waiter[W]{tenant: tenant, got: make(chan hiring[W], 1)})
	if was == warm {
		p.settle()
	}
	return m.worker, nil
}

func (p *Pool[W]) hireOne(ctx context.Context, tenant string, urgent bool) (W, error) {
	var none W
	if err := ctx.Err(); err != nil {
		return none, err
	}
	w := &waiter[W]{tenant: tenant, urgent: urgent, got: make(chan hiring[W], 1)}
	p.mu.Lock()
	if err := p.refuses(urgent); err != nil {
		p.mu.Unlock()
		return none, err
	}
	p.enter(w)
	p.settle()
	p.mu.Unlock()
	select {
	case h := <-w.got:
		return h.worker, h.err
	case <-ctx.Done():
	}
	p.mu.Lock()
	p.drop(w)
	p.mu.Unlock()
	select {
	case h := <-w.got: // it came at the same time
		if h.err == nil {
			p.Release(h.worker, false)
		}
	default:
	}
	return none, ctx.Err()
}

// refuses is why nobody gets a worker now, if that is urgent. mu is held.
func (p *Pool[W]) refuses(urgent bool) error {
	switch {
	case p.closed:
		return ErrPoolClosed
	case urgent && p.count(busy)+len(p.queue) >= p.limits.Max:
		return ErrPoolFull
	}
	return nil
}

// Release returns a worker to the pool; one that failed, or must not be used again, is
// ended.
func (p *Pool[W]) Release(worker W, failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.members {
		if m.worker != worker || m.state != busy {
			continue
		}
		now := p.now()
		m.last = now
		switch {
		case failed:
			p.step(m, failing)
		case p.closed:
			p.step(m, drained)
		case p.tenants[m.tenant] == 0:
			p.step(m, evicted)
		case p.limits.Session > 0 && !now.Before(m.since.Add(p.limits.Session)):
			p.step(m, expired)
		default:
			p.step(m, returned)
		}
		p.settle()
		return
	}
}

// Close ends the pool. It waits for busy workers until ctx ends, then ends these, too, and
// returns when all are gone.
func (p *Pool[W]) Close(ctx context.Context) error {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		p.cancel()
		if p.clock != nil {
			p.clock.Stop()
		}
		for _, w := range p.queue {
			w.got <- hiring[W]{err: ErrPoolClosed}
		}
		p.queue = nil
		for _, m := range p.members {
			if m.state == warm || m.state == tainted {
				p.step(m, drained)
			}
		}
	}
	defer p.mu.Unlock()
	var late error
	done := ctx.Done()
	for len(p.members) > 0 {
		changed := p.change
		p.mu.Unlock()
		select {
		case <-changed:
			p.mu.Lock()
		case <-done:
			done, late = nil, ctx.Err()
			p.mu.Lock()
			for _, m := range p.members {
				if m.state == busy {
					p.step(m, drained)
				}
			}
		}
	}
	return late
}
