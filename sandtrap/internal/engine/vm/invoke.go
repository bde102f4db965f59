package vm

import "github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"

// doInvoke is a call of a method through an interface of the host's. One of a type of the
// script's is called as script code calls it, with results where the host's would be.
func doInvoke(m *machine, x *ir.SlowOp) {
	f, ok := m.R[x.Regs[0]].(*Iface)
	if !ok {
		doGate(m, x)
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
