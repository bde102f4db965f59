package vm

import (
	"fmt"
	"strings"
)

// A runtimeError is one of Go's own run-time panics. Two that say the same are equal, as
// those of Go are.
type runtimeError struct{ msg string }

func (e runtimeError) Error() string { return "runtime error: " + e.msg }
func (e runtimeError) RuntimeError() {}
func (e runtimeError) goName() string {
	for _, bounds := range []string{"index out of range", "slice bounds out of range", "cannot convert slice"} {
		if strings.HasPrefix(e.msg, bounds) {
			return "runtime.boundsError"
		}
	}
	return "runtime.errorString"
}

// goNamed are values of the engine that in compiled Go are of a type of that name.
type goNamed interface{ goName() string }

// A typeAssertError has no prefix.
type typeAssertError struct{ msg string }

func (e *typeAssertError) Error() string { return e.msg }

func (e *typeAssertError) RuntimeError() {}

func (e *typeAssertError) goName() string { return "*runtime.TypeAssertionError" }

// scriptPanic carries a panic of the script through the slow paths up to the
// loop.
type scriptPanic struct {
	val    any
	goexit bool
	trace  []int    // where it was first raised, if not here
	of     *machine // whose function panicked, below one of the host
}

func throw(v any) { panic(&scriptPanic{val: v}) }

func throwf(f string, a ...any) { throw(runtimeError{fmt.Sprintf(f, a...)}) }

func throwPlain(f string, a ...any) { throw(plainError{fmt.Sprintf(f, a...)}) }

func throwNil() { throwf("invalid memory address or nil pointer dereference") }

// plainError is a runtime.Error without the prefix.
type plainError struct{ msg string }

func (e plainError) Error() string { return e.msg }
func (e plainError) RuntimeError() {}
func (e plainError) goName() string {
	if strings.HasPrefix(e.msg, "hash of unhashable type") {
		return "maps.unhashableTypeError"
	}
	return "runtime.plainError"
}
