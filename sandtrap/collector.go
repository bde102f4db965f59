package sandtrap

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A collector has the runtime find out what functions of scripts nobody holds any more, while runs wait
// for the workers of a pool that keep those. By itself it does so when the host needs memory, and until
// then one tenant would have the others wait. A nil one does nothing.
type collector struct {
	kept atomic.Int64 // workers that are kept
	mu   sync.Mutex   // held while it collects
}

// A run waits that long before anything is collected, and then twice as long each time: the functions of
// a run are found in the first, what keeps their worker in the second.
const collectAfter = 10 * time.Millisecond

func (c *collector) count(n int64) {
	if c != nil {
		c.kept.Add(n)
	}
}

// during has it collect from time to time until stop is called.
func (c *collector) during() (stop func()) {
	if c == nil {
		return func() {}
	}
	done := make(chan struct{})
	timer := time.AfterFunc(collectAfter, func() {
		for after := collectAfter; ; after *= 2 {
			c.collect()
			select {
			case <-done:
				return
			case <-time.After(after):
			}
		}
	})
	return func() {
		timer.Stop()
		close(done)
	}
}

// collect does so unless it is being done.
func (c *collector) collect() {
	if c.kept.Load() > 0 && c.mu.TryLock() {
		defer c.mu.Unlock()
		runtime.GC()
	}
}
