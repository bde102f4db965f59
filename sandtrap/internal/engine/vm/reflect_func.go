package vm

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// reflectFuncs are the functions of package reflect that the engine does itself. The
// methods of Value are those of rvalue.
var reflectFuncs = map[string]func(m *machine) any{
	"Zero": func(m *machine) any {
		return func(t reflect.Type) reflect.Value {
			v := m.newVal(m.wanted(t, "reflect: Zero(nil)"))
			v.flag = 0
			return m.reflectValue(v)
		}
	},
	"New": func(m *machine) any {
		return func(t reflect.Type) reflect.Value {
			v := m.newVal(m.wanted(t, "reflect: New(nil)"))
			return m.reflectValue(val{t: m.made1(types.NewPointer(v.t.T)), o: v.addr(m).o, flag: toOwn})
		}
	},
	"Indirect": func(m *machine) any {
		return func(v reflect.Value) reflect.Value {
			if r := rvalueIn(v); r.Kind() == reflect.Pointer {
				return r.Elem()
			}
			return v
		}
	},
	"PointerTo": func(m *machine) any { return m.pointerTo },
	"PtrTo":     func(m *machine) any { return m.pointerTo },
	"SliceOf": func(m *machine) any {
		return func(t reflect.Type) reflect.Type { return m.reflectType(m.sliceOf(m.typeIn(t))) }
	},
	"MapOf": func(m *machine) any {
		return func(k, e reflect.Type) reflect.Type {
			key := m.typeIn(k)
			if !types.Comparable(key.T) {
				throw("reflect.MapOf: invalid key type " + key.Str)
			}
			elem := m.typeIn(e)
			if len(key.Str)+len(elem.Str) > maxMadeName {
				throwPlain("reflect: a type is made of too many others")
			}
			return m.reflectType(m.made1(types.NewMap(key.T, elem.T)))
		}
	},
	"MakeSlice":       func(m *machine) any { return m.reflectMakeSlice },
	"MakeMap":         func(m *machine) any { return func(t reflect.Type) reflect.Value { return m.reflectMakeMap(t) } },
	"MakeMapWithSize": func(m *machine) any { return func(t reflect.Type, _ int) reflect.Value { return m.reflectMakeMap(t) } },
	"Append":          func(m *machine) any { return m.reflectAppend },
	"AppendSlice":     func(m *machine) any { return m.reflectAppendSlice },
	"Copy":            func(m *machine) any { return m.reflectCopy },
}

// wanted is the type that t stands for; nil is a panic.
func (m *machine) wanted(t reflect.Type, text string) *ir.Type {
	if t == nil {
		throw(text)
	}
	return m.typeIn(t)
}

// maxMade bounds the types that reflection makes: each takes time to be told from the
// others.
const maxMade = 2000

// maxMadeName bounds their names: a map of maps has its type twice in it, and so on.
const maxMadeName = 1 << 16

// made1 is the Type of t, which a script may have thought up at run time.
func (m *machine) made1(t types.Type) *ir.Type {
	x := m.typeOf(t)
	if n := len(m.types.All); n > m.made().paid {
		m.charge(int64(n-m.made().paid) * infoBytes)
		m.made().paid = n
		if n > maxMade {
			throwPlain("reflect: too many types are made")
		}
	}
	return x
}

func (m *machine) sliceOf(t *ir.Type) *ir.Type { return m.made1(types.NewSlice(t.T)) }

func (m *machine) pointerTo(t reflect.Type) reflect.Type {
	return m.reflectType(m.made1(types.NewPointer(m.typeIn(t).T)))
}

func (m *machine) reflectMakeSlice(t reflect.Type, n, c int) reflect.Value {
	st := m.wanted(t, "reflect.MakeSlice of non-slice type")
	switch {
	case st.Kind != reflect.Slice:
		throw("reflect.MakeSlice of non-slice type")
	case n < 0:
		throw("reflect.MakeSlice: negative len")
	case c < 0:
		throw("reflect.MakeSlice: negative cap")
	case n > c:
		throw("reflect.MakeSlice: len > cap")
	}
	m.mustMake(st)
	m.refuseHuge(int64(c), st.Elem)
	if c > maxElems {
		throwf("makeslice: cap out of range")
	}
	m.alloc(ir.StoreBytes(st.Elem, int64(c)))
	return m.reflectValue(val{t: st, o: sliceCells(m.followAny(newStore(st.Elem, c)), 0, n, c)})
}

func (m *machine) reflectMakeMap(t reflect.Type) reflect.Value {
	mt := m.wanted(t, "reflect.MakeMapWithSize of non-map type")
	if mt.Kind != reflect.Map {
		throw("reflect.MakeMapWithSize of non-map type")
	}
	m.mustMake(mt)
	m.alloc(mapBytes)
	return m.reflectValue(val{t: mt, o: &ir.Obj{R: []any{follow(m, newMap(mt))}}})
}

// reflectAppend is reflect.Append, which leaves s as it is.
func (m *machine) reflectAppend(s reflect.Value, x ...reflect.Value) reflect.Value {
	r := rvalueIn(s)
	r.must("Append", reflect.Slice)
	r.mustShow("Append")
	o, off, n, c := r.v.store(m)
	if n+len(x) < 0 {
		throw("reflect.Value.Grow: slice overflow")
	}
	if n+len(x) > c {
		o, off, c = m.grown(r.v.t.Elem, o, off, n, m.capacity(r.v.t.Elem, c, n+len(x)))
	}
	out := val{t: r.v.t, o: sliceCells(o, off, n+len(x), c)}
	for i, e := range x {
		out.index(m, n+i).set(m, m.assigned("reflect.Set", rvalueIn(e), r.v.t.Elem), 0)
	}
	return m.reflectValue(out)
}

func (m *machine) reflectAppendSlice(s, t reflect.Value) reflect.Value {
	r, from := rvalueIn(s), rvalueIn(t)
	r.must("AppendSlice", reflect.Slice)
	from.must("AppendSlice", reflect.Slice)
	r.mustShow("AppendSlice")
	from.mustShow("AppendSlice")
	if !types.AssignableTo(from.v.t.T, r.v.t.T) && from.v.t.Elem != r.v.t.Elem {
		throw("reflect.AppendSlice: " + r.v.t.Str + " != " + from.v.t.Str)
	}
	o, off, n, c := r.v.store(m)
	src, soff, k, _ := from.v.store(m)
	if n+k < 0 {
		throw("reflect.Value.Grow: slice overflow")
	}
	if n+k > c {
		o, off, c = m.grown(r.v.t.Elem, o, off, n, m.capacity(r.v.t.Elem, c, n+k))
	}
	storeCopy(r.v.t.Elem, o, off+n, src, soff, k)
	return m.reflectValue(val{t: r.v.t, o: sliceCells(o, off, n+k, c)})
}

func (m *machine) reflectCopy(dst, src reflect.Value) int {
	d, s := rvalueIn(dst), rvalueIn(src)
	d.must("Copy", reflect.Array, reflect.Slice)
	if d.Kind() == reflect.Array {
		d.settable("Copy")
	}
	d.mustShow("Copy")
	s.mustShow("Copy")
	if s.Kind() == reflect.String && d.v.t.Elem.Kind == reflect.Uint8 {
		text := s.v.str()
		n := min(len(text), d.v.length())
		if o, off, _, _ := d.v.store(m); n > 0 {
			copyString(o, off, text[:n])
		}
		return n
	}
	s.must("Copy", reflect.Array, reflect.Slice)
	if d.v.t.Elem != s.v.t.Elem {
		throw("reflect.Copy: " + d.v.t.Elem.Str + " != " + s.v.t.Elem.Str)
	}
	o, off, n, _ := d.v.store(m)
	from, foff, k, _ := s.v.store(m)
	n = min(n, k)
	storeCopy(d.v.t.Elem, o, off, from, foff, n)
	return n
}

func doTypeOf(m *machine, x *ir.SlowOp) {
	m.R[x.A] = nil
	if v := m.R[x.Regs[0]]; v != nil {
		m.R[x.A] = m.reflectType(m.valOf(v).t)
	}
}

func doValueOf(m *machine, x *ir.SlowOp) {
	p := m.valOf(m.R[x.Regs[0]])
	if x.Vars&1 != 0 {
		p.flag |= toOwn
	}
	v := m.reflectValue(p)
	fromHost(m, reflect.ValueOf(v), x.T.Fields[0].Typ, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

func doDeepEqual(m *machine, x *ir.SlowOp) {
	m.I[x.A] = ir.BoolBits(m.deepEqual(m.R[x.Regs[0]], m.R[x.Regs[1]]))
}

func doSwapper(m *machine, x *ir.SlowOp) {
	m.R[x.A] = &ir.Closure{Host: reflect.ValueOf(m.reflectSwapper(m.R[x.Regs[0]])), Sig: x.T.Fields[0].Typ}
}

func (m *machine) reflectSwapper(list any) func(i, j int) {
	r := &rvalue{m: m, v: m.valOf(list)}
	if r.Kind() != reflect.Slice {
		throw(&reflect.ValueError{Method: "Swapper", Kind: r.Kind()})
	}
	o, off, n, _ := r.v.store(m)
	swap := swapper(r.v.t.Elem, o, off, n)
	return func(i, j int) {
		if uint(i) >= uint(n) || uint(j) >= uint(n) {
			throw("reflect: slice index out of range")
		}
		swap(i, j)
	}
}

// swapper swaps elements of a slice.
func swapper(elem *ir.Type, store any, off, n int) func(i, j int) {
	switch s := store.(type) {
	case *ir.Obj:
		if elem.Plain() && movedTo(s) == nil {
			return objSwapper(s, elem.W(), off)
		}
	case *ir.Num[int]:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	case *ir.Flt[float64]:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	case *ir.Strs:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	}
	tmp := newStore(elem, 1)
	return func(i, j int) {
		storeCopy(elem, tmp, 0, store, off+i, 1)
		storeCopy(elem, store, off+i, store, off+j, 1)
		storeCopy(elem, store, off+j, tmp, 0, 1)
	}
}

func objSwapper(o *ir.Obj, w, off int) func(i, j int) {
	return func(i, j int) {
		i, j = (off+i)*w, (off+j)*w
		if o.I != nil {
			swapCells(o.I, i, j, w)
		}
		if o.S != nil {
			swapCells(o.S, i, j, w)
		}
		if o.R != nil {
			swapCells(o.R, i, j, w)
		}
	}
}

func swapCells[T any](v []T, i, j, w int) {
	for k := range w {
		v[i+k], v[j+k] = v[j+k], v[i+k]
	}
}
