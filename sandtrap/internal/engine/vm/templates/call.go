package templates

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// A tmplFunc is what a name or a field of a template calls: a builtin, or a function
// or method of the script.
type tmplFunc struct {
	name    string
	builtin *tmplBuiltin
	c       mirror.Callee
}

// fixed is the number of parameters that are not variadic.
func (f tmplFunc) fixed() int {
	switch {
	case f.builtin != nil:
		return len(f.builtin.params)
	case f.c.Sig.Variadic():
		return f.c.Params() - 1
	}
	return f.c.Params()
}

func (f tmplFunc) variadic() bool {
	if f.builtin != nil {
		return f.builtin.rest != nil
	}
	return f.c.Sig.Variadic()
}

// in is the type of parameter i.
func (f tmplFunc) in(m *exec.Machine, i int) *ir.Type {
	switch {
	case f.builtin == nil:
		return mirror.Param(m, f.c, i)
	case i < len(f.builtin.params):
		return f.builtin.params[i](m)
	}
	return f.builtin.rest(m)
}

// function calls the function of a name.
func (e *tmplExec) function(dot mirror.Val, n *parse.IdentifierNode, cmd parse.Node, args []parse.Node, f final) mirror.Val {
	e.at(n)
	if v, ok := e.set.funcs[n.Ident]; ok {
		return e.call(dot, tmplFunc{name: n.Ident, c: mirror.Function(e.m, v)}, cmd, args, f)
	}
	b, ok := tmplBuiltins[n.Ident]
	if !ok {
		e.errorf("%q is not a defined function", n.Ident)
	}
	return e.call(dot, tmplFunc{name: n.Ident, builtin: b}, cmd, args, f)
}

// call evaluates the arguments, of which the first is the function's own name, and
// calls f.
func (e *tmplExec) call(dot mirror.Val, f tmplFunc, n parse.Node, args []parse.Node, last final) mirror.Val {
	if args != nil {
		args = args[1:]
	}
	e.countArgs(f, len(args), last)
	if f.builtin == nil {
		if err := goodFunc(e.m, f.name, f.c.Sig); err != nil {
			e.errorf("%v", err)
		}
	}
	if f.builtin != nil && (f.name == "and" || f.name == "or") {
		return e.shortCircuit(dot, f, args, last)
	}
	var in []mirror.Val
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
func (e *tmplExec) shortCircuit(dot mirror.Val, f tmplFunc, args []parse.Node, last final) mirror.Val {
	var v mirror.Val
	for _, a := range args {
		v = e.arg(dot, anyValue, a)
		if truth(e.m, v) == (f.name == "or") {
			return v
		}
	}
	if last.is {
		v = last.v
	}
	return v
}

func truth(m *exec.Machine, v mirror.Val) bool {
	t, _ := isTrue(m, concrete(m, v))
	return t
}

// goodFunc says what is wrong with the results of a function for templates.
func goodFunc(m *exec.Machine, name string, sig *types.Signature) error {
	r := sig.Results()
	switch {
	case r.Len() == 1:
		return nil
	case r.Len() == 2 && m.TypeOf(r.At(1).Type()) == ir.Universe.Error:
		return nil
	case r.Len() == 2:
		return fmt.Errorf("invalid function signature for %s: second return value should be error; is %s", name, m.TypeOf(r.At(1).Type()).Str)
	}
	return fmt.Errorf("function %s has %d return values; should be 1 or 2", name, r.Len())
}

// safe calls f; what panics there is an error.
func (e *tmplExec) safe(f tmplFunc, args []parse.Node, last final, in []mirror.Val) (v mirror.Val, err error) {
	defer recovered(e.m, &err)
	if f.builtin == nil {
		return results(e.m, mirror.Call(e.m, f.c, in))
	}
	if f.name == "call" {
		name := ""
		if len(args) > 0 {
			name = args[0].String()
		} else {
			name = reflectString(e.m, last.v)
		}
		return callValue(e.m, name, in[0], in[1:])
	}
	return f.builtin.do(e, in)
}

// reflectString is what String of package reflect makes of a value.
func reflectString(m *exec.Machine, v mirror.Val) string {
	switch {
	case !v.Valid():
		return "<invalid Value>"
	case v.Kind() == reflect.String:
		return v.Str()
	}
	return "<" + v.T.Str + " Value>"
}

// recovered turns a panic of the script into an error.
func recovered(m *exec.Machine, err *error) {
	if m.Stop != nil {
		return
	}
	switch r := recover().(type) {
	case nil:
	case *exec.ScriptPanic:
		if r.Goexits() {
			panic(r)
		}
		if *err = hostError(m, r.Value()); *err == nil {
			*err = fmt.Errorf("%v", m.Export(r.Value()))
		}
	default:
		panic(r)
	}
}

// hostError is an error value of the script's as host code has it, nil for other
// values.
func hostError(m *exec.Machine, v any) error {
	if f, ok := v.(*exec.Iface); ok && f.T.Methods["Error"] == 0 {
		return nil
	}
	if v == nil {
		return nil
	}
	err, _ := m.Export(v).(error)
	return err
}

// results are those of a function for templates.
func results(m *exec.Machine, out []mirror.Val) (mirror.Val, error) {
	if len(out) == 2 && !out[1].IsNil() {
		if err := hostError(m, out[1].Ref()); err != nil {
			return out[0], err
		}
	}
	return out[0], nil
}

// callValue is the builtin call.
func callValue(m *exec.Machine, name string, fn mirror.Val, args []mirror.Val) (mirror.Val, error) {
	fn = concrete(m, fn)
	if !fn.Valid() {
		return fn, errors.New("call of nil")
	}
	if fn.Kind() != reflect.Func {
		return fn, fmt.Errorf("non-function %s of type %s", name, fn.T.Str)
	}
	sig := signatureOf(m, fn.T)
	if err := goodFunc(m, name, sig); err != nil {
		return fn, err
	}
	switch n := sig.Params().Len(); {
	case sig.Variadic() && len(args) < n-1:
		return fn, fmt.Errorf("wrong number of args for %s: got %d want at least %d", name, len(args), n-1)
	case !sig.Variadic() && len(args) != n:
		return fn, fmt.Errorf("wrong number of args for %s: got %d want %d", name, len(args), n)
	}
	c := mirror.Function(m, fn)
	in := make([]mirror.Val, len(args))
	for i, a := range args {
		var err error
		if in[i], err = prepared(m, concrete(m, a), mirror.Param(m, c, i)); err != nil {
			return fn, fmt.Errorf("arg %d: %w", i, err)
		}
	}
	return results(m, mirror.Call(m, c, in))
}

// prepared is v as an argument or key of type t, integers converted.
func prepared(m *exec.Machine, v mirror.Val, t *ir.Type) (mirror.Val, error) {
	if !v.Valid() {
		if !canBeNil(t) {
			return v, fmt.Errorf("value is nil; should be of type %s", t.Str)
		}
		return mirror.ZeroOf(t), nil
	}
	if mirror.Assignable(m, v.T, t) {
		return v.As(m, t), nil
	}
	if ir.IsInteger(v.T) && ir.IsInteger(t) {
		r := mirror.ZeroOf(t)
		n := reflect.ValueOf(v.Int())
		if ir.IsUnsigned(v.T) {
			n = reflect.ValueOf(uint64(v.Int()))
		}
		r.Put(m, n.Convert(ir.KindTypes[t.Kind]))
		return r, nil
	}
	return v, fmt.Errorf("value has type %s; should be %s", v.T.Str, t.Str)
}
