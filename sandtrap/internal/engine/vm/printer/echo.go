package printer

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Bounds on what an echo shows and on what all variables hand out.
const (
	MaxEchoDepth = 32
	maxEchoSize  = 1 << 16 // values, and bytes of strings
	MaxVarsSize  = 1 << 20
	MaxLateSize  = 1 << 12 // of a run that was stopped: the time for it is over
	VarBytes     = 64      // about what a value takes that is handed out
)

// DoEcho reports the value of a bare expression.
func DoEcho(m *exec.Machine, x *ir.SlowOp) {
	id := int(m.I[x.Regs[0]])
	echoes := m.P.Gates.Echoes
	if m.Host.EchoTo == nil || id < 0 || id >= len(echoes) {
		return
	}
	store, off, n, _ := m.SliceAt(x.Regs[1])
	parts := make([]string, n)
	for i := range parts {
		v := exec.ElemCells(ir.Universe.Any, store, off+i).R[0]
		if v == nil && n == 1 {
			return // no error is nothing to show
		}
		parts[i] = echoText(m, v)
	}
	m.View()
	m.Host.EchoTo(engine.Echo{ID: id, Text: strings.Join(parts, ", "), Type: TypeText(echoes[id].Type)})
}

// A Walk looks at a value before it is printed or handed out.
type Walk struct {
	Left    int
	Through bool // goes through all pointers, not only the outermost
	near    int  // as many pointers below the outermost

	// Found is told of errors of the script's, in variables for errors, and of those of the host's that may wrap them.
	Found func(v any)
}

// IsError reports an interface type that errors alone have.
func IsError(t *ir.Type) bool {
	return t == ir.Universe.Error || types.Implements(t.T, ErrorGoType.Underlying().(*types.Interface))
}

func (w *Walk) iface(v any, depth int) bool {
	f, ok := v.(*exec.Iface)
	if !ok {
		if w.Found != nil && exec.IsProxy(reflect.TypeOf(v)) {
			w.Found(v)
		}
		return w.host(reflect.ValueOf(v), depth)
	}
	return w.Fits(f.T, exec.IfaceCells(f), 0, depth+1)
}

// host is fits for a value of the host's, of which it sees what it is made of.
func (w *Walk) host(v reflect.Value, depth int) bool {
	w.Left--
	if w.Left < 0 || depth > MaxEchoDepth {
		return false
	}
	if err, ok := hostError(v); ok {
		return w.Error(err, 0)
	}
	switch k := v.Kind(); {
	case k == reflect.String:
		w.Left -= v.Len()
	case k == reflect.Pointer && depth > 1+w.near:
		return true
	case k == reflect.Slice || k == reflect.Array:
		if n := v.Len() * int(v.Type().Elem().Size()); n > w.Left {
			w.Left -= n
			return false
		}
	}
	for part := range kinds.Values(v) {
		if !w.host(part, depth+1) {
			return false
		}
	}
	return w.Left >= 0
}

// hostError is v if it is an error, behind a pointer.
func hostError(v reflect.Value) (err error, ok bool) {
	if v.Kind() != reflect.Pointer || v.IsNil() || !v.CanInterface() {
		return nil, false
	}
	err, ok = v.Interface().(error)
	return err, ok
}

// maxErrors is how deep errors of the host's may lie in each other: Go's stack has an end.
const maxErrors = 10_000

// Error is fits for an error of the host's. Whoever prints it asks it what it says, and it those
// that it holds: they may be many times the same, or it itself.
func (w *Walk) Error(err error, depth int) bool {
	if w.Found != nil && depth == 0 {
		w.Found(err)
	}
	if _, ok := exec.ScriptValue(err); ok {
		return true
	}
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	if w.Left--; v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.String {
				w.Left -= f.Len()
			}
		}
	}
	if w.Left < 0 || depth > maxErrors {
		return false
	}
	if path := v.Type().PkgPath(); path == "fmt" || path == "errors" {
		for _, inner := range engine.Unwrapped(err) {
			if inner != nil && !w.Error(inner, depth+1) {
				return false
			}
		}
		return true
	}
	return w.errors(v, depth+1) // a method may not be for scripts
}

// errors is fits for the errors in the fields of a struct of the host's that others can set.
func (w *Walk) errors(v reflect.Value, depth int) bool {
	if v.Kind() != reflect.Struct {
		return w.Left >= 0
	}
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Interface || !f.CanInterface() {
			continue
		}
		if err, ok := f.Interface().(error); ok && !w.Error(err, depth) {
			return false
		}
	}
	return w.Left >= 0
}

// Fits says whether the value is within the bounds. It goes wherever printing may
// go.
func (w *Walk) Fits(t *ir.Type, b exec.Bank, k, depth int) bool {
	w.Left--
	if w.Left < 0 || depth > MaxEchoDepth {
		return false
	}
	switch t.Kind {
	case reflect.String:
		w.Left -= len(b.S[k])
	case reflect.Interface:
		if f, ok := b.R[k].(*exec.Iface); ok && w.Found != nil && IsError(t) {
			w.Found(f)
		}
		return b.R[k] == nil || w.iface(b.R[k], depth)
	case reflect.Slice:
		return b.R[k] == nil || w.list(t.Elem, b.R[k], int(b.I[k+1]>>32), int(b.I[k]), depth)
	case reflect.Array:
		return b.R[k] == nil || w.list(t.Elem, b.R[k], 0, t.N, depth)
	case reflect.Struct:
		if t.Agg {
			if b.R[k] == nil {
				return true
			}
			b, k = b.R[k].(*ir.Obj), 0
		}
		for _, f := range t.Fields {
			if !w.Fits(f.Typ, b, k+f.Off, depth+1) {
				return false
			}
		}
	case reflect.Map:
		h, _ := b.R[k].(*exec.Map)
		return h == nil || w.rows(h, depth)
	case ir.KindHost:
		return w.errors(exec.HostDeref(t, b.R[k]), 0)
	case reflect.Pointer:
		if err, ok := b.R[k].(error); ok && t.Host != nil {
			return w.Error(err, 0)
		}
		if b.R[k] != nil && t.Native && w.near > 0 && depth <= 1+w.near {
			return w.host(reflect.ValueOf(b.R[k]), depth)
		}
		goesOn := w.Through && !t.Native || depth <= 1+w.near && t.Host == nil
		if b.R[k] != nil && goesOn && t.Elem != nil {
			return w.Fits(t.Elem, Pointee((*exec.Machine)(nil), t, b, k), 0, depth+1)
		}
	}
	return w.Left >= 0
}

func (w *Walk) list(elem *ir.Type, store any, off, n, depth int) bool {
	if elem.W() == 0 || n > w.Left || ir.IsNative(elem) && elem.Kind != reflect.String {
		w.Left -= n
		return w.Left >= 0
	}
	for i := range n {
		if !w.Fits(elem, exec.ElemCells1(elem, store, off+i), 0, depth+1) {
			return false
		}
	}
	return true
}

func (w *Walk) rows(h *exec.Map, depth int) bool {
	h = h.Solid()
	for r := range h.Rows {
		if h.Alive[r] && (!w.Fits(h.T.Key, h.Keys, r*h.T.Key.W(), depth+1) || !w.Fits(h.T.Elem, h.Vals, r*h.T.Elem.W(), depth+1)) {
			return false
		}
	}
	return true
}

func TypeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
