package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A scriptFunc is a function of the script as code of the host calls it.
type scriptFunc struct {
	m      *Machine
	c      *ir.Closure
	sig    *ir.Type        // its parameters
	rt     reflect.Type    // what it is for the host
	inside bool            // nobody but the driver at work can call it
	basic  bool            // all parameters and results are basic, with one cell each
	out    []reflect.Value // if so, the results of the last call by the driver at work, which takes them before it goes on
}

// funcToHost wraps a script function for host code.
func funcToHost(m *Machine, c *ir.Closure, t *ir.Type, rt reflect.Type) reflect.Value {
	if c.Fn == nil {
		return c.Host.Convert(rt)
	}
	return reflect.MakeFunc(rt, newScriptFunc(m, c, t, rt).call)
}

// funcInside is funcToHost for a member that calls the function inside of its call.
func funcInside(m *Machine, c *ir.Closure, t *ir.Type, rt reflect.Type) reflect.Value {
	f := newScriptFunc(m, c, t, rt)
	f.inside = true
	return reflect.MakeFunc(rt, f.call)
}

func newScriptFunc(m *Machine, c *ir.Closure, t *ir.Type, rt reflect.Type) *scriptFunc {
	f := &scriptFunc{m: m, c: c, sig: t.In, rt: rt, basic: allBasic(t.In) && allBasic(c.Fn.Results)}
	f.out = f.results()
	return f
}

func allBasic(fields *ir.Type) bool {
	for _, f := range fields.Fields {
		if !ir.InOneCell(f.Typ.Kind) {
			return false
		}
	}
	return true
}

// results are variables for the results of a call, if they are basic.
func (f *scriptFunc) results() []reflect.Value {
	if !f.basic {
		return nil
	}
	out := make([]reflect.Value, f.rt.NumOut())
	for i := range out {
		out[i] = reflect.New(f.rt.Out(i)).Elem()
	}
	return out
}

// call is what the host calls.
func (f *scriptFunc) call(in []reflect.Value) []reflect.Value {
	if f.inside && !f.m.over.Load() || f.m.Here() {
		return f.run(in, f.out)
	}
	return f.visit(in)
}

// visit is call from any other goroutine.
func (f *scriptFunc) visit(in []reflect.Value) (out []reflect.Value) {
	if !f.m.AdmitCallIn(func() { out = f.run(in, f.results()) }) {
		return f.m.Late(f.rt.String(), engine.Outs(f.rt))
	}
	return out
}

// run calls the function on the driver at work. It gives its results in out if they are basic.
func (f *scriptFunc) run(in, out []reflect.Value) []reflect.Value {
	if !f.basic {
		return f.runAny(in)
	}
	f.runBasic(in, out)
	return out
}

// runBasic is run for basic values alone, which go to and from the cells of the function itself.
func (f *scriptFunc) runBasic(in, out []reflect.Value) {
	m := f.m
	was := m.Crossing
	m.ToScriptSide()
	for _, v := range in {
		if v.Kind() == reflect.String {
			m.passedText(v.Len(), longText)
		}
	}
	b := m.NewCallback(f.c.Fn, f.c)
	b.Enter()
	for i, v := range in {
		cellFromHost(v, m.I, m.S, i)
	}
	b.Run()
	for i, r := range f.c.Fn.Results.Fields {
		cellToHost(out[i], m.I, m.S, r.Off)
	}
	b.End()
	for _, v := range out {
		if v.Kind() == reflect.String {
			m.passedText(v.Len(), GivenFree)
		}
	}
	m.Crossing = was
	m.ToHostSide()
}

// runAny is run for values of all types.
func (f *scriptFunc) runAny(in []reflect.Value) []reflect.Value {
	m, fn := f.m, f.c.Fn
	cells := m.Cells(max(fn.Params+1, fn.Rw))
	at := 0
	for i, v := range in {
		t := f.sig.Fields[i].Typ
		FromHost(m, v, t, cells, at)
		at += t.W()
	}
	m.CallScriptIn(fn, f.c, cells, fn.Params)
	out := make([]reflect.Value, len(fn.Results.Fields))
	for i, r := range fn.Results.Fields {
		out[i] = m.Giving(r.Typ, cells, r.Off, f.rt.Out(i))
	}
	m.Free(cells)
	return out
}
