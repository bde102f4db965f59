package vm

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A callee is a function or a method with its receiver, ready to be called.
type callee struct {
	sig  *types.Signature
	fn   *ir.Func    // a function of the script
	clo  *ir.Closure // it as a value, or a function of the host
	recv *Iface      // the receiver of a method of the script
}

// methodOf finds a method by name as package reflect does: of *T too, if the value
// has an address.
func (m *machine) methodOf(v mirror, name string) (callee, bool) {
	if v.kind() == reflect.Interface {
		return callee{}, false
	}
	if v.kind() != reflect.Pointer && v.addressable() {
		v = m.addr(v)
	}
	obj, _, _ := types.LookupFieldOrMethod(v.t.T, false, nil, name)
	f, ok := obj.(*types.Func)
	if !ok || !f.Exported() {
		return callee{}, false
	}
	if id := v.t.Methods[name]; id != 0 {
		recv, isIface := m.iface(v).(*Iface)
		return callee{sig: f.Signature(), fn: m.p.Funcs[id-1], recv: recv}, isIface
	}
	return m.hostCallee(v, f)
}

// hostCallee is a method of a value of the host's, with the row of the policy that
// allows it in between.
func (m *machine) hostCallee(v mirror, f *types.Func) (callee, bool) {
	if v.t.Host == nil {
		return callee{}, false
	}
	fn, err := m.seam.Method(v.t.Host, f.Name())
	if err != nil || !fn.IsValid() {
		return callee{}, false
	}
	recv := toHost(m, v.t, v.c, v.k, v.t.Host)
	sig := f.Signature()
	in, out := make([]reflect.Type, fn.Type().NumIn()-1), make([]reflect.Type, fn.Type().NumOut())
	for i := range in {
		in[i] = fn.Type().In(i + 1)
	}
	for i := range out {
		out[i] = fn.Type().Out(i)
	}
	bound := reflect.MakeFunc(reflect.FuncOf(in, out, sig.Variadic()), func(args []reflect.Value) []reflect.Value {
		args = append([]reflect.Value{recv}, args...)
		if sig.Variadic() {
			return fn.CallSlice(args)
		}
		return fn.Call(args)
	})
	return callee{sig: sig, clo: &ir.Closure{Host: bound, Sig: m.typeOf(unbound(sig))}}, true
}

// function is a function value that can be called.
func (m *machine) function(v mirror) callee {
	c, _ := v.ref().(*ir.Closure)
	if c == nil {
		throwPlain("reflect.Value.Call: call of nil function")
	}
	return callee{sig: v.t.T.Underlying().(*types.Signature), fn: c.Fn, clo: c}
}

func (c callee) params() int { return c.sig.Params().Len() }

// param is the type of parameter i, of each variadic argument for those.
func (m *machine) param(c callee, i int) *ir.Type {
	n := c.params()
	if !c.sig.Variadic() || i < n-1 {
		return m.typeOf(c.sig.Params().At(i).Type())
	}
	return m.typeOf(c.sig.Params().At(n - 1).Type()).Elem
}

// call calls c with arguments that can be assigned to its parameters. What panics
// there goes on.
func (m *machine) call(c callee, args []mirror) []mirror {
	n := 0
	if c.recv != nil {
		n = 1
	}
	ps := m.typeOf(c.sig.Params())
	all := ir.NewObj(n+ps.W()+1, ir.BankI|ir.BankS|ir.BankR, 1)
	if c.recv != nil {
		all.I[0], all.S[0], all.R[0] = c.recv.I, c.recv.S, c.recv.R
	}
	for i, f := range ps.Fields {
		if c.sig.Variadic() && i == len(ps.Fields)-1 {
			m.pack(f.Typ, args[min(i, len(args)):], all, n+f.Off)
			break
		}
		m.assign(args[i], f.Typ, all, n+f.Off)
	}
	rt, res := m.enter(c, all)
	out := make([]mirror, len(rt.Fields))
	for i, f := range rt.Fields {
		out[i] = mirror{t: f.Typ, c: res, k: f.Off}
	}
	return out
}

func (m *machine) enter(c callee, all *ir.Obj) (*ir.Type, *ir.Obj) {
	if c.fn == nil {
		m.entering()
		r := m.callHostClosure(c.clo, all)
		m.ended()
		return r.t, r.o
	}
	var clo *ir.Closure
	if c.recv == nil {
		clo = c.clo
	}
	return c.fn.Results, m.callback(c.fn, clo, all, c.fn.Params)
}

// assign puts v into cells of type t, which it is assignable to.
func (m *machine) assign(v mirror, t *ir.Type, o *ir.Obj, k int) {
	switch {
	case !v.valid():
		zeroCells(t, o, k)
	case t.Kind == reflect.Interface:
		m.charge(ifaceBytes)
		o.R[k] = m.iface(v)
	default:
		v.copyTo(o, k)
	}
}

// pack makes the slice of variadic arguments.
func (m *machine) pack(t *ir.Type, args []mirror, o *ir.Obj, k int) {
	o.R[k], o.I[k], o.I[k+1] = nil, 0, 0
	if len(args) == 0 {
		return
	}
	m.alloc(ir.StoreBytes(t.Elem, int64(len(args))))
	store := m.followAny(newStore(t.Elem, len(args)))
	one := ir.NewObj(t.Elem.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	for i, a := range args {
		m.assign(a, t.Elem, one, 0)
		copyValue(t.Elem, memOf(store), i*t.Elem.W(), one, 0)
	}
	o.R[k], o.I[k], o.I[k+1] = store, int64(len(args)), int64(len(args))
}

// assignable reports that values of v's type can be assigned to t.
func assignable(v, t *ir.Type) bool {
	return v == t || t.Kind == reflect.Interface && t.T.Underlying().(*types.Interface).Empty() || types.AssignableTo(v.T, t.T)
}
