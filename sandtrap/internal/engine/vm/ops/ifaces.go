package ops

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

func MakeIface(m *exec.Machine, x *ir.SlowOp) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	if x.T.Native || x.T.Kind == reflect.Interface {
		m.Charge(exec.NativeBytes)
		m.R[x.A] = exec.Box(m, x.T, w, x.B)
		return
	}
	n := int64(exec.IfaceBytes)
	if x.T.W() != 1 || x.T.Agg {
		n += ir.ValueBytes(x.T)
	}
	m.Alloc(n)
	m.R[x.A] = exec.Follow(m, exec.Box(m, x.T, w, x.B).(*exec.Iface))
}

func TypeAssert(m *exec.Machine, x *ir.SlowOp) {
	v := m.R[x.B]
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	ok := v != nil && exec.DynType(m.P, v) == x.T
	if ok {
		exec.Unbox(m, v, x.T, w, x.A)
	} else if !x.Ok {
		assertFailed(m, v, x.T, x.U, "")
	} else {
		exec.ZeroCells(x.T, w, x.A)
	}
	if x.Ok {
		m.I[x.A+x.T.W()] = ir.BoolBits(ok)
	}
}

func assertFailed(m *exec.Machine, v any, t, u *ir.Type, missing string) {
	switch {
	case missing != "" && v != nil:
		exec.ThrowAssert("interface conversion: " + m.DynName(v) + " is not " + t.Str + ": missing method " + missing)
	case v == nil && t.Kind == reflect.Interface:
		exec.ThrowAssert("interface conversion: interface is nil, not " + t.Str)
	case v == nil:
		exec.ThrowAssert("interface conversion: " + ifaceName(u) + " is nil, not " + t.Str)
	}
	extra := ""
	if m.DynName(v) == t.Str {
		extra = " (types from different scopes)"
	}
	exec.ThrowAssert("interface conversion: " + ifaceName(u) + " is " + m.DynName(v) + ", not " + t.Str + extra)
}

func ifaceName(t *ir.Type) string {
	if t.Named || t.Str == "interface {}" {
		return t.Str
	}
	return "interface"
}

// IfaceAssert is v.(I) for an interface type I.
func IfaceAssert(m *exec.Machine, x *ir.SlowOp) {
	v := m.R[x.B]
	missing := ""
	ok := v != nil
	if ok {
		for _, id := range x.Regs {
			if !hasMethod(m, v, id) {
				ok, missing = false, m.P.MethodIDs[id].Fn.Name()
				break
			}
		}
	}
	if !ok && !x.Ok {
		assertFailed(m, v, x.T, x.U, missing)
	}
	if !ok {
		v = nil
	}
	m.R[x.A] = v
	if x.Ok {
		m.I[x.A+1] = ir.BoolBits(ok)
	}
}

func hasMethod(m *exec.Machine, v any, id int) bool {
	if f, ok := v.(*exec.Iface); ok {
		return id < len(f.T.Entries) && f.T.Entries[id] != 0
	}
	return printer.HostShows(m, v, m.P.MethodIDs[id].Fn)
}

func WrapNil(m *exec.Machine, x *ir.SlowOp) {
	if m.R[x.Regs[0]] == nil {
		exec.ThrowPlain("%s", "value method "+m.S[x.Regs[1]]+"."+m.S[x.Regs[2]]+" called using nil *"+shortName(m.S[x.Regs[1]])+" pointer")
	}
	m.R[x.A], m.I[x.A] = m.R[x.Regs[0]], m.I[x.Regs[0]]
	if x.Types[0].W() == 2 {
		m.I[x.A+1] = m.I[x.Regs[0]+1]
	}
}

func shortName(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[i+1:]
		}
	}
	return s
}
