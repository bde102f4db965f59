package rules

import (
	"reflect"
	"sync"
)

// A call is what conditions are evaluated on. It comes from a pool, so that a call for which nothing fires allocates nothing.
type call struct {
	args, results []reflect.Value
	state         *State // locked, if a condition needs it
	segments      [32]string
	key           [maxKey]byte
	steps         []int32
}

var calls = sync.Pool{New: func() any { return &call{steps: make([]int32, 0, 64)} }}

// release gives c back. It holds nothing of the host's from then on.
func (c *call) release() {
	c.args, c.results, c.state = nil, nil, nil
	c.segments = [32]string{}
	calls.Put(c)
}
