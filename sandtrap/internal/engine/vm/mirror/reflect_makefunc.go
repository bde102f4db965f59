package mirror

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A madeFunc is a function that reflect.MakeFunc made. Its body is a function of the script, which gets values of
// reflection.
type madeFunc struct {
	m    *exec.Machine
	sig  *ir.Type
	body func(args []reflect.Value) []reflect.Value
}

// reflectMakeFunc is reflect.MakeFunc. If the type is one that the host has too, the function is one of the host's, which
// can be given to others of the library.
func reflectMakeFunc(m *exec.Machine, t reflect.Type, body func(args []reflect.Value) []reflect.Value) reflect.Value {
	ft := wanted(m, t, "reflect: call of MakeFunc with non-Func type")
	if ft.Kind != reflect.Func {
		exec.Throw("reflect: call of MakeFunc with non-Func type")
	}
	m.Charge(infoBytes)
	f := &madeFunc{m, made1(m, ft.T.Underlying()), body}
	host := reflect.ValueOf(exec.MadeFunc(f.call))
	if ft.Host != nil {
		host = reflect.MakeFunc(ft.Host, f.hostCall)
	}
	return reflectValue(m, Val{T: ft, O: &ir.Obj{R: []any{&ir.Closure{Host: host, Sig: f.sig}}}})
}

// call is what the script calls.
func (f *madeFunc) call(args *ir.Obj) (results *ir.Obj) {
	m := f.m
	own, out := NewCells(m, f.sig.In), NewCells(m, f.sig.Out)
	exec.RawCopy(f.sig.In.Cells, own, 0, args, 0)
	m.Entering()
	m.Guarded(func() { f.run(own, out) })
	m.Ended()
	return out
}

// hostCall is what code of the host calls, on any goroutine.
func (f *madeFunc) hostCall(in []reflect.Value) (results []reflect.Value) {
	rt := f.sig.Host
	if f.m.Here() {
		return f.converted(in, rt)
	}
	if !f.m.AdmitCallIn(func() { results = f.converted(in, rt) }) {
		return f.m.Late(rt.String(), engine.Outs(rt))
	}
	return results
}

func (f *madeFunc) converted(in []reflect.Value, rt reflect.Type) []reflect.Value {
	m := f.m
	own, out := NewCells(m, f.sig.In), NewCells(m, f.sig.Out)
	for i, p := range f.sig.In.Fields {
		exec.FromHost(m, in[i], p.Typ, own, p.Off)
	}
	f.run(own, out)
	results := make([]reflect.Value, len(f.sig.Out.Fields))
	for i, r := range f.sig.Out.Fields {
		results[i] = m.Giving(r.Typ, out, r.Off, rt.Out(i))
	}
	return results
}

// run calls the body with the arguments in own, and puts its results in out.
func (f *madeFunc) run(own, out *ir.Obj) {
	m := f.m
	var in []reflect.Value
	for _, p := range f.sig.In.Fields {
		in = append(in, reflectValue(m, Val{T: p.Typ, O: own, k: p.Off}))
	}
	results := f.body(in)
	if len(results) != len(f.sig.Out.Fields) {
		exec.Throw("reflect: wrong return count from function created by MakeFunc")
	}
	for i, r := range f.sig.Out.Fields {
		v := RvalueIn(results[i])
		switch {
		case !v.v.Valid():
			exec.Throw("reflect: function created by MakeFunc using closure returned zero Value")
		case v.v.flag&hidden != 0:
			exec.Throw("reflect: function created by MakeFunc using closure returned value obtained from unexported field")
		}
		exec.RawCopy(r.Typ.Cells, out, r.Off, assigned(m, "reflect.MakeFunc", v, r.Typ), 0)
	}
}

// reflectFuncOf is reflect.FuncOf.
func reflectFuncOf(m *exec.Machine, in, out []reflect.Type, variadic bool) reflect.Type {
	if variadic && (len(in) == 0 || in[len(in)-1].Kind() != reflect.Slice) {
		exec.Throw("reflect.FuncOf: last arg of variadic func must be slice")
	}
	name := 0
	tuple := func(list []reflect.Type) *types.Tuple {
		var vars []*types.Var
		for _, t := range list {
			of := wanted(m, t, "invalid memory address or nil pointer dereference")
			name += len(of.Str)
			vars = append(vars, types.NewParam(0, nil, "", of.T))
		}
		return types.NewTuple(vars...)
	}
	sig := types.NewSignatureType(nil, nil, nil, tuple(in), tuple(out), variadic)
	if name > maxMadeName {
		exec.ThrowPlain("reflect: a type is made of too many others")
	}
	return ReflectType(m, made1(m, sig))
}
