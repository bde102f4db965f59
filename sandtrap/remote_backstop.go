package sandtrap

import (
	"context"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// late is how long after its time a run in a worker is ended from outside. The worker itself
// waits two seconds for functions of the host.
const late = 3 * time.Second

type hostTimeKey struct{}

// paused says that the function of the host that has ctx waits for its script, and calls resume when it
// goes on: that is the script's time.
func paused(ctx context.Context) (resume func()) {
	h, ok := ctx.Value(hostTimeKey{}).(*live.Spent)
	if !ok { // nothing waits for it
		return func() {}
	}
	h.Add(-1)
	return func() { h.Add(1) }
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
		spent, goesOn := c.hosted.Until()
		stood, stands := c.stood.Until()
		left := own + min(spent, c.limits.HostTime) + min(stood, gates.MostStood) - time.Since(began)
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
