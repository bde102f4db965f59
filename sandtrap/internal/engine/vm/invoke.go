package vm

import "github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"

// doInvoke is a call of a method through an interface of the host's. One of a type of the
// script's is called as script code calls it, with results where the host's would be.
func doInvoke(m *machine, x *ir.SlowOp) {
	f, ok := m.R[x.Regs[0]].(*Iface)
	if !ok {
		m.invokeHost(x)
		return
	}
	t, base := m.t, m.t.base
	m.push(m.funcEntry(f.T.Entries[x.D-1]), x.A, t.pc)
	w, from := &ir.Obj{I: m.I, S: m.S, R: m.R}, &ir.Obj{I: t.I[base:], S: t.S[base:], R: t.R[base:]}
	m.I[0], m.S[0], m.R[0] = f.I, f.S, f.R
	at := 1
	for i, r := range x.Regs[1:] {
		rawCopy(x.Types[i+1].Cells, w, at, from, r)
		at += x.Types[i+1].W()
	}
}

// invokeHost calls the method of a value of the host's. Those of a reflect.Type of the script's are
// called by their adapters.
func (m *machine) invokeHost(x *ir.SlowOp) {
	if _, ok := m.R[x.Regs[0]].(rtype); ok {
		b := &m.bindings[x.N]
		if b.call == 0 {
			*b = typeMethod(m.p.Gates.List[x.N].Name)
		}
		if m.adapted(x, b) {
			return
		}
	}
	doGate(m, x)
}

// typeMethod is a method of reflect.Type as scripts have it, with its adapter.
func typeMethod(name string) bound {
	f, ok := rtypeType.MethodByName(name)
	if !ok {
		return bound{call: noAdapter}
	}
	fn := f.Func.Interface()
	if n := adapterFor(fn); n > 0 {
		return bound{fn, n}
	}
	return bound{call: noAdapter}
}
