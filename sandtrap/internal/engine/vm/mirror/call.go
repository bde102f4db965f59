package mirror

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// A Callee is a function or a method with its receiver, ready to be called.
type Callee struct {
	Sig  *types.Signature
	fn   *ir.Func    // a function of the script
	clo  *ir.Closure // it as a value, or a function of the host
	recv *exec.Iface // the receiver of a method of the script
}

// MethodOf finds a method by name as package reflect does: of *T too, if the value
// has an address.
func MethodOf(m *exec.Machine, v Val, name string) (Callee, bool) {
	if v.Kind() == reflect.Interface {
		return Callee{}, false
	}
	if v.Kind() != reflect.Pointer && v.IsVar() {
		v = v.Addr(m)
	}
	obj, _, _ := types.LookupFieldOrMethod(v.T.T, false, nil, name)
	f, ok := obj.(*types.Func)
	if !ok || !f.Exported() {
		return Callee{}, false
	}
	if id := v.T.Methods[name]; id != 0 {
		recv, isIface := v.Boxed(m).(*exec.Iface)
		return Callee{Sig: f.Signature(), fn: m.P.Funcs[id-1], recv: recv}, isIface
	}
	return hostCallee(m, v, f)
}

// hostCallee is a method of a value of the host's, with the row of the policy that
// allows it in between.
func hostCallee(m *exec.Machine, v Val, f *types.Func) (Callee, bool) {
	if v.T.Host == nil {
		return Callee{}, false
	}
	fn, err := m.Host.Method(v.T.Host, f.Name())
	if err != nil || !fn.IsValid() {
		return Callee{}, false
	}
	cells, k := v.cells(m)
	recv := exec.ToHost(m, v.T, cells, k, v.T.Host)
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
	return Callee{Sig: sig, clo: &ir.Closure{Host: bound, Sig: m.TypeOf(exec.Unbound(sig))}}, true
}

// Function is a function value that can be called.
func Function(m *exec.Machine, v Val) Callee {
	c, _ := v.Ref().(*ir.Closure)
	if c == nil {
		exec.ThrowPlain("reflect.Value.Call: call of nil function")
	}
	return Callee{Sig: v.T.T.Underlying().(*types.Signature), fn: c.Fn, clo: c}
}

func (c Callee) Params() int { return c.Sig.Params().Len() }

// Param is the type of parameter i, of each variadic argument for those.
func Param(m *exec.Machine, c Callee, i int) *ir.Type {
	n := c.Params()
	if !c.Sig.Variadic() || i < n-1 {
		return m.TypeOf(c.Sig.Params().At(i).Type())
	}
	return m.TypeOf(c.Sig.Params().At(n - 1).Type()).Elem
}

// Call calls c with arguments that can be assigned to its parameters. What panics
// there goes on.
func Call(m *exec.Machine, c Callee, args []Val) []Val {
	n := 0
	if c.recv != nil {
		n = 1
	}
	ps := m.TypeOf(c.Sig.Params())
	all := ir.NewObj(n+ps.W()+1, ir.BankI|ir.BankS|ir.BankR, 1)
	if c.recv != nil {
		all.I[0], all.S[0], all.R[0] = c.recv.I, c.recv.S, c.recv.R
	}
	for i, f := range ps.Fields {
		if c.Sig.Variadic() && i == len(ps.Fields)-1 {
			pack(m, f.Typ, args[min(i, len(args)):], all, n+f.Off)
			break
		}
		exec.RawCopy(f.Typ.Cells, all, n+f.Off, args[i].As(m, f.Typ).O.(*ir.Obj), 0)
	}
	rt, res := enter(m, c, all)
	out := make([]Val, len(rt.Fields))
	for i, f := range rt.Fields {
		out[i] = Val{T: f.Typ, O: res, k: f.Off}
	}
	return out
}

func enter(m *exec.Machine, c Callee, all *ir.Obj) (*ir.Type, *ir.Obj) {
	if c.fn == nil {
		m.Entering()
		r := m.CallHostClosure(c.clo, all)
		m.Ended()
		return r.T, r.O
	}
	var clo *ir.Closure
	if c.recv == nil {
		clo = c.clo
	}
	return c.fn.Results, m.CallScript(c.fn, clo, all, c.fn.Params)
}

// pack makes the slice of variadic arguments.
func pack(m *exec.Machine, t *ir.Type, args []Val, o *ir.Obj, k int) {
	o.R[k], o.I[k], o.I[k+1] = nil, 0, 0
	if len(args) == 0 {
		return
	}
	m.Alloc(ir.StoreBytes(t.Elem, int64(len(args))))
	store := m.FollowAny(exec.NewStore(t.Elem, len(args)))
	for i, a := range args {
		exec.CopyValue(t.Elem, exec.MemOf(store), i*t.Elem.W(), a.As(m, t.Elem).O, 0)
	}
	o.R[k], o.I[k], o.I[k+1] = store, int64(len(args)), int64(len(args))
}

// Assignable reports that values of v's type can be assigned to t.
func Assignable(m *exec.Machine, v, t *ir.Type) bool {
	return v == t || t.Kind == reflect.Interface && Implements(m, v, t) || types.AssignableTo(v.T, t.T)
}

// Implements reports that t has the methods of an interface. Of a type of the host's that the policy does not name, go/types
// knows none.
func Implements(m *exec.Machine, t, iface *ir.Type) bool {
	want := iface.T.Underlying().(*types.Interface)
	if want.Empty() || types.Implements(t.T, want) {
		return true
	}
	if t.Host == nil || t.Kind == reflect.Interface || types.NewMethodSet(t.T).Len() > 0 {
		return false
	}
	for f := range want.Methods() {
		if !printer.TypeShows(m, t.Host, f) {
			return false
		}
	}
	return true
}
