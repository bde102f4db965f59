package vm

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// interfaceMethod is the method of a host interface that a binding calls, else nil.
func interfaceMethod(fn *ssa.Function, b rewrite.Binding) *types.Func {
	if b.Kind != rewrite.BindMethod || fn.Signature.Params().Len() == 0 {
		return nil
	}
	it, ok := fn.Signature.Params().At(0).Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for m := range it.Methods() {
		if m.Name() == b.Name {
			return m
		}
	}
	return nil
}

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
