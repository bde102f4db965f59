// Package advice says what to do about panics and deadlocks of scripts, in one line each.
//
// It may not run anything, and it knows only the texts of Go.
package advice

import (
	"slices"
	"strings"
)

// A remedy is for the texts that begin with begin and have with in them.
type remedy struct{ begin, with, hint string }

// of is the remedy for a text, the first that fits; "" if there is none.
func of(list []remedy, text string) string {
	for _, r := range list {
		if strings.HasPrefix(text, r.begin) && strings.Contains(text, r.with) {
			return r.hint
		}
	}
	return ""
}

const (
	testType = "v, ok := x.(T) tests for a type; ok is false if x holds another"
	check    = "check against the length before"
)

var panics = []remedy{
	{"assignment to entry in nil map", "", "a map has to be made before it is written to: m = make(map[K]V), also one that is in a struct or another map"},
	{"runtime error: index out of range", "with length 0", "it is empty: check len(x) > 0 before"},
	{"runtime error: index out of range", "[-", "an index is never negative: check it, or write x[len(x)-1] for the last element"},
	{"runtime error: index out of range", "", "the last index is len(x)-1: " + check + ", as in if i < len(x)"},
	{"runtime error: slice bounds out of range", "", check + ", or cut with min(n, len(x))"},
	{"runtime error: invalid memory address or nil pointer dereference", "", "a pointer, function or interface used here is nil: assign to it before, check x != nil, or check the error that came with it"},
	{"runtime error: integer divide by zero", "", "check for zero before dividing"},
	{"runtime error: makeslice: ", "", "the length is negative or too large: check it before make"},
	{"runtime error: hash of unhashable type", "", "slices, maps and functions cannot be keys: use a string, such as fmt.Sprint(x), or an array"},
	{"runtime error: comparing uncomparable type", "", "compare slices with slices.Equal and maps with maps.Equal"},
	{"runtime error: cannot convert slice with length", "", check},
	{"interface conversion: ", "(types from different scopes)", "the type has been declared again, and this value keeps the one that had the name before: make the value anew"},
	{"interface conversion: ", "missing method", "give the type that method; " + testType},
	{"interface conversion: ", " is nil, not ", "there is no value, such as under a key that a map has not: " + testType},
	{"interface conversion: ", " is float64, not int", "numbers from JSON are float64: int(x.(float64))"},
	{"interface conversion: ", " is []interface {}, not []", "a list from JSON is a []any: range over x.([]any), and take each element out"},
	{"interface conversion: ", " is map[string]interface {}, not ", "an object from JSON is a map[string]any: take each value out, or decode into a struct"},
	{"interface conversion: ", "", "name the type that the value has; " + testType},
	{"close of closed channel", "", "close a channel once, where the last value is sent; with several senders, once after wg.Wait()"},
	{"send on closed channel", "", "close a channel after the last send; with several senders, once after wg.Wait()"},
	{"close of nil channel", "", "make it before: ch := make(chan T)"},
	{"sync: negative WaitGroup counter", "", "each wg.Done() needs a wg.Add(1) before it, and wg.Go does both"},
	{"fatal error: sync: ", "nlock of unlocked", "each Unlock needs a Lock of the same mutex before it"},
	{"", "s: negative Repeat count", "write max(n, 0) for the count"},
	{"invalid argument to Int", "", "the argument has to be 1 or more"},
}

// Panic is what to do about a panic with that text, as Go prints it.
func Panic(text string) string { return of(panics, text) }

// waits are what ends a wait, by the beginning of what Go calls it.
var waits = []remedy{
	{"chan receive (nil", "", "a nil channel blocks for ever: ch := make(chan T)"},
	{"chan send (nil", "", "a nil channel blocks for ever: ch := make(chan T)"},
	{"chan receive", "", "nothing sends any more: close(ch) after the last send ends the receives and loops over it"},
	{"chan send", "", "nothing receives: let another goroutine do it, which go starts before, or give the channel room with make(chan T, n)"},
	{"select", "", "no case can go on: let another goroutine send, receive or close, or add a case with a timeout"},
	{"sync.WaitGroup", "", "each wg.Add(1) needs a wg.Done(), also on ways that return early: write defer wg.Done()"},
	{"sync.Cond", "", "a Wait needs a Signal or Broadcast after it"},
	{"sync.", "", "each Lock needs an Unlock before the next: write defer mu.Unlock(), and do not lock again in functions called under the lock"},
}

// waitedFor is what lets goroutines go on that another one waits for with a WaitGroup.
var waitedFor = []remedy{
	{"chan send", "", "the goroutines that are waited for cannot send: receive before, with go func() { wg.Wait(); close(ch) }(), or give the channel room with make(chan T, n)"},
	{"chan receive", "", "the goroutines that are waited for still receive: close(ch) before wg.Wait()"},
}

// Deadlock is what to do about one whose goroutines have these states, the first that of main.
func Deadlock(states []string) string {
	if len(states) == 0 {
		return ""
	}
	if strings.HasPrefix(states[0], "sync.WaitGroup") {
		for _, state := range slices.Sorted(slices.Values(states[1:])) {
			if hint := of(waitedFor, state); hint != "" && !strings.Contains(state, "nil chan") {
				return hint
			}
		}
	}
	return of(waits, states[0])
}
