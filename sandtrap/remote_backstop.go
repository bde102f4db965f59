package sandtrap

import (
	"context"
	"sync"
	"time"
)

// late is how long after its time a run in a worker is ended from outside. The worker itself
// waits two seconds for functions of the host.
const late = 3 * time.Second

// A hostTime is for how long functions of the host were at work that a run waits for, at least one at a
// time, as the host's clock says.
type hostTime struct {
	mu    sync.Mutex
	spent time.Duration
	calls int       // that are at work
	since time.Time // when calls changed last
}

// add says that so many more calls are at work.
func (h *hostTime) add(calls int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if h.calls > 0 {
		h.spent += now.Sub(h.since)
	}
	h.calls, h.since = h.calls+calls, now
}

// until is what was spent until now, and whether it is being spent.
func (h *hostTime) until() (spent time.Duration, goesOn bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls > 0 {
		return h.spent + time.Since(h.since), true
	}
	return h.spent, false
}

type hostTimeKey struct{}

// paused says that the function of the host that has ctx waits for its script, and calls resume when it
// goes on: that is the script's time.
func paused(ctx context.Context) (resume func()) {
	h, ok := ctx.Value(hostTimeKey{}).(*hostTime)
	if !ok { // nothing waits for it
		return func() {}
	}
	h.add(-1)
	return func() { h.add(1) }
}

// backstop is ctx with an end for a worker that does not end its run itself. It gets the time on top that
// the host has spent in the functions that the run waits for, up to what its limits give, and nothing for
// having called one.
func (c *remoteCall) backstop(ctx context.Context) (context.Context, context.CancelFunc) {
	limit, cancel := context.WithCancel(ctx)
	if c.limits.Timeout == 0 {
		return limit, cancel
	}
	began, own := time.Now(), c.limits.Timeout-c.queued+late
	var look func()
	look = func() {
		spent, goesOn := c.hosted.until()
		stood, stands := c.stood.until()
		left := own + min(spent, c.limits.HostTime) + stood - time.Since(began)
		if left <= 0 {
			cancel()
			return
		}
		if goesOn || stands {
			left = max(left, late/30) // it grows meanwhile
		}
		again := time.AfterFunc(left, look)
		context.AfterFunc(limit, func() { again.Stop() })
	}
	timer := time.AfterFunc(own, look)
	return limit, func() { timer.Stop(); cancel() }
}
