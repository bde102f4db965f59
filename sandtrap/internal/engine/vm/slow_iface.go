package vm

import "reflect"

func doMakeIface(m *machine, x *ext) {
	w := &Obj{m.I, m.S, m.R}
	if x.t.native || x.t.kind == reflect.Interface {
		m.charge(nativeBytes)
		m.R[x.a] = box(m, x.t, w, x.b)
		return
	}
	n := int64(ifaceBytes)
	if x.t.w() != 1 || x.t.agg {
		n += valueBytes(x.t)
	}
	m.alloc(n)
	m.R[x.a] = follow(m, box(m, x.t, w, x.b).(*Iface))
}

func doTypeAssert(m *machine, x *ext) {
	v := m.R[x.b]
	w := &Obj{m.I, m.S, m.R}
	ok := v != nil && m.p.dynType(v) == x.t
	if ok {
		unbox(m, v, x.t, w, x.a)
	} else if !x.ok {
		m.assertFailed(v, x.t, x.u, "")
	} else {
		zeroCells(x.t, w, x.a)
	}
	if x.ok {
		m.I[x.a+x.t.w()] = b2i(ok)
	}
}

func (m *machine) assertFailed(v any, t, u *Type, missing string) {
	switch {
	case missing != "" && v != nil:
		throw(&typeAssertError{"interface conversion: " + m.dynName(v) + " is not " + t.str + ": missing method " + missing})
	case v == nil && t.kind == reflect.Interface:
		throw(&typeAssertError{"interface conversion: interface is nil, not " + t.str})
	case v == nil:
		throw(&typeAssertError{"interface conversion: " + ifaceName(u) + " is nil, not " + t.str})
	}
	extra := ""
	if m.dynName(v) == t.str {
		extra = " (types from different scopes)"
	}
	throw(&typeAssertError{"interface conversion: " + ifaceName(u) + " is " + m.dynName(v) + ", not " + t.str + extra})
}

func ifaceName(t *Type) string {
	if t.named || t.str == "interface {}" {
		return t.str
	}
	return "interface"
}

// doIfaceAssert is v.(I) for an interface type I.
func doIfaceAssert(m *machine, x *ext) {
	v := m.R[x.b]
	missing := ""
	ok := v != nil
	if ok {
		for _, id := range x.regs {
			if !m.hasMethod(v, id) {
				ok, missing = false, m.p.mids[id].fn.Name()
				break
			}
		}
	}
	if !ok && !x.ok {
		m.assertFailed(v, x.t, x.u, missing)
	}
	if !ok {
		v = nil
	}
	m.R[x.a] = v
	if x.ok {
		m.I[x.a+1] = b2i(ok)
	}
}

func (m *machine) hasMethod(v any, id int) bool {
	if f, ok := v.(*Iface); ok {
		return id < len(f.T.entries) && f.T.entries[id] != 0
	}
	return m.hostShows(v, m.p.mids[id].fn)
}

func doWrapNil(m *machine, x *ext) {
	if m.R[x.regs[0]] == nil {
		throw(plainError{"value method " + m.S[x.regs[1]] + "." + m.S[x.regs[2]] + " called using nil *" + shortName(m.S[x.regs[1]]) + " pointer"})
	}
	m.R[x.a], m.I[x.a] = m.R[x.regs[0]], m.I[x.regs[0]]
	if x.types[0].w() == 2 {
		m.I[x.a+1] = m.I[x.regs[0]+1]
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
