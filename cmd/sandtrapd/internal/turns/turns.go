// Package turns shares what few can have at a time between tenants.
//
// It may not know what a turn is for.
package turns

import (
	"context"
	"slices"
	"sync"
)

// Turns let so many go on at a time. Of those that wait, each tenant has its first one go on in turn, so that one with many
// does not hold up another. No tenant has the last one of several, however long it keeps the others. What nobody waits for comes
// after all else, and has half of the turns at most. They are safe for concurrent use.
type Turns struct {
	mu         sync.Mutex
	all        int
	free       int            // below 0 if more than there are were held
	had        map[string]int // by tenant
	background int            // of those that are had, taken by TakeBackground
	queues     [2]queue       // that of Take, and that of TakeBackground
}

// A queue is those that wait.
type queue struct {
	waiting map[string][]chan struct{} // by tenant, the first to wait first; a turn is given by closing the channel
	order   []string                   // tenants with one that waits, the next one first
}

// A class says who goes first: its queue.
type class int

const (
	foreground class = iota
	background
)

// New are n turns.
func New(n int) *Turns {
	t := &Turns{all: n, free: n, had: map[string]int{}}
	for i := range t.queues {
		t.queues[i].waiting = map[string][]chan struct{}{}
	}
	return t
}

// Resize sets how many turns there are. Those who have one keep it.
func (t *Turns) Resize(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free += n - t.all
	t.all = n
	for t.giveNext() {
	}
}

// Size is how many there are.
func (t *Turns) Size() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all
}

// may reports that a tenant may have one more turn now. The lock is held.
func (t *Turns) may(tenant string, c class) bool {
	return t.free > 0 && t.had[tenant] < max(1, t.all-1) && (c == foreground || t.background < max(1, t.all/2))
}

// Hold takes a turn of a tenant, whether there is one or not.
func (t *Turns) Hold(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.has(tenant, foreground)
}

// has counts a turn of a tenant. The lock is held.
func (t *Turns) has(tenant string, c class) {
	t.free--
	t.had[tenant]++
	if c == background {
		t.background++
	}
}

// Take waits for a turn of a tenant, which Give ends. It is false if ctx has ended before.
func (t *Turns) Take(ctx context.Context, tenant string) bool { return t.take(ctx, tenant, foreground) }

// TakeBackground is Take for what nobody waits for; GiveBackground ends the turn.
func (t *Turns) TakeBackground(ctx context.Context, tenant string) bool {
	return t.take(ctx, tenant, background)
}

func (t *Turns) take(ctx context.Context, tenant string, c class) bool {
	if ctx.Err() != nil {
		return false
	}
	t.mu.Lock()
	if t.may(tenant, c) {
		t.has(tenant, c)
		t.mu.Unlock()
		return true
	}
	turn := make(chan struct{})
	q := &t.queues[c]
	if len(q.waiting[tenant]) == 0 {
		q.order = append(q.order, tenant)
	}
	q.waiting[tenant] = append(q.waiting[tenant], turn)
	t.mu.Unlock()
	select {
	case <-turn:
		return true
	case <-ctx.Done():
		if !t.giveUp(tenant, c, turn) { // it has come meanwhile
			t.give(tenant, c)
		}
		return false
	}
}

// Queued is how many wait for their turn.
func (t *Turns) Queued() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, q := range t.queues {
		for _, list := range q.waiting {
			n += len(list)
		}
	}
	return n
}

// giveUp ends the wait for a turn. It is false if the turn was given.
func (t *Turns) giveUp(tenant string, c class, turn chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.queues[c].waiting[tenant]
	for i, other := range list {
		if other == turn {
			t.queues[c].keep(tenant, append(list[:i:i], list[i+1:]...))
			return true
		}
	}
	return false
}

// keep sets what waits of a tenant.
func (q *queue) keep(tenant string, list []chan struct{}) {
	if len(list) > 0 {
		q.waiting[tenant] = list
		return
	}
	delete(q.waiting, tenant)
	for i, name := range q.order {
		if name == tenant {
			q.order = append(q.order[:i:i], q.order[i+1:]...)
			return
		}
	}
}

// Give ends a turn of a tenant.
func (t *Turns) Give(tenant string) { t.give(tenant, foreground) }

// GiveBackground ends one that was taken by TakeBackground.
func (t *Turns) GiveBackground(tenant string) { t.give(tenant, background) }

func (t *Turns) give(tenant string, c class) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	if c == background {
		t.background--
	}
	if t.had[tenant]--; t.had[tenant] == 0 {
		delete(t.had, tenant)
	}
	t.giveNext()
}

// giveNext gives a turn to the next one that may have it. It is false if there is none. The lock is held.
func (t *Turns) giveNext() bool {
	for c := range t.queues {
		at := slices.IndexFunc(t.queues[c].order, func(tenant string) bool { return t.may(tenant, class(c)) })
		if at >= 0 {
			t.next(class(c), at)
			return true
		}
	}
	return false
}

// next gives a turn to the first one of a tenant, who comes last in the order from then on. The lock is held.
func (t *Turns) next(c class, at int) {
	q := &t.queues[c]
	tenant := q.order[at]
	q.order = append(slices.Delete(q.order, at, at+1), tenant)
	list := q.waiting[tenant]
	t.has(tenant, c)
	close(list[0])
	q.keep(tenant, list[1:])
}
