package journal

import (
	"slices"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Next is that of engine.Order. The run asks it, in this process.
func (r *Run) Next(at engine.Rest) (int, *gates.Stop, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = at.Number
	n, stop, known := r.turn(at)
	if !known {
		return 0, nil, r.later()
	}
	return n, stop, nil
}

// Known is that of engine.Order: the journal has what the call returns.
func (r *Run) Known(call int) bool { return r.known[call] != nil }

// Turn is Next for a rest that a worker tells of; it waits until the turn is known. A worker may lie about the number of a rest,
// and ask at two at once.
func (r *Run) Turn(at engine.Rest) (int, *gates.Stop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at.Number <= r.last {
		r.diverge("rest %d comes after rest %d", at.Number, r.last)
		r.tell()
	}
	r.last = at.Number
	for {
		n, stop, known := r.turn(at)
		if known {
			return n, stop
		}
		later := r.later()
		r.mu.Unlock()
		<-later
		r.mu.Lock()
	}
}

// turn is the turn at a rest, as far as it is known. The lock is held.
func (r *Run) turn(at engine.Rest) (n int, stop *gates.Stop, known bool) {
	switch {
	case r.over:
		return 0, &gates.Stop{Reason: gates.Diverged, Message: "the run that the journal is of is over"}, true
	case r.paused || r.diverged != nil:
		return 0, r.stop(), true
	case len(r.calls) < at.Calls:
		return 0, nil, false // they are about to come
	}
	if !r.reached {
		n = r.recorded(at)
	}
	switch {
	case r.paused || r.diverged != nil:
		return 0, r.stop(), true
	case n > 0 || !r.reached:
		return n, nil, true
	case len(r.completed) > 0:
		n, stop = r.deliver(at)
		return n, stop, true
	case !at.Idle:
		return 0, nil, true
	case len(r.calls) > r.next+len(r.waiting):
		return 0, nil, false
	}
	r.pause(at)
	return 0, r.stop(), true
}

// pause ends the run until there are answers. Only a worker that lies rests when no call waits, or leaves numbers out.
func (r *Run) pause(at engine.Rest) {
	if len(r.waiting) == 0 {
		r.diverge("the run rests, and no call waits")
	}
	most := r.file.Before + len(r.calls)
	for n := range r.waiting {
		if n > most {
			r.diverge("call %d waits, and %d have begun", n, most)
		}
	}
	if r.file.End != nil && !r.repeats {
		r.diverge("it waits for calls, and by the journal it has ended")
	}
	r.paused, r.file.Pause.Rest = r.diverged == nil, at.Number
}

// stop ends a run that waits or goes another way.
func (r *Run) stop() *gates.Stop {
	if r.diverged != nil {
		return &gates.Stop{Reason: gates.Diverged, Message: r.diverged.Error()}
	}
	return &gates.Stop{Reason: gates.Paused, Message: "the run waits for answers"}
}

// recorded is the call that returns by the journal, 0 for none. At the rest where the journal ends there are none but those
// that wait; then the run goes on.
func (r *Run) recorded(at engine.Rest) int {
	if r.next < len(r.file.Returns) {
		was := &r.file.Returns[r.next]
		switch {
		case was.Rest == at.Number && r.calls[was.Call] != nil:
			r.next++
			c := r.calls[was.Call]
			c.note.returned(c.out)
			return was.Call
		case was.Rest <= at.Number || at.Idle:
			r.diverge("call %d, of %s, returns at another moment", was.Call, was.Name)
		}
		return 0
	}
	switch rest := r.file.Pause.Rest; {
	case rest == 0:
		r.reach()
	case at.Number < rest && !at.Idle:
	case at.Number != rest || !at.Idle || len(r.calls) != len(r.file.Returns)+len(r.file.Waiting):
		r.diverge("it waits at another moment for %s", WaitingText(r.file.Waiting))
	default:
		r.paused = r.repeats
		r.reach()
	}
	return 0
}

// reach says that the run has come to the end of its journal, where the answers come in the order of their calls.
func (r *Run) reach() {
	r.reached = true
	slices.Sort(r.completed)
	for _, n := range r.completed {
		if c := r.calls[n]; c.answer != nil {
			c.out = c.note.returned(c.answer)
		}
	}
	r.tell()
}

// deliver takes the first call that has returned into the journal. The script is not to know of one that is not there. Only a worker that
// lies leaves numbers out.
func (r *Run) deliver(at engine.Rest) (int, *gates.Stop) {
	n := r.completed[0]
	if most := r.file.Before + len(r.calls); n > most {
		r.diverge("call %d returns, and %d have begun", n, most)
		return 0, r.stop()
	}
	r.completed = r.completed[1:]
	c := r.calls[n]
	r.file.Returns = append(r.file.Returns, Return{
		Call: n, Name: c.name, Args: c.hash, Rest: at.Number, Result: c.out.Result, Err: c.out.Err, Panic: c.out.Panic, Denied: c.out.Denied,
	})
	r.next++
	if err := r.log.add(&r.file.Returns[r.next-1]); err != nil {
		r.unwritten = err
		return 0, &gates.Stop{Reason: gates.Diverged, Message: "the journal cannot be written"}
	}
	return n, nil
}
