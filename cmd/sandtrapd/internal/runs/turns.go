package runs

import (
	"context"
	"sync"
)

// A turns lets so many runs go on at a time. Of those that wait, each tenant has its first one go on in turn, so that one with many
// does not hold up another. It is safe for concurrent use.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting map[string][]chan struct{} // by tenant, the first to wait first; a turn is given by closing the channel
	order   []string                   // tenants with one that waits, the next one first
}

func newTurns(n int) *turns {
	return &turns{free: n, waiting: map[string][]chan struct{}{}}
}

// take waits for the turn of a run of a tenant. It is false if ctx has ended before.
func (t *turns) take(ctx context.Context, tenant string) bool {
	if ctx.Err() != nil {
		return false
	}
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return true
	}
	turn := make(chan struct{})
	if len(t.waiting[tenant]) == 0 {
		t.order = append(t.order, tenant)
	}
	t.waiting[tenant] = append(t.waiting[tenant], turn)
	t.mu.Unlock()
	select {
	case <-turn:
		return true
	case <-ctx.Done():
		if !t.giveUp(tenant, turn) { // it has come meanwhile
			t.give()
		}
		return false
	}
}

// queued is how many wait for their turn.
func (t *turns) queued() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, list := range t.waiting {
		n += len(list)
	}
	return n
}

// giveUp ends the wait for a turn. It is false if the turn was given.
func (t *turns) giveUp(tenant string, turn chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.waiting[tenant]
	for i, other := range list {
		if other == turn {
			t.keep(tenant, append(list[:i:i], list[i+1:]...))
			return true
		}
	}
	return false
}

// keep sets what waits of a tenant. The lock is held.
func (t *turns) keep(tenant string, list []chan struct{}) {
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

// give ends a turn.
func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.order) == 0 {
		t.free++
		return
	}
	tenant := t.order[0]
	t.order = append(t.order[1:], tenant)
	list := t.waiting[tenant]
	close(list[0])
	t.keep(tenant, list[1:])
}
