package isolate

import (
	"fmt"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/stack"
)

// What follows is done with mu held.

// step is the only place where a member's state changes. A dead one is ended and counts until
// it is gone: so there are never more processes than Max.
func (p *Pool[W]) step(m *member[W], on event) {
	to := m.state.next(on)
	if to == "" {
		panic(fmt.Sprintf("isolate: a worker that is %s was %s", m.state, on))
	}
	was := m.state
	m.state = to
	if to != dead {
		return
	}
	if was == spawning {
		p.gone(m) // there is nothing to end
		return
	}
	go func() {
		m.worker.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.gone(m)
		p.settle()
	}()
}

// gone forgets a member that is no more.
func (p *Pool[W]) gone(m *member[W]) {
	p.members = slices.DeleteFunc(p.members, func(o *member[W]) bool { return o == m })
	close(p.change)
	p.change = make(chan struct{})
}

// settle gives workers to those who wait, and starts and ends workers as that asks for. It is
// called after each change.
func (p *Pool[W]) settle() {
	if p.closed {
		return
	}
	p.force() // before a worker is its tenant's again
	p.serve()
	coming := p.count(spawning)
	wanted := len(p.queue) + max(0, p.limits.Size-p.count(warm))
	for ; coming < wanted && len(p.members) < p.limits.Max; coming++ {
		m := &member[W]{state: spawning}
		p.members = append(p.members, m)
		go p.spawn(m, len(p.queue) == 0)
	}
	p.evict()
	p.arm()
}

// serve gives those in the queue the workers that they had, and then those that nobody had.
func (p *Pool[W]) serve() {
	left := p.queue[:0]
	for _, w := range p.queue {
		if m := p.find(tainted, w.tenant); m != nil {
			p.hire(m, w)
			continue
		}
		left = append(left, w)
	}
	clear(p.queue[len(left):])
	p.queue = left
	for len(p.queue) > 0 {
		m := p.find(warm, "")
		if m == nil {
			return
		}
		w := p.next()
		p.drop(w)
		p.hire(m, w)
	}
}

// find is a worker in a state that is a tenant's, or nobody's; nil if there is none.
func (p *Pool[W]) find(s state, tenant string) *member[W] {
	for _, m := range p.members {
		if m.state == s && m.tenant == tenant {
			return m
		}
	}
	return nil
}

func (p *Pool[W]) hire(m *member[W], w *waiter[W]) {
	p.served++
	if m.state == warm {
		m.tenant, m.since = w.tenant, p.now()
	}
	m.hired = p.served
	p.step(m, hired)
	w.got <- hiring[W]{worker: m.worker}
}

func (p *Pool[W]) count(s state) int {
	n := 0
	for _, m := range p.members {
		if m.state == s {
			n++
		}
	}
	return n
}

// leastUsed is the tainted member that waits the longest, nil if there is none.
func (p *Pool[W]) leastUsed() *member[W] {
	var found *member[W]
	for _, m := range p.members {
		if m.state == tainted && (found == nil || m.last.Before(found.last)) {
			found = m
		}
	}
	return found
}

// drop takes a waiter from the queue.
func (p *Pool[W]) drop(w *waiter[W]) {
	p.queue = slices.DeleteFunc(p.queue, func(o *waiter[W]) bool { return o == w })
}

// lull is how long a worker that nobody waits for is not started: whoever took the one before has the
// processors for a moment.
const lull = 3 * time.Millisecond

// spawn starts the worker of m; mu is not held. If that fails, the one who waits the longest
// hears of it: to try again is for who comes next.
func (p *Pool[W]) spawn(m *member[W], later bool) {
	stack.Roomy()
	if later {
		time.Sleep(lull)
	}
	worker, err := p.start(p.ctx)
	if err == nil && !p.awaited() {
		if err = p.warm(p.ctx, worker); err != nil {
			worker.Close()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.step(m, failing)
		if len(p.queue) > 0 {
			w := p.next()
			p.drop(w)
			w.got <- hiring[W]{err: err}
			p.settle()
		}
		return
	}
	m.worker, m.last = worker, p.now()
	p.step(m, started)
	if p.closed {
		p.step(m, drained)
	}
	p.settle()
}

// awaited says that somebody waits for a worker; mu is not held.
func (p *Pool[W]) awaited() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue) > 0
}

// due is when a member that waits has waited long enough, false if that is never.
func (p *Pool[W]) due(m *member[W]) (time.Time, bool) {
	var at time.Time
	sooner := func(from time.Time, after time.Duration) {
		if end := from.Add(after); after > 0 && (at.IsZero() || end.Before(at)) {
			at = end
		}
	}
	switch m.state {
	case tainted:
		sooner(m.last, p.limits.Idle)
		sooner(m.since, p.limits.Session)
	case warm:
		if p.count(warm) > p.limits.Size {
			sooner(m.last, p.limits.Idle)
		}
	}
	return at, !at.IsZero()
}

// expire ends the members that are due.
func (p *Pool[W]) expire() {
	if p.closed {
		return
	}
	now := p.now()
	for _, m := range slices.Clone(p.members) {
		if at, ok := p.due(m); ok && !now.Before(at) {
			p.step(m, expired)
		}
	}
	p.settle()
}

// arm has the clock ring when the next member is due, or the next eviction, if it does not ring before that anyway.
func (p *Pool[W]) arm() {
	var first time.Time
	for _, m := range p.members {
		if at, ok := p.due(m); ok && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if at, ok := p.evictsAt(); ok && (first.IsZero() || at.Before(first)) {
		first = at
	}
	if first.IsZero() || !p.rings.IsZero() && !p.rings.After(first) {
		return
	}
	p.rings = first
	if p.clock != nil {
		p.clock.Stop()
	}
	p.clock = time.AfterFunc(first.Sub(p.now()), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.rings = time.Time{}
		p.expire()
	})
}
