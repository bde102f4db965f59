package vm

import "reflect"

// movedTo is where the values of o went, nil if they are still here.
func movedTo(o *Obj) *hostVals {
	to, _ := o.moved().(*hostVals)
	return to
}

// move makes the values of o, which are of type t, memory of the host's of type rt.
func (m *machine) move(o *Obj, t *Type, rt reflect.Type) {
	w := t.w()
	if w == 0 || o.moved() != nil || o == m.globals {
		return
	}
	m.deeper()
	defer m.shallower()
	n := max(len(o.I), len(o.S), len(o.R)) / w
	m.charge(int64(n) * int64(rt.Size()))
	was := *o
	to := &hostVals{m: m, t: t, v: reflect.MakeSlice(reflect.SliceOf(rt), n, n)}
	*o = movedObj(to)
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
func (m *machine) moveVariable(o *Obj, t *Type, rt reflect.Type) {
	if t.w() == 1 && !t.elem.agg && max(len(o.I), len(o.S), len(o.R)) == t.elem.w() {
		m.move(o, t.elem, rt)
	}
}
