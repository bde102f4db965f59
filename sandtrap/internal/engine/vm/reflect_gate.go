package vm

import (
	"reflect"
	"sync"
)

var (
	valueType   = reflect.TypeFor[reflect.Value]()
	typeType    = reflect.TypeFor[reflect.Type]()
	rtypeType   = reflect.TypeFor[rtype]()
	mapIterType = reflect.TypeFor[*reflect.MapIter]()
)

// valueMethods are the methods of reflect.Value as scripts have them, in the order of rvalue's, with their adapters.
var valueMethods = sync.OnceValue(func() []bound {
	t := reflect.TypeFor[*rvalue]()
	list := make([]bound, t.NumMethod())
	for i := range list {
		if fn := t.Method(i).Func.Interface(); adapterFor(fn) > 0 {
			list[i] = bound{fn, adapterFor(fn)}
		} else {
			list[i].call = noAdapter
		}
	}
	return list
})

// abilities are those of this machine.
var abilities = sync.OnceValue(func() *Abilities {
	r := &Abilities{value: map[string]int{}, mapIter: map[string]bool{}, funcs: map[string]bool{}, shows: showable}
	for i := range reflect.TypeFor[*rvalue]().NumMethod() {
		r.value[reflect.TypeFor[*rvalue]().Method(i).Name] = i
	}
	for i := range mapIterType.NumMethod() {
		name := mapIterType.Method(i).Name
		r.mapIter[name] = (*machine)(nil).mapIterMethod(name) != nil
	}
	for name := range reflectFuncs {
		r.funcs[name] = true
	}
	return r
})

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
	recv := x.types[0].host
	if recv == valueType && m.adapted(x, &valueMethods()[x.d]) {
		return
	}
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
