package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Lists, maps and variables that the host may keep are its own memory. One that leads to itself has no end for
// code that takes it apart, and that recurses: fmt, for one, which is the end of the process. So the host is
// given none, and what a script stores in the host's memory does not lead back to where it is stored. Pointers to
// structs are not followed: fmt prints them as numbers, and the types of the host that have them say so.

// Giving is ToHost for code of the host.
func (m *Machine) Giving(t *ir.Type, b Bank, k int, rt reflect.Type) reflect.Value {
	v := ToHost(m, t, b, k, rt)
	m.WantEnd(v, 0, 0)
	return v
}

// WantEnd panics, as a fault of the script, if v leads to itself, to the memory from start to end that it is to be stored in,
// or too deep.
func (m *Machine) WantEnd(v reflect.Value, start, end uintptr) {
	if m != nil && m.leads(v) {
		(&endWalk{m: m, start: start, end: end}).walk(v)
	}
}

// wantEnds is WantEnd for the elements of a list that are copied to those of another.
func (m *Machine) wantEnds(from, to reflect.Value) {
	if m == nil || !m.mayLead(from.Type().Elem()) {
		return
	}
	start := to.Pointer()
	for i := range from.Len() {
		m.WantEnd(from.Index(i), start, start+uintptr(to.Len())*to.Type().Elem().Size())
	}
}

// An endWalk looks for the end of a value in each direction.
type endWalk struct {
	m          *Machine
	start, end uintptr
	deep       int
	steps      int
	been       map[endNode]bool // where it has been; true while it is in there. Nil while it has taken few steps.
}

type endNode struct {
	at uintptr
	n  int // elements
	t  reflect.Type
}

// fewSteps are what most values take. More have to be noted: what is shared would be walked through in
// each way that leads there.
const fewSteps = 1000

func (w *endWalk) walk(v reflect.Value) {
	w.m.crossed()
	if w.deep++; w.deep > maxRecursion {
		w.refuse()
	}
	switch v.Kind() {
	case reflect.Interface:
		w.part(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			w.part(v.Field(i))
		}
	case reflect.Array:
		w.list(v)
	case reflect.Slice:
		w.within(v, v.Len(), uintptr(v.Len())*v.Type().Elem().Size(), func() { w.list(v) })
	case reflect.Pointer:
		w.within(v, 1, v.Type().Elem().Size(), func() { w.part(v.Elem()) })
	case reflect.Map:
		w.within(v, 0, 1, func() { w.entries(v) })
	}
	w.deep--
}

func (w *endWalk) part(v reflect.Value) {
	if w.m.leads(v) {
		w.walk(v)
	}
}

func (w *endWalk) list(v reflect.Value) {
	for i := range v.Len() {
		w.m.crossed()
		w.part(v.Index(i))
	}
}

// entries gives the lock of the map back before it looks into them, which are perhaps maps with the same one.
func (w *endWalk) entries(v reflect.Value) {
	var parts []reflect.Value
	func() {
		defer (&mapView{V: v}).lock().Unlock()
		for it := v.MapRange(); it.Next(); {
			w.m.crossed()
			for _, x := range [2]reflect.Value{it.Key(), it.Value()} {
				if w.m.leads(x) {
					parts = append(parts, x)
				}
			}
		}
	}()
	for _, x := range parts {
		w.walk(x)
	}
}

// within walks through the memory of n elements that v leads to.
func (w *endWalk) within(v reflect.Value, n int, size uintptr, walk func()) {
	at := v.Pointer()
	if at < w.end && w.start < at+size {
		w.refuse()
	}
	node := endNode{at, n, v.Type()}
	if inside, seen := w.been[node]; inside {
		w.refuse()
	} else if seen {
		return
	}
	if w.steps++; w.steps > fewSteps {
		if w.been == nil {
			w.been = map[endNode]bool{}
		}
		w.m.Charge(NoteBytes)
		w.been[node] = true
		defer func() { w.been[node] = false }()
	}
	walk()
}

func (w *endWalk) refuse() {
	ThrowPlain("a value that holds itself, or is nested too deep, cannot be given to the host")
}

// leads reports that v may lead to itself, or to something that does.
func (m *Machine) leads(v reflect.Value) bool {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	k := v.Kind()
	if k != reflect.Pointer && !kinds.Composite.Has(k) || kinds.Nilable.Has(k) && v.IsNil() {
		return false
	}
	return m.mayLead(v.Type())
}

// mayLead reports that values of the type may hold others of any type, or of their own.
func (m *Machine) mayLead(t reflect.Type) (may bool) {
	switch k := t.Kind(); {
	case k == reflect.Interface:
		return true
	case k == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		return false
	case k != reflect.Pointer && !kinds.Composite.Has(k):
		return false
	}
	if m.lastLeading == t {
		return m.lastMayLead
	}
	if may, known := m.leading[t]; known {
		m.lastLeading, m.lastMayLead = t, may
		return may
	}
	if m.leading == nil {
		m.leading = map[reflect.Type]bool{}
	}
	m.leading[t] = true // who comes here again has found that it holds itself
	defer func() { m.leading[t] = may }()
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && m.mayLead(f.Type) {
				return true
			}
		}
		return false
	case reflect.Map:
		return m.mayLead(t.Key()) || m.mayLead(t.Elem())
	}
	return m.mayLead(t.Elem())
}
