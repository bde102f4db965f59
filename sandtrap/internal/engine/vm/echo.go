package vm

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Bounds on what an echo shows and on what all variables hand out.
const (
	maxEchoDepth = 32
	maxEchoSize  = 1 << 16 // values, and bytes of strings
	maxVarsSize  = 1 << 20
	maxLateSize  = 1 << 12 // of a run that was stopped: the time for it is over
	varBytes     = 64      // about what a value takes that is handed out
)

// doEcho reports the value of a bare expression.
func doEcho(m *machine, x *ir.SlowOp) {
	id := int(m.I[x.Regs[0]])
	echoes := m.p.Gates.Prog.Echoes()
	if m.seam.EchoTo == nil || id < 0 || id >= len(echoes) {
		return
	}
	store, off, n, _ := m.sliceAt(x.Regs[1])
	parts := make([]string, n)
	for i := range parts {
		v := elemCells(ir.Universe.Any, store, off+i).R[0]
		if v == nil && n == 1 {
			return // no error is nothing to show
		}
		parts[i] = m.goSyntax(v)
	}
	m.view()
	m.seam.EchoTo(engine.Echo{ID: id, Text: strings.Join(parts, ", "), Type: typeText(echoes[id].Type)})
}

// goSyntax is v in Go syntax, or a note that it is too large or too deep.
func (m *machine) goSyntax(v any) string {
	w := &walk{left: maxEchoSize}
	if !w.iface(v, 0) {
		return "(too large to show)"
	}
	m.guarded(func() { m.seam.Price(m.export(v)) })
	return fmt.Sprintf("%#v", show(m, v))
}

// A walk looks at a value before it is printed or handed out.
type walk struct {
	left    int
	through bool // goes through all pointers, not only the outermost
}

func (w *walk) iface(v any, depth int) bool {
	f, ok := v.(*Iface)
	if !ok {
		return w.host(reflect.ValueOf(v), depth)
	}
	return w.fits(f.T, ifaceCells(f), 0, depth+1)
}

// host is fits for a value of the host's, of which it sees what it is made of.
func (w *walk) host(v reflect.Value, depth int) bool {
	w.left--
	if w.left < 0 || depth > maxEchoDepth {
		return false
	}
	if err, ok := hostError(v); ok {
		return w.error(err, 0)
	}
	switch v.Kind() {
	case reflect.String:
		w.left -= v.Len()
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || v.Kind() == reflect.Pointer && depth > 1 || w.host(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if !w.host(v.Field(i), depth+1) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !w.host(it.Key(), depth+1) || !w.host(it.Value(), depth+1) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		if n := v.Len() * int(v.Type().Elem().Size()); n > w.left {
			w.left -= n
			return false
		}
		for i := range v.Len() {
			if !w.host(v.Index(i), depth+1) {
				return false
			}
		}
	}
	return w.left >= 0
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

// error is fits for an error of the host's. Whoever prints it asks it what it says, and it those
// that it holds: they may be many times the same, or it itself.
func (w *walk) error(err error, depth int) bool {
	if _, ok := scriptValue(err); ok {
		return true
	}
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	if w.left--; v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.String {
				w.left -= f.Len()
			}
		}
	}
	if w.left < 0 || depth > maxErrors {
		return false
	}
	if path := v.Type().PkgPath(); path == "fmt" || path == "errors" {
		for _, inner := range engine.Unwrapped(err) {
			if inner != nil && !w.error(inner, depth+1) {
				return false
			}
		}
		return true
	}
	return w.errors(v, depth+1) // a method may not be for scripts
}

// errors is fits for the errors in the fields of a struct of the host's that others can set.
func (w *walk) errors(v reflect.Value, depth int) bool {
	if v.Kind() != reflect.Struct {
		return w.left >= 0
	}
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Interface || !f.CanInterface() {
			continue
		}
		if err, ok := f.Interface().(error); ok && !w.error(err, depth) {
			return false
		}
	}
	return w.left >= 0
}

// fits says whether the value is within the bounds. It goes wherever printing may
// go.
func (w *walk) fits(t *ir.Type, b bank, k, depth int) bool {
	w.left--
	if w.left < 0 || depth > maxEchoDepth {
		return false
	}
	switch t.Kind {
	case reflect.String:
		w.left -= len(b.S[k])
	case reflect.Interface:
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
			if !w.fits(f.Typ, b, k+f.Off, depth+1) {
				return false
			}
		}
	case reflect.Map:
		h, _ := b.R[k].(*Map)
		return h == nil || w.rows(h, depth)
	case ir.KindHost:
		return w.errors(hostDeref(t, b.R[k]), 0)
	case reflect.Pointer:
		if err, ok := b.R[k].(error); ok && t.Host != nil {
			return w.error(err, 0)
		}
		goesOn := w.through && !t.Native || depth <= 1 && t.Host == nil
		if b.R[k] != nil && goesOn && t.Elem != nil {
			return w.fits(t.Elem, (*machine)(nil).pointee(t, b, k), 0, depth+1)
		}
	}
	return w.left >= 0
}

func (w *walk) list(elem *ir.Type, store any, off, n, depth int) bool {
	if elem.W() == 0 || n > w.left || ir.IsNative(elem) && elem.Kind != reflect.String {
		w.left -= n
		return w.left >= 0
	}
	for i := range n {
		if !w.fits(elem, elemCells1(elem, store, off+i), 0, depth+1) {
			return false
		}
	}
	return true
}

func (w *walk) rows(h *Map, depth int) bool {
	h = h.solid()
	for r := range h.rows {
		if h.alive[r] && (!w.fits(h.t.Key, h.keys, r*h.t.Key.W(), depth+1) || !w.fits(h.t.Elem, h.vals, r*h.t.Elem.W(), depth+1)) {
			return false
		}
	}
	return true
}

func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
