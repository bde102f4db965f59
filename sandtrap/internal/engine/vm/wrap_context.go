package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/json"
)

// ScriptText is how package context shows a value that has no String method for the
// host: by its own, or by its type.
func (w *plainVal) ScriptText() (text string) {
	w.do("String", func() { text = w.scriptText() }, func() { text = w.f.T.str })
	return text
}

func (w *plainVal) scriptText() string {
	if id := w.f.T.methods["String"]; id != 0 {
		if fn := w.m.p.funcs[id-1]; fn.params == 1 && len(fn.results.fields) == 1 && fn.results.fields[0].typ.kind == reflect.String {
			return w.m.callString(w.f, "String")
		}
	}
	return w.f.T.str
}

// ScriptComparable says whether the type of the value is one of those that have ==.
//
//go:noinline
func (w *plainVal) ScriptComparable() bool { return uncomparable(w.f.T) == nil }

// ScriptMarshals says whether the value encodes itself as JSON: plainVal does for all.
func (w *plainVal) ScriptMarshals() bool { return json.Marshals(w.m.lens(), w.f.T) }

// ScriptKind is the kind of the value.
func (w *plainVal) ScriptKind() reflect.Kind { return w.f.T.kind }

// ScriptTypeName is the name of the type of the value.
func (w *plainVal) ScriptTypeName() string { return w.f.T.str }

// ScriptType is the type of the value: another one has another.
func (w *plainVal) ScriptType() any { return w.f.T }

// Assign stores other, or what it points to, in the variable that the value points to. It
// reports false, and stores nothing, where one of them is not there or of another type.
func (w *plainVal) Assign(other any) (done bool) {
	w.do("Assign", func() { done = w.m.assignPointed(w.f, hostIface(other)) }, func() {})
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

// ZeroString is what a zero value of the type of the value, or a pointer to one where that
// is a pointer, says of itself by its method String; failed is what that panicked with.
func (w *plainVal) ZeroString() (text string, failed any) {
	w.do("String", func() { text, failed = w.m.zeroString(w.f.T) }, func() {})
	return text, failed
}

func (m *machine) zeroString(t *Type) (text string, failed any) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *scriptPanic:
			failed = m.export(r.val)
		default:
			panic(r)
		}
	}()
	zero := m.newVal(t)
	if t.kind == reflect.Pointer {
		zero = m.newVal(t.elem).addr(m)
	}
	return m.callString(zero.iface(m), "String"), nil
}
