package vm

import (
	"reflect"
)

// doConvertStruct converts between a struct of the host's and one of the script's
// with the same fields.
func doConvertStruct(m *machine, x *ext) {
	w := &Obj{m.I, m.S, m.R}
	m.alloc(valueBytes(x.t))
	switch {
	case x.t.mem != nil && x.u.mem != nil:
		p := reflect.New(x.t.mem)
		p.Elem().Set(hostDeref(x.u, m.R[x.b]).Convert(x.t.mem))
		m.R[x.a] = m.followAny(p.Interface())
	case x.t.mem != nil:
		m.R[x.a] = m.followAny(m.structToHost(x.t, x.u, w, x.b).Interface())
	default:
		m.structFromHost(x.t, hostDeref(x.u, m.R[x.b]), w, x.a)
	}
}

// structToHost makes a new struct of the host's type t of one of the script's.
func (m *machine) structToHost(t, u *Type, b bank, k int) reflect.Value {
	p := reflect.New(t.mem)
	if u.agg {
		b, k = asObj(u, b.R[k]), 0
	}
	for _, f := range u.fields {
		if v := p.Elem().FieldByName(f.name); f.name != "_" {
			v.Set(toHost(m, f.typ, b, k+f.off, v.Type()))
		}
	}
	return p
}

// structFromHost makes a struct of the script's type t of one of the host's.
func (m *machine) structFromHost(t *Type, v reflect.Value, b bank, k int) {
	if t.agg {
		o := newAgg(t).(*Obj)
		b.R[k] = m.followAny(o)
		b, k = o, 0
	}
	for _, f := range t.fields {
		if f.name != "_" {
			fromHost(m, v.FieldByName(f.name), f.typ, b, k+f.off)
		}
	}
}
