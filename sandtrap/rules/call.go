package rules

import (
	"reflect"
	"sync"
)

// A call is what conditions are evaluated on. It comes from a pool, so that a call for which nothing fires allocates nothing.
type call struct {
	args, results []reflect.Value
	state         *State // locked, if a condition needs it

	segments [32]string // of a path, or of a URL
	used     int        // how many of them may hold something
	at       place
	key      [maxKey]byte
	tried    []int32 // the steps that are evaluated
	tracked  []int32 // those that change the state; ^i if it is not known whether i does
}

var calls = sync.Pool{New: func() any { return new(call) }}

// release gives c back. It refers to nothing of the host's from then on.
func (c *call) release() {
	c.args, c.results, c.state = nil, nil, nil
	clear(c.segments[:min(c.used, len(c.segments))])
	c.used, c.at, c.tried, c.tracked = 0, place{}, c.tried[:0], c.tracked[:0]
	calls.Put(c)
}

// place is where a path leads from a base. It is in c until the next one.
func (c *call) place(b *base, text string) *place {
	c.at.segments = c.segments[:0]
	b.place(&c.at, text)
	c.used = max(c.used, c.at.most)
	return &c.at
}
