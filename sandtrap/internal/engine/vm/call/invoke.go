package call

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// Invoke is a call of a method through an interface of the host's. One of a type of the
// script's is called as script code calls it, with results where the host's would be.
func Invoke(m *exec.Machine, x *ir.SlowOp) {
	f, ok := m.R[x.Regs[0]].(*exec.Iface)
	if !ok {
		invokeHost(m, x)
		return
	}
	t, base := m.T, m.T.Base
	m.Push(m.FuncEntry(f.T.Entries[x.D-1]), x.A, t.Pc)
	w, from := &ir.Obj{I: m.I, S: m.S, R: m.R}, &ir.Obj{I: t.I[base:], S: t.S[base:], R: t.R[base:]}
	m.I[0], m.S[0], m.R[0] = f.I, f.S, f.R
	at := 1
	for i, r := range x.Regs[1:] {
		exec.RawCopy(x.Types[i+1].Cells, w, at, from, r)
		at += x.Types[i+1].W()
	}
}

// invokeHost calls the method of a value of the host's. Those of a reflect.Type of the script's are
// called by their adapters.
func invokeHost(m *exec.Machine, x *ir.SlowOp) {
	if _, ok := m.R[x.Regs[0]].(mirror.Rtype); ok {
		b := &m.Bindings[x.N]
		if b.Call == 0 {
			*b = typeMethod(m.P.Gates.List[x.N].Name)
		}
		if adapted(m, x, b) {
			return
		}
	}
	exec.Gate(m, x)
}

// typeMethod is a method of reflect.Type as scripts have it, with its adapter.
func typeMethod(name string) exec.Bound {
	f, ok := rtypeType.MethodByName(name)
	if !ok {
		return exec.Bound{Call: exec.NoAdapter}
	}
	fn := f.Func.Interface()
	if n := adapterFor(fn); n > 0 {
		return exec.Bound{Fn: fn, Call: n}
	}
	return exec.Bound{Call: exec.NoAdapter}
}
