package call

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// ErrorsIs is errors.Is: it sees the Is and Unwrap methods of script types, and
// compares values as the script does.
func ErrorsIs(m *exec.Machine, x *ir.SlowOp) {
	err, target := m.R[x.Regs[0]], m.R[x.Regs[1]]
	ok := err == nil && target == nil
	if err != nil && target != nil {
		m.Entering()
		m.Guarded(func() { ok = isChain(m, err, target) })
		m.Ended()
	}
	m.View()
	m.I[x.A] = ir.BoolBits(ok)
}

func isChain(m *exec.Machine, err, target any) bool {
	m.Deeper()
	defer m.Shallower()
	for err != nil {
		m.PollNow()
		if comparableValue(m, target) && comparableValue(m, err) && exec.EqualIface(m.Keys(), err, target) {
			return true
		}
		if isMethod(m, err, target) {
			return true
		}
		next, many := Unwrapped(m, err)
		for _, e := range many {
			if e != nil && isChain(m, e, target) {
				return true
			}
		}
		err = next
	}
	return false
}

func comparableValue(m *exec.Machine, v any) bool {
	if f, ok := v.(*exec.Iface); ok {
		return exec.Uncomparable(f.T) == nil
	}
	return reflect.TypeOf(v).Comparable()
}

// isMethod asks the error itself.
func isMethod(m *exec.Machine, err, target any) bool {
	f, ok := err.(*exec.Iface)
	if !ok {
		is, ok := printer.ExportProxy(m, err).(interface{ Is(error) bool })
		if !ok || !printer.HostShows(m, err, printer.IsMethod) {
			return false
		}
		t, ok := m.ExportTo(target, reflect.TypeFor[error]()).(error)
		return ok && is.Is(t)
	}
	return askScript(m, f, "Is", target)
}

// askScript calls a method of the script's that takes a target and gives a bool, if f has it.
func askScript(m *exec.Machine, f *exec.Iface, name string, target any) bool {
	id := f.T.Methods[name]
	if id == 0 {
		return false
	}
	fn := m.P.Funcs[id-1]
	if fn.Params != 2 || len(fn.Results.Fields) != 1 || fn.Results.Fields[0].Typ.Kind != reflect.Bool {
		return false
	}
	res := m.CallScript(fn, nil, &ir.Obj{I: []int64{f.I, 0}, S: []string{f.S, ""}, R: []any{f.R, target}}, 2)
	return res.I[0] != 0
}

// hostErr is an error of the host's as the script has it.
func hostErr(err error) any {
	if err == nil {
		return nil
	}
	return exec.HostIface(err)
}

// Unwrapped is what the error wraps, one or many, as the script sees them.
func Unwrapped(m *exec.Machine, err any) (one any, many []any) {
	f, ok := err.(*exec.Iface)
	if !ok {
		switch u := printer.ExportProxy(m, err).(type) {
		case interface{ Unwrap() error }:
			if printer.HostShows(m, err, printer.UnwrapMethod) {
				one = hostErr(u.Unwrap())
			}
		case interface{ Unwrap() []error }:
			if printer.HostShows(m, err, printer.UnwrapAllMethod) {
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
	fn := m.P.Funcs[id-1]
	if fn.Params != 1 || len(fn.Results.Fields) != 1 {
		return nil, nil
	}
	switch t := fn.Results.Fields[0].Typ; {
	case t == ir.Universe.Error:
		return m.CallScript(fn, nil, &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1).R[0], nil
	case t.Kind == reflect.Slice && t.Elem == ir.Universe.Error:
		res := m.CallScript(fn, nil, &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1)
		for i := range int(res.I[0]) {
			many = append(many, exec.ElemCells(ir.Universe.Error, res.R[0], i+int(res.I[1]>>32)).R[0])
		}
	}
	return nil, many
}

// asMethod asks the error itself to set the target.
func asMethod(m *exec.Machine, err, target any) bool {
	f, ok := err.(*exec.Iface)
	return ok && askScript(m, f, "As", target)
}

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// ErrorsAs is errors.As, which cannot see script types from outside.
func ErrorsAs(m *exec.Machine, x *ir.SlowOp) {
	err, target := m.R[x.Regs[0]], m.R[x.Regs[1]]
	if err == nil {
		m.View()
		m.I[x.A] = 0
		return
	}
	if target == nil {
		exec.Throw("errors: target cannot be nil")
	}
	p := mirror.ValOf(m, target)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		exec.Throw("errors: target must be a non-nil pointer")
	}
	if e := p.T.Elem; e.Kind != reflect.Interface && !types.Implements(e.T, errorInterface) {
		exec.Throw("errors: *target must be interface or implement error")
	}
	ok := asChain(m, err, p.T.Elem, &exec.Iface{T: p.T, I: p.Int(), R: p.Ref()}, x.Vars&2 != 0)
	m.View()
	m.I[x.A] = ir.BoolBits(ok)
}

// asChain stores in target, which is a variable of the script's if own is set.
func asChain(m *exec.Machine, err any, e0 *ir.Type, target *exec.Iface, own bool) bool {
	m.Deeper()
	defer m.Shallower()
	for err != nil {
		m.PollNow()
		if assignTo(m, err, e0, target, own) {
			return true
		}
		if asMethod(m, err, target) {
			return true
		}
		next, many := Unwrapped(m, err)
		for _, e := range many {
			if e != nil && asChain(m, e, e0, target, own) {
				return true
			}
		}
		err = next
	}
	return false
}

func assignTo(m *exec.Machine, err any, e *ir.Type, target *exec.Iface, own bool) bool {
	o := ir.NewObj(max(1, e.W()), ir.BankI|ir.BankS|ir.BankR, 1)
	switch {
	case e.Kind == reflect.Interface:
		if !implements(m, err, e) {
			return false
		}
		o.R[0] = err
	case exec.DynType(m.P, err) == e:
		exec.Unbox(m, err, e, o, 0)
	default:
		return false
	}
	if e.Agg {
		if e.Kind == ir.KindHost && !own {
			m.MustReplace(target.R, true)
		}
		exec.CopyInto(e, target.R, int(target.I), o.R[0], 0)
		return true
	}
	exec.CopyValue(e, exec.MemOf(target.R), int(target.I), o, 0)
	return true
}

func implements(m *exec.Machine, v any, t *ir.Type) bool {
	return hasAll(m, v, t)
}

func hasAll(m *exec.Machine, v any, t *ir.Type) bool {
	for _, f := range ifaceMethods(t) {
		if s, ok := v.(*exec.Iface); ok {
			if s.T.Methods[f.Id()] == 0 {
				return false
			}
			continue
		}
		if !printer.HostShows(m, v, f) {
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
