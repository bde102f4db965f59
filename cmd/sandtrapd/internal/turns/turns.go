// Package turns shares what few can have at a time between tenants.
//
// It may not know what a turn is for.
package turns

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Turns let so many go on at a time. Of those that wait, each tenant has its first one go on in turn, so that one with many
// does not hold up another. No tenant has the last one of several, however long it keeps the others. They are safe for concurrent use.
type Turns struct {
	mu      sync.Mutex
	all     int
	free    int                 // below 0 if more than there are were held
	had     map[string]int      // by tenant
	waiting map[string][]waiter // by tenant, the first to wait first
	order   []string            // tenants with one that waits, the next one first
}

// A waiter waits for a turn, which is given by closing the channel.
type waiter struct {
	turn  chan struct{}
	since time.Time
}

// New are n turns.
func New(n int) *Turns {
	return &Turns{all: n, free: n, had: map[string]int{}, waiting: map[string][]waiter{}}
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
func (t *Turns) may(tenant string) bool { return t.free > 0 && t.had[tenant] < max(1, t.all-1) }

// Hold takes a turn of a tenant, whether there is one or not.
func (t *Turns) Hold(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.has(tenant)
}

// has counts a turn of a tenant. The lock is held.
func (t *Turns) has(tenant string) {
	t.free--
	t.had[tenant]++
}

// Take waits for a turn of a tenant, which Give ends. It is false if ctx has ended before.
func (t *Turns) Take(ctx context.Context, tenant string) bool {
	if ctx.Err() != nil {
		return false
	}
	t.mu.Lock()
	if t.may(tenant) {
		t.has(tenant)
		t.mu.Unlock()
		return true
	}
	turn := make(chan struct{})
	if len(t.waiting[tenant]) == 0 {
		t.order = append(t.order, tenant)
	}
	t.waiting[tenant] = append(t.waiting[tenant], waiter{turn, time.Now()})
	t.mu.Unlock()
	select {
	case <-turn:
		return true
	case <-ctx.Done():
		if !t.giveUp(tenant, turn) { // it has come meanwhile
			t.Give(tenant)
		}
		return false
	}
}

// Queued is how many wait for their turn.
func (t *Turns) Queued() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, list := range t.waiting {
		n += len(list)
	}
	return n
}

// Waiting is how many of a tenant wait, and since when the first of them does.
type Waiting struct {
	Tenant string
	N      int
	Since  time.Time
}

// Waiting are the tenants of those that wait, the one that has waited longest first.
func (t *Turns) Waiting() []Waiting {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]Waiting, 0, len(t.waiting))
	for tenant, list := range t.waiting {
		all = append(all, Waiting{tenant, len(list), list[0].since})
	}
	slices.SortFunc(all, func(a, b Waiting) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Tenant, b.Tenant)) })
	return all
}

// giveUp ends the wait for a turn. It is false if the turn was given.
func (t *Turns) giveUp(tenant string, turn chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.waiting[tenant]
	for i, other := range list {
		if other.turn == turn {
			t.keep(tenant, append(list[:i:i], list[i+1:]...))
			return true
		}
	}
	return false
}

// keep sets what waits of a tenant. The lock is held.
func (t *Turns) keep(tenant string, list []waiter) {
	if len(list) > 0 {
		t.waiting[tenant] = list
		return
	}
	delete(t.waiting, tenant)
	for i, name := range t.order {
		if name == tenant {
			t.order = append(t.order[:i:i], t.order[i+1:]...)
			return
		}
	}
}

// Give ends a turn of a tenant.
func (t *Turns) Give(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	if t.had[tenant]--; t.had[tenant] == 0 {
		delete(t.had, tenant)
	}
	t.giveNext()
}

// giveNext gives a turn to the next one that may have it. It is false if there is none. The lock is held.
func (t *Turns) giveNext() bool {
	at := slices.IndexFunc(t.order, t.may)
	if at < 0 {
		return false
	}
	t.next(at)
	return true
}

// next gives a turn to the first one of a tenant, who comes last in the order from then on. The lock is held.
func (t *Turns) next(at int) {
	tenant := t.order[at]
	t.order = append(slices.Delete(t.order, at, at+1), tenant)
	list := t.waiting[tenant]
	t.has(tenant)
	close(list[0].turn)
	t.keep(tenant, list[1:])
}
