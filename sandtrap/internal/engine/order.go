package engine

import (
	"context"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// An Order decides in which order, and when, the calls of a run return that go on beside its tasks. With one, and
// with a Seed and a clock that only the run moves, a run depends on nothing but its program and what the calls
// return. The goroutine that has the tasks asks it; it does not wait.
type Order interface {
	// Next gives the number of the call that returns at a rest, 0 for none; at a rest that is idle some call returns. If
	// that is not known yet, later is not nil, and closed when it is worth asking again. A stop ends the run.
	Next(at Rest) (call int, stop *gates.Stop, later <-chan struct{})

	// Known reports that a call, which has not begun, is going to return without waiting for anything.
	Known(call int) bool

	// Before is how many calls the earlier runs of the session have: the numbers go on from there. It is 0 for a run that is
	// not of a session.
	Before() int
}

// A Rest is a moment in which no task runs, and calls go on. Its number and Calls are the same whenever the run is
// repeated with the same order.
type Rest struct {
	Number int64 // from 1
	Calls  int   // how many have begun since the run did; they are numbered from 1, or from those Before
	Idle   bool  // nothing goes on until a call returns
}

type orderKey struct{}

// WithOrder is ctx for a run with an order.
func WithOrder(ctx context.Context, o Order) context.Context {
	return context.WithValue(ctx, orderKey{}, o)
}

// OrderOf is the order of the run with the context ctx, nil if it has none.
func OrderOf(ctx context.Context) Order {
	o, _ := ctx.Value(orderKey{}).(Order)
	return o
}

// Turns are the calls of a run that return by an Order. All but Return is for the goroutine that has the tasks. A nil Turns is
// that of a run whose calls return when they do.
type Turns struct {
	order Order
	begun int // in this run
	rests int64

	mu       sync.Mutex
	returned map[int]script.Act
	came     chan struct{}
}

// NewTurns are those of a run that begins, nil without an order.
func NewTurns(o Order) *Turns {
	if o == nil {
		return nil
	}
	return &Turns{order: o, came: make(chan struct{}, 1)}
}

// Begin numbers a call, and reports that it returns without waiting for anything. The number is 0 where there are no turns.
func (t *Turns) Begin() (call int, known bool) {
	if t == nil {
		return 0, false
	}
	t.begun++
	call = t.order.Before() + t.begun
	return call, t.order.Known(call)
}

// Return leaves act for when call n has its turn. It reports false, and does nothing, where there are no turns.
func (t *Turns) Return(n int, act script.Act) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.returned == nil {
		t.returned = map[int]script.Act{}
	}
	t.returned[n] = act
	select {
	case t.came <- struct{}{}:
	default:
	}
	return true
}

// take is the act of call n, nil if that has not returned.
func (t *Turns) take(n int) script.Act {
	t.mu.Lock()
	defer t.mu.Unlock()
	act := t.returned[n]
	delete(t.returned, n)
	return act
}

// Rest gives the act of the call that returns now, nil for none, or the stop of the run of m.
func (t *Turns) Rest(m *gates.Meter, idle bool) (script.Act, *gates.Stop) {
	t.rests++
	at := Rest{Number: t.rests, Calls: t.begun, Idle: idle}
	for call := -1; ; {
		var later <-chan struct{}
		if call < 0 {
			var stop *gates.Stop
			if call, stop, later = t.order.Next(at); stop != nil {
				return nil, m.Trip(stop)
			}
		}
		switch {
		case later != nil:
			call = -1
		case call == 0:
			return nil, nil
		default:
			if act := t.take(call); act != nil {
				return act, nil
			}
		}
		select {
		case <-later:
		case <-t.came:
		case <-m.Over():
		case <-m.Context().Done():
		case <-After(m.Deadline()): // which may have moved
		}
		if stop := m.Check(); stop != nil {
			return nil, m.Trip(stop)
		}
	}
}
