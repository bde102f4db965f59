package turns

import (
	"container/heap"
	"container/list"
)

// A line is the tenants of a class.
type line struct {
	tenants map[string]*tenant // that have turns, or wait for some
	order   order              // of those that wait
	now     float64            // the turn that was given last was one of this number
	had     int
	entries uint64
}

// of is a tenant.
func (l *line) of(name string) *tenant {
	q := l.tenants[name]
	if q == nil {
		q = &tenant{name: name, next: l.now}
		l.tenants[name] = q
	}
	return q
}

// push has a tenant wait behind those that come at the same time.
func (l *line) push(q *tenant) {
	l.entries++
	q.entry = l.entries
	heap.Push(&l.order, q)
}

// has counts a turn of a tenant.
func (l *line) has(q *tenant, weight int) {
	l.had++
	q.had++
	l.now = max(l.now, q.next)
	q.next = l.now + 1/float64(max(1, weight))
}

// give counts that a turn has ended.
func (l *line) give(name string) {
	l.had--
	q := l.tenants[name]
	q.had--
	l.forget(q)
}

// leave takes one that waits out.
func (l *line) leave(name string, at *list.Element) {
	q := l.tenants[name]
	if q.waiting.Remove(at); q.waiting.Len() == 0 {
		heap.Remove(&l.order, q.at)
		l.forget(q)
	}
}

// forget forgets a tenant that has no turn, and waits for none.
func (l *line) forget(q *tenant) {
	if q.had == 0 && q.waiting.Len() == 0 {
		delete(l.tenants, q.name)
	}
}

// A tenant has turns, or waits for some.
type tenant struct {
	name    string
	had     int
	waiting list.List // of waiter, the first to wait first
	next    float64   // the number of its next turn: it grows by one over the weight with each, and who has the least comes first
	entry   uint64    // of its place in the order, for those of one number
	at      int       // in the order
}

// An order is a heap of tenants that wait: the first one comes next.
type order []*tenant

func (o order) Len() int { return len(o) }

func (o order) Less(i, j int) bool {
	return o[i].next < o[j].next || o[i].next == o[j].next && o[i].entry < o[j].entry
}

func (o order) Swap(i, j int) {
	o[i], o[j] = o[j], o[i]
	o[i].at, o[j].at = i, j
}

func (o *order) Push(x any) {
	q := x.(*tenant)
	q.at = len(*o)
	*o = append(*o, q)
}

func (o *order) Pop() any {
	last := len(*o) - 1
	q := (*o)[last]
	(*o)[last] = nil
	*o = (*o)[:last]
	return q
}
