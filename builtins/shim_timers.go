package builtins

import "time"

// Timers of a script run on the clock of its run, and what they do is done between two of
// its tasks. Nothing of them is left when the run is over.

// Timer is what a script sees as time.Timer.
type Timer struct {
	C <-chan time.Time

	ch   chan time.Time // C, to send to
	keep any
	env  *Env
	fire func()
	stop func() bool
}

// Ticker is what a script sees as time.Ticker.
type Ticker struct {
	C <-chan time.Time

	ch   chan time.Time
	keep any
	env  *Env
	fire func()
	stop func() bool
}

// timeChan makes a channel for the times of a timer. What is in it is dropped when the
// timer is set anew, so that no old time is received.
func (e *Env) timeChan() (ch chan time.Time, keep any, fire func()) {
	ch = make(chan time.Time, 1)
	keep = e.Tasks.Own(ch)
	return ch, keep, func() {
		select {
		case ch <- e.now().UTC():
		default:
		}
		e.Tasks.Look(ch)
	}
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

func timeNewTimer(e *Env) func(time.Duration) *Timer {
	return func(d time.Duration) *Timer {
		t := &Timer{env: e}
		t.ch, t.keep, t.fire = e.timeChan()
		t.C = t.ch
		t.set(d)
		return t
	}
}

func timeAfterFunc(e *Env) func(time.Duration, func()) *Timer {
	return func(d time.Duration, f func()) *Timer {
		t := &Timer{env: e, fire: func() { e.start(f, nil) }}
		t.set(d)
		return t
	}
}

func (t *Timer) set(d time.Duration) { t.stop = t.env.Tasks.After(d, 0, t.fire, t.keep) }

// Stop keeps t from firing, and reports that it would have.
func (t *Timer) Stop() bool {
	if t.env == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	active := t.stop()
	return drained(t.ch) || active
}

// Reset sets t anew, and reports that it would have fired.
func (t *Timer) Reset(d time.Duration) bool {
	if t.env == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	active := t.Stop()
	t.set(d)
	return active
}

func timeNewTicker(e *Env) func(time.Duration) *Ticker {
	return func(d time.Duration) *Ticker {
		if d <= 0 {
			panic("non-positive interval for NewTicker")
		}
		t := &Ticker{env: e}
		t.ch, t.keep, t.fire = e.timeChan()
		t.C = t.ch
		t.set(d)
		return t
	}
}

func (t *Ticker) set(d time.Duration) { t.stop = t.env.Tasks.After(d, d, t.fire, t.keep) }

// Stop ends the ticks.
func (t *Ticker) Stop() {
	if t.env != nil { // as Go has it
		t.stop()
		drained(t.ch)
	}
}

// Reset has the ticks come at another interval, from now on.
func (t *Ticker) Reset(d time.Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if t.env == nil {
		panic("time: Reset called on uninitialized Ticker")
	}
	t.Stop()
	t.set(d)
}

func timeAfter(e *Env) func(time.Duration) <-chan time.Time {
	return func(d time.Duration) <-chan time.Time {
		ch, keep, fire := e.timeChan()
		e.Tasks.After(d, 0, fire, keep)
		return ch
	}
}

func timeTick(e *Env) func(time.Duration) <-chan time.Time {
	return func(d time.Duration) <-chan time.Time {
		if d <= 0 {
			return nil
		}
		ch, keep, fire := e.timeChan()
		e.Tasks.After(d, d, fire, keep)
		return ch
	}
}
