package sync

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/script"
)

// AtomicValue is what a script sees as atomic.Value. Go's own would take values of
// different types of the script for values of one.
type AtomicValue struct{ v any }

// Load gives the value, nil if there is none.
func (a *AtomicValue) Load() any { return a.v }

// Store sets the value.
func (a *AtomicValue) Store(v any) { a.set("store", v) }

// Swap sets the value and gives the old one.
func (a *AtomicValue) Swap(v any) any {
	old := a.v
	a.set("swap", v)
	return old
}

// CompareAndSwap sets the value if it is old.
func (a *AtomicValue) CompareAndSwap(old, v any) bool {
	if v != nil && old != nil && !sameType(old, v) {
		panic("sync/atomic: compare and swap of inconsistently typed values")
	}
	a.check("compare and swap", v)
	if !equal(a.v, old) {
		return false
	}
	a.v = v
	return true
}

func (a *AtomicValue) set(doing string, v any) {
	a.check(doing, v)
	a.v = v
}

// check panics as Go does for what cannot be the value.
func (a *AtomicValue) check(doing string, v any) {
	switch {
	case v == nil:
		panic("sync/atomic: " + doing + " of nil value into Value")
	case a.v != nil && !sameType(a.v, v):
		panic("sync/atomic: " + doing + " of inconsistently typed value into Value")
	}
}

// sameType compares types as the script has them.
func sameType(a, b any) bool {
	x, y := script.ViewOf(a), script.ViewOf(b)
	if x != nil && y != nil {
		return x.Type() == y.Type()
	}
	return x == nil && y == nil && reflect.TypeOf(a) == reflect.TypeOf(b)
}
