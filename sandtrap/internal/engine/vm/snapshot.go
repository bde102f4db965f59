package vm

import (
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// Snapshot implements engine.Values.
func (h hostValues) Snapshot(v any, room int) (value any, parts int, ok bool) {
	defer func() {
		if recover() != nil { // it cannot be handed out; a stop comes at the next gate
			value, ok = nil, false
		}
	}()
	if f, isOwn := exec.ScriptValue(v); isOwn {
		w := &printer.Walk{Left: room, Through: true}
		if !w.Fits(f.T, exec.IfaceCells(f), 0, 0) || !handsOut(f.T.Kind) {
			return nil, 0, false
		}
		return asPlain(h.m, f.T, exec.IfaceCells(f), 0), room - w.Left, true
	}
	s := frozen{left: room}
	got := s.copy(reflect.ValueOf(v), 0)
	if s.failed || s.left < 0 {
		return nil, 1, false
	}
	if !got.IsValid() {
		return nil, 1, true
	}
	return got.Interface(), room - s.left, true
}

// handsOut reports that values of a kind are more to the host than a note that they are
// there.
func handsOut(k reflect.Kind) bool {
	return k != reflect.Chan && k != reflect.UnsafePointer
}

// A frozen copies a value of Go's own, as far as nothing of it can change afterwards.
type frozen struct {
	left   int
	failed bool // a part is too large, too deep, or can change
}

func (s *frozen) fail(v reflect.Value) reflect.Value {
	s.failed = true
	return v
}

func (s *frozen) copy(v reflect.Value, depth int) reflect.Value {
	if s.left--; s.failed || s.left < 0 || depth > printer.MaxEchoDepth {
		return s.fail(v)
	}
	switch k := v.Kind(); {
	case k == reflect.Invalid, kinds.Nilable.Has(k) && v.IsNil(), k == reflect.Struct && v.Type() == reflect.TypeFor[time.Time]():
		return v
	case k == reflect.String:
		s.left -= v.Len()
		return v
	case kinds.Place.Has(k) && !kinds.Composite.Has(k), kinds.Ranged.Has(k) && v.Len() > s.left, k == reflect.Struct && s.hides(v, depth):
		return s.fail(v)
	case k == reflect.Array || k == reflect.Slice:
		s.basics(v)
	}
	return kinds.Rebuilt(v, func(part reflect.Value) reflect.Value { return s.copy(part, depth+1) })
}

// hides reports a struct of the host's that keeps to itself something that could be changed from elsewhere.
func (s *frozen) hides(v reflect.Value, depth int) bool {
	for f := range v.Type().Fields() {
		if f.IsExported() {
			continue
		}
		if field := s.copy(v.FieldByIndex(f.Index), depth+1); s.failed || kinds.Nilable.Has(field.Kind()) && !field.IsNil() {
			return true
		}
	}
	return false
}

// basics pays for the elements of a list that are copied at once.
func (s *frozen) basics(list reflect.Value) {
	k := list.Type().Elem().Kind()
	if kinds.Basic.Has(k) {
		s.left -= list.Len()
	}
	for i := 0; k == reflect.String && i < list.Len(); i++ {
		s.left -= list.Index(i).Len()
	}
}
