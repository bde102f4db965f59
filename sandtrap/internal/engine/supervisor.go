package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/stack"
)

// grace is how long a run that has to stop may take to do so. It is spent only
// where a script waits in a host function, or is still being made ready: its own code
// stops at the next tick.
const grace = 2 * time.Second

// ErrLeft is the fault of a run whose goroutine ended in the middle: by runtime.Goexit, which a
// function of the host called, or one of a test that failed.
var ErrLeft = errors.New("a function of the host ended the goroutine of the run")

// Supervise calls f, which makes a run ready and runs it, and returns what became of
// it, at the latest a grace after the run has to stop. It does not panic. If f did
// not return by then, the outcome is the stop, and stuck is set: its goroutine is lost
// until what it waits for returns.
func Supervise(m *gates.Meter, f func() Outcome) (o Outcome, stuck bool) {
	done := make(chan Outcome, 1)
	lane := process.enter(m)
	defer process.leave(m)
	go func() {
		o := Outcome{Fault: ErrLeft}
		defer func() {
			if v := recover(); v != nil {
				o = Outcome{Fault: fmt.Errorf("the engine failed: %T", v)}
			} else if stop := m.Stopped(); stop != nil && o.Fault == ErrLeft { // or a gate did
				o = Outcome{Stop: stop}
			}
			process.vacate(lane)
			done <- o
		}()
		stack.Roomy()
		a := outcomeOf{f: f}
		Lane(lane).In(&a)
		o = a.o
	}()
	for late := false; !late; {
		select {
		case o := <-done:
			return o, false
		case <-m.Over():
			late = true
		case <-m.Context().Done():
			late = true
		case <-After(m.Deadline()): // which may have moved
			late = time.Until(m.Deadline()) <= 0
		}
	}
	stop := m.Check() // the run ends at its next gate
	select {
	case o := <-done:
		return o, false
	case <-time.After(grace):
	}
	return Outcome{Stop: stop}, true
}

// Watch calls f, which runs what nobody needs to give up, on the goroutine of the caller. The heap
// that it holds is the run's, as with Supervise.
func Watch(m *gates.Meter, f func() Outcome) Outcome {
	lane := process.enter(m)
	defer process.leave(m)
	defer process.vacate(lane)
	a := outcomeOf{f: f}
	Lane(lane).In(&a)
	return a.o
}

// An outcomeOf calls f, and has what that returns.
type outcomeOf struct {
	f func() Outcome
	o Outcome
}

func (a *outcomeOf) Do() { a.o = a.f() }

// Apart calls f on a goroutine of its own, in the lane of the run of m, which does not wait for it when it has to
// end: check, which it calls then, does not return.
func Apart(m *gates.Meter, lane Lane, f, check func()) {
	made := make(chan any, 1)
	go func() {
		defer func() { made <- recover() }() // a panic there would end the process
		lane.In(ActFunc(f))
	}()
	if failed := Await(m, made, check); failed != nil {
		panic(failed)
	}
}

// Await gives what comes out of c. Whenever the run may have to end it calls check, which does not
// return if it has to.
func Await[T any](m *gates.Meter, c <-chan T, check func()) T {
	for {
		select {
		case v := <-c:
			return v
		case <-m.Over():
		case <-m.Context().Done():
		case <-After(m.Deadline()): // which may have moved
		}
		check()
	}
}

// After is time.After a deadline, and never if there is none.
func After(deadline time.Time) <-chan time.Time {
	if deadline.IsZero() {
		return nil
	}
	return time.After(time.Until(deadline))
}
