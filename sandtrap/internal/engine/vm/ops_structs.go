package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// doConvertStruct converts between a struct of the host's and one of the script's
// with the same fields.
func doConvertStruct(m *machine, x *ir.SlowOp) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.alloc(ir.ValueBytes(x.T))
	switch {
	case x.T.Mem != nil && x.U.Mem != nil:
		p := reflect.New(x.T.Mem)
		p.Elem().Set(hostDeref(x.U, m.R[x.B]).Convert(x.T.Mem))
		m.R[x.A] = m.followAny(p.Interface())
	case x.T.Mem != nil:
		m.R[x.A] = m.followAny(m.structToHost(x.T, x.U, w, x.B).Interface())
	default:
		m.structFromHost(x.T, hostDeref(x.U, m.R[x.B]), w, x.A)
	}
}

// structToHost makes a new struct of the host's type t of one of the script's.
func (m *machine) structToHost(t, u *ir.Type, b bank, k int) reflect.Value {
	p := reflect.New(t.Mem)
	if u.Agg {
		b, k = asObj(u, b.R[k]), 0
	}
	for _, f := range u.Fields {
		if v := p.Elem().FieldByName(f.Name); f.Name != "_" {
			v.Set(toHost(m, f.Typ, b, k+f.Off, v.Type()))
		}
	}
	return p
}

// structFromHost makes a struct of the script's type t of one of the host's.
func (m *machine) structFromHost(t *ir.Type, v reflect.Value, b bank, k int) {
	if t.Agg {
		o := newAgg(t).(*ir.Obj)
		b.R[k] = m.followAny(o)
		b, k = o, 0
	}
	for _, f := range t.Fields {
		if f.Name != "_" {
			fromHost(m, v.FieldByName(f.Name), f.Typ, b, k+f.Off)
		}
	}
}
