package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func (r *rvalue) NumMethod() int {
	if !r.v.valid() {
		r.misused("NumMethod")
	}
	if r.fn != nil {
		return 0
	}
	return rtype{m: r.m, t: r.v.t}.NumMethod()
}

func (r *rvalue) Method(i int) reflect.Value {
	if !r.v.valid() {
		r.misused("Method")
	}
	list := rtype{m: r.m, t: r.v.t}.methods()
	if i < 0 || i >= len(list) {
		throw("reflect: Method index out of range")
	}
	return r.method(list[i].Name())
}

func (r *rvalue) MethodByName(name string) reflect.Value {
	if !r.v.valid() {
		r.misused("MethodByName")
	}
	if _, ok := (rtype{m: r.m, t: r.v.t}).MethodByName(name); !ok {
		return reflect.Value{}
	}
	return r.method(name)
}

// method is a method with its receiver.
func (r *rvalue) method(name string) reflect.Value {
	v := r.v
	if v.kind() == reflect.Interface {
		if v.isNil() {
			throw("reflect: Method on nil interface value")
		}
		v = v.elem(r.m)
	}
	c, ok := r.m.methodOf(mirror{t: v.t, c: v.load(r.m)}, name)
	if !ok {
		throwPlain("reflect: the method %s of %s is not for scripts", name, v.t.Str)
	}
	t := r.m.typeOf(unbound(c.sig))
	return reflect.ValueOf(&rvalue{m: r.m, v: val{t: t, o: &ir.Obj{R: []any{nil}}, flag: v.flag & hidden}, fn: &c})
}

func (r *rvalue) Call(in []reflect.Value) []reflect.Value { return r.call("Call", in) }

func (r *rvalue) CallSlice(in []reflect.Value) []reflect.Value {
	r.must("CallSlice", reflect.Func)
	sig := r.v.t.In
	if last := len(in) - 1; !(rtype{m: r.m, t: r.v.t}).IsVariadic() {
		throw("reflect: CallSlice of non-variadic function")
	} else if last+1 == len(sig.Fields) {
		list := rvalueIn(in[last])
		list.must("Len", reflect.Slice)
		in = in[:last:last]
		for i := range list.v.length() {
			in = append(in, list.Index(i))
		}
	}
	return r.call("CallSlice", in)
}

// call calls the function with arguments, those of a variadic one by one.
func (r *rvalue) call(method string, in []reflect.Value) []reflect.Value {
	r.must(method, reflect.Func)
	r.mustShow(method)
	var c callee
	switch {
	case r.fn != nil:
		c = *r.fn
	case r.v.isNil():
		throw("reflect: call of nil function")
	default:
		c = r.m.function(r.mirror())
	}
	n := c.params()
	switch {
	case c.sig.Variadic() && len(in) < n-1, !c.sig.Variadic() && len(in) < n:
		throw("reflect: " + method + " with too few input arguments")
	case !c.sig.Variadic() && len(in) > n:
		throw("reflect: " + method + " with too many input arguments")
	}
	args := make([]mirror, len(in))
	for i, a := range in {
		x := rvalueIn(a)
		if !x.v.valid() {
			throw("reflect: " + method + " using zero Value argument")
		}
		x.mustShow(method)
		want := r.m.param(c, i)
		if !assignable(x.v.t, want) {
			throw("reflect: " + method + " using " + x.v.t.Str + " as type " + want.Str)
		}
		args[i] = mirror{t: want, c: r.m.assigned("reflect.Value."+method, x, want)}
	}
	var out []reflect.Value
	for _, res := range r.m.call(c, args) {
		out = append(out, r.m.reflectValue(val{t: res.t, o: res.c, k: res.k}))
	}
	return out
}
