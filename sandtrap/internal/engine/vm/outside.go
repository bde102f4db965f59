package vm

import (
	"sync"
	"sync/atomic"
)

// outside is what other goroutines of the host want of a run: they leave functions,
// and the driver at work calls them between two tasks.
type outside struct {
	wake  chan struct{} // has something when the list may have; nil if nobody can come
	some  atomic.Bool
	mu    sync.Mutex
	list  []func()
	over  bool
	calls int // of the host that run beside the tasks; the drivers' own
}

// none says that nobody is going to come.
func (o *outside) none() bool { return o.calls == 0 }

// drain calls what was left.
func (o *outside) drain() {
	if !o.some.Load() {
		return
	}
	o.mu.Lock()
	list := o.list
	o.list = nil
	o.some.Store(false)
	o.mu.Unlock()
	for _, f := range list {
		f()
	}
}
