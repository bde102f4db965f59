package vm

// doInvoke is a call of a method through an interface of the host's. One of a type of the
// script's is called as script code calls it, with results where the host's would be.
func doInvoke(m *machine, x *ext) {
	f, ok := m.R[x.regs[0]].(*Iface)
	if !ok {
		doGate(m, x)
		return
	}
	t, base := m.t, m.t.base
	m.push(m.funcEntry(f.T.entries[x.d-1]), x.a, t.pc)
	w, from := &Obj{m.I, m.S, m.R}, &Obj{t.I[base:], t.S[base:], t.R[base:]}
	m.I[0], m.S[0], m.R[0] = f.I, f.S, f.R
	at := 1
	for i, r := range x.regs[1:] {
		rawCopy(x.types[i+1].cells, w, at, from, r)
		at += x.types[i+1].w()
	}
}
