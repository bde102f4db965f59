package vm

import (
	"go/token"
	"go/types"
	"reflect"
)

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
		if !ok || !m.hostShows(err, isFunc) {
			return false
		}
		t, ok := m.exportTo(target, reflect.TypeFor[error]()).(error)
		return ok && is.Is(t)
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

// hostErr is an error of the host's as the script has it.
func hostErr(err error) any {
	if err == nil {
		return nil
	}
	return hostIface(err)
}

// The methods that the package looks for in an error.
var (
	errorGoType   = types.Universe.Lookup("error").Type()
	isFunc        = errorsMethod("Is", []types.Type{errorGoType}, types.Typ[types.Bool])
	unwrapFunc    = errorsMethod("Unwrap", nil, errorGoType)
	unwrapAllFunc = errorsMethod("Unwrap", nil, types.NewSlice(errorGoType))
)

func errorsMethod(name string, in []types.Type, out types.Type) *types.Func {
	tuple := func(list ...types.Type) *types.Tuple {
		vars := make([]*types.Var, len(list))
		for i, t := range list {
			vars[i] = types.NewParam(token.NoPos, nil, "", t)
		}
		return types.NewTuple(vars...)
	}
	return types.NewFunc(token.NoPos, nil, name, types.NewSignatureType(nil, nil, nil, tuple(in...), tuple(out), false))
}

// unwrapped is what the error wraps, one or many, as the script sees them.
func (m *machine) unwrapped(err any) (one any, many []any) {
	f, ok := err.(*Iface)
	if !ok {
		switch u := err.(type) {
		case interface{ Unwrap() error }:
			if m.hostShows(err, unwrapFunc) {
				one = hostErr(u.Unwrap())
			}
		case interface{ Unwrap() []error }:
			if m.hostShows(err, unwrapAllFunc) {
				for _, e := range u.Unwrap() {
					many = append(many, hostErr(e))
				}
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
	case t == universe.error:
		return m.callback(fn, nil, &Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1).R[0], nil
	case t.kind == reflect.Slice && t.elem == universe.error:
		res := m.callback(fn, nil, &Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1)
		for i := range int(res.I[0]) {
			many = append(many, elemCells(universe.error, res.R[0], i+int(res.I[1]>>32)).R[0])
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

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// doErrorsAs is errors.As, which cannot see script types from outside.
func doErrorsAs(m *machine, x *ext) {
	err, target := m.R[x.regs[0]], m.R[x.regs[1]]
	if err == nil {
		m.view()
		m.I[x.a] = 0
		return
	}
	if target == nil {
		throw("errors: target cannot be nil")
	}
	p := m.mirrorOf(target)
	if p.kind() != reflect.Pointer || p.isNil() {
		throw("errors: target must be a non-nil pointer")
	}
	if e := p.t.elem; e.kind != reflect.Interface && !types.Implements(e.t, errorInterface) {
		throw("errors: *target must be interface or implement error")
	}
	ok := m.asChain(err, p.t.elem, &Iface{T: p.t, I: p.int(), R: p.ref()}, x.vars&2 != 0)
	m.view()
	m.I[x.a] = b2i(ok)
}

// asChain stores in target, which is a variable of the script's if own is set.
func (m *machine) asChain(err any, e0 *Type, target *Iface, own bool) bool {
	m.deeper()
	defer m.shallower()
	for err != nil {
		m.check()
		if m.assignTo(err, e0, target, own) {
			return true
		}
		if m.asMethod(err, target) {
			return true
		}
		next, many := m.unwrapped(err)
		for _, e := range many {
			if e != nil && m.asChain(e, e0, target, own) {
				return true
			}
		}
		err = next
	}
	return false
}

func (m *machine) assignTo(err any, e *Type, target *Iface, own bool) bool {
	o := newObj(max(1, e.w()), mI|mS|mR, 1)
	switch {
	case e.kind == reflect.Interface:
		if !m.implements(err, e) {
			return false
		}
		o.R[0] = err
	case m.p.dynType(err) == e:
		unbox(m, err, e, o, 0)
	default:
		return false
	}
	if e.agg {
		if e.kind == kindHost && !own {
			m.mustReplace(target.R, true)
		}
		copyInto(e, target.R, int(target.I), o.R[0], 0)
		return true
	}
	copyValue(e, memOf(target.R), int(target.I), o, 0)
	return true
}

func (m *machine) implements(v any, t *Type) bool {
	return m.hasAll(v, t)
}

func (m *machine) hasAll(v any, t *Type) bool {
	for _, f := range ifaceMethods(t) {
		if s, ok := v.(*Iface); ok {
			if s.T.methods[f.Id()] == 0 {
				return false
			}
			continue
		}
		if !m.hostShows(v, f) {
			return false
		}
	}
	return true
}

func ifaceMethods(t *Type) []*types.Func {
	it := t.t.Underlying().(*types.Interface)
	var fs []*types.Func
	for i := range it.NumMethods() {
		fs = append(fs, it.Method(i))
	}
	return fs
}
