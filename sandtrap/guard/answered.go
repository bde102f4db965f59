package guard

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// mostHung is how many calls of the Decider and the Approvers of a gate may go on after the end of their context, before none is
// made any more: each holds a goroutine.
const mostHung = 64

var errHung = fmt.Errorf("has not returned from %d calls whose time is over", mostHung)

// answered is what ask gives, before the end of ctx; a panic, or an end of its goroutine, is an error. hung counts the calls that go on
// after that.
func answered[T any](ctx context.Context, hung *atomic.Int64, ask func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	if hung.Load() >= mostHung {
		return *new(T), errHung
	}
	got := make(chan answer, 1)
	var over atomic.Bool // for the first of two: it has returned, or nobody waits any more
	go func() {
		a := answer{err: errors.New("no answer")}
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: fmt.Errorf("it panicked with a %T", p)}
			}
			got <- a
			if over.Swap(true) {
				hung.Add(-1)
			}
		}()
		value, err := ask()
		a = answer{value, err}
	}()
	select {
	case a := <-got:
		if ctx.Err() != nil { // it comes too late
			return *new(T), ctx.Err()
		}
		return a.value, a.err
	case <-ctx.Done():
		hung.Add(1)
		if over.Swap(true) {
			hung.Add(-1)
		}
		return *new(T), ctx.Err()
	}
}
