package isolate

import (
	"slices"
	"time"
)

// Who waits for a worker, and whose worker has to go for him. A worker cannot change its tenant, so to give
// a place to another costs the start of a worker, which is as much as many runs. So a tenant keeps its
// place while it comes again soon, and one that waits gets a place after so many runs of others,
// or after some time, whichever comes first.

// A waiter is one who wants a worker.
type waiter[W any] struct {
	tenant string
	urgent bool           // he must not wait for a worker that does something
	came   turn           // in the queue
	got    chan hiring[W] // has room
}

type hiring[W any] struct {
	worker W
	err    error
}

// A turn is a moment, in time and in runs of the pool.
type turn struct {
	at   time.Time
	runs int64
}

const (
	// linger is for how long a worker that has nothing to do is its tenant's alone: about as long as it takes to
	// start another, so that to wait in vain costs no more than to start in vain.
	linger = 10 * time.Millisecond

	// After so many runs, or so much time, one who waits gets the place of a tenant that does not pause. It
	// is the least between two such evictions, so what they cost is shared by as many runs.
	share  = 256
	unfair = 50 * time.Millisecond

	// One whose tenant has workers, which all do since before he came what they did then, is like one who has
	// none after so many times of that.
	stuck = 16
)

// What follows is done with mu held.

func (p *Pool[W]) moment() turn { return turn{p.now(), p.served} }

// enter puts w in the queue: those that are urgent are before the others.
func (p *Pool[W]) enter(w *waiter[W]) {
	w.came = p.moment()
	at := len(p.queue)
	if w.urgent {
		at = p.urgent()
	}
	p.queue = slices.Insert(p.queue, at, w)
}

// urgent is how many in the queue are.
func (p *Pool[W]) urgent() int {
	n := 0
	for n < len(p.queue) && p.queue[n].urgent {
		n++
	}
	return n
}

// next is the one in the queue who gets the next place: one who is urgent, else the first of a tenant that
// has no worker, or none that is ever free, else the first.
func (p *Pool[W]) next() *waiter[W] {
	for _, w := range p.queue {
		if w.urgent || !p.has(w.tenant) || p.isStuck(w) {
			return w
		}
	}
	return p.queue[0]
}

// isStuck reports that none of the workers of the tenant of w has been free for long.
func (p *Pool[W]) isStuck(w *waiter[W]) bool {
	if p.served-w.came.runs < stuck*share && p.now().Before(w.came.at.Add(stuck*unfair)) {
		return false
	}
	for _, m := range p.members {
		if m.tenant == w.tenant && m.state != dead && m.hired > w.came.runs {
			return false
		}
	}
	return true
}

// has reports that a worker is a tenant's.
func (p *Pool[W]) has(tenant string) bool {
	return p.find(busy, tenant) != nil || p.find(tainted, tenant) != nil
}

// coming is how many places there will soon be.
func (p *Pool[W]) coming() int { return p.count(spawning) + p.count(warm) + p.count(dead) }

// force takes the place of a tenant that has a worker again and again, if one waits for long enough.
func (p *Pool[W]) force() {
	if !p.isFull() {
		return
	}
	w := p.next()
	if p.served-max(w.came.runs, p.forced.runs) < share && p.now().Before(p.dueAt(w)) || p.find(tainted, w.tenant) != nil {
		return
	}
	if m := p.leastUsed(); m != nil {
		p.forced = p.moment()
		p.step(m, evicted)
	}
}

// isFull reports that somebody waits, and no place is coming.
func (p *Pool[W]) isFull() bool {
	return len(p.queue) > 0 && len(p.members) >= p.limits.Max && p.coming() == 0
}

// dueAt is when w has waited for long enough, since he came and since force did something last.
func (p *Pool[W]) dueAt(w *waiter[W]) time.Time {
	from := w.came.at
	if p.forced.at.After(from) {
		from = p.forced.at
	}
	return from.Add(unfair)
}

// evict takes places from tenants that pause, for those in the queue who have no worker and for whom none is
// coming, and from others for those of them that are urgent. One who has workers waits for these: else many
// at once would have one more each, and start workers instead of running.
func (p *Pool[W]) evict() {
	coming := p.coming()
	short, urgent := -coming, p.urgent()-coming
	for _, w := range p.queue {
		if w.urgent || !p.has(w.tenant) {
			short++
		}
	}
	for ; short > 0; short, urgent = short-1, urgent-1 {
		m := p.leastUsed()
		if m == nil || urgent <= 0 && p.now().Before(m.last.Add(linger)) {
			return
		}
		p.step(m, evicted)
	}
}

// evictsAt is when there is somebody to evict though nothing happens until then, false if that is never.
func (p *Pool[W]) evictsAt() (time.Time, bool) {
	m := p.leastUsed()
	if m == nil || !p.isFull() {
		return time.Time{}, false
	}
	w := p.next()
	at := p.dueAt(w)
	if pauses := m.last.Add(linger); !p.has(w.tenant) && pauses.Before(at) {
		at = pauses
	}
	return at, true
}
