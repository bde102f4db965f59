package vm

import "reflect"

// doErrorsIs is errors.Is: it sees the Is and Unwrap methods of script types, and
// compares values as the script does.
func doErrorsIs(m *machine, x *ext) {
	err, target := m.R[x.regs[0]], m.R[x.regs[1]]
	ok := err == nil && target == nil
	if err != nil && target != nil {
		m.entering()
		m.guarded(func() { ok = m.isChain(err, target) })
		m.ended()
	}
	m.view()
	m.I[x.a] = b2i(ok)
}

func (m *machine) isChain(err, target any) bool {
	m.deeper()
	defer m.shallower()
	for err != nil {
		m.check()
		if m.comparableValue(target) && m.comparableValue(err) && equalIface(m.keys(), err, target) {
			return true
		}
		if m.isMethod(err, target) {
			return true
		}
		next, many := m.unwrapped(err)
		for _, e := range many {
			if e != nil && m.isChain(e, target) {
				return true
			}
		}
		err = next
	}
	return false
}

func (m *machine) comparableValue(v any) bool {
	if f, ok := v.(*Iface); ok {
		return uncomparable(f.T) == nil
	}
	return reflect.TypeOf(v).Comparable()
}

// isMethod asks the error itself.
func (m *machine) isMethod(err, target any) bool {
	f, ok := err.(*Iface)
	if !ok {
		is, ok := err.(interface{ Is(error) bool })
		t, ok2 := m.exportTo(target, reflect.TypeFor[error]()).(error)
		return ok && ok2 && is.Is(t)
	}
	id := f.T.methods["Is"]
	if id == 0 {
		return false
	}
	fn := m.p.funcs[id-1]
	if fn.params != 2 || len(fn.results.fields) != 1 || fn.results.fields[0].typ.kind != reflect.Bool {
		return false
	}
	res := m.callback(fn, nil, &Obj{I: []int64{f.I, 0}, S: []string{f.S, ""}, R: []any{f.R, target}}, 2)
	return res.I[0] != 0
}

// unwrapped is what the error wraps, one or many, as the script sees them.
func (m *machine) unwrapped(err any) (one any, many []any) {
	f, ok := err.(*Iface)
	if !ok {
		switch u := err.(type) {
		case interface{ Unwrap() error }:
			if e := u.Unwrap(); e != nil {
				one = hostIface(e)
			}
		case interface{ Unwrap() []error }:
			for _, e := range u.Unwrap() {
				many = append(many, hostIface(e))
			}
		}
		return one, many
	}
	id := f.T.methods["Unwrap"]
	if id == 0 {
		return nil, nil
	}
	fn := m.p.funcs[id-1]
	if fn.params != 1 || len(fn.results.fields) != 1 {
		return nil, nil
	}
	switch t := fn.results.fields[0].typ; {
	case t == m.p.errType:
		return m.callback(fn, nil, &Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1).R[0], nil
	case t.kind == reflect.Slice && t.elem == m.p.errType:
		res := m.callback(fn, nil, &Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1)
		for i := range int(res.I[0]) {
			many = append(many, res.R[0].(*Obj).R[i+int(res.I[1]>>32)])
		}
	}
	return nil, many
}

// asMethod asks the error itself to set the target.
func (m *machine) asMethod(err, target any) bool {
	f, ok := err.(*Iface)
	if !ok {
		return false
	}
	id := f.T.methods["As"]
	if id == 0 {
		return false
	}
	fn := m.p.funcs[id-1]
	if fn.params != 2 || len(fn.results.fields) != 1 || fn.results.fields[0].typ.kind != reflect.Bool {
		return false
	}
	res := m.callback(fn, nil, &Obj{I: []int64{f.I, 0}, S: []string{f.S, ""}, R: []any{f.R, target}}, 2)
	return res.I[0] != 0
}
