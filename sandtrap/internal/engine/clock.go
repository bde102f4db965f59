package engine

import "time"

// A Clock is the time of a run.
type Clock interface {
	Now() time.Time

	// At gives a channel that has something when it is t, and what lets go of it.
	At(t time.Time) (<-chan time.Time, func())
}

// Wall is the clock of the machine.
type Wall struct{}

// Now is the time.
func (Wall) Now() time.Time { return time.Now() }

// At waits for t.
func (Wall) At(t time.Time) (<-chan time.Time, func()) {
	timer := time.NewTimer(time.Until(t))
	return timer.C, func() { timer.Stop() }
}
