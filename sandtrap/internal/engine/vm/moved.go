package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// movedTo is where the values of o went, nil if they are still here.
func movedTo(o *ir.Obj) *hostVals {
	to, _ := o.Moved().(*hostVals)
	return to
}

// move makes the values of o, which are of type t, memory of the host's of type rt.
func (m *machine) move(o *ir.Obj, t *ir.Type, rt reflect.Type) {
	w := t.W()
	if w == 0 || o.Moved() != nil || o == m.globals {
		return
	}
	m.deeper()
	defer m.shallower()
	n := max(len(o.I), len(o.S), len(o.R)) / w
	m.charge(int64(n) * int64(rt.Size()))
	was := *o
	to := &hostVals{m: m, t: t, v: reflect.MakeSlice(reflect.SliceOf(rt), n, n)}
	*o = ir.MovedObj(to)
	done := false
	defer func() {
		if !done { // a value cannot be given to the host
			*o = was
		}
	}()
	for i := range n {
		m.crossed()
		to.elem(i).v.Set(toHost(m, t, sub(&was, i*w), 0, rt))
	}
	done = true
}

// moveVariable moves a variable that a pointer of type t leads to, if it is all of o.
func (m *machine) moveVariable(o *ir.Obj, t *ir.Type, rt reflect.Type) {
	if t.W() == 1 && !t.Elem.Agg && max(len(o.I), len(o.S), len(o.R)) == t.Elem.W() {
		m.move(o, t.Elem, rt)
	}
}
