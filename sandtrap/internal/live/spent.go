package live

import (
	"sync"
	"time"
)

// A Spent is for how long functions of the host were at work that a run waits for, at least one at a
// time, as the host's clock says.
type Spent struct {
	mu    sync.Mutex
	spent time.Duration
	calls int       // that are at work
	since time.Time // when calls changed last
}

// Add says that so many more calls are at work.
func (h *Spent) Add(calls int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if h.calls > 0 {
		h.spent += now.Sub(h.since)
	}
	h.calls, h.since = h.calls+calls, now
}

// Until is what was spent until now, and whether it is being spent.
func (h *Spent) Until() (spent time.Duration, goesOn bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls > 0 {
		return h.spent + time.Since(h.since), true
	}
	return h.spent, false
}
