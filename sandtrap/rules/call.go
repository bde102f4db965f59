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
	key      [maxKey]byte
	tried    []int32 // the steps that are evaluated
	tracked  []int32 // those that change the state; ^i if it is not known whether i does
}

var calls = sync.Pool{New: func() any { return new(call) }}

// release gives c back. It holds nothing of the host's from then on.
func (c *call) release() {
	c.args, c.results, c.state = nil, nil, nil
	clear(c.segments[:min(c.used, len(c.segments))])
	c.used, c.tried, c.tracked = 0, c.tried[:0], c.tracked[:0]
	calls.Put(c)
}

// place is where a path leads from a base. Its segments are in c until the next one.
func (c *call) place(b *base, text string) place {
	p := b.place(c.segments[:0], text)
	c.used = max(c.used, p.most)
	return p
}
