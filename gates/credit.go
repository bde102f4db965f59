package gates

import (
	"context"
	"sync"
	"time"
)

// A credit is time that does not count, because the run waited for its host, and that did
// something for it.
type credit struct {
	most   time.Duration // that a run gets
	others bool          // the deadline is the host's: nothing moves it

	mu    sync.Mutex
	time  time.Duration
	calls int           // that are waited for
	since time.Time     // when there were none last
	took  time.Duration // by calls that began since then and are over

	stands  int           // reasons for which the clock stands
	stopped time.Time     // when there were none last
	stood   time.Duration // until then
}

// MostStood is how long the clock of a run stands in all. After that it goes on, whoever is asked.
const MostStood = 24 * time.Hour

// Stand says that the clock of the run stands until resume is called, whatever goes on meanwhile: somebody is asked about a
// call. That is bounded by MostStood, not by the limits. A deadline of the host's own does not move. Stand and resume may be
// called from any goroutine.
func (m *Meter) Stand() (resume func()) {
	c := &m.credit
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stands++; c.stands == 1 {
		c.stopped = time.Now()
	}
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.stands--; c.stands == 0 {
			c.stood += time.Since(c.stopped)
		}
	})
}

// Within is ctx for calls of a run whose clock may stand, so that nobody knows when it has to end: it ends with the run.
func (m *Meter) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-m.Over():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// Deny ends the run for a call that its policy refuses.
func (m *Meter) Deny(message string) { m.Trip(&Stop{Reason: Denied, Message: message}) }

// Wait says that the run begins to wait for a call; its clock stops until Waited. It is
// for calls that block the whole run. Wait and Waited may be called from any goroutine.
func (m *Meter) Wait() {
	c := &m.credit
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls == 0 {
		c.since, c.took = time.Now(), 0
	}
	c.calls++
}

// Waited says that the call is over. The time that it took, at most the time since Wait, does
// not count; the overhead of the call does. Of calls at the same time, as an engine with goroutines
// makes them, the same time is not given twice.
func (m *Meter) Waited(took time.Duration) {
	c := &m.credit
	c.mu.Lock()
	defer c.mu.Unlock()
	waited := time.Since(c.since)
	c.took += max(0, min(took, waited))
	if c.calls--; c.calls == 0 {
		c.time += min(c.took, waited)
	}
}

// Back says that a host function that the run waits for has called the script: until on is called, time counts as the
// script's.
func (m *Meter) Back() (on func()) {
	c := &m.credit
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls == 0 {
		return func() {}
	}
	if c.calls--; c.calls == 0 {
		c.time += time.Since(c.since)
	}
	return m.Wait
}

// given is what does not count until now.
func (c *credit) given() time.Duration {
	if c.others {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.time
	if c.calls > 0 {
		d += time.Since(c.since)
	}
	stood := c.stood
	if c.stands > 0 {
		stood += time.Since(c.stopped)
	}
	return min(d, c.most) + min(stood, MostStood)
}
