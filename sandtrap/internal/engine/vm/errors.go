package vm

import (
	"go/token"
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// doErrorsIs is errors.Is: it sees the Is and Unwrap methods of script types, and
// compares values as the script does.
func doErrorsIs(m *machine, x *ir.SlowOp) {
	err, target := m.R[x.Regs[0]], m.R[x.Regs[1]]
	ok := err == nil && target == nil
	if err != nil && target != nil {
		m.entering()
		m.guarded(func() { ok = m.isChain(err, target) })
		m.ended()
	}
	m.view()
	m.I[x.A] = ir.BoolBits(ok)
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
	id := f.T.Methods["Is"]
	if id == 0 {
		return false
	}
	fn := m.p.Funcs[id-1]
	if fn.Params != 2 || len(fn.Results.Fields) != 1 || fn.Results.Fields[0].Typ.Kind != reflect.Bool {
		return false
	}
	res := m.callback(fn, nil, &ir.Obj{I: []int64{f.I, 0}, S: []string{f.S, ""}, R: []any{f.R, target}}, 2)
	return res.I[0] != 0
}

// hostErr is an error of the host's as the script has it.
func hostErr(err error) any {
	if err == nil {
		return nil
	}
	return hostIface(err)
}

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
	id := f.T.Methods["Unwrap"]
	if id == 0 {
		return nil, nil
	}
	fn := m.p.Funcs[id-1]
	if fn.Params != 1 || len(fn.Results.Fields) != 1 {
		return nil, nil
	}
	switch t := fn.Results.Fields[0].Typ; {
	case t == ir.Universe.Error:
		return m.callback(fn, nil, &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1).R[0], nil
	case t.Kind == reflect.Slice && t.Elem == ir.Universe.Error:
		res := m.callback(fn, nil, &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1)
		for i := range int(res.I[0]) {
			many = append(many, elemCells(ir.Universe.Error, res.R[0], i+int(res.I[1]>>32)).R[0])
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
	id := f.T.Methods["As"]
	if id == 0 {
		return false
	}
	fn := m.p.Funcs[id-1]
	if fn.Params != 2 || len(fn.Results.Fields) != 1 || fn.Results.Fields[0].Typ.Kind != reflect.Bool {
		return false
	}
	res := m.callback(fn, nil, &ir.Obj{I: []int64{f.I, 0}, S: []string{f.S, ""}, R: []any{f.R, target}}, 2)
	return res.I[0] != 0
}

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// doErrorsAs is errors.As, which cannot see script types from outside.
func doErrorsAs(m *machine, x *ir.SlowOp) {
	err, target := m.R[x.Regs[0]], m.R[x.Regs[1]]
	if err == nil {
		m.view()
		m.I[x.A] = 0
		return
	}
	if target == nil {
		throw("errors: target cannot be nil")
	}
	p := m.mirrorOf(target)
	if p.kind() != reflect.Pointer || p.isNil() {
		throw("errors: target must be a non-nil pointer")
	}
	if e := p.t.Elem; e.Kind != reflect.Interface && !types.Implements(e.T, errorInterface) {
		throw("errors: *target must be interface or implement error")
	}
	ok := m.asChain(err, p.t.Elem, &Iface{T: p.t, I: p.int(), R: p.ref()}, x.Vars&2 != 0)
	m.view()
	m.I[x.A] = ir.BoolBits(ok)
}

// asChain stores in target, which is a variable of the script's if own is set.
func (m *machine) asChain(err any, e0 *ir.Type, target *Iface, own bool) bool {
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

func (m *machine) assignTo(err any, e *ir.Type, target *Iface, own bool) bool {
	o := ir.NewObj(max(1, e.W()), ir.BankI|ir.BankS|ir.BankR, 1)
	switch {
	case e.Kind == reflect.Interface:
		if !m.implements(err, e) {
			return false
		}
		o.R[0] = err
	case dynType(m.p, err) == e:
		unbox(m, err, e, o, 0)
	default:
		return false
	}
	if e.Agg {
		if e.Kind == ir.KindHost && !own {
			m.mustReplace(target.R, true)
		}
		copyInto(e, target.R, int(target.I), o.R[0], 0)
		return true
	}
	copyValue(e, memOf(target.R), int(target.I), o, 0)
	return true
}

func (m *machine) implements(v any, t *ir.Type) bool {
	return m.hasAll(v, t)
}

func (m *machine) hasAll(v any, t *ir.Type) bool {
	for _, f := range ifaceMethods(t) {
		if s, ok := v.(*Iface); ok {
			if s.T.Methods[f.Id()] == 0 {
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

func ifaceMethods(t *ir.Type) []*types.Func {
	it := t.T.Underlying().(*types.Interface)
	var fs []*types.Func
	for i := range it.NumMethods() {
		fs = append(fs, it.Method(i))
	}
	return fs
}

var (
	isFunc        = errorsMethod("Is", []types.Type{errorGoType}, types.Typ[types.Bool])
	unwrapFunc    = errorsMethod("Unwrap", nil, errorGoType)
	unwrapAllFunc = errorsMethod("Unwrap", nil, types.NewSlice(errorGoType))
)
