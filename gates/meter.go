package gates

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Limits bound one run. Zero means no limit, except that engines have a depth limit of
// their own that prevents crashes.
type Limits struct {
	Ticks   int64
	Timeout time.Duration
	Queued  time.Duration // of Timeout, used up by waiting for a worker

	HostTime time.Duration // time in host functions that does not count; ignored without Timeout

	Memory int64 // bytes
	Alloc  int64 // bytes, freed or not
	Output int64 // bytes of stdout, and again of stderr
	Tasks  int
	Depth  int
}

// maxGrant is how many ticks may pass between two looks at the clock. The
// slowest engine takes some 50 ns for a tick and what is between two of them in a
// plain loop, so this is well below a millisecond there.
const maxGrant = 4096

// A Meter counts the usage of one run and stops it at its limits. The engine counts ticks
// in grants: Grant returns how many ticks may pass until the engine has to call it again.
//
// Cancel, Trip, Stopped and the counters may be called from any goroutine. Start,
// Grant, Refund, Spend, Afford, Holds, Charge and ChargeHost belong to the goroutine that runs the script.
type Meter struct {
	ctx      context.Context
	limits   Limits
	deadline time.Time // without what is credited
	started  time.Time
	credit   credit
	measure  func(coming int64) int64
	hosts    func(n int64)

	cancelled atomic.Bool
	stop      atomic.Pointer[Stop]
	mu        sync.Mutex // orders Trips
	over      chan struct{}
	closeOver sync.Once

	granted atomic.Int64 // ticks handed out and not given back
	alloc   atomic.Int64 // bytes ever charged
	live    int64        // bytes charged since live was last measured, plus that
	peak    atomic.Int64
	kept    atomic.Int64 // bytes of output
}

// NewMeter returns a meter for one run. The clock starts now. The end of the context ends
// the run; its deadline counts as a timeout.
func NewMeter(ctx context.Context, l Limits) *Meter {
	m := &Meter{ctx: ctx, limits: l, started: time.Now(), over: make(chan struct{})}
	if l.Timeout > 0 {
		m.deadline = m.started.Add(l.Timeout - l.Queued)
		m.credit.most = l.HostTime
	}
	if d, ok := ctx.Deadline(); ok && (m.deadline.IsZero() || d.Before(m.deadline)) {
		m.deadline = d
		m.credit.most, m.credit.others = 0, true
	}
	return m
}

// Context is that of the run.
func (m *Meter) Context() context.Context { return m.ctx }

// Limits returns the limits of the run.
func (m *Meter) Limits() Limits { return m.limits }

// Deadline returns when the run has to end, as far as that is known; zero means never.
func (m *Meter) Deadline() time.Time {
	if m.deadline.IsZero() {
		return m.deadline
	}
	return m.deadline.Add(m.credit.given())
}

// Latest returns when the run has to end, however long its host functions take; zero
// means never.
func (m *Meter) Latest() time.Time {
	if m.deadline.IsZero() {
		return m.deadline
	}
	return m.deadline.Add(m.credit.most)
}

// Elapsed is the time since the meter was made.
func (m *Meter) Elapsed() time.Duration { return time.Since(m.started) }

// Ticks is the number of ticks used. While a script runs it includes the whole
// of the grant in use; after Refund it is exact.
func (m *Meter) Ticks() int64 { return m.granted.Load() }

// Grant hands out the next ticks, at least one, or the stop that ends the run.
// The engine calls it when the ticks of the grant before are used up.
func (m *Meter) Grant() (int64, *Stop) { return m.GrantAtMost(maxGrant) }

// GrantAtMost is Grant for an engine that has a reason of its own to be called
// back within n ticks.
func (m *Meter) GrantAtMost(n int64) (int64, *Stop) {
	n = max(1, min(n, maxGrant))
	if l := m.limits.Ticks; l > 0 {
		n = min(n, l-m.granted.Load())
	}
	if s := m.check(n <= 0); s != nil {
		return 0, s
	}
	m.granted.Add(n)
	return n, nil
}

// Refund returns the n unused ticks of a grant.
func (m *Meter) Refund(n int64) { m.granted.Add(-n) }

// TickTime is the time of host code that counts as one tick in Spend. It errs on the long
// side: Spend refuses work for which there is not enough time.
const TickTime = 10 * time.Nanosecond

// Spend counts n ticks for work that a host function is about to do in one go, and
// returns the stop that ends the run if there are not enough ticks or time for it. The
// ticks of a grant in use count as used, so a limit may be noticed a grant late.
func (m *Meter) Spend(n int64) *Stop {
	n = max(0, min(n, int64(math.MaxInt64/TickTime)/2))
	used := m.granted.Add(n)
	if s := m.check(m.limits.Ticks > 0 && used-maxGrant > m.limits.Ticks); s != nil {
		return s
	}
	return m.Afford(time.Duration(n) * TickTime)
}

// Afford returns the stop that ends the run if less than d is left: for work bounded by
// work that the script has already done. It counts no ticks.
func (m *Meter) Afford(d time.Duration) *Stop {
	if !m.deadline.IsZero() && time.Until(m.Deadline()) < d {
		return m.Trip(&Stop{Reason: Timeout, Message: m.timeoutText()})
	}
	return nil
}

// Check returns the stop that ends the run now, or nil. Engines call it where a
// script may spend long without a tick.
func (m *Meter) Check() *Stop { return m.check(false) }

// Unwind does not return if the run has to end now: it panics with the stop.
func (m *Meter) Unwind() {
	if s := m.Check(); s != nil {
		panic(s)
	}
}

// check looks at all limits in the order in which they are reported: cancel,
// ticks, time. Memory is looked at where it is charged.
func (m *Meter) check(noTicks bool) *Stop {
	if s := m.stop.Load(); s != nil {
		return s
	}
	err := m.ctx.Err() // once: it may change between two cases
	switch {
	case m.cancelled.Load() || err == context.Canceled:
		return m.Trip(&Stop{Reason: Cancelled, Message: "the run was cancelled"})
	case noTicks:
		return m.Trip(&Stop{Reason: Ticks, Message: fmt.Sprintf("the program used up its %d ticks (loop iterations and calls)", m.limits.Ticks)})
	case !m.deadline.IsZero() && time.Until(m.deadline) <= 0 && time.Until(m.Deadline()) <= 0:
		return m.Trip(&Stop{Reason: Timeout, Message: m.timeoutText()})
	case err != nil:
		return m.Trip(&Stop{Reason: Timeout, Message: m.timeoutText()})
	}
	return nil
}

func (m *Meter) timeoutText() string {
	d, queued := m.limits.Timeout, m.limits.Queued
	if d == 0 || m.deadline.Sub(m.started) < d-queued {
		return "the program did not end before the deadline of its host"
	}
	text := fmt.Sprintf("the program did not end within %v", d)
	if queued >= time.Millisecond {
		text += fmt.Sprintf(", of which it waited %v for a worker", queued.Round(time.Millisecond))
	}
	return text
}

// Trip stops the run with s, unless it is stopped already, and returns the stop in
// effect. The script ends at its next gate.
func (m *Meter) Trip(s *Stop) *Stop {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.stop.Load(); old != nil {
		return old
	}
	m.stop.Store(s)
	m.closeOver.Do(func() { close(m.over) })
	return s
}

// Over is closed when the run is stopped or cancelled; code that blocks should select on
// it too.
func (m *Meter) Over() <-chan struct{} { return m.over }

// Stopped returns the stop of the run, nil if it was not stopped. It never goes back to
// nil.
func (m *Meter) Stopped() *Stop { return m.stop.Load() }

// Cancel ends the run at its next gate. It may be called at any time, also before
// the run and after it, and any number of times.
func (m *Meter) Cancel() {
	m.cancelled.Store(true)
	m.closeOver.Do(func() { close(m.over) })
}
