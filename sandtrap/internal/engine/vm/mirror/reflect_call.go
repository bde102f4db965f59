package mirror

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func (r *Rvalue) NumMethod() int {
	if !r.v.Valid() {
		r.misused("NumMethod")
	}
	if r.fn != nil {
		return 0
	}
	return Rtype{m: r.m, t: r.v.T}.NumMethod()
}

func (r *Rvalue) Method(i int) reflect.Value {
	if !r.v.Valid() {
		r.misused("Method")
	}
	list := Rtype{m: r.m, t: r.v.T}.methods()
	if i < 0 || i >= len(list) {
		exec.Throw("reflect: Method index out of range")
	}
	return r.method(list[i].Name())
}

func (r *Rvalue) MethodByName(name string) reflect.Value {
	if !r.v.Valid() {
		r.misused("MethodByName")
	}
	if _, ok := (Rtype{m: r.m, t: r.v.T}).MethodByName(name); !ok {
		return reflect.Value{}
	}
	return r.method(name)
}

// method is a method with its receiver.
func (r *Rvalue) method(name string) reflect.Value {
	v := r.v
	if v.Kind() == reflect.Interface {
		if v.isNil() {
			exec.Throw("reflect: Method on nil interface value")
		}
		v = v.Elem(r.m)
	}
	c, ok := MethodOf(r.m, Val{T: v.T, O: v.Load(r.m)}, name)
	if !ok {
		exec.ThrowPlain("reflect: the method %s of %s is not for scripts", name, v.T.Str)
	}
	t := r.m.TypeOf(exec.Unbound(c.Sig))
	return reflect.ValueOf(&Rvalue{m: r.m, v: Val{T: t, O: &ir.Obj{R: []any{nil}}, flag: v.flag & hidden}, fn: &c})
}

func (r *Rvalue) Call(in []reflect.Value) []reflect.Value { return r.call("Call", in) }

func (r *Rvalue) CallSlice(in []reflect.Value) []reflect.Value {
	r.must("CallSlice", reflect.Func)
	sig := r.v.T.In
	if last := len(in) - 1; !(Rtype{m: r.m, t: r.v.T}).IsVariadic() {
		exec.Throw("reflect: CallSlice of non-variadic function")
	} else if last+1 == len(sig.Fields) {
		list := RvalueIn(in[last])
		list.must("Len", reflect.Slice)
		in = in[:last:last]
		for i := range list.v.Len() {
			in = append(in, list.Index(i))
		}
	}
	return r.call("CallSlice", in)
}

// call calls the function with arguments, those of a variadic one by one.
func (r *Rvalue) call(method string, in []reflect.Value) []reflect.Value {
	r.must(method, reflect.Func)
	r.mustShow(method)
	var c Callee
	switch {
	case r.fn != nil:
		c = *r.fn
	case r.v.isNil():
		exec.Throw("reflect: call of nil function")
	default:
		c = Function(r.m, r.v)
	}
	n := c.Params()
	switch {
	case c.Sig.Variadic() && len(in) < n-1, !c.Sig.Variadic() && len(in) < n:
		exec.Throw("reflect: " + method + " with too few input arguments")
	case !c.Sig.Variadic() && len(in) > n:
		exec.Throw("reflect: " + method + " with too many input arguments")
	}
	args := make([]Val, len(in))
	for i, a := range in {
		x := RvalueIn(a)
		if !x.v.Valid() {
			exec.Throw("reflect: " + method + " using zero Value argument")
		}
		x.mustShow(method)
		want := Param(r.m, c, i)
		if !Assignable(r.m, x.v.T, want) {
			exec.Throw("reflect: " + method + " using " + x.v.T.Str + " as type " + want.Str)
		}
		args[i] = Val{T: want, O: assigned(r.m, "reflect.Value."+method, x, want)}
	}
	var out []reflect.Value
	for _, res := range Call(r.m, c, args) {
		out = append(out, reflectValue(r.m, res))
	}
	return out
}
