package vm

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A tmplFunc is what a name or a field of a template calls: a builtin, or a function
// or method of the script.
type tmplFunc struct {
	name    string
	builtin *tmplBuiltin
	c       callee
}

// fixed is the number of parameters that are not variadic.
func (f tmplFunc) fixed() int {
	switch {
	case f.builtin != nil:
		return len(f.builtin.params)
	case f.c.sig.Variadic():
		return f.c.params() - 1
	}
	return f.c.params()
}

func (f tmplFunc) variadic() bool {
	if f.builtin != nil {
		return f.builtin.rest != nil
	}
	return f.c.sig.Variadic()
}

// in is the type of parameter i.
func (f tmplFunc) in(m *machine, i int) *ir.Type {
	switch {
	case f.builtin == nil:
		return m.param(f.c, i)
	case i < len(f.builtin.params):
		return f.builtin.params[i](m)
	}
	return f.builtin.rest(m)
}

// function calls the function of a name.
func (e *tmplExec) function(dot mirror, n *parse.IdentifierNode, cmd parse.Node, args []parse.Node, f final) mirror {
	e.at(n)
	if v, ok := e.set.funcs[n.Ident]; ok {
		return e.call(dot, tmplFunc{name: n.Ident, c: e.m.function(v)}, cmd, args, f)
	}
	b, ok := tmplBuiltins[n.Ident]
	if !ok {
		e.errorf("%q is not a defined function", n.Ident)
	}
	return e.call(dot, tmplFunc{name: n.Ident, builtin: b}, cmd, args, f)
}

// call evaluates the arguments, of which the first is the function's own name, and
// calls f.
func (e *tmplExec) call(dot mirror, f tmplFunc, n parse.Node, args []parse.Node, last final) mirror {
	if args != nil {
		args = args[1:]
	}
	e.countArgs(f, len(args), last)
	if f.builtin == nil {
		if err := e.m.goodFunc(f.name, f.c.sig); err != nil {
			e.errorf("%v", err)
		}
	}
	if f.builtin != nil && (f.name == "and" || f.name == "or") {
		return e.shortCircuit(dot, f, args, last)
	}
	var in []mirror
	for i, a := range args {
		in = append(in, e.arg(dot, f.in(e.m, i), a))
	}
	if last.is {
		in = append(in, e.fitted(last.v, f.in(e.m, len(in))))
	}
	v, err := e.safe(f, args, last, in)
	if err != nil {
		e.at(n)
		e.errorf("error calling %s: %w", f.name, err)
	}
	return v
}

func (e *tmplExec) countArgs(f tmplFunc, n int, last final) {
	all := n
	if last.is {
		all++
	}
	switch fixed := f.fixed(); {
	case f.variadic() && all < fixed:
		e.errorf("wrong number of args for %s: want at least %d got %d", f.name, fixed, n)
	case !f.variadic() && all != fixed:
		e.errorf("wrong number of args for %s: want %d got %d", f.name, fixed, all)
	}
}

// shortCircuit is and and or.
func (e *tmplExec) shortCircuit(dot mirror, f tmplFunc, args []parse.Node, last final) mirror {
	var v mirror
	for _, a := range args {
		v = e.arg(dot, anyValue, a)
		if e.m.truth(v) == (f.name == "or") {
			return v
		}
	}
	if last.is {
		v = last.v
	}
	return v
}

func (m *machine) truth(v mirror) bool {
	t, _ := m.isTrue(m.concrete(v))
	return t
}

// goodFunc says what is wrong with the results of a function for templates.
func (m *machine) goodFunc(name string, sig *types.Signature) error {
	r := sig.Results()
	switch {
	case r.Len() == 1:
		return nil
	case r.Len() == 2 && m.typeOf(r.At(1).Type()) == ir.Universe.Error:
		return nil
	case r.Len() == 2:
		return fmt.Errorf("invalid function signature for %s: second return value should be error; is %s", name, m.typeOf(r.At(1).Type()).Str)
	}
	return fmt.Errorf("function %s has %d return values; should be 1 or 2", name, r.Len())
}

// safe calls f; what panics there is an error.
func (e *tmplExec) safe(f tmplFunc, args []parse.Node, last final, in []mirror) (v mirror, err error) {
	defer e.m.recovered(&err)
	if f.builtin == nil {
		return e.m.results(e.m.call(f.c, in))
	}
	if f.name == "call" {
		name := ""
		if len(args) > 0 {
			name = args[0].String()
		} else {
			name = e.m.reflectString(last.v)
		}
		return e.m.callValue(name, in[0], in[1:])
	}
	return f.builtin.do(e, in)
}

// reflectString is what String of package reflect makes of a value.
func (m *machine) reflectString(v mirror) string {
	switch {
	case !v.valid():
		return "<invalid Value>"
	case v.kind() == reflect.String:
		return v.str()
	}
	return "<" + v.t.Str + " Value>"
}

// recovered turns a panic of the script into an error.
func (m *machine) recovered(err *error) {
	if m.stop != nil {
		return
	}
	switch r := recover().(type) {
	case nil:
	case *scriptPanic:
		if r.goexits() {
			panic(r)
		}
		if *err = m.hostError(r.value()); *err == nil {
			*err = fmt.Errorf("%v", m.export(r.value()))
		}
	default:
		panic(r)
	}
}

// hostError is an error value of the script's as host code has it, nil for other
// values.
func (m *machine) hostError(v any) error {
	if f, ok := v.(*Iface); ok && f.T.Methods["Error"] == 0 {
		return nil
	}
	if v == nil {
		return nil
	}
	err, _ := m.export(v).(error)
	return err
}

// results are those of a function for templates.
func (m *machine) results(out []mirror) (mirror, error) {
	if len(out) == 2 && !out[1].isNil() {
		if err := m.hostError(out[1].ref()); err != nil {
			return out[0], err
		}
	}
	return out[0], nil
}

// callValue is the builtin call.
func (m *machine) callValue(name string, fn mirror, args []mirror) (mirror, error) {
	fn = m.concrete(fn)
	if !fn.valid() {
		return fn, errors.New("call of nil")
	}
	if fn.kind() != reflect.Func {
		return fn, fmt.Errorf("non-function %s of type %s", name, fn.t.Str)
	}
	sig := m.signatureOf(fn.t)
	if err := m.goodFunc(name, sig); err != nil {
		return fn, err
	}
	switch n := sig.Params().Len(); {
	case sig.Variadic() && len(args) < n-1:
		return fn, fmt.Errorf("wrong number of args for %s: got %d want at least %d", name, len(args), n-1)
	case !sig.Variadic() && len(args) != n:
		return fn, fmt.Errorf("wrong number of args for %s: got %d want %d", name, len(args), n)
	}
	c := m.function(fn)
	in := make([]mirror, len(args))
	for i, a := range args {
		var err error
		if in[i], err = m.prepared(m.concrete(a), m.param(c, i)); err != nil {
			return fn, fmt.Errorf("arg %d: %w", i, err)
		}
	}
	return m.results(m.call(c, in))
}

// prepared is v as an argument or key of type t, integers converted.
func (m *machine) prepared(v mirror, t *ir.Type) (mirror, error) {
	if !v.valid() {
		if !canBeNil(t) {
			return v, fmt.Errorf("value is nil; should be of type %s", t.Str)
		}
		return zeroOf(t), nil
	}
	if assignable(v.t, t) {
		r := zeroOf(t)
		m.assign(v, t, r.c, 0)
		return r, nil
	}
	if ir.IsInteger(v.t) && ir.IsInteger(t) {
		r := zeroOf(t)
		n := reflect.ValueOf(v.int())
		if ir.IsUnsigned(v.t) {
			n = reflect.ValueOf(uint64(v.int()))
		}
		fromHost(m, n.Convert(ir.KindTypes[t.Kind]), t, r.c, 0)
		return r, nil
	}
	return v, fmt.Errorf("value has type %s; should be %s", v.t.Str, t.Str)
}
