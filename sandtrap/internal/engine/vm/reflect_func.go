package vm

import (
	"go/types"
	"reflect"
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
			return m.reflectValue(val{t: m.made1(types.NewPointer(v.t.t)), o: v.addr(m).o, flag: toOwn})
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
			if !types.Comparable(key.t) {
				throw("reflect.MapOf: invalid key type " + key.str)
			}
			elem := m.typeIn(e)
			if len(key.str)+len(elem.str) > maxMadeName {
				throwPlain("reflect: a type is made of too many others")
			}
			return m.reflectType(m.made1(types.NewMap(key.t, elem.t)))
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
func (m *machine) wanted(t reflect.Type, text string) *Type {
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
func (m *machine) made1(t types.Type) *Type {
	x := m.typeOf(t)
	if n := len(m.types.all); n > m.made.paid {
		m.charge(int64(n-m.made.paid) * infoBytes)
		m.made.paid = n
		if n > maxMade {
			throwPlain("reflect: too many types are made")
		}
	}
	return x
}

func (m *machine) sliceOf(t *Type) *Type { return m.made1(types.NewSlice(t.t)) }

func (m *machine) pointerTo(t reflect.Type) reflect.Type {
	return m.reflectType(m.made1(types.NewPointer(m.typeIn(t).t)))
}

func (m *machine) reflectMakeSlice(t reflect.Type, n, c int) reflect.Value {
	st := m.wanted(t, "reflect.MakeSlice of non-slice type")
	switch {
	case st.kind != reflect.Slice:
		throw("reflect.MakeSlice of non-slice type")
	case n < 0:
		throw("reflect.MakeSlice: negative len")
	case c < 0:
		throw("reflect.MakeSlice: negative cap")
	case n > c:
		throw("reflect.MakeSlice: len > cap")
	}
	m.mustMake(st)
	m.refuseHuge(int64(c), st.elem)
	if c > maxElems {
		throwf("makeslice: cap out of range")
	}
	m.alloc(storeBytes(st.elem, int64(c)))
	return m.reflectValue(val{t: st, o: sliceCells(m.followAny(newStore(st.elem, c)), 0, n, c)})
}

func (m *machine) reflectMakeMap(t reflect.Type) reflect.Value {
	mt := m.wanted(t, "reflect.MakeMapWithSize of non-map type")
	if mt.kind != reflect.Map {
		throw("reflect.MakeMapWithSize of non-map type")
	}
	m.mustMake(mt)
	m.alloc(mapBytes)
	return m.reflectValue(val{t: mt, o: &Obj{R: []any{follow(m, newMap(mt))}}})
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
		o, off, c = m.grown(r.v.t.elem, o, off, n, m.capacity(r.v.t.elem, c, n+len(x)))
	}
	out := val{t: r.v.t, o: sliceCells(o, off, n+len(x), c)}
	for i, e := range x {
		out.index(m, n+i).set(m, m.assigned("reflect.Set", rvalueIn(e), r.v.t.elem), 0)
	}
	return m.reflectValue(out)
}

func (m *machine) reflectAppendSlice(s, t reflect.Value) reflect.Value {
	r, from := rvalueIn(s), rvalueIn(t)
	r.must("AppendSlice", reflect.Slice)
	from.must("AppendSlice", reflect.Slice)
	r.mustShow("AppendSlice")
	from.mustShow("AppendSlice")
	if !types.AssignableTo(from.v.t.t, r.v.t.t) && from.v.t.elem != r.v.t.elem {
		throw("reflect.AppendSlice: " + r.v.t.str + " != " + from.v.t.str)
	}
	o, off, n, c := r.v.store(m)
	src, soff, k, _ := from.v.store(m)
	if n+k < 0 {
		throw("reflect.Value.Grow: slice overflow")
	}
	if n+k > c {
		o, off, c = m.grown(r.v.t.elem, o, off, n, m.capacity(r.v.t.elem, c, n+k))
	}
	storeCopy(r.v.t.elem, o, off+n, src, soff, k)
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
	if s.Kind() == reflect.String && d.v.t.elem.kind == reflect.Uint8 {
		text := s.v.str()
		n := min(len(text), d.v.length())
		if o, off, _, _ := d.v.store(m); n > 0 {
			copyString(o, off, text[:n])
		}
		return n
	}
	s.must("Copy", reflect.Array, reflect.Slice)
	if d.v.t.elem != s.v.t.elem {
		throw("reflect.Copy: " + d.v.t.elem.str + " != " + s.v.t.elem.str)
	}
	o, off, n, _ := d.v.store(m)
	from, foff, k, _ := s.v.store(m)
	n = min(n, k)
	storeCopy(d.v.t.elem, o, off, from, foff, n)
	return n
}

func doTypeOf(m *machine, x *ext) {
	m.R[x.a] = nil
	if v := m.R[x.regs[0]]; v != nil {
		m.R[x.a] = m.reflectType(m.valOf(v).t)
	}
}

func doValueOf(m *machine, x *ext) {
	p := m.valOf(m.R[x.regs[0]])
	if x.vars&1 != 0 {
		p.flag |= toOwn
	}
	v := m.reflectValue(p)
	fromHost(m, reflect.ValueOf(v), x.t.fields[0].typ, &Obj{m.I, m.S, m.R}, x.a)
}

func doDeepEqual(m *machine, x *ext) {
	m.I[x.a] = b2i(m.deepEqual(m.R[x.regs[0]], m.R[x.regs[1]]))
}

func doSwapper(m *machine, x *ext) {
	m.R[x.a] = &Closure{host: reflect.ValueOf(m.reflectSwapper(m.R[x.regs[0]])), sig: x.t.fields[0].typ}
}

func (m *machine) reflectSwapper(list any) func(i, j int) {
	r := &rvalue{m: m, v: m.valOf(list)}
	if r.Kind() != reflect.Slice {
		throw(&reflect.ValueError{Method: "Swapper", Kind: r.Kind()})
	}
	o, off, n, _ := r.v.store(m)
	swap := swapper(r.v.t.elem, o, off, n)
	return func(i, j int) {
		if uint(i) >= uint(n) || uint(j) >= uint(n) {
			throw("reflect: slice index out of range")
		}
		swap(i, j)
	}
}
