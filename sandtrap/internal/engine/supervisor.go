package engine

import (
	"fmt"
	"time"
)

// grace is how long a run that has to stop may take to do so. It is spent only
// where the script waits in a host function: its own code stops at the next tick.
const grace = 2 * time.Second

// Supervise runs l once and returns what became of it, at the latest a grace after
// the run has to stop. It does not panic. If a host function did not return by
// then, the outcome is the stop, and Stuck is set: the goroutine of the run is lost
// until that function returns.
func Supervise(l Loaded, r Run) (o Outcome, stuck bool) {
	done := make(chan Outcome, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- Outcome{Fault: fmt.Errorf("the engine failed: %T", v)}
			}
		}()
		done <- l.Run(r)
	}()
	select {
	case o := <-done:
		return o, false
	case <-r.Meter.Over():
	case <-r.Meter.Context().Done():
	case <-after(r.Meter.Deadline()):
	}
	stop := r.Meter.Check() // the run ends at its next gate
	select {
	case o := <-done:
		return o, false
	case <-time.After(grace):
	}
	return Outcome{Stop: stop}, true
}

// after is time.After a deadline, and never if there is none.
func after(deadline time.Time) <-chan time.Time {
	if deadline.IsZero() {
		return nil
	}
	return time.After(time.Until(deadline))
}
