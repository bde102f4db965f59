package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/json"
)

// A view is a value as members of the library see it that take it apart. It is not the plainVal itself, whose
// methods each composition has again.
type view struct{ w *plainVal }

var _ script.Viewer = (*plainVal)(nil)

// ScriptView lets the library look into the value.
func (w *plainVal) ScriptView() script.View { return view{w} }

// Text implements script.View.
func (v view) Text() (text string) {
	v.w.do("String", func() { text = v.w.scriptText() }, func() { text = v.w.f.T.Str })
	return text
}

func (w *plainVal) scriptText() string {
	if id := w.f.T.Methods["String"]; id != 0 {
		if fn := w.m.p.Funcs[id-1]; fn.Params == 1 && len(fn.Results.Fields) == 1 && fn.Results.Fields[0].Typ.Kind == reflect.String {
			return w.m.callString(w.f, "String")
		}
	}
	return w.f.T.Str
}

// Comparable implements script.View.
func (v view) Comparable() bool { return uncomparable(v.w.f.T) == nil }

// Marshals implements script.View.
func (v view) Marshals() bool { return json.Marshals(v.w.m.lens(), typeToSee(v.w.f.T)) }

// Kind implements script.View.
func (v view) Kind() reflect.Kind { return v.w.f.T.Kind }

// TypeName implements script.View.
func (v view) TypeName() string { return v.w.f.T.Str }

// Type implements script.View.
func (v view) Type() any { return v.w.f.T }

// Assign implements script.View.
func (v view) Assign(other any) (done bool) {
	v.w.do("Assign", func() { done = v.w.m.assignPointed(v.w.f, hostIface(other)) }, func() {})
	return done
}

func (m *machine) assignPointed(pointer *Iface, other any) bool {
	to, from := m.valOf(pointer).elem(m), m.valOf(other)
	if from.valid() && from.kind() == reflect.Pointer {
		from = from.elem(m)
	}
	if !to.valid() || from.t != to.t {
		return false
	}
	to.set(m, from.load(m), 0)
	return true
}

// ZeroString implements script.View.
func (v view) ZeroString() (text string, failed any) {
	v.w.do("String", func() { text, failed = v.w.m.zeroString(v.w.f.T) }, func() {})
	return text, failed
}

func (m *machine) zeroString(t *ir.Type) (text string, failed any) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *scriptPanic:
			failed = m.export(r.value())
		default:
			panic(r)
		}
	}()
	zero := m.newVal(t)
	if t.Kind == reflect.Pointer {
		zero = m.newVal(t.Elem).addr(m)
	}
	return m.callString(zero.iface(m), "String"), nil
}
