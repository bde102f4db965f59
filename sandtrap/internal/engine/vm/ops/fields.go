package ops

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// HostField is the address of a field of a host struct.
func HostField(m *exec.Machine, x *ir.SlowOp) {
	if m.R[x.B] == nil {
		exec.ThrowNil()
	}
	field := reflect.ValueOf(m.R[x.B]).Elem().Field(int(x.N))
	exec.PointTo(m, x.T, field.Addr(), &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

// HostFieldValue is a field of a host struct that is no variable.
func HostFieldValue(m *exec.Machine, x *ir.SlowOp) {
	exec.FromHost(m, exec.HostDeref(x.U, m.R[x.B]).Field(int(x.N)), x.T, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

func NilCheck(m *exec.Machine, x *ir.SlowOp) {
	if m.R[x.A] == nil {
		exec.ThrowNil()
	}
}

func New(m *exec.Machine, x *ir.SlowOp) {
	if x.T.Agg {
		if x.T.Kind == reflect.Array && x.T.Elem.W() > 0 { // it may be that of a make
			m.CheckLen("len", int64(x.T.N), x.T.Elem)
		}
		m.Alloc(ir.ValueBytes(x.T))
		m.SetPtr(x.A, x.T, m.AllocAgg(x.T))
		return
	}
	m.Alloc(ir.ValueBytes(x.T))
	m.R[x.A], m.I[x.A] = exec.Follow(m, ir.NewObj(x.T.W(), x.T.Banks, 1)), 0
}

func GlobalAgg(m *exec.Machine, x *ir.SlowOp) {
	m.SetPtr(x.A, x.T, exec.AggAt(x.T, m.Globals, int(x.N)))
}

// FieldAgg makes the address of an aggregate from that of its cell.
func FieldAgg(m *exec.Machine, x *ir.SlowOp) {
	if m.R[x.B] == nil {
		exec.ThrowNil()
	}
	m.SetPtr(x.A, x.T, exec.AggAt(x.T, exec.MemOf(m.R[x.B]), int(m.I[x.B])))
}

// LoadAgg loads a value that is, or contains, an aggregate.
func LoadAgg(m *exec.Machine, x *ir.SlowOp) {
	r := m.R[x.B]
	if r == nil {
		exec.ThrowNil()
	}
	if x.T.Agg {
		m.R[x.A] = m.CopyOf(x.T, r, ptrOff(m, x.T, x.B))
		return
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	o, k := exec.MemOf(r), int(m.I[x.B])
	if p, ok := exec.PlaceAt(o, k); ok {
		p.Load(w, x.A)
		return
	}
	for i, c := range x.T.Cells {
		if c.Agg != nil {
			w.R[x.A+i] = m.CopyOf(c.Agg, o.LdR(k+i), 0)
			continue
		}
		exec.LoadCell(w, x.A+i, o, k+i, c.M)
	}
}

// LoadAlias is LoadAgg of a struct of the host's for a call that copies it before anything else happens: the variable
// itself.
func LoadAlias(m *exec.Machine, x *ir.SlowOp) {
	r := m.R[x.B]
	if r == nil {
		exec.ThrowNil()
	}
	m.R[x.A] = r
}

// ptrOff is the offset of a pointer to an aggregate.
func ptrOff(m *exec.Machine, t *ir.Type, r int) int {
	if t.Kind == reflect.Array {
		return int(m.I[r+1] >> 32)
	}
	return int(m.I[r])
}

func StoreAgg(m *exec.Machine, x *ir.SlowOp) {
	r := m.R[x.B]
	if r == nil {
		exec.ThrowNil()
	}
	if x.T.Agg {
		v := m.R[x.A]
		if v == nil {
			v = exec.NewAgg(x.T)
		}
		if x.T.Kind == ir.KindHost && !x.Ok {
			m.MustReplace(r, false)
		}
		m.MoveAgg(x.T, r, ptrOff(m, x.T, x.B), v, 0)
		return
	}
	exec.CopyValue(x.T, exec.MemOf(r), int(m.I[x.B]), &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

func Field(m *exec.Machine, x *ir.SlowOp) {
	f := x.T.Fields[x.N]
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	if x.T.Agg {
		exec.RawCopy(f.Typ.Cells, w, x.A, exec.AsObj(x.T, m.R[x.B]), f.Off)
		return
	}
	exec.RawCopy(f.Typ.Cells, w, x.A, w, x.B+f.Off)
}

func IndexArray(m *exec.Machine, x *ir.SlowOp) {
	i := m.I[x.C]
	if uint64(i) >= uint64(x.T.N) {
		exec.ThrowIndex(i, x.T.N, ir.IsUnsigned(x.U))
	}
	v := m.R[x.B]
	if v == nil {
		v = exec.NewAgg(x.T)
	}
	exec.RawCopy(x.T.Elem.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A, exec.ElemCells(x.T.Elem, v, int(i)), 0)
}

func Unpack(m *exec.Machine, x *ir.SlowOp) {
	m.Room(x.A + exec.Window)
	m.View()
	if o, ok := m.R[x.B].(*ir.Obj); ok {
		exec.RawCopy(x.T.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A, o, 0)
	}
}

func Equal(m *exec.Machine, x *ir.SlowOp) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.I[x.A] = ir.BoolBits(exec.EqualCells(m.Keys(), x.T, w, x.B, w, x.C) == x.Ok)
}

func Closure(m *exec.Machine, x *ir.SlowOp) {
	n := 0
	for _, t := range x.Types {
		n += t.W()
	}
	m.Alloc(ir.ObjBytes + ir.ObjectBytes(n, ir.BankP, 1))
	caps := ir.NewObj(n, ir.BankI|ir.BankR|ir.BankS, 1)
	if n > 0 {
		hasS := false
		for _, t := range x.Types {
			for _, c := range t.Cells {
				hasS = hasS || c.M&ir.BankS != 0
			}
		}
		if !hasS {
			caps = ir.NewObj(n, ir.BankP, 1)
		}
	}
	at := 0
	for i, t := range x.Types {
		exec.RawCopy(t.Cells, caps, at, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[i])
		at += t.W()
	}
	m.R[x.A] = exec.Follow(m, &ir.Closure{Fn: x.Fn, Caps: caps})
}
