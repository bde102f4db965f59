package vm

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// values reads them at the end of the run. They are the host's from then on, and
// nobody's memory: what does not fit into the limit once more stays hidden.
func (m *machine) values() []engine.Var {
	left := maxVarsSize
	if limit := m.seam.Meter.Limits().Memory; limit > 0 {
		left = int(min(int64(left), limit/varBytes))
	}
	if m.seam.Meter.Stopped() != nil {
		left = min(left, maxLateSize)
	}
	var out []engine.Var
	for _, v := range m.p.Vars {
		if want := m.seam.Want; want != "" && want != v.Name {
			continue
		}
		before, w := left, &walk{left: left, through: true}
		in := m.globals
		if v.In != nil {
			in = ir.NewObj(v.T.W(), ir.BankI|ir.BankS|ir.BankR, 1) // it may have been moved to the host
			loadValue(v.T, in, 0, v.In, 0)
		}
		out = append(out, engine.Var{Name: v.Name, Type: typeText(v.T.T), Value: m.handedOut(v.T, in, v.Off, w)})
		if left = w.left; left < 0 { // it is not handed out, and the walk is what it cost
			left = before / 2
		}
	}
	return out
}

// handedOut is the value in cells as the host can keep it, or a note that it cannot.
func (m *machine) handedOut(t *ir.Type, b bank, k int, w *walk) (out any) {
	hidden := engine.Hidden{Type: typeText(t.T)}
	defer func() {
		if recover() != nil {
			out = hidden
		}
	}()
	if !w.fits(t, b, k, 0) {
		return hidden
	}
	return m.plain(t, b, k)
}

// plain is a value as the host can keep it: Go's own types, maps for structs of the
// script. The walk before has bounded it.
func (m *machine) plain(t *ir.Type, b bank, k int) any {
	if t.Kind == reflect.Interface {
		return m.plainIface(b.R[k])
	}
	switch {
	case t.Host == valueType:
		return engine.Hidden{Type: t.Str}
	case t.Host != nil && t.Kind != reflect.Func && t.Kind != reflect.Chan && (t.Kind != reflect.Pointer || t.Native):
		return copied(toHost(m, t, b, k, t.Host)).Interface()
	}
	switch t.Kind {
	case reflect.Struct:
		return m.plainStruct(t, b, k)
	case reflect.Slice:
		return m.plainList(t.Elem, b.R[k], int(b.I[k+1]>>32), int(b.I[k]))
	case reflect.Array:
		return m.plainList(t.Elem, b.R[k], 0, t.N)
	case reflect.Map:
		return m.plainMap(t, b.R[k])
	case reflect.Pointer:
		if b.R[k] == nil {
			return nil
		}
		return m.plain(t.Elem, m.pointee(t, b, k), 0)
	}
	if rt := ir.KindTypes[t.Kind]; rt != nil {
		return toHost(m, t, b, k, rt).Interface()
	}
	if t.Kind == reflect.Func {
		return m.hand(t, b, k)
	}
	return engine.Hidden{Type: typeText(t.T)}
}

func (m *machine) plainIface(v any) any {
	switch f := v.(type) {
	case nil:
		return nil
	case *Iface:
		return m.plain(f.T, ifaceCells(f), 0)
	case scriptType:
		return f.String()
	case reflect.Value:
		return engine.Hidden{Type: "reflect.Value"}
	}
	return v
}

func (m *machine) plainStruct(t *ir.Type, b bank, k int) any {
	if t.Agg {
		b, k = asObj(t, b.R[k]), 0
	}
	fields := map[string]any{}
	for _, f := range t.Fields {
		fields[f.Name] = m.plain(f.Typ, b, k+f.Off)
	}
	return fields
}

func (m *machine) plainList(elem *ir.Type, store any, off, n int) any {
	list := make([]any, n)
	if store == nil {
		return list
	}
	if s := storeSlice(store); s.IsValid() && elem.W() == 1 { // numbers and strings
		for i := range list {
			list[i] = s.Index(off + i).Interface()
		}
		return list
	}
	for i := range list {
		list[i] = m.plain(elem, elemCells1(elem, store, off+i), 0)
	}
	return list
}

// plainMap has the keys that the map has if those are of a basic kind, else their texts.
func (m *machine) plainMap(t *ir.Type, v any) any {
	h, _ := v.(*Map)
	if h == nil {
		return nil
	}
	kt := ir.KindTypes[t.Key.Kind]
	if kt == nil {
		kt = ir.KindTypes[reflect.String]
	}
	out := reflect.MakeMapWithSize(reflect.MapOf(kt, reflect.TypeFor[any]()), h.len())
	h = h.solid()
	for row := range h.rows {
		if !h.alive[row] {
			continue
		}
		key := m.plain(t.Key, h.keys, row*t.Key.W())
		if ir.KindTypes[t.Key.Kind] == nil {
			key = fmt.Sprint(key)
		}
		elem := reflect.New(reflect.TypeFor[any]()).Elem()
		if e := m.plain(t.Elem, h.vals, row*t.Elem.W()); e != nil {
			elem.Set(reflect.ValueOf(e))
		}
		out.SetMapIndex(reflect.ValueOf(key).Convert(kt), elem)
	}
	return out.Interface()
}

// copied is v without memory of the script's: calls of functions that it has left go on
// writing to that. What the host made, behind pointers, stays the host's.
func copied(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(out, v)
		copyElems(out)
		return out
	case reflect.Array:
		out := reflect.New(v.Type()).Elem()
		reflect.Copy(out, v)
		copyElems(out)
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), copied(it.Value()))
		}
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(copied(v.Elem()))
		return out
	}
	return v
}

// copyElems makes the elements of a list its own.
func copyElems(list reflect.Value) {
	switch list.Type().Elem().Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Interface:
		for i := range list.Len() {
			list.Index(i).Set(copied(list.Index(i)))
		}
	}
}
