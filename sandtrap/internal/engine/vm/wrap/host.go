package wrap

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// NewWrapperTable takes functions func(V) I, where I is an interface with methods and V
// one that object implements. The error names the function that is something else.
func NewWrapperTable(list []any) (ir.WrapperTable, error) {
	t := ir.WrapperTable{}
	for i, fn := range list {
		v := reflect.ValueOf(fn)
		if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumIn() != 1 || v.Type().NumOut() != 1 || v.Type().IsVariadic() {
			return nil, fmt.Errorf("%d is a %T, not a function from a value to an interface", i, fn)
		}
		in, it := v.Type().In(0), v.Type().Out(0)
		switch {
		case in.Kind() != reflect.Interface || !reflect.TypeFor[object]().Implements(in):
			return nil, fmt.Errorf("%d takes a %v, which is not what shows values of scripts", i, in)
		case it.Kind() != reflect.Interface || it.NumMethod() == 0 && !exec.IsProxy(it):
			return nil, fmt.Errorf("%d returns a %v, which is no interface with methods", i, it)
		case t[it].IsValid():
			return nil, fmt.Errorf("%d is the second for %v", i, it)
		}
		t[it] = v
	}
	return t, nil
}

func wrapperOf(w reflect.Value, p *plainVal) any {
	return w.Call([]reflect.Value{reflect.ValueOf(object{p})})[0].Interface()
}

// An object is what a wrapper of the host's is given.
type object struct{ p *plainVal }

// ScriptValue is the value for who knows it.
func (o object) ScriptValue() any { return o.p.f }

// Call calls a method.
func (o object) Call(name string, in ...any) []any {
	fn := o.p.method(name)
	var out []any
	if o.p.m.CallIn(func() { out = calledByWrapper(o.p.m, fn, o.p.f, in) }) {
		return out
	}
	for _, v := range o.p.late(name, fn) {
		out = append(out, v.Interface())
	}
	return out
}

func calledByWrapper(m *exec.Machine, fn *ir.Func, f *exec.Iface, in []any) []any {
	if len(in) != len(fn.In.Fields) {
		exec.ThrowPlain("%d arguments in call of %s, which has %d", len(in), fn.Name, len(fn.In.Fields))
	}
	args := ir.NewObj(fn.Params+1, ir.BankI|ir.BankS|ir.BankR, 1)
	args.I[0], args.S[0], args.R[0] = f.I, f.S, f.R
	for i, v := range in {
		argument(m, v, fn.In.Fields[i], args)
	}
	res := m.CallScript(fn, nil, args, fn.Params)
	out := make([]any, len(fn.Results.Fields))
	for i, field := range fn.Results.Fields {
		out[i] = m.Export(exec.Box(m, field.Typ, res, field.Off))
		m.WantEnd(reflect.ValueOf(out[i]), 0, 0)
	}
	return out
}

// argument puts a value of the host's into the cells of a parameter, which come after
// that of the receiver.
func argument(m *exec.Machine, v any, field ir.Field, args *ir.Obj) {
	if v == nil {
		return
	}
	rv, t := reflect.ValueOf(v), field.Typ
	if t.Host == nil || !rv.Type().AssignableTo(t.Host) {
		exec.ThrowPlain("cannot use a %s of the host as %s", rv.Type(), t.Str)
	}
	exec.FromHost(m, rv, t, args, 1+field.Off)
}
