package vm

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// variable is a top-level variable that a run reports.
type variable struct {
	name string
	off  int
	t    *Type
}

// variables finds the places of those that the program reports.
func (c *compiler) variables(main *ssa.Package) {
	if c.loader == nil {
		return
	}
	for _, v := range c.loader.prog.Vars() {
		g, ok := main.Members[v.Name].(*ssa.Global)
		if !ok {
			continue
		}
		t := c.types.of(v.Type)
		c.needMethods(t)
		c.vars = append(c.vars, variable{v.Name, c.globalOff(g), t})
	}
}

// values reads them at the end of the run.
func (m *machine) values() []engine.Var {
	var out []engine.Var
	for _, v := range m.p.vars {
		out = append(out, engine.Var{Name: v.name, Type: typeText(v.t.t), Value: m.plain(v.t, m.globals, v.off, 0)})
	}
	return out
}

func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

const plainDepth = 50 // of values that go to the host; what is deeper is left out

// plain is a value as the host can keep it: Go's own types, and maps for structs
// of the script.
func (m *machine) plain(t *Type, b bank, k, depth int) (v any) {
	defer func() {
		if r := recover(); r != nil {
			v = nil
		}
	}()
	if depth > plainDepth {
		return nil
	}
	if t.kind == reflect.Interface {
		return m.plainIface(b.R[k], depth)
	}
	if t.host != nil && t.kind != reflect.Func && (t.kind != reflect.Pointer || t.native) {
		return toHost(m, t, b, k, t.host).Interface()
	}
	switch t.kind {
	case reflect.Struct:
		return m.plainStruct(t, b, k, depth)
	case reflect.Slice:
		return m.plainList(t.elem, b.R[k], int(b.I[k+1]>>32), int(b.I[k]), depth)
	case reflect.Array:
		return m.plainList(t.elem, b.R[k], 0, t.n, depth)
	case reflect.Map:
		return m.plainMap(t, b.R[k], depth)
	case reflect.Pointer:
		if b.R[k] == nil {
			return nil
		}
		return m.plain(t.elem, m.pointee(t, b, k), 0, depth+1)
	}
	if rt := kindTypes[t.kind]; rt != nil {
		return toHost(m, t, b, k, rt).Interface()
	}
	return nil
}

func (m *machine) plainIface(v any, depth int) any {
	switch f := v.(type) {
	case nil:
		return nil
	case *Iface:
		return m.plain(f.T, ifaceCells(f), 0, depth+1)
	}
	return v
}

func (m *machine) plainStruct(t *Type, b bank, k, depth int) any {
	if t.agg {
		b, k = asObj(t, b.R[k]), 0
	}
	fields := map[string]any{}
	for _, f := range t.fields {
		fields[f.name] = m.plain(f.typ, b, k+f.off, depth+1)
	}
	return fields
}

func (m *machine) plainList(elem *Type, store any, off, n, depth int) any {
	list := make([]any, n)
	for i := range list {
		if store == nil {
			break
		}
		list[i] = m.plain(elem, elemCells1(elem, store, off+i), 0, depth+1)
	}
	return list
}

func (m *machine) plainMap(t *Type, v any, depth int) any {
	h, _ := v.(*Map)
	if h == nil {
		return nil
	}
	out := map[string]any{}
	for row := range h.rows {
		if h.alive[row] {
			key := m.plain(t.key, h.keys, row*t.key.w(), depth+1)
			out[fmt.Sprint(key)] = m.plain(t.elem, h.vals, row*t.elem.w(), depth+1)
		}
	}
	return out
}

// doEcho reports the value of a bare expression.
func doEcho(m *machine, x *ext) {
	id := int(m.I[x.regs[0]])
	echoes := m.p.gates.prog.Echoes()
	if m.seam.EchoTo == nil || id < 0 || id >= len(echoes) {
		return
	}
	var parts []string
	for _, v := range m.anys(x, 1) {
		parts = append(parts, fmt.Sprintf("%#v", v))
	}
	m.view()
	m.seam.EchoTo(engine.Echo{ID: id, Text: strings.Join(parts, ", "), Type: typeText(echoes[id].Type)})
}
