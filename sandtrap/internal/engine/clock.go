package engine

import (
	"sync"
	"time"
)

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

// Steps is a clock of a run alone that stands still until everything waits for it, and
// then is at the next time that somebody waits for.
type Steps struct {
	mu  sync.Mutex
	now time.Time
}

// NewSteps makes a clock that is at t.
func NewSteps(t time.Time) *Steps { return &Steps{now: t} }

// Now is the time.
func (s *Steps) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// At is t at once.
func (s *Steps) At(t time.Time) (<-chan time.Time, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.After(s.now) {
		s.now = t
	}
	ready := make(chan time.Time, 1)
	ready <- s.now
	return ready, func() {}
}
