package ops

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// ConvertStruct converts between a struct of the host's and one of the script's
// with the same fields.
func ConvertStruct(m *exec.Machine, x *ir.SlowOp) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.Alloc(ir.ValueBytes(x.T))
	switch {
	case x.T.Mem != nil && x.U.Mem != nil:
		p := reflect.New(x.T.Mem)
		p.Elem().Set(exec.HostDeref(x.U, m.R[x.B]).Convert(x.T.Mem))
		m.R[x.A] = m.FollowAny(p.Interface())
	case x.T.Mem != nil:
		m.R[x.A] = m.FollowAny(structToHost(m, x.T, x.U, w, x.B).Interface())
	default:
		structFromHost(m, x.T, exec.HostDeref(x.U, m.R[x.B]), w, x.A)
	}
}

// structToHost makes a new struct of the host's type t of one of the script's.
func structToHost(m *exec.Machine, t, u *ir.Type, b exec.Bank, k int) reflect.Value {
	p := reflect.New(t.Mem)
	if u.Agg {
		b, k = exec.AsObj(u, b.R[k]), 0
	}
	for _, f := range u.Fields {
		if v := p.Elem().FieldByName(f.Name); f.Name != "_" {
			v.Set(exec.ToHost(m, f.Typ, b, k+f.Off, v.Type()))
		}
	}
	return p
}

// structFromHost makes a struct of the script's type t of one of the host's.
func structFromHost(m *exec.Machine, t *ir.Type, v reflect.Value, b exec.Bank, k int) {
	if t.Agg {
		o := exec.NewAgg(t).(*ir.Obj)
		b.R[k] = m.FollowAny(o)
		b, k = o, 0
	}
	for _, f := range t.Fields {
		if f.Name != "_" {
			exec.FromHost(m, v.FieldByName(f.Name), f.Typ, b, k+f.Off)
		}
	}
}
