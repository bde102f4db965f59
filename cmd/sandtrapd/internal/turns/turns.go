// Package turns shares what few can have at a time between tenants.
//
// It may not know what a turn is for.
package turns

import (
	"cmp"
	"container/heap"
	"container/list"
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Turns let so many go on at a time. Those that wait go on in turn of their tenants, one of each or as many as its weight says, so that one with
// many does not hold up another. No tenant has the last one of several, however long it keeps the others. What nobody waits for comes after all
// else, has half of the turns at most, and gives way where others come. They are safe for concurrent use.
type Turns struct {
	mu     sync.Mutex
	all    int
	free   int // below 0 if more than there are were held
	queued int
	weight func(tenant string) int
	had    map[string]int // by tenant, of both lines
	lines  [2]line        // that of Take, and that of TakeBackground
	yield  yield
}

// A class says who goes first: its line.
type class int

const (
	foreground class = iota
	background
)

// A waiter waits for a turn, which is given by closing the channel.
type waiter struct {
	turn  chan struct{}
	since time.Time
}

// New are n turns.
func New(n int) *Turns {
	t := &Turns{all: n, free: n, weight: func(string) int { return 1 }, had: map[string]int{}}
	for c := range t.lines {
		t.lines[c].tenants = map[string]*tenant{}
	}
	return t
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
func (t *Turns) may(name string, c class) bool {
	return t.room(c) && t.had[name] < max(1, t.all-1)
}

// room reports that there is a turn for a class. The lock is held.
func (t *Turns) room(c class) bool {
	return t.free > 0 && (c == foreground || t.starves() || t.roomBehind(t.lines[c].had))
}

// Hold takes a turn of a tenant, whether there is one or not.
func (t *Turns) Hold(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.has(t.lines[foreground].of(name), foreground)
}

// has counts a turn of a tenant. The lock is held.
func (t *Turns) has(q *tenant, c class) {
	t.free--
	t.had[q.name]++
	t.lines[c].has(q, t.weight(q.name))
	t.saw(c, false)
}

// Take waits for a turn of a tenant, which Give ends. It is false if ctx has ended before.
func (t *Turns) Take(ctx context.Context, name string) bool { return t.take(ctx, name, foreground) }

// TakeBackground is Take for what nobody waits for; GiveBackground ends the turn.
func (t *Turns) TakeBackground(ctx context.Context, name string) bool {
	return t.take(ctx, name, background)
}

func (t *Turns) take(ctx context.Context, name string, c class) bool {
	if ctx.Err() != nil {
		return false
	}
	at := t.enter(name, c)
	if at == nil {
		return true
	}
	select {
	case <-at.Value.(waiter).turn:
		return true
	case <-ctx.Done():
		if !t.giveUp(name, c, at) { // it has come meanwhile
			t.give(name, c)
		}
		return false
	}
}

// enter takes a turn, or the last place among those of the tenant that wait: it is a waiter.
func (t *Turns) enter(name string, c class) *list.Element {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := &t.lines[c]
	q := l.of(name)
	if t.may(name, c) {
		t.has(q, c)
		return nil
	}
	t.queued++
	if c == background && len(l.order) == 0 && l.had == 0 {
		t.yield.had = time.Now()
	}
	at := q.waiting.PushBack(waiter{make(chan struct{}), time.Now()})
	if q.waiting.Len() == 1 {
		q.next = max(q.next, l.now) // what it did not use before is not made up for
		l.push(q)
	}
	t.look()
	return at
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
	by := map[string]Waiting{}
	for c := range t.lines {
		for _, q := range t.lines[c].order {
			one, since := by[q.name], q.waiting.Front().Value.(waiter).since
			if one.N == 0 || since.Before(one.Since) {
				one.Since = since
			}
			by[q.name] = Waiting{q.name, one.N + q.waiting.Len(), one.Since}
		}
	}
	return slices.SortedFunc(maps.Values(by), func(a, b Waiting) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Tenant, b.Tenant)) })
}

// giveUp ends the wait for a turn. It is false if the turn was given.
func (t *Turns) giveUp(name string, c class, at *list.Element) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-at.Value.(waiter).turn:
		return false
	default:
	}
	t.queued--
	t.lines[c].leave(name, at)
	return true
}

// Give ends a turn of a tenant.
func (t *Turns) Give(name string) { t.give(name, foreground) }

// GiveBackground ends one that was taken by TakeBackground.
func (t *Turns) GiveBackground(name string) { t.give(name, background) }

func (t *Turns) give(name string, c class) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	if t.had[name]--; t.had[name] == 0 {
		delete(t.had, name)
	}
	t.lines[c].give(name)
	t.saw(c, true)
	t.giveNext()
	t.look()
}

// giveNext gives a turn to the next one that may have it. It is false if there is none. The lock is held.
func (t *Turns) giveNext() bool {
	if t.starves() && t.giveIn(background) {
		return true
	}
	return t.giveIn(foreground) || t.giveIn(background)
}

func (t *Turns) giveIn(c class) bool {
	l := &t.lines[c]
	var passed []*tenant // they have all turns but one: there are two at most
	defer func() {
		for _, q := range passed {
			heap.Push(&l.order, q)
		}
	}()
	for t.room(c) && len(l.order) > 0 {
		q := heap.Pop(&l.order).(*tenant)
		if !t.may(q.name, c) {
			passed = append(passed, q)
			continue
		}
		t.has(q, c)
		t.queued--
		close(q.waiting.Remove(q.waiting.Front()).(waiter).turn)
		if q.waiting.Len() > 0 {
			l.push(q)
		}
		return true
	}
	return false
}
