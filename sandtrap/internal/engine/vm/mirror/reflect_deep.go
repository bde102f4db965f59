package mirror

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// A deepWalk compares values as reflect.DeepEqual does.
type deepWalk struct {
	m    *exec.Machine
	seen map[[2]any]bool // pairs of references that are being compared, or were
}

func deepEqual(m *exec.Machine, x, y any) bool {
	d := deepWalk{m: m}
	return d.equal(ValOf(m, x), ValOf(m, y))
}

func (d *deepWalk) equal(a, b Val) bool {
	if !a.Valid() || !b.Valid() {
		return a.Valid() == b.Valid()
	}
	if a.T != b.T {
		return false
	}
	m := d.m
	m.Poll()
	m.Deeper()
	defer m.Shallower()
	switch a.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		if a.isNil() || b.isNil() {
			return a.isNil() && b.isNil()
		}
		if a.T.Kind != reflect.Interface {
			if same, done := d.met(a, b); done {
				return same
			}
		}
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		return d.equal(a.Elem(m), b.Elem(m))
	case reflect.Slice, reflect.Array:
		return d.lists(a, b)
	case reflect.Map:
		return d.maps(a, b)
	case reflect.Struct:
		return d.structs(a, b)
	case reflect.Func:
		return a.isNil() && b.isNil()
	}
	return exec.EqualCells(m.Keys(), a.T, a.Load(m), 0, b.Load(m), 0)
}

// met says whether two references were compared before, or are the same.
func (d *deepWalk) met(a, b Val) (same, done bool) {
	x, y := a.identity(d.m), b.identity(d.m)
	if a.T.Kind == reflect.Slice && a.Len() != b.Len() {
		return false, true
	}
	if x == y {
		return true, true
	}
	key := [2]any{x, y}
	if d.seen[key] {
		return true, true
	}
	if d.seen == nil {
		d.seen = map[[2]any]bool{}
	}
	d.m.Charge(exec.NoteBytes)
	d.seen[key] = true
	return false, false
}

func (d *deepWalk) lists(a, b Val) bool {
	x, xoff, n, _ := a.store(d.m)
	y, yoff, k, _ := b.store(d.m)
	if n != k {
		return false
	}
	for i := range n {
		if !d.equal(a.at(x, xoff+i), b.at(y, yoff+i)) {
			return false
		}
	}
	return true
}

func (d *deepWalk) maps(a, b Val) bool {
	if a.Len() != b.Len() {
		return false
	}
	for _, p := range a.pairs(d.m) {
		e, ok := b.Lookup(d.m, p.Key)
		if !ok || !d.equal(p.Elem, e) {
			return false
		}
	}
	return true
}

func (d *deepWalk) structs(a, b Val) bool {
	if a.T.Mem != nil && !holdsInterface(a.T.Mem, nil) { // nothing of the script is in it
		return reflect.DeepEqual(reflect.ValueOf(a.held(d.m)).Elem().Interface(), reflect.ValueOf(b.held(d.m)).Elem().Interface())
	}
	for _, f := range StructFields(d.m, a.T) {
		if !d.equal(a.Field(d.m, f), b.Field(d.m, f)) {
			return false
		}
	}
	return true
}

// mayHoldAny reports that values of a type of the host's may lead to any others.
func holdsInterface(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	if seen == nil {
		seen = map[reflect.Type]bool{}
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface, reflect.Func, reflect.Chan:
		return true
	}
	for part := range kinds.Parts(t) {
		if holdsInterface(part, seen) {
			return true
		}
	}
	return false
}
