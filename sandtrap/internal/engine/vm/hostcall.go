package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// doHostMethod calls a method of the host's that a struct of the script promotes.
// The first register is the receiver.
func doHostMethod(m *machine, x *ir.SlowOp) {
	recv := x.Types[0].Host
	f := m.method(recv, x.S)
	m.called(f, x, m.arguments(f.Type(), x))
}

// hostMethod is method id of a host value in an interface.
func (m *machine) hostMethod(v any, id int) *ir.Closure {
	of := m.p.Mids[id]
	f := m.method(reflect.TypeOf(v), of.Fn.Name())
	return &ir.Closure{Host: f, Recv: reflect.ValueOf(v), Sig: of.Sig}
}

type methodKey struct {
	recv reflect.Type
	name string
}

// method is what the method of a host type is for this run. A type that the policy
// does not know came to the script as some interface; which of its methods the script
// may name was decided where it was turned into another one.
func (m *machine) method(recv reflect.Type, name string) reflect.Value {
	key := methodKey{recv, name}
	if f, ok := m.methods[key]; ok {
		return f
	}
	if recv == valueType || recv == mapIterType || recv.Implements(typeType) && recv != rtypeType {
		f := m.reflectMethod(recv, name)
		ir.SetIn(&m.methods, key, f)
		return f
	}
	f, err := m.seam.Method(recv, name)
	if err == nil && !f.IsValid() {
		own, ok := recv.MethodByName(name)
		if !ok {
			throwPlain("no method %s on %s", name, recv)
		}
		f = own.Func
	}
	if err != nil {
		throwPlain("the method %s of %s is not for scripts", name, recv)
	}
	if m.methods == nil {
		m.methods = map[methodKey]reflect.Value{}
	}
	m.methods[key] = f
	return f
}
