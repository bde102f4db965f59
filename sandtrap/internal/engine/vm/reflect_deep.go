package vm

import "reflect"

// A deepWalk compares values as reflect.DeepEqual does.
type deepWalk struct {
	m    *machine
	seen map[[2]any]bool // pairs of references that are being compared, or were
}

func (m *machine) deepEqual(x, y any) bool {
	d := deepWalk{m: m}
	return d.equal(m.valOf(x), m.valOf(y))
}

func (d *deepWalk) equal(a, b val) bool {
	if !a.valid() || !b.valid() {
		return a.valid() == b.valid()
	}
	if a.t != b.t {
		return false
	}
	m := d.m
	m.look()
	m.deeper()
	defer m.shallower()
	switch a.kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		if a.isNil() || b.isNil() {
			return a.isNil() && b.isNil()
		}
		if a.t.Kind != reflect.Interface {
			if same, done := d.met(a, b); done {
				return same
			}
		}
	}
	switch a.kind() {
	case reflect.Pointer, reflect.Interface:
		return d.equal(a.elem(m), b.elem(m))
	case reflect.Slice, reflect.Array:
		return d.lists(a, b)
	case reflect.Map:
		return d.maps(a, b)
	case reflect.Struct:
		return d.structs(a, b)
	case reflect.Func:
		return a.isNil() && b.isNil()
	}
	return equalCells(m.keys(), a.t, a.load(m), 0, b.load(m), 0)
}

// met says whether two references were compared before, or are the same.
func (d *deepWalk) met(a, b val) (same, done bool) {
	x, y := a.identity(d.m), b.identity(d.m)
	if a.t.Kind == reflect.Slice && a.length() != b.length() {
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
	d.m.charge(noteBytes)
	d.seen[key] = true
	return false, false
}

func (d *deepWalk) lists(a, b val) bool {
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

func (d *deepWalk) maps(a, b val) bool {
	if a.length() != b.length() {
		return false
	}
	in := mirror{t: b.t, c: b.load(d.m)}
	for _, p := range a.pairs(d.m) {
		e, ok := d.m.lookup(in, mirror{t: p.key.t, c: p.key.load(d.m)})
		if !ok || !d.equal(p.elem, val{t: e.t, o: e.c, k: e.k}) {
			return false
		}
	}
	return true
}

func (d *deepWalk) structs(a, b val) bool {
	if a.t.Mem != nil && !holdsInterface(a.t.Mem, nil) { // nothing of the script is in it
		return reflect.DeepEqual(reflect.ValueOf(a.held(d.m)).Elem().Interface(), reflect.ValueOf(b.held(d.m)).Elem().Interface())
	}
	for _, f := range d.m.structFields(a.t) {
		if !d.equal(a.field(d.m, f), b.field(d.m, f)) {
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
	case reflect.Map:
		return holdsInterface(t.Key(), seen) || holdsInterface(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsInterface(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsInterface(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}
