package wrap

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/json"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
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
		if fn := w.m.P.Funcs[id-1]; fn.Params == 1 && len(fn.Results.Fields) == 1 && fn.Results.Fields[0].Typ.Kind == reflect.String {
			return printer.CallString(w.m, w.f, "String")
		}
	}
	return w.f.T.Str
}

// Comparable implements script.View.
func (v view) Comparable() bool { return exec.Uncomparable(v.w.f.T) == nil }

// Marshals implements script.View.
func (v view) Marshals() bool { return json.Marshals(mirror.Lens(v.w.m), mirror.TypeToSee(v.w.f.T)) }

// Kind implements script.View.
func (v view) Kind() reflect.Kind { return v.w.f.T.Kind }

// TypeName implements script.View.
func (v view) TypeName() string { return v.w.f.T.Str }

// Type implements script.View.
func (v view) Type() any { return v.w.f.T }

// Assign implements script.View.
func (v view) Assign(other any) (done bool) {
	v.w.do("Assign", func() { done = assignPointed(v.w.m, v.w.f, exec.HostIface(other)) }, func() {})
	return done
}

func assignPointed(m *exec.Machine, pointer *exec.Iface, other any) bool {
	to, from := mirror.ValOf(m, pointer).Elem(m), mirror.ValOf(m, other)
	if from.Valid() && from.Kind() == reflect.Pointer {
		from = from.Elem(m)
	}
	if !to.Valid() || from.T != to.T {
		return false
	}
	to.Set(m, from.Load(m), 0)
	return true
}

// ZeroString implements script.View.
func (v view) ZeroString() (text string, failed any) {
	v.w.do("String", func() { text, failed = zeroString(v.w.m, v.w.f.T) }, func() {})
	return text, failed
}

func zeroString(m *exec.Machine, t *ir.Type) (text string, failed any) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *exec.ScriptPanic:
			failed = m.Export(r.Value())
		default:
			panic(r)
		}
	}()
	zero := mirror.NewVal(m, t)
	if t.Kind == reflect.Pointer {
		zero = mirror.NewVal(m, t.Elem).Addr(m)
	}
	return printer.CallString(m, zero.Iface(m), "String"), nil
}
