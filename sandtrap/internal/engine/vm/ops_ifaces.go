package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func doMakeIface(m *machine, x *ir.SlowOp) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	if x.T.Native || x.T.Kind == reflect.Interface {
		m.charge(nativeBytes)
		m.R[x.A] = box(m, x.T, w, x.B)
		return
	}
	n := int64(ifaceBytes)
	if x.T.W() != 1 || x.T.Agg {
		n += ir.ValueBytes(x.T)
	}
	m.alloc(n)
	m.R[x.A] = follow(m, box(m, x.T, w, x.B).(*Iface))
}

func doTypeAssert(m *machine, x *ir.SlowOp) {
	v := m.R[x.B]
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	ok := v != nil && dynType(m.p, v) == x.T
	if ok {
		unbox(m, v, x.T, w, x.A)
	} else if !x.Ok {
		m.assertFailed(v, x.T, x.U, "")
	} else {
		zeroCells(x.T, w, x.A)
	}
	if x.Ok {
		m.I[x.A+x.T.W()] = ir.BoolBits(ok)
	}
}

func (m *machine) assertFailed(v any, t, u *ir.Type, missing string) {
	switch {
	case missing != "" && v != nil:
		throwAssert("interface conversion: " + m.dynName(v) + " is not " + t.Str + ": missing method " + missing)
	case v == nil && t.Kind == reflect.Interface:
		throwAssert("interface conversion: interface is nil, not " + t.Str)
	case v == nil:
		throwAssert("interface conversion: " + ifaceName(u) + " is nil, not " + t.Str)
	}
	extra := ""
	if m.dynName(v) == t.Str {
		extra = " (types from different scopes)"
	}
	throwAssert("interface conversion: " + ifaceName(u) + " is " + m.dynName(v) + ", not " + t.Str + extra)
}

func ifaceName(t *ir.Type) string {
	if t.Named || t.Str == "interface {}" {
		return t.Str
	}
	return "interface"
}

// doIfaceAssert is v.(I) for an interface type I.
func doIfaceAssert(m *machine, x *ir.SlowOp) {
	v := m.R[x.B]
	missing := ""
	ok := v != nil
	if ok {
		for _, id := range x.Regs {
			if !m.hasMethod(v, id) {
				ok, missing = false, m.p.Mids[id].Fn.Name()
				break
			}
		}
	}
	if !ok && !x.Ok {
		m.assertFailed(v, x.T, x.U, missing)
	}
	if !ok {
		v = nil
	}
	m.R[x.A] = v
	if x.Ok {
		m.I[x.A+1] = ir.BoolBits(ok)
	}
}

func (m *machine) hasMethod(v any, id int) bool {
	if f, ok := v.(*Iface); ok {
		return id < len(f.T.Entries) && f.T.Entries[id] != 0
	}
	return m.hostShows(v, m.p.Mids[id].Fn)
}

func doWrapNil(m *machine, x *ir.SlowOp) {
	if m.R[x.Regs[0]] == nil {
		throwPlain("%s", "value method " + m.S[x.Regs[1]] + "." + m.S[x.Regs[2]] + " called using nil *" + shortName(m.S[x.Regs[1]]) + " pointer")
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
