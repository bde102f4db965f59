package mirror

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// A Mirror is a value as package reflect would show it, of a type of the script's or
// of the host's: what templates and encoders walk through. The zero mirror is no
// value at all.
type Mirror struct {
	T *ir.Type
	C *ir.Obj // its cells, from k on
	K int

	// place is what a pointer to the value holds, if it has an address, and at the
	// cell in it.
	place any
	at    int
}

// MirrorOf shows what an interface holds.
func MirrorOf(m *exec.Machine, v any) Mirror {
	switch f := v.(type) {
	case nil:
		return Mirror{}
	case *exec.Iface:
		return Mirror{T: f.T, C: exec.IfaceCells(f)}
	}
	t := m.TypeOfHost(reflect.TypeOf(v))
	o := ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	exec.Unbox(m, v, t, o, 0)
	return Mirror{T: t, C: o}
}

func MirrorString(m *exec.Machine, s string) Mirror {
	return Mirror{T: ir.Universe.Str, C: &ir.Obj{S: []string{s}}}
}

func MirrorInt(m *exec.Machine, i int) Mirror { return MirrorOf(m, i) }

func MirrorBool(m *exec.Machine, b bool) Mirror { return MirrorOf(m, b) }

// ZeroOf is the zero value of t.
func ZeroOf(t *ir.Type) Mirror {
	return Mirror{T: t, C: ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)}
}

func (v Mirror) Valid() bool { return v.T != nil }

func (v Mirror) Kind() reflect.Kind {
	switch {
	case v.T == nil:
		return reflect.Invalid
	case v.T.Kind == ir.KindHost:
		return reflect.Struct
	}
	return v.T.Kind
}

// Ref is the reference in the value's first cell.
func (v Mirror) Ref() any { return v.C.R[v.K] }

func (v Mirror) Int() int64     { return v.C.I[v.K] }
func (v Mirror) Str() string    { return v.C.S[v.K] }
func (v Mirror) Float() float64 { return ir.BitsFloat(v.C.I[v.K]) }

func (v Mirror) Complex() complex128 {
	return complex(ir.BitsFloat(v.C.I[v.K]), ir.BitsFloat(v.C.I[v.K+1]))
}

func (v Mirror) IsNil() bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return v.Ref() == nil
	}
	return false
}

// detached is a copy of the value's cells, for who keeps or changes them.
func (v Mirror) detached() *ir.Obj {
	o := ir.NewObj(v.T.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	v.copyTo(o, 0)
	return o
}

func (v Mirror) copyTo(o *ir.Obj, k int) {
	if v.T.Kind == reflect.Array {
		n := exec.NewAgg(v.T)
		if v.C.R[v.K] != nil {
			exec.CopyInto(v.T, n, 0, v.C.R[v.K], v.base())
		}
		o.R[k] = n
		return
	}
	for i, c := range v.T.Cells {
		if c.Agg == nil {
			exec.LoadCell(o, k+i, v.C, v.K+i, c.M)
		} else {
			o.R[k+i] = exec.CopyAgg(c.Agg, v.C.R[v.K+i])
		}
	}
}

// Iface is the value as an interface holds it.
func Iface(m *exec.Machine, v Mirror) any {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface:
		return v.Ref()
	}
	return exec.Box(m, v.T, v.detached(), 0)
}

// Elem is what an interface or a pointer leads to; no value for nil.
func Elem(m *exec.Machine, v Mirror) Mirror {
	switch {
	case v.IsNil():
		return Mirror{}
	case v.T.Kind == reflect.Interface:
		return MirrorOf(m, v.Ref())
	}
	at := int(v.Int())
	if v.T.Elem.Kind == reflect.Array {
		at = int(v.C.I[v.K+1] >> 32)
	}
	return pointedTo(m, v.T.Elem, v.Ref(), at)
}

// pointedTo is the value of type e that a pointer leads to.
func pointedTo(m *exec.Machine, e *ir.Type, place any, at int) Mirror {
	v := Mirror{T: e, place: place, at: at}
	o, isObj := place.(*ir.Obj)
	switch {
	case e.Agg && e.Kind == reflect.Struct && at != 0:
		v.C = &ir.Obj{R: []any{exec.Sub(o, at)}}
	case e.Agg:
		v.C = &ir.Obj{R: []any{place}}
	case isObj && exec.MovedTo(o) == nil:
		v.C, v.K = o, at
	default:
		v.C = ir.NewObj(e.W(), ir.BankI|ir.BankS|ir.BankR, 1)
		exec.LoadValue(e, v.C, 0, exec.MemOf(place), at)
	}
	return v
}

func (v Mirror) Addressable() bool { return v.place != nil }

// Addr is a pointer to an addressable value.
func Addr(m *exec.Machine, v Mirror) Mirror {
	p := ZeroOf(m.TypeOf(types.NewPointer(v.T.T)))
	p.C.R[0] = v.place
	p.C.I[0] = int64(v.at)
	if v.T.Kind == reflect.Array {
		p.C.I[0], p.C.I[1] = int64(v.T.N), int64(v.at)<<32|int64(v.T.N)
	}
	return p
}

// base is the first element of an array in its store.
func (v Mirror) base() int {
	if v.place != nil {
		return v.at
	}
	return 0
}

// Length is len of a value that has one.
func (v Mirror) Length() int {
	switch v.Kind() {
	case reflect.String:
		return len(v.Str())
	case reflect.Slice:
		return int(v.Int())
	case reflect.Array:
		return v.T.N
	case reflect.Map:
		if h, ok := v.Ref().(*exec.Map); ok {
			return h.Len()
		}
	case reflect.Chan:
		if c, ok := v.Ref().(*exec.Chan); ok {
			return c.Buf.N
		}
	}
	return 0
}

// Capacity is cap of a slice or an array.
func (v Mirror) Capacity() int {
	if v.Kind() == reflect.Slice {
		return int(v.C.I[v.K+1] & 0xffffffff)
	}
	return v.Length()
}

// Index is an element of a slice, array or string.
func Index(m *exec.Machine, v Mirror, i int) Mirror {
	switch v.Kind() {
	case reflect.String:
		return MirrorOf(m, v.Str()[i])
	case reflect.Slice:
		return element(m, v.T.Elem, v.Ref(), int(v.C.I[v.K+1]>>32)+i, true)
	}
	store := v.Ref()
	if store == nil {
		store = exec.NewAgg(v.T)
	}
	return element(m, v.T.Elem, store, v.base()+i, v.Addressable())
}

func element(m *exec.Machine, e *ir.Type, store any, i int, addressable bool) Mirror {
	if e.W() == 0 {
		return Mirror{T: e, C: &ir.Obj{}, place: store}
	}
	v := cellAt(m, e, exec.MemOf(store), i*e.W())
	if !addressable {
		v.place = nil
	}
	return v
}

// cellAt is the value in a cell of memory and those after it.
func cellAt(m *exec.Machine, e *ir.Type, o ir.Mem, k int) Mirror {
	if e.Agg {
		return pointedTo(m, e, exec.AggAt(e, o, k), 0)
	}
	return pointedTo(m, e, o, k)
}

// Sliced is v[lo:hi:max] of a slice, string, or addressable array.
func Sliced(m *exec.Machine, v Mirror, lo, hi, max int) Mirror {
	switch v.Kind() {
	case reflect.String:
		r := ZeroOf(v.T)
		r.C.S[0] = v.Str()[lo:hi]
		return r
	case reflect.Array:
		r := ZeroOf(m.TypeOf(types.NewSlice(v.T.Elem.T)))
		r.C.R[0], r.C.I[0], r.C.I[1] = v.Ref(), int64(hi-lo), int64(v.base()+lo)<<32|int64(max-lo)
		return r
	}
	r := ZeroOf(v.T)
	off := int(v.C.I[v.K+1] >> 32)
	r.C.R[0], r.C.I[0], r.C.I[1] = v.Ref(), int64(hi-lo), int64(off+lo)<<32|int64(max-lo)
	return r
}

// A mapEntry is a key of a map and its value, both as they were when asked for.
type mapEntry struct{ Key, Val Mirror }

// Entries lists a map in the order in which fmt prints maps.
func Entries(m *exec.Machine, v Mirror) []mapEntry {
	h, ok := v.Ref().(*exec.Map)
	if !ok {
		return nil
	}
	h = h.Solid()
	m.Charge(int64(h.Count) * (exec.IfaceBytes + ir.ObjBytes))
	list := make([]mapEntry, 0, h.Count)
	for _, row := range printer.SortedRows(m, h) {
		m.Look()
		list = append(list, mapEntry{keyAt(h, row), valueAt(h, row)})
	}
	return list
}

func keyAt(h *exec.Map, row int) Mirror {
	k := Mirror{T: h.T.Key, C: h.Keys, K: row * h.T.Key.W()}
	return Mirror{T: h.T.Key, C: k.detached()}
}

func valueAt(h *exec.Map, row int) Mirror {
	e := Mirror{T: h.T.Elem, C: h.Vals, K: row * h.T.Elem.W()}
	return Mirror{T: h.T.Elem, C: e.detached()}
}

// Lookup is the value of a key, which is of the map's key type; none if it is not there.
func Lookup(m *exec.Machine, v, key Mirror) (val Mirror, ok bool) {
	h, isMap := v.Ref().(*exec.Map)
	if !isMap || h.Len() == 0 {
		return Mirror{}, false
	}
	if h.View != nil {
		found := h.View.Get(h.View.Key(h.T, key.C, key.K))
		if !found.IsValid() {
			return Mirror{}, false
		}
		val = ZeroOf(h.T.Elem)
		exec.FromHost(m, found, val.T, val.C, 0)
		return val, true
	}
	row := h.Find(m.Keys(), key.C, key.K)
	if row < 0 {
		return Mirror{}, false
	}
	return valueAt(h, row), true
}
