package vm

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A mirror is a value as package reflect would show it, of a type of the script's or
// of the host's: what templates and encoders walk through. The zero mirror is no
// value at all.
type mirror struct {
	t *ir.Type
	c *ir.Obj // its cells, from k on
	k int

	// place is what a pointer to the value holds, if it has an address, and at the
	// cell in it.
	place any
	at    int
}

// mirrorOf shows what an interface holds.
func (m *machine) mirrorOf(v any) mirror {
	switch f := v.(type) {
	case nil:
		return mirror{}
	case *Iface:
		return mirror{t: f.T, c: ifaceCells(f)}
	}
	t := m.typeOfHost(reflect.TypeOf(v))
	o := ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	unbox(m, v, t, o, 0)
	return mirror{t: t, c: o}
}

func (m *machine) mirrorString(s string) mirror {
	return mirror{t: ir.Universe.Str, c: &ir.Obj{S: []string{s}}}
}

func (m *machine) mirrorInt(i int) mirror { return m.mirrorOf(i) }

func (m *machine) mirrorBool(b bool) mirror { return m.mirrorOf(b) }

// zeroOf is the zero value of t.
func zeroOf(t *ir.Type) mirror {
	return mirror{t: t, c: ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)}
}

func (v mirror) valid() bool { return v.t != nil }

func (v mirror) kind() reflect.Kind {
	switch {
	case v.t == nil:
		return reflect.Invalid
	case v.t.Kind == ir.KindHost:
		return reflect.Struct
	}
	return v.t.Kind
}

// ref is the reference in the value's first cell.
func (v mirror) ref() any { return v.c.R[v.k] }

func (v mirror) int() int64     { return v.c.I[v.k] }
func (v mirror) str() string    { return v.c.S[v.k] }
func (v mirror) float() float64 { return ir.BitsFloat(v.c.I[v.k]) }

func (v mirror) complex() complex128 {
	return complex(ir.BitsFloat(v.c.I[v.k]), ir.BitsFloat(v.c.I[v.k+1]))
}

func (v mirror) isNil() bool {
	switch v.kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return v.ref() == nil
	}
	return false
}

// detached is a copy of the value's cells, for who keeps or changes them.
func (v mirror) detached() *ir.Obj {
	o := ir.NewObj(v.t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	v.copyTo(o, 0)
	return o
}

func (v mirror) copyTo(o *ir.Obj, k int) {
	if v.t.Kind == reflect.Array {
		n := newAgg(v.t)
		if v.c.R[v.k] != nil {
			copyInto(v.t, n, 0, v.c.R[v.k], v.base())
		}
		o.R[k] = n
		return
	}
	for i, c := range v.t.Cells {
		if c.Agg == nil {
			loadCell(o, k+i, v.c, v.k+i, c.M)
		} else {
			o.R[k+i] = copyAgg(c.Agg, v.c.R[v.k+i])
		}
	}
}

// iface is the value as an interface holds it.
func (m *machine) iface(v mirror) any {
	switch v.kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface:
		return v.ref()
	}
	return box(m, v.t, v.detached(), 0)
}

// elem is what an interface or a pointer leads to; no value for nil.
func (m *machine) elem(v mirror) mirror {
	switch {
	case v.isNil():
		return mirror{}
	case v.t.Kind == reflect.Interface:
		return m.mirrorOf(v.ref())
	}
	at := int(v.int())
	if v.t.Elem.Kind == reflect.Array {
		at = int(v.c.I[v.k+1] >> 32)
	}
	return m.pointed(v.t.Elem, v.ref(), at)
}

// pointed is the value of type e that a pointer leads to.
func (m *machine) pointed(e *ir.Type, place any, at int) mirror {
	v := mirror{t: e, place: place, at: at}
	o, isObj := place.(*ir.Obj)
	switch {
	case e.Agg && e.Kind == reflect.Struct && at != 0:
		v.c = &ir.Obj{R: []any{sub(o, at)}}
	case e.Agg:
		v.c = &ir.Obj{R: []any{place}}
	case isObj && movedTo(o) == nil:
		v.c, v.k = o, at
	default:
		v.c = ir.NewObj(e.W(), ir.BankI|ir.BankS|ir.BankR, 1)
		loadValue(e, v.c, 0, memOf(place), at)
	}
	return v
}

func (v mirror) addressable() bool { return v.place != nil }

// addr is a pointer to an addressable value.
func (m *machine) addr(v mirror) mirror {
	p := zeroOf(m.typeOf(types.NewPointer(v.t.T)))
	p.c.R[0] = v.place
	p.c.I[0] = int64(v.at)
	if v.t.Kind == reflect.Array {
		p.c.I[0], p.c.I[1] = int64(v.t.N), int64(v.at)<<32|int64(v.t.N)
	}
	return p
}

// base is the first element of an array in its store.
func (v mirror) base() int {
	if v.place != nil {
		return v.at
	}
	return 0
}

// length is len of a value that has one.
func (v mirror) length() int {
	switch v.kind() {
	case reflect.String:
		return len(v.str())
	case reflect.Slice:
		return int(v.int())
	case reflect.Array:
		return v.t.N
	case reflect.Map:
		if h, ok := v.ref().(*Map); ok {
			return h.len()
		}
	case reflect.Chan:
		if c, ok := v.ref().(*Chan); ok {
			return c.buf.n
		}
	}
	return 0
}

// capacity is cap of a slice or an array.
func (v mirror) capacity() int {
	if v.kind() == reflect.Slice {
		return int(v.c.I[v.k+1] & 0xffffffff)
	}
	return v.length()
}

// index is an element of a slice, array or string.
func (m *machine) index(v mirror, i int) mirror {
	switch v.kind() {
	case reflect.String:
		return m.mirrorOf(v.str()[i])
	case reflect.Slice:
		return m.element(v.t.Elem, v.ref(), int(v.c.I[v.k+1]>>32)+i, true)
	}
	store := v.ref()
	if store == nil {
		store = newAgg(v.t)
	}
	return m.element(v.t.Elem, store, v.base()+i, v.addressable())
}

func (m *machine) element(e *ir.Type, store any, i int, addressable bool) mirror {
	if e.W() == 0 {
		return mirror{t: e, c: &ir.Obj{}, place: store}
	}
	v := m.cellAt(e, memOf(store), i*e.W())
	if !addressable {
		v.place = nil
	}
	return v
}

// cellAt is the value in a cell of memory and those after it.
func (m *machine) cellAt(e *ir.Type, o ir.Mem, k int) mirror {
	if e.Agg {
		return m.pointed(e, aggAt(e, o, k), 0)
	}
	return m.pointed(e, o, k)
}

// sliced is v[lo:hi:max] of a slice, string, or addressable array.
func (m *machine) sliced(v mirror, lo, hi, max int) mirror {
	switch v.kind() {
	case reflect.String:
		r := zeroOf(v.t)
		r.c.S[0] = v.str()[lo:hi]
		return r
	case reflect.Array:
		r := zeroOf(m.typeOf(types.NewSlice(v.t.Elem.T)))
		r.c.R[0], r.c.I[0], r.c.I[1] = v.ref(), int64(hi-lo), int64(v.base()+lo)<<32|int64(max-lo)
		return r
	}
	r := zeroOf(v.t)
	off := int(v.c.I[v.k+1] >> 32)
	r.c.R[0], r.c.I[0], r.c.I[1] = v.ref(), int64(hi-lo), int64(off+lo)<<32|int64(max-lo)
	return r
}

// A mapEntry is a key of a map and its value, both as they were when asked for.
type mapEntry struct{ key, val mirror }

// entries lists a map in the order in which fmt prints maps.
func (m *machine) entries(v mirror) []mapEntry {
	h, ok := v.ref().(*Map)
	if !ok {
		return nil
	}
	h = h.solid()
	m.charge(int64(h.count) * (ifaceBytes + ir.ObjBytes))
	list := make([]mapEntry, 0, h.count)
	for _, row := range m.sortedRows(h) {
		m.look()
		list = append(list, mapEntry{h.keyAt(row), h.valueAt(row)})
	}
	return list
}

func (h *Map) keyAt(row int) mirror {
	k := mirror{t: h.t.Key, c: h.keys, k: row * h.t.Key.W()}
	return mirror{t: h.t.Key, c: k.detached()}
}

func (h *Map) valueAt(row int) mirror {
	e := mirror{t: h.t.Elem, c: h.vals, k: row * h.t.Elem.W()}
	return mirror{t: h.t.Elem, c: e.detached()}
}

// lookup is the value of a key, which is of the map's key type; none if it is not there.
func (m *machine) lookup(v, key mirror) (val mirror, ok bool) {
	h, isMap := v.ref().(*Map)
	if !isMap || h.len() == 0 {
		return mirror{}, false
	}
	if h.view != nil {
		found := h.view.get(h.view.key(h.t, key.c, key.k))
		if !found.IsValid() {
			return mirror{}, false
		}
		val = zeroOf(h.t.Elem)
		fromHost(m, found, val.t, val.c, 0)
		return val, true
	}
	row := h.find(m.keys(), key.c, key.k)
	if row < 0 {
		return mirror{}, false
	}
	return h.valueAt(row), true
}
