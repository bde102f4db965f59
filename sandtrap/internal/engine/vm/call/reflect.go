package call

import (
	"reflect"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/wrap"
)

var (
	rtypeType   = reflect.TypeFor[mirror.Rtype]()
	mapIterType = reflect.TypeFor[*reflect.MapIter]()
)

// valueMethods are the methods of reflect.Value as scripts have them, in the order of rvalue's, with their adapters.
var valueMethods struct {
	once sync.Once
	list []exec.Bound
}

func findValueMethods() {
	t := reflect.TypeFor[*mirror.Rvalue]()
	list := make([]exec.Bound, t.NumMethod())
	for i := range list {
		if fn := t.Method(i).Func.Interface(); adapterFor(fn) > 0 {
			list[i] = exec.Bound{Fn: fn, Call: adapterFor(fn)}
		} else {
			list[i].Call = exec.NoAdapter
		}
	}
	valueMethods.list = list
}

// Abilities are those of this machine.
var Abilities = sync.OnceValue(func() *ir.Abilities {
	a := &ir.Abilities{Value: map[string]int{}, Shows: wrap.Showable}
	for i := range reflect.TypeFor[*mirror.Rvalue]().NumMethod() {
		a.Value[reflect.TypeFor[*mirror.Rvalue]().Method(i).Name] = i
	}
	return a
})

// ReflectMethod is a method of reflect.Value or reflect.MapIter as scripts have it: a
// function with the receiver first. Of a type of the host's scripts have an rtype.
func ReflectMethod(m *exec.Machine, recv reflect.Type, name string) (none reflect.Value) {
	if recv != exec.ValueType && recv != mapIterType && (!recv.Implements(exec.TypeType) || recv == rtypeType) {
		return none
	}
	if recv == mapIterType {
		f := mirror.MapIterMethod(m, name)
		if f == nil {
			exec.ThrowPlain("the method %s of %s is not for scripts", name, recv)
		}
		return reflect.ValueOf(f)
	}
	own, ok := reflect.TypeFor[*mirror.Rvalue]().MethodByName(name)
	if !ok || recv != exec.ValueType {
		exec.ThrowPlain("the method %s of %s is not for scripts", name, recv)
	}
	in := []reflect.Type{exec.ValueType}
	for i := 1; i < own.Type.NumIn(); i++ {
		in = append(in, own.Type.In(i))
	}
	var out []reflect.Type
	for i := range own.Type.NumOut() {
		out = append(out, own.Type.Out(i))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, false), func(args []reflect.Value) []reflect.Value {
		args[0] = reflect.ValueOf(mirror.RvalueIn(args[0].Interface().(reflect.Value)))
		return own.Func.Call(args)
	})
}

func ValueMethod(m *exec.Machine, x *ir.SlowOp) {
	recv := x.Types[0].Host
	valueMethods.once.Do(findValueMethods)
	if recv == exec.ValueType && adapted(m, x, &valueMethods.list[x.D]) {
		return
	}
	f := m.Method(recv, x.S)
	m.Called(f, x, m.Arguments(f.Type(), x))
}

func ValueMethodBound(m *exec.Machine, x *ir.SlowOp) {
	recv := x.Types[0].Host
	in := exec.ToHost(m, x.Types[0], &ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[0], recv)
	m.R[x.A] = &ir.Closure{Host: m.Method(recv, x.S), Recv: in, Sig: x.T.Fields[0].Typ}
}

func ReflectFunc(m *exec.Machine, x *ir.SlowOp) {
	f := reflect.ValueOf(mirror.ReflectFuncs[x.S](m))
	m.Called(f, x, m.Arguments(f.Type(), x))
}

// TypeFor is reflect.TypeFor of the type u.
func TypeFor(m *exec.Machine, x *ir.SlowOp) { m.R[x.A] = mirror.ReflectType(m, x.U) }

// ReflectAssert is reflect.TypeAssert to the type u.
func ReflectAssert(m *exec.Machine, x *ir.SlowOp) {
	in := exec.ToHost(m, x.Types[0], &ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[0], exec.ValueType).Interface().(reflect.Value)
	exec.ZeroCells(x.U, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
	m.I[x.A+x.U.W()] = 0
	v := mirror.Asserted(m, in)
	switch {
	case v == nil:
		return
	case x.U.Kind == reflect.Interface:
		if !hasAll(m, v, x.U) {
			return
		}
		m.R[x.A] = v
	case exec.DynType(m.P, v) != x.U:
		return
	default:
		exec.Unbox(m, v, x.U, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
	}
	m.I[x.A+x.U.W()] = 1
}
