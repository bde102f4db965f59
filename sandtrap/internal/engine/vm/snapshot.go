package vm

import (
	"reflect"
	"time"

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
	s := frozen{room}
	got, ok := s.copy(reflect.ValueOf(v), 0)
	if !ok || !got.IsValid() {
		return nil, 1, ok
	}
	return got.Interface(), room - s.left, true
}

// handsOut reports that values of a kind are more to the host than a note that they are
// there.
func handsOut(k reflect.Kind) bool {
	return k != reflect.Chan && k != reflect.UnsafePointer
}

// A frozen copies a value of Go's own, as far as nothing of it can change afterwards.
type frozen struct{ left int }

func (s *frozen) copy(v reflect.Value, depth int) (out reflect.Value, ok bool) {
	if s.left--; s.left < 0 || depth > printer.MaxEchoDepth {
		return v, false
	}
	switch v.Kind() {
	case reflect.Invalid:
		return v, true
	case reflect.String:
		s.left -= v.Len()
		return v, s.left >= 0
	case reflect.Func, reflect.Chan, reflect.Pointer, reflect.UnsafePointer:
		return v, v.IsNil()
	case reflect.Slice, reflect.Map, reflect.Interface:
		if v.IsNil() {
			return v, true
		}
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Len() > s.left {
			return v, false
		}
		out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		return out, s.list(v, out, depth)
	case reflect.Array:
		out = reflect.New(v.Type()).Elem()
		return out, s.list(v, out, depth)
	case reflect.Map:
		return s.mapping(v, depth)
	case reflect.Interface:
		out = reflect.New(v.Type()).Elem()
		elem, ok := s.copy(v.Elem(), depth+1)
		if ok {
			out.Set(elem)
		}
		return out, ok
	case reflect.Struct:
		return s.structure(v, depth)
	}
	return v, true
}

func (s *frozen) list(from, to reflect.Value, depth int) bool {
	for i := range from.Len() {
		elem, ok := s.copy(from.Index(i), depth+1)
		if !ok {
			return false
		}
		to.Index(i).Set(elem)
	}
	return true
}

func (s *frozen) mapping(v reflect.Value, depth int) (out reflect.Value, ok bool) {
	out = reflect.MakeMap(v.Type())
	for it := v.MapRange(); it.Next(); {
		key, ok := s.copy(it.Key(), depth+1)
		if !ok {
			return v, false
		}
		elem, ok := s.copy(it.Value(), depth+1)
		if !ok {
			return v, false
		}
		out.SetMapIndex(key, elem)
	}
	return out, true
}

// structure copies a struct of the host's. What it keeps to itself must hold nothing that
// could be changed from elsewhere; a time does not change.
func (s *frozen) structure(v reflect.Value, depth int) (out reflect.Value, ok bool) {
	out = reflect.New(v.Type()).Elem()
	out.Set(v)
	if v.Type() == reflect.TypeFor[time.Time]() {
		return out, true
	}
	for i := range v.NumField() {
		field, ok := s.copy(v.Field(i), depth+1)
		switch {
		case !ok:
			return v, false
		case v.Type().Field(i).IsExported():
			out.Field(i).Set(field)
		case !holdsNothing(field):
			return v, false
		}
	}
	return out, true
}

// holdsNothing reports that v leads to nothing.
func holdsNothing(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Interface:
		return v.IsNil()
	}
	return true
}
