package vm

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
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
func doEcho(m *machine, x *ext) {
	id := int(m.I[x.regs[0]])
	echoes := m.p.gates.prog.Echoes()
	if m.seam.EchoTo == nil || id < 0 || id >= len(echoes) {
		return
	}
	store, off, n, _ := m.sliceAt(x.regs[1])
	parts := make([]string, n)
	for i := range parts {
		v := elemCells(universe.any, store, off+i).R[0]
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
	return fmt.Sprintf("%#v", shownVal{m, v})
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

// fits says whether the value is within the bounds. It goes wherever printing may
// go.
func (w *walk) fits(t *Type, b bank, k, depth int) bool {
	w.left--
	if w.left < 0 || depth > maxEchoDepth {
		return false
	}
	switch t.kind {
	case reflect.String:
		w.left -= len(b.S[k])
	case reflect.Interface:
		return b.R[k] == nil || w.iface(b.R[k], depth)
	case reflect.Slice:
		return b.R[k] == nil || w.list(t.elem, b.R[k], int(b.I[k+1]>>32), int(b.I[k]), depth)
	case reflect.Array:
		return b.R[k] == nil || w.list(t.elem, b.R[k], 0, t.n, depth)
	case reflect.Struct:
		if t.agg {
			if b.R[k] == nil {
				return true
			}
			b, k = b.R[k].(*Obj), 0
		}
		for _, f := range t.fields {
			if !w.fits(f.typ, b, k+f.off, depth+1) {
				return false
			}
		}
	case reflect.Map:
		h, _ := b.R[k].(*Map)
		return h == nil || w.rows(h, depth)
	case reflect.Pointer:
		if b.R[k] != nil && (depth <= 1 || w.through) && t.elem != nil && t.host == nil {
			return w.fits(t.elem, (*machine)(nil).pointee(t, b, k), 0, depth+1)
		}
	}
	return w.left >= 0
}

func (w *walk) list(elem *Type, store any, off, n, depth int) bool {
	if elem.w() == 0 || n > w.left || isNative(elem) && elem.kind != reflect.String {
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
		if h.alive[r] && (!w.fits(h.t.key, h.keys, r*h.t.key.w(), depth+1) || !w.fits(h.t.elem, h.vals, r*h.t.elem.w(), depth+1)) {
			return false
		}
	}
	return true
}
