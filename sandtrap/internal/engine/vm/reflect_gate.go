package vm

import (
	"reflect"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

var (
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
var abilities = sync.OnceValue(func() *ir.Abilities {
	a := &ir.Abilities{Value: map[string]int{}, Shows: showable}
	for i := range reflect.TypeFor[*rvalue]().NumMethod() {
		a.Value[reflect.TypeFor[*rvalue]().Method(i).Name] = i
	}
	return a
})

// reflectMethod is a method of reflect.Value or reflect.MapIter as scripts have it: a
// function with the receiver first. Of a type of the host's scripts have an rtype.
func reflectMethod(m *machine, recv reflect.Type, name string) (none reflect.Value) {
	if recv != valueType && recv != mapIterType && (!recv.Implements(typeType) || recv == rtypeType) {
		return none
	}
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

func doReflectMethod(m *machine, x *ir.SlowOp) {
	recv := x.Types[0].Host
	if recv == valueType && m.adapted(x, &valueMethods()[x.D]) {
		return
	}
	f := m.method(recv, x.S)
	m.called(f, x, m.arguments(f.Type(), x))
}

func doReflectMethodValue(m *machine, x *ir.SlowOp) {
	recv := x.Types[0].Host
	in := toHost(m, x.Types[0], &ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[0], recv)
	m.R[x.A] = &ir.Closure{Host: m.method(recv, x.S), Recv: in, Sig: x.T.Fields[0].Typ}
}

func doReflectFunc(m *machine, x *ir.SlowOp) {
	f := reflect.ValueOf(reflectFuncs[x.S](m))
	m.called(f, x, m.arguments(f.Type(), x))
}

// doTypeFor is reflect.TypeFor of the type u.
func doTypeFor(m *machine, x *ir.SlowOp) { m.R[x.A] = m.reflectType(x.U) }

// doReflectAssert is reflect.TypeAssert to the type u.
func doReflectAssert(m *machine, x *ir.SlowOp) {
	in := toHost(m, x.Types[0], &ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[0], valueType).Interface().(reflect.Value)
	zeroCells(x.U, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
	m.I[x.A+x.U.W()] = 0
	v := asserted(m, in)
	switch {
	case v == nil:
		return
	case x.U.Kind == reflect.Interface:
		if !m.hasAll(v, x.U) {
			return
		}
		m.R[x.A] = v
	case dynType(m.p, v) != x.U:
		return
	default:
		unbox(m, v, x.U, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
	}
	m.I[x.A+x.U.W()] = 1
}
