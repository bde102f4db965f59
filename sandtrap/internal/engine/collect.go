package engine

import (
	"runtime"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
)

// collections are those of the process. Runs that want one at a time share it.
var collections = collector{collect: runtime.GC}

// A collector runs collections, and rests after each for nine times as long as it took: runs have
// a tenth of the time spent on them, and no more. A run that needs one earlier borrows memory, for
// what may be garbage, and waits when there is no more of that.
type collector struct {
	collect func()

	mu      sync.Mutex
	begun   int           // collections
	ended   int           // those of them that have ended
	running chan struct{} // closed when the one that goes on has ended, nil if none does
	rest    time.Time     // until then none begins
	lent    int64         // bytes
	most    int64         // that were lent at a time since loans were counted

	counting sync.Mutex // belongs to those below
	counted  int        // collections that had ended when the last one was taken
	census   census
	told     bool // census is there
}

const (
	restTimes = 9
	spare     = 64 << 20 // bytes that all runs of the process may borrow
)

// Borrow lets the run hold n bytes more than its limit until the next collection, if none may begin
// right now.
func (h *Heap) Borrow(n int64) bool {
	c := &collections
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > spare-c.lent || time.Until(c.rest) <= 0 {
		return false
	}
	c.lent += n
	c.most = max(c.most, c.lent)
	h.borrowed += n
	return true
}

// countLoans begins to count what is lent for mostOnLoan.
func (c *collector) countLoans() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.most = c.lent
}

// mostOnLoan is the most that all runs had borrowed at a time since countLoans. What a run has paid back a
// census may still show as held: it is garbage that the collection before has kept.
func (c *collector) mostOnLoan() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.most
}

// Repay gives back all that the run has borrowed.
func (h *Heap) Repay() {
	if h.borrowed == 0 {
		return
	}
	collections.mu.Lock()
	defer collections.mu.Unlock()
	collections.lent -= h.borrowed
	h.borrowed = 0
}

// Borrowed is what the run has borrowed.
func (h *Heap) Borrowed() int64 { return h.borrowed }

// Collect returns when a collection that has begun since has ended. If the run of m has to end
// before that, it goes on without it.
func Collect(m *gates.Meter) { collections.wait(m) }

func (c *collector) wait(m *gates.Meter) {
	c.mu.Lock()
	before := c.begun
	c.mu.Unlock()
	for m.Check() == nil {
		ended, later, done := c.next(before)
		if done {
			return
		}
		select {
		case <-ended:
		case <-later:
		case <-m.Over():
		case <-m.Context().Done():
		case <-After(m.Deadline()): // which may have moved
		}
	}
}

// next begins a collection if one may begin. It gives what to wait for, unless one has ended that is
// not among the first before.
func (c *collector) next(before int) (ended <-chan struct{}, later <-chan time.Time, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended > before {
		return nil, nil, true
	}
	if c.running != nil {
		return c.running, nil, false
	}
	if rest := time.Until(c.rest); rest > 0 {
		return nil, time.After(rest), false
	}
	c.begun++
	c.running = make(chan struct{})
	go c.run(c.running)
	return c.running, nil, false
}

// beneath is how many bytes the last collection has found in use that were allocated in a lane, and for
// which nobody knows of one. ok is false where there is no profile.
func (c *collector) beneath(lane int) (n int64, ok bool) {
	c.counting.Lock()
	defer c.counting.Unlock()
	c.mu.Lock()
	ended := c.ended
	c.mu.Unlock()
	if c.counted != ended {
		start := time.Now()
		c.census, c.told = stacks.take()
		c.counted = ended
		c.mu.Lock()
		c.rest = c.rest.Add(restTimes * time.Since(start))
		c.mu.Unlock()
	}
	return c.census.beneath(lane), c.told
}

func (c *collector) run(done chan struct{}) {
	start := time.Now()
	c.collect()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended++
	c.running, c.rest = nil, time.Now().Add(restTimes*time.Since(start))
	close(done)
}
