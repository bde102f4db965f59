package wrap

import (
	"fmt"
	"io"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// A plainVal shows nothing of the value's own methods. What it has of its own is what
// compiled Go does to any value by reflection: printing, scanning, JSON.
type plainVal struct {
	m *exec.Machine
	f *exec.Iface

	lacks caps // see shown
}

// ScriptValue is the value for who can do nothing but give it back.
func (w *plainVal) ScriptValue() any { return w.f }

//
//go:noinline
func (w *plainVal) Format(s fmt.State, verb rune) {
	w.FormatAt(s, verb, 0)
}

// FormatAt prints a value that is in depth others. Package fmt does not hear of a stop: it
// would recover the panic, and print it, in each of its calls that are in each other. The call
// of fmt ends when it is back.
func (w *plainVal) FormatAt(s fmt.State, verb rune, depth int) {
	if w.m.CallIn(func() {
		if w.m.Stop != nil {
			return
		}
		defer stopQuietly(w.m)
		if depth == 0 && (verb == 'w' || verb == 'p' && !printer.HasPlace(w.f.T)) {
			printer.FormatWrong(w.m, s, verb, w.f.T, exec.IfaceCells(w.f), 0)
			return
		}
		printer.Format(w.m, s, verb, w.f.T, exec.IfaceCells(w.f), 0, depth, true)
	}) {
		return
	}
	io.WriteString(s, "("+w.f.T.Str+")") // as other values that the host cannot have
}

// do does f as visit does, or instead where that is too late.
func (w *plainVal) do(name string, f, instead func()) {
	if !w.m.CallIn(f) {
		w.m.Late(name, nil)
		instead()
	}
}

// try is do for what gives an error.
func (w *plainVal) try(f func() error) (err error) {
	if !w.m.CallIn(func() { err = f() }) {
		return engine.ErrOver
	}
	return err
}

// stopQuietly, deferred, ends the panic that a stop is.
func stopQuietly(m *exec.Machine) {
	if m.Stop == nil {
		return
	}
	if r := recover(); r != nil {
		if _, stops := r.(exec.HaltPanic); !stops {
			panic(r)
		}
	}
}

func ExportTo(m *exec.Machine, v any, it reflect.Type) any {
	f, ok := v.(*exec.Iface)
	if !ok {
		return printer.ExportProxy(m, m.Readable(v))
	}
	if Goes(m, f.T) {
		m.Deeper()
		defer m.Shallower()
		return exec.ToHost(m, f.T, exec.IfaceCells(f), 0, f.T.Host).Interface()
	}
	shown := shownTo(m, f.T, it)
	if shown.ifaceWrapper == nil {
		exec.ThrowPlain("a value of type %s cannot be given to the host as %s", f.T.Str, it)
	}
	key := identity(m, f)
	if key != nil {
		key = exportKey{key, shown.ifaceWrapper}
		if w, ok := m.Exports[key]; ok {
			return w
		}
	}
	w := shown.as(plainVal{m, f, shown.lacks})
	if key != nil {
		if m.Exports == nil {
			m.Exports = map[any]any{}
		}
		m.Charge(exec.NoteBytes)
		m.Exports[key] = w
	}
	return w
}

type exportKey struct {
	k     any
	shown *ifaceWrapper
}

// identity is a key by which the same value is found again; nil for a value that
// cannot be compared, or has something in it that cannot.
func identity(m *exec.Machine, f *exec.Iface) (key any) {
	if exec.Uncomparable(f.T) != nil {
		return nil
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *exec.ScriptPanic:
			key = nil
		default:
			panic(r)
		}
	}()
	keys := m.Keys()
	keys.Exact = true
	return exec.TypedKey{T: f.T, K: exec.MapKey(keys, f.T, exec.IfaceCells(f), 0)}
}

// Opaque is f without a place to which it would be shown.
func Opaque(m *exec.Machine, f *exec.Iface) any { return &plainVal{m: m, f: f} }

// call calls a method of the script's with arguments of the host's.
func (w *plainVal) call(name string, in ...any) []reflect.Value {
	return w.callWith(name, func() []any {
		for i, v := range in {
			in[i] = ownCopy(w.m, v)
		}
		return in
	})
}

// callWith is call with what args gives, which is asked on the goroutine of the tasks.
func (w *plainVal) callWith(name string, args func() []any) []reflect.Value {
	fn := w.method(name)
	if w.m.Here() {
		return calledMethod(w.m, fn, w.f, args())
	}
	return w.visitWith(name, fn, args)
}

// visitWith is callWith from any other goroutine.
func (w *plainVal) visitWith(name string, fn *ir.Func, args func() []any) (out []reflect.Value) {
	if !w.m.AdmitCallIn(func() { out = calledMethod(w.m, fn, w.f, args()) }) {
		return w.late(name, fn)
	}
	return out
}

// size calls a method that tells a size. Code of the host makes memory of that size and asks nobody,
// and a method may tell another one each time: the run pays for it as it is told.
func (w *plainVal) size(name string) (out []reflect.Value) {
	m, f := w.m, w.f
	fn := w.method(name)
	if !m.CallIn(func() {
		out = calledMethod(m, fn, f, nil)
		m.Charge(max(0, min(out[0].Int(), maxTold)))
	}) {
		return w.late(name, fn)
	}
	return out
}

// maxTold is more than any limit, and far enough from overflow to be added to.
const maxTold = 1 << 48

// late is what the host is given that calls a method too late. One that tells what the value is
// says so.
func (w *plainVal) late(name string, fn *ir.Func) []reflect.Value {
	types := make([]reflect.Type, len(fn.Results.Fields))
	for i, field := range fn.Results.Fields {
		if types[i] = field.Typ.Host; types[i] == nil {
			types[i] = reflect.TypeFor[any]()
		}
	}
	out := w.m.Late(name, types)
	if (name == "Error" || name == "String") && len(out) == 1 && out[0].Kind() == reflect.String {
		out[0] = reflect.ValueOf(engine.ErrOver.Error()).Convert(types[0])
	}
	return out
}

// calledMethod calls the method fn of f with values of the host's.
func calledMethod(m *exec.Machine, fn *ir.Func, f *exec.Iface, in []any) []reflect.Value {
	cells := m.Cells(max(fn.Params+1, fn.Rw))
	cells.I[0], cells.S[0], cells.R[0] = f.I, f.S, f.R
	if len(in) == len(fn.In.Fields)+1 { // a context
		in = in[1:]
	}
	for i, v := range in {
		if field := fn.In.Fields[i]; v != nil {
			exec.FromHost(m, reflect.ValueOf(v), field.Typ, cells, 1+field.Off)
		}
	}
	m.CallScriptIn(fn, nil, cells, fn.Params)
	out := make([]reflect.Value, len(fn.Results.Fields))
	for i, field := range fn.Results.Fields {
		if field.Typ.Host == nil {
			exec.CannotGive(field.Typ, reflect.TypeFor[any]())
		}
		out[i] = m.Giving(field.Typ, cells, field.Off, field.Typ.Host)
	}
	m.Free(cells)
	return out
}

func (w *plainVal) method(name string) *ir.Func {
	id := w.f.T.Methods[name]
	if id == 0 {
		exec.ThrowPlain("no method %s on %s", name, w.f.T.Str)
	}
	return w.m.P.Funcs[id-1]
}

// ints is call for methods of sort.Interface: two numbers, and one, or nothing, back.
func (w *plainVal) ints(name string, i, j int) int64 {
	fn := w.method(name)
	if w.m.Here() {
		return intsMethod(w.m, fn, w.f, i, j)
	}
	return w.visitInts(name, fn, i, j)
}

// visitInts is ints from any other goroutine.
func (w *plainVal) visitInts(name string, fn *ir.Func, i, j int) (n int64) {
	if !w.m.AdmitCallIn(func() { n = intsMethod(w.m, fn, w.f, i, j) }) {
		w.late(name, fn)
	}
	return n
}

func intsMethod(m *exec.Machine, fn *ir.Func, f *exec.Iface, i, j int) int64 {
	m.ToScriptSide()
	b := m.NewCallback(fn, nil)
	b.Enter()
	m.I[0], m.S[0], m.R[0] = f.I, f.S, f.R
	m.I[1], m.I[2] = int64(i), int64(j)
	b.Run()
	n := m.I[0]
	b.End()
	m.ToHostSide()
	return n
}

// get, get2 and get3 are the results of a call.
func get[A any](r []reflect.Value) (a A) {
	a, _ = r[0].Interface().(A)
	return a
}

func get3[A, B, C any](r []reflect.Value) (a A, b B, c C) {
	a, b = get2[A, B](r)
	c, _ = r[2].Interface().(C)
	return a, b, c
}

func get2[A, B any](r []reflect.Value) (a A, b B) {
	a, _ = r[0].Interface().(A)
	b, _ = r[1].Interface().(B)
	return a, b
}
