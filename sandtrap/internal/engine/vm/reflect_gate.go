package vm

import (
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

var (
	valueType   = reflect.TypeFor[reflect.Value]()
	typeType    = reflect.TypeFor[reflect.Type]()
	rtypeType   = reflect.TypeFor[rtype]()
	mapIterType = reflect.TypeFor[*reflect.MapIter]()
)

// reflectGate is what a member of package reflect does, false for those that do without
// the engine: they see types and tags, no values.
func (c *compiler) reflectGate(x *ext, b rewrite.Binding) (Do, bool) {
	if !b.Standard || b.Path != "reflect" || b.Kind == rewrite.BindField || b.Kind == rewrite.BindVar {
		return 0, false
	}
	switch b.Owner {
	case "":
		return reflectFunc(x, b)
	case "Value":
		if _, ok := reflect.TypeFor[*rvalue]().MethodByName(b.Name); !ok {
			panic(compileError{"no method " + b.Name + " of reflect.Value"})
		}
	case "MapIter":
		if (*machine)(nil).mapIterMethod(b.Name) == nil {
			panic(compileError{"no method " + b.Name + " of reflect.MapIter"})
		}
	default:
		return 0, false
	}
	x.s = b.Name
	if b.Kind == rewrite.BindMethodValue {
		return DoReflectMethodValue, true
	}
	if b.Owner == "Value" {
		x.direct = valueMethod(b.Name)
	}
	return DoReflectMethod, true
}

// valueMethod is a method of reflect.Value as scripts have it, nil if it has no adapter.
func valueMethod(name string) *bound {
	own, _ := reflect.TypeFor[*rvalue]().MethodByName(name)
	fn := own.Func.Interface()
	if call := adapterFor(fn); call > 0 {
		return &bound{fn, call}
	}
	return nil
}

// reflectGenerics are the generic members of package reflect. They ask the host for nothing.
var reflectGenerics = map[string]Do{"reflect.TypeFor": DoTypeFor, "reflect.TypeAssert": DoReflectAssert}

// reflectArg is the type argument of fn, which is the gate of one of them.
func (c *compiler) reflectArg(fn *ssa.Function, b rewrite.Binding) *Type {
	args := b.TypeArgs
	if len(args) == 0 {
		args = fn.TypeArgs()
	}
	t := c.types.of(args[0])
	c.needMethods(t)
	return t
}

func reflectFunc(x *ext, b rewrite.Binding) (Do, bool) {
	if do, ok := reflectGates[b.Name]; ok {
		return do, true
	}
	if reflectFuncs[b.Name] == nil {
		return 0, false
	}
	x.s = b.Name
	return DoReflectFunc, true
}

// reflectMethod is a method of reflect.Value or reflect.MapIter as scripts have it: a
// function with the receiver first.
func (m *machine) reflectMethod(recv reflect.Type, name string) reflect.Value {
	if recv == mapIterType {
		f := m.mapIterMethod(name)
		if f == nil {
			throwPlain("the method %s of %s is not for scripts", name, recv)
		}
		return reflect.ValueOf(f)
	}
	own, ok := reflect.TypeFor[*rvalue]().MethodByName(name)
	if !ok || recv != valueType {
		throwPlain("the method %s of %s is not for scripts", name, recv)
	}
	in := []reflect.Type{valueType}
	for i := 1; i < own.Type.NumIn(); i++ {
		in = append(in, own.Type.In(i))
	}
	var out []reflect.Type
	for i := range own.Type.NumOut() {
		out = append(out, own.Type.Out(i))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, false), func(args []reflect.Value) []reflect.Value {
		args[0] = reflect.ValueOf(rvalueIn(args[0].Interface().(reflect.Value)))
		return own.Func.Call(args)
	})
}

func doReflectMethod(m *machine, x *ext) {
	if x.direct != nil && m.adapted(x, x.direct) {
		return
	}
	recv := x.types[0].host
	f := m.method(recv, x.s)
	m.called(f, x, m.arguments(f.Type(), x))
}

func doReflectMethodValue(m *machine, x *ext) {
	recv := x.types[0].host
	in := toHost(m, x.types[0], &Obj{m.I, m.S, m.R}, x.regs[0], recv)
	m.R[x.a] = &Closure{host: m.method(recv, x.s), recv: in, sig: x.t.fields[0].typ}
}

func doReflectFunc(m *machine, x *ext) {
	f := reflect.ValueOf(reflectFuncs[x.s](m))
	m.called(f, x, m.arguments(f.Type(), x))
}

// doTypeFor is reflect.TypeFor of the type u.
func doTypeFor(m *machine, x *ext) { m.R[x.a] = m.reflectType(x.u) }

// doReflectAssert is reflect.TypeAssert to the type u.
func doReflectAssert(m *machine, x *ext) {
	in := toHost(m, x.types[0], &Obj{m.I, m.S, m.R}, x.regs[0], valueType).Interface().(reflect.Value)
	zeroCells(x.u, &Obj{m.I, m.S, m.R}, x.a)
	m.I[x.a+x.u.w()] = 0
	r := rvalueIn(in)
	if !r.v.valid() {
		throw(&reflect.ValueError{Method: "reflect.TypeAssert", Kind: reflect.Invalid})
	}
	r.mustShow("TypeAssert")
	v := r.v.iface(m)
	switch {
	case v == nil:
		return
	case x.u.kind == reflect.Interface:
		if !m.hasAll(v, x.u) {
			return
		}
		m.R[x.a] = v
	case m.p.dynType(v) != x.u:
		return
	default:
		unbox(m, v, x.u, &Obj{m.I, m.S, m.R}, x.a)
	}
	m.I[x.a+x.u.w()] = 1
}
