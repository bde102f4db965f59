package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// doHostField is the address of a field of a host struct.
func doHostField(m *machine, x *ir.SlowOp) {
	if m.R[x.B] == nil {
		throwNil()
	}
	field := reflect.ValueOf(m.R[x.B]).Elem().Field(int(x.N))
	pointTo(m, x.T, field.Addr(), &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

// doHostFieldValue is a field of a host struct that is no variable.
func doHostFieldValue(m *machine, x *ir.SlowOp) {
	fromHost(m, hostDeref(x.U, m.R[x.B]).Field(int(x.N)), x.T, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

func doNilCheck(m *machine, x *ir.SlowOp) {
	if m.R[x.A] == nil {
		throwNil()
	}
}

func doNew(m *machine, x *ir.SlowOp) {
	if x.T.Agg {
		if x.T.Kind == reflect.Array && x.T.Elem.W() > 0 { // it may be that of a make
			m.checkLen("len", int64(x.T.N), x.T.Elem)
		}
		m.alloc(ir.ValueBytes(x.T))
		m.setPtr(x.A, x.T, m.aggFor(x.T))
		return
	}
	m.alloc(ir.ValueBytes(x.T))
	m.R[x.A], m.I[x.A] = follow(m, ir.NewObj(x.T.W(), x.T.Banks, 1)), 0
}

func doGlobalAgg(m *machine, x *ir.SlowOp) {
	m.setPtr(x.A, x.T, aggAt(x.T, m.globals, int(x.N)))
}

// doFieldAgg makes the address of an aggregate from that of its cell.
func doFieldAgg(m *machine, x *ir.SlowOp) {
	if m.R[x.B] == nil {
		throwNil()
	}
	m.setPtr(x.A, x.T, aggAt(x.T, memOf(m.R[x.B]), int(m.I[x.B])))
}

// doLoadAgg loads a value that is, or contains, an aggregate.
func doLoadAgg(m *machine, x *ir.SlowOp) {
	r := m.R[x.B]
	if r == nil {
		throwNil()
	}
	if x.T.Agg {
		m.R[x.A] = m.copyOf(x.T, r, m.ptrOff(x.T, x.B))
		return
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	o, k := memOf(r), int(m.I[x.B])
	if p, ok := placeAt(o, k); ok {
		p.load(w, x.A)
		return
	}
	for i, c := range x.T.Cells {
		if c.Agg != nil {
			w.R[x.A+i] = m.copyOf(c.Agg, o.LdR(k+i), 0)
			continue
		}
		loadCell(w, x.A+i, o, k+i, c.M)
	}
}

// ptrOff is the offset of a pointer to an aggregate.
func (m *machine) ptrOff(t *ir.Type, r int) int {
	if t.Kind == reflect.Array {
		return int(m.I[r+1] >> 32)
	}
	return int(m.I[r])
}

func doStoreAgg(m *machine, x *ir.SlowOp) {
	r := m.R[x.B]
	if r == nil {
		throwNil()
	}
	if x.T.Agg {
		v := m.R[x.A]
		if v == nil {
			v = newAgg(x.T)
		}
		if x.T.Kind == ir.KindHost && !x.Ok {
			m.mustReplace(r, false)
		}
		m.moveAgg(x.T, r, m.ptrOff(x.T, x.B), v, 0)
		return
	}
	copyValue(x.T, memOf(r), int(m.I[x.B]), &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

func doField(m *machine, x *ir.SlowOp) {
	f := x.T.Fields[x.N]
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	if x.T.Agg {
		rawCopy(f.Typ.Cells, w, x.A, asObj(x.T, m.R[x.B]), f.Off)
		return
	}
	rawCopy(f.Typ.Cells, w, x.A, w, x.B+f.Off)
}

func doIndexArray(m *machine, x *ir.SlowOp) {
	i := m.I[x.C]
	if uint64(i) >= uint64(x.T.N) {
		throwIndex(i, x.T.N, ir.IsUnsigned(x.U))
	}
	v := m.R[x.B]
	if v == nil {
		v = newAgg(x.T)
	}
	rawCopy(x.T.Elem.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A, elemCells(x.T.Elem, v, int(i)), 0)
}

func doUnpack(m *machine, x *ir.SlowOp) {
	m.room(x.A + window)
	m.view()
	if o, ok := m.R[x.B].(*ir.Obj); ok {
		rawCopy(x.T.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A, o, 0)
	}
}

func doEqual(m *machine, x *ir.SlowOp) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.I[x.A] = ir.BoolBits(equalCells(m.keys(), x.T, w, x.B, w, x.C) == x.Ok)
}

func doClosure(m *machine, x *ir.SlowOp) {
	n := 0
	for _, t := range x.Types {
		n += t.W()
	}
	m.alloc(ir.ObjBytes + ir.ObjectBytes(n, ir.BankP, 1))
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
		rawCopy(t.Cells, caps, at, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[i])
		at += t.W()
	}
	m.R[x.A] = follow(m, &ir.Closure{Fn: x.Fn, Caps: caps})
}
