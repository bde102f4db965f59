package time

import (
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// Timers of a script run on the clock of its run, and what they do is done between two of
// its tasks. Nothing of them is left when the run is over.

// Timer is what a script sees as time.Timer.
type Timer struct {
	C  <-chan time.Time
	on timing
}

// Ticker is what a script sees as time.Ticker.
type Ticker struct {
	C  <-chan time.Time
	on timing
}

// timing is what timers and tickers have alike.
type timing struct {
	env  *shim.Env      // nil for one that nobody made
	ch   chan time.Time // what is sent to, nil if something else is done
	keep any            // of ch; what is done does not have it
	act  script.Act
	next script.Stopper
}

func (t *timing) set(d, period time.Duration) {
	t.next = t.env.Tasks.After(d, period, t.act, t.keep)
}

// stop reports that the time had not come, or that nobody has received it.
func (t *timing) stop() bool {
	active := t.next.Stop()
	return drained(t.ch) || active
}

// sending is a timing that sends the time.
func sending(e *shim.Env) timing {
	ch := make(chan time.Time, 1)
	return timing{env: e, ch: ch, keep: e.Tasks.Own(ch), act: &timeSend{e, ch}}
}

// A timeSend sends the time to a channel, unless that has one already. What is in it is
// dropped when the timer is set anew, so that no old time is received.
type timeSend struct {
	env *shim.Env
	ch  chan time.Time
}

func (s *timeSend) Do() {
	select {
	case s.ch <- s.env.Now().UTC():
	default:
	}
	s.env.Tasks.Look(s.ch)
}

// drained takes what is in ch out, and reports that there was something.
func drained(ch chan time.Time) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

func TimeNewTimer(e *shim.Env) func(time.Duration) *Timer {
	return func(d time.Duration) *Timer {
		t := &Timer{on: sending(e)}
		t.C = t.on.ch
		t.on.set(d, 0)
		return t
	}
}

func TimeAfterFunc(e *shim.Env) func(time.Duration, func()) *Timer {
	return func(d time.Duration, f func()) *Timer {
		t := &Timer{on: timing{env: e, act: &shim.Start{Env: e, Body: e.Body(f)}}}
		t.on.set(d, 0)
		return t
	}
}

// Stop keeps t from firing, and reports that it would have.
func (t *Timer) Stop() bool {
	if t.on.env == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	return t.on.stop()
}

// Reset sets t anew, and reports that it would have fired.
func (t *Timer) Reset(d time.Duration) bool {
	if t.on.env == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	active := t.on.stop()
	t.on.set(d, 0)
	return active
}

func TimeNewTicker(e *shim.Env) func(time.Duration) *Ticker {
	return func(d time.Duration) *Ticker {
		if d <= 0 {
			panic("non-positive interval for NewTicker")
		}
		t := &Ticker{on: sending(e)}
		t.C = t.on.ch
		t.on.set(d, d)
		return t
	}
}

// Stop ends the ticks.
func (t *Ticker) Stop() {
	if t.on.env != nil { // as Go has it
		t.on.stop()
	}
}

// Reset has the ticks come at another interval, from now on.
func (t *Ticker) Reset(d time.Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if t.on.env == nil {
		panic("time: Reset called on uninitialized Ticker")
	}
	t.on.stop()
	t.on.set(d, d)
}

func TimeAfter(e *shim.Env) func(time.Duration) <-chan time.Time {
	return func(d time.Duration) <-chan time.Time {
		t := sending(e)
		t.set(d, 0)
		return t.ch
	}
}

func TimeTick(e *shim.Env) func(time.Duration) <-chan time.Time {
	return func(d time.Duration) <-chan time.Time {
		if d <= 0 {
			return nil
		}
		t := sending(e)
		t.set(d, d)
		return t.ch
	}
}
