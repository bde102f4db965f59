package exec

import (
	"context"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// limited is a machine in a run with these limits.
func limited(ctx context.Context, l gates.Limits) *Machine {
	m := NewMachine(nil, engine.EnterHeap())
	m.Take(engine.Run{Meter: gates.NewMeter(ctx, l)})
	return m
}

// TestAsideIsGivenUp: a run that has to end does not wait for memory that is made aside.
func TestAsideIsGivenUp(t *testing.T) {
	never := make(chan bool)
	defer close(never)
	cancelled, cancel := context.WithCancel(t.Context())
	defer cancel()
	for name, m := range map[string]*Machine{
		"cancelled": limited(cancelled, gates.Limits{}),
		"timeout":   limited(t.Context(), gates.Limits{Timeout: 10 * time.Millisecond}),
	} {
		time.AfterFunc(10*time.Millisecond, cancel)
		stop := m.halted(func() {
			AllocLarge(m, largeBytes, func() int { <-never; return 1 })
			t.Errorf("%s: it was waited for", name)
		})
		if stop == nil || stop.Gate == nil {
			t.Errorf("%s: stopped with %+v, want what the gates say", name, stop)
		}
	}
}

// TestAsidePanics: a panic aside is one of the caller's.
func TestAsidePanics(t *testing.T) {
	m := limited(t.Context(), gates.Limits{})
	defer func() {
		if recover() == nil {
			t.Error("it did not panic")
		}
	}()
	n := -1
	AllocLarge(m, largeBytes, func() []byte { return make([]byte, n) })
}

// TestDriversGoInTurn: where a run is over, each driver hands the machine to the next that
// has to go, and only the last one to the first.
func TestDriversGoInTurn(t *testing.T) {
	a, b := &driver{}, &driver{}
	m := &Machine{}
	m.root = &driver{}
	if d := m.afterGone(); d != m.root {
		t.Error("in the middle of a run the first driver does not go on")
	}
	m.leaving = []*driver{{gone: true}, a, {gone: true}, b, {gone: true}}
	for i, want := range []*driver{a, b, m.root} {
		if got := m.afterGone(); got != want {
			t.Errorf("driver %d is not the one in turn", i)
		}
	}
}
