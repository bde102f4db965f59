package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Printing a pointer must not show the memory of the host. Each object has a made-up
// address, and room behind it for its cells, so that places in it are told apart.

const (
	firstPlace = 0xc000010000
	placeRoom  = 64 // at least, between two objects
	cellRoom   = 8
)

// Address is that of an object, or of a place in the memory of the host.
func (m *Machine) Address(v any) uint64 {
	if v == nil {
		return 0
	}
	key := placeKey(v)
	if a, ok := m.addrs[key]; ok {
		return a
	}
	if m.addrs == nil {
		m.addrs = map[any]uint64{}
	}
	m.Charge(NoteBytes)
	a := firstPlace + m.placed
	m.addrs[key] = a
	room := uint64(placeRoom)
	if o, ok := v.(ir.Mem); ok {
		room = max(room, (uint64(o.CellCount())*cellRoom+placeRoom-1)/placeRoom*placeRoom)
	}
	m.placed += room
	return a
}

// placeKey is what a place is known by: functions without variables by their code, and
// pointers of the host's by where they point, as the host's own printing knows them.
func placeKey(v any) any {
	switch x := v.(type) {
	case HostVar:
		v = x.p
	case *ir.Closure:
		if x.Fn != nil && x.Caps == nil {
			return x.Fn
		}
		return v
	case ir.Mem, *Map, *Chan, uintptr, string:
		return v
	}
	if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer || rv.Kind() == reflect.Chan {
		return rv.Pointer()
	}
	return v
}

// PointsTo is the address that a pointer, or what has a place like one, leads to.
func (m *Machine) PointsTo(t *ir.Type, b Bank, k int) uint64 {
	a := m.Address(b.R[k])
	if _, inside := b.R[k].(ir.Mem); !inside || t.Kind != reflect.Pointer {
		return a
	}
	if _, one := b.R[k].(HostVar); one {
		return a
	}
	at := uint64(b.I[k])
	if t.Elem.Kind == reflect.Array {
		at = uint64(b.I[k+1]>>32) * uint64(t.Elem.Elem.W())
	}
	return a + at*cellRoom
}

// PlaceOf is the address to show for a pointer p of the host's, which may be to a copy.
func (m *Machine) PlaceOf(p uintptr) uint64 {
	if m.places == nil && len(m.noted) > 0 {
		m.places = map[uintptr]copyNote{}
		for _, c := range m.noted {
			m.places[c.to] = c
		}
	}
	if c, ok := m.places[p]; ok {
		return m.Address(c.store) + c.off
	}
	return m.Address(p)
}
