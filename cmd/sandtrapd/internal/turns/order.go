package turns

import "container/list"

// A tenant has turns, or waits for some.
type tenant struct {
	name    string
	had     int
	waiting list.List // of chan struct{}, the first to wait first; a turn is given by closing the channel
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
