package yaegi

import (
	"math/rand/v2"
	"reflect"

	"github.com/sandtrap-go/sandtrap/gates"
)

// A script has one task here, so a channel operation that cannot go on at once
// never will. These gates stand before the operations and end the run then.

// asleep ends the run as Go does when nothing can go on.
func (s *run) asleep() {
	panic(s.meter.Trip(&gates.Stop{Reason: gates.Deadlock, Message: "fatal error: all goroutines are asleep - deadlock!"}))
}

func (s *run) awaitRecv(c any) {
	if !canRecv(channel(c)) {
		s.asleep()
	}
}

func (s *run) awaitSend(c any) {
	if !canSend(channel(c)) {
		s.asleep()
	}
}

// selected picks one of the operations that can go on, and returns its index. Of
// each channel, ops says whether it is to be sent to (s) or received from (r). An
// operation more than channels is a default.
func (s *run) selected(ops string, chans ...any) int {
	var ready []int
	for i, c := range chans {
		v := channel(c)
		if ops[i] == 'r' && canRecv(v) || ops[i] == 's' && canSend(v) {
			ready = append(ready, i)
		}
	}
	switch {
	case len(ready) > 0:
		return ready[rand.IntN(len(ready))]
	case len(ops) == len(chans):
		s.asleep()
	}
	return len(chans)
}

// channel is the channel in v, the zero Value for a nil one.
func channel(v any) reflect.Value {
	c, ok := v.(reflect.Value)
	if !ok {
		c = reflect.ValueOf(v)
	}
	if c.Kind() != reflect.Chan || c.IsNil() {
		return reflect.Value{}
	}
	return c
}

// canRecv reports whether there is a value or the channel is closed. It takes
// nothing out: of an empty channel there is nothing to take.
func canRecv(c reflect.Value) bool {
	if !c.IsValid() {
		return false
	}
	if c.Len() > 0 {
		return true
	}
	v, _ := c.TryRecv()
	return v.IsValid()
}

// canSend reports whether there is room or the channel is closed. It puts nothing
// in: into a full channel nothing goes.
func canSend(c reflect.Value) (can bool) {
	if !c.IsValid() {
		return false
	}
	if c.Len() < c.Cap() {
		return true
	}
	defer func() {
		if recover() != nil { // closed
			can = true
		}
	}()
	return c.TrySend(reflect.Zero(c.Type().Elem()))
}
