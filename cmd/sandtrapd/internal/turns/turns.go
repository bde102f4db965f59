// Package turns shares what few can have at a time between tenants.
//
// It may not know what a turn is for.
package turns

import (
	"container/heap"
	"container/list"
	"context"
	"sync"
)

// Turns let so many go on at a time. Those that wait go on in turn of their tenants, one of each or as many as its weight says, so that one with
// many does not hold up another. No tenant has the last one of several, however long it keeps the others. They are safe for concurrent use.
type Turns struct {
	mu      sync.Mutex
	all     int
	free    int // below 0 if more than there are were held
	queued  int
	weight  func(tenant string) int
	tenants map[string]*tenant // that have turns, or wait for some
	order   order              // of those that wait
	now     float64            // the turn that was given last was one of this number
	entries uint64
}

// New are n turns.
func New(n int) *Turns {
	return &Turns{all: n, free: n, weight: func(string) int { return 1 }, tenants: map[string]*tenant{}}
}

// Weigh has tenants get as many turns, while others wait too, as their weights say, which are 1 or more. It is called before the first turn is taken.
func (t *Turns) Weigh(weight func(tenant string) int) { t.weight = weight }

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

// Queued is how many wait for their turn.
func (t *Turns) Queued() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.queued
}

// may reports that a tenant may have one more turn now. The lock is held.
func (t *Turns) may(q *tenant) bool { return t.free > 0 && q.had < max(1, t.all-1) }

// of is a tenant. The lock is held.
func (t *Turns) of(name string) *tenant {
	q := t.tenants[name]
	if q == nil {
		q = &tenant{name: name, next: t.now}
		t.tenants[name] = q
	}
	return q
}

// forget forgets a tenant that has no turn, and waits for none. The lock is held.
func (t *Turns) forget(q *tenant) {
	if q.had == 0 && q.waiting.Len() == 0 {
		delete(t.tenants, q.name)
	}
}

// Hold takes a turn of a tenant, whether there is one or not.
func (t *Turns) Hold(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.has(t.of(name))
}

// has counts a turn of a tenant. The lock is held.
func (t *Turns) has(q *tenant) {
	t.free--
	q.had++
	t.now = max(t.now, q.next)
	q.next = t.now + 1/float64(max(1, t.weight(q.name)))
}

// Take waits for a turn of a tenant, which Give ends. It is false if ctx has ended before.
func (t *Turns) Take(ctx context.Context, name string) bool {
	if ctx.Err() != nil {
		return false
	}
	at := t.enter(name)
	if at == nil {
		return true
	}
	turn := at.Value.(chan struct{})
	select {
	case <-turn:
		return true
	case <-ctx.Done():
		if !t.giveUp(name, at) { // it has come meanwhile
			t.Give(name)
		}
		return false
	}
}

// enter takes a turn, or the last place among those of the tenant that wait: it is a channel that is closed when the turn comes.
func (t *Turns) enter(name string) *list.Element {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.of(name)
	if t.may(q) {
		t.has(q)
		return nil
	}
	t.queued++
	at := q.waiting.PushBack(make(chan struct{}))
	if q.waiting.Len() == 1 {
		q.next = max(q.next, t.now) // what it did not use before is not made up for
		t.push(q)
	}
	return at
}

// push has a tenant wait behind those that come at the same time. The lock is held.
func (t *Turns) push(q *tenant) {
	t.entries++
	q.entry = t.entries
	heap.Push(&t.order, q)
}

// giveUp ends the wait for a turn. It is false if the turn was given.
func (t *Turns) giveUp(name string, at *list.Element) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-at.Value.(chan struct{}):
		return false
	default:
	}
	t.queued--
	q := t.tenants[name]
	if q.waiting.Remove(at); q.waiting.Len() == 0 {
		heap.Remove(&t.order, q.at)
		t.forget(q)
	}
	return true
}

// Give ends a turn of a tenant.
func (t *Turns) Give(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	q := t.tenants[name]
	q.had--
	t.forget(q)
	t.giveNext()
}

// giveNext gives a turn to the next one that may have it. It is false if there is none. The lock is held.
func (t *Turns) giveNext() bool {
	var passed []*tenant // they have all turns but one: there are two at most
	defer func() {
		for _, q := range passed {
			heap.Push(&t.order, q)
		}
	}()
	for t.free > 0 && len(t.order) > 0 {
		q := heap.Pop(&t.order).(*tenant)
		if !t.may(q) {
			passed = append(passed, q)
			continue
		}
		t.has(q)
		t.queued--
		first := q.waiting.Front()
		close(q.waiting.Remove(first).(chan struct{}))
		if q.waiting.Len() > 0 {
			t.push(q)
		}
		return true
	}
	return false
}
