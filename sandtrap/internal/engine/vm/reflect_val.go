package vm

import (
	"math"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A val is a value where it lies, as packages see it that work by reflection. The
// zero val is none.
type val struct {
	t    *ir.Type
	o    ir.Mem
	k    int // its first cell in o
	off  int // where it begins in what its cell refers to, if that is larger
	flag valFlag
}

type valFlag uint8

const (
	isVar    valFlag = 1 << iota // a variable, not a copy: it has an address
	private                      // reached through a field that is not exported
	embedded                     // that is itself an embedded field that is not exported
	pointed                      // a struct of the host's that a pointer leads to, or part of it
	toOwn                        // a pointer to a variable of the script's
	hidden   = private | embedded
)

func (v val) valid() bool { return v.t != nil }

// settable is what reflect calls CanSet.
func (v val) settable() bool { return v.flag&^pointed == isVar }

// mustBeSettable panics as the method of reflect.Value does that sets v.
func (v val) mustBeSettable(method string) {
	switch {
	case v.flag&hidden != 0:
		throw("reflect: reflect.Value." + method + " using value obtained using unexported field")
	case v.flag&isVar == 0:
		throw("reflect: reflect.Value." + method + " using unaddressable value")
	}
}

// kind is that of package reflect.
func (v val) kind() reflect.Kind { return kindOf(v.t) }

func kindOf(t *ir.Type) reflect.Kind {
	if t.Kind == ir.KindHost {
		return reflect.Struct
	}
	return t.Kind
}

// valOf is what an interface value holds.
func (m *machine) valOf(x any) val {
	switch f := x.(type) {
	case nil:
		return val{}
	case *Iface:
		return val{t: f.T, o: ifaceCells(f)}
	}
	t := m.typeOfHost(reflect.TypeOf(x))
	o := m.newCells(t)
	fromHost(m, reflect.ValueOf(x), t, o, 0)
	return val{t: t, o: o}
}

// newCells is room for one value, in registers.
func (m *machine) newCells(t *ir.Type) *ir.Obj {
	m.charge(ir.ObjBytes + ir.CellsBytes(t.Cells))
	return ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
}

// newVal is a new variable.
func (m *machine) newVal(t *ir.Type) val {
	m.mustMake(t)
	m.alloc(ir.ValueBytes(t))
	if t.Agg {
		return val{t: t, o: &ir.Obj{R: []any{m.followAny(newAgg(t))}}, flag: isVar}
	}
	return val{t: t, o: follow(m, ir.NewObj(t.W(), t.Banks, 1)), flag: isVar}
}

// held is the object of an array or of a struct that is not flat.
func (v val) held(m *machine) any {
	if r := v.o.LdR(v.k); r != nil {
		return r
	}
	m.alloc(ir.AggBytes(v.t))
	r := m.followAny(newAgg(v.t))
	if v.flag&isVar != 0 {
		v.o.StR(v.k, r)
	}
	return r
}

// deref is the variable that the pointer to an e in the cells at k of b leads to.
func deref(e *ir.Type, b ir.Mem, k int) val {
	r := b.LdR(k)
	switch {
	case r == nil:
		return val{}
	case e.Kind == reflect.Array:
		return val{t: e, o: &ir.Obj{R: []any{r}}, off: int(b.LdI(k+1) >> 32), flag: isVar}
	case e.Kind == ir.KindHost:
		return val{t: e, o: &ir.Obj{R: []any{r}}, flag: isVar | pointed}
	case e.Agg:
		return val{t: e, o: &ir.Obj{R: []any{r}}, off: int(b.LdI(k)), flag: isVar}
	}
	return val{t: e, o: memOf(r), k: int(b.LdI(k)), flag: isVar}
}

// elem is what a pointer leads to, or an interface holds; none if it is nil.
func (v val) elem(m *machine) val {
	var e val
	if v.t.Kind == reflect.Interface {
		e = m.valOf(v.o.LdR(v.k))
	} else {
		e = deref(v.t.Elem, v.o, v.k)
		if v.flag&toOwn != 0 {
			e.flag &^= pointed
		}
	}
	if e.valid() {
		e.flag |= v.flag & hidden
	}
	return e
}

// addr is the pointer to a variable.
func (v val) addr(m *machine) val {
	p := val{t: m.ptrTo(v.t), flag: v.flag & hidden}
	if v.t.Kind == ir.KindHost && v.own() {
		p.flag |= toOwn
	}
	o := m.newCells(p.t)
	p.o = o
	switch {
	case v.t.Kind == reflect.Array:
		o.R[0], o.I[0], o.I[1] = v.held(m), int64(v.t.N), int64(v.off)<<32|int64(v.t.N)
	case v.t.Agg:
		o.R[0], o.I[0] = v.held(m), int64(v.off)
	default:
		o.R[0], o.I[0] = v.o, int64(v.k)
		if h, ok := v.o.(*hostVals); ok {
			at, _ := h.at(v.k)
			pointTo(m, v.t, at.v.Addr(), o, 0)
		}
	}
	return p
}

// field is field i, as the script sees them.
func (v val) field(m *machine, f *structField) val {
	flag := v.flag &^ embedded
	switch {
	case f.Exported:
	case f.Embedded:
		flag |= embedded
	default:
		flag |= private
	}
	switch {
	case v.t.Kind == ir.KindHost:
		p := reflect.ValueOf(v.held(m)).Elem().Field(f.host).Addr()
		o := m.newCells(m.ptrTo(f.typ))
		pointTo(m, f.typ, p, o, 0)
		e := deref(f.typ, o, 0)
		e.flag = flag
		return e
	case v.t.Agg:
		return val{t: f.typ, o: memOf(v.held(m)), k: v.off + f.off, flag: flag}
	}
	return val{t: f.typ, o: v.o, k: v.k + f.off, flag: flag}
}

// store is where the elements of an array or slice are.
func (v val) store(m *machine) (o any, off, n, c int) {
	if v.t.Kind == reflect.Array {
		return v.held(m), v.off, v.t.N, v.t.N
	}
	n, at := int(v.o.LdI(v.k)), v.o.LdI(v.k+1)
	return v.o.LdR(v.k), int(at >> 32), n, int(at & 0xffffffff)
}

// length is that of a string, array, slice or map.
func (v val) length() int {
	switch v.t.Kind {
	case reflect.String:
		return len(v.o.LdS(v.k))
	case reflect.Array:
		return v.t.N
	case reflect.Map:
		if h, _ := v.o.LdR(v.k).(*Map); h != nil {
			return h.len()
		}
		return 0
	}
	return int(v.o.LdI(v.k))
}

// index is element i of an array or slice.
func (v val) index(m *machine, i int) val {
	o, off, _, _ := v.store(m)
	return v.at(o, off+i)
}

// at is element i of the store o.
func (v val) at(o any, i int) val {
	e := val{t: v.t.Elem, flag: v.flag | isVar}
	if v.t.Kind == reflect.Array {
		e.flag = v.flag
	}
	if e.o, e.k = memOf(o), i*e.t.W(); e.t.W() == 0 {
		e.k = 0
	}
	return e
}

// isNil is for kinds that have nil.
func (v val) isNil() bool { return v.o.LdR(v.k) == nil }

func (v val) int() int64     { return v.o.LdI(v.k) }
func (v val) float() float64 { return ir.BitsFloat(v.o.LdI(v.k)) }
func (v val) str() string    { return v.o.LdS(v.k) }
func (v val) ref() any       { return v.o.LdR(v.k) }

func (v val) setInt(x int64)  { v.o.StI(v.k, x) }
func (v val) setStr(s string) { v.o.StS(v.k, s) }
func (v val) setRef(x any)    { v.o.StR(v.k, x) }
func (v val) setFloat(f float64) {
	if v.t.Kind == reflect.Float32 {
		f = float64(float32(f))
	}
	v.o.StI(v.k, int64(math.Float64bits(f)))
}

// load copies the value into cells, as registers have it.
func (v val) load(m *machine) *ir.Obj {
	o := m.newCells(v.t)
	switch {
	case v.t.Agg:
		m.alloc(ir.AggBytes(v.t))
		n := m.followAny(newAgg(v.t))
		if r := v.o.LdR(v.k); r != nil {
			copyInto(v.t, n, 0, r, v.off)
		}
		o.R[0] = n
	case v.t.W() > 0:
		loadValue(v.t, o, 0, v.o, v.k)
		for i, c := range v.t.Cells {
			if c.Agg != nil {
				m.alloc(ir.AggBytes(c.Agg))
				o.R[i] = m.followAny(copyAgg(c.Agg, o.R[i]))
			}
		}
	}
	return o
}

// cells are cells that hold the value, its own if they refer to nothing that would have
// to be copied.
func (v val) cells(m *machine) (*ir.Obj, int) {
	if o, ok := v.o.(*ir.Obj); ok && movedTo(o) == nil && !slices.ContainsFunc(v.t.Cells, func(c ir.Cell) bool { return c.Agg != nil }) {
		return o, v.k
	}
	return v.load(m), 0
}

// set makes the variable v the value in cells at k of b.
func (v val) set(m *machine, b ir.Mem, k int) {
	switch {
	case v.t.Agg:
		r := b.LdR(k)
		if r == nil {
			r = newAgg(v.t)
		}
		to := v.held(m)
		if v.t.Kind == ir.KindHost {
			v.mustReplace(m, to)
		}
		copyInto(v.t, to, v.off, r, 0)
	case v.t.W() > 0:
		copyValue(v.t, v.o, v.k, b, k)
	}
}

// mustReplace is that of a machine for the variable v, a struct of the host's at p.
func (v val) mustReplace(m *machine, p any) {
	if !v.own() {
		m.mustReplace(p, v.flag&pointed != 0)
	}
}

// own reports that v, a struct of the host's, is in memory of the script's.
func (v val) own() bool {
	_, cells := v.o.(*ir.Obj)
	return cells && v.flag&pointed == 0
}

// setZero makes the variable v the zero value.
func (v val) setZero(m *machine) {
	v.set(m, ir.NewObj(v.t.W(), ir.BankI|ir.BankS|ir.BankR, 1), 0)
}

// iface is the value as an interface holds it.
func (v val) iface(m *machine) any {
	if v.t.Kind == reflect.Interface {
		return v.o.LdR(v.k)
	}
	if v.t.Kind == ir.KindHost {
		m.mustMake(v.t)
	}
	m.alloc(ifaceBytes)
	b, k := v.cells(m)
	x := box(m, v.t, b, k)
	if f, ok := x.(*Iface); ok {
		follow(m, f)
	}
	return x
}

// identity is equal for references to the same.
func (v val) identity(m *machine) any {
	switch v.t.Kind {
	case reflect.Pointer:
		return typedKey{v.t, mapKey(nil, v.t, v.load(m), 0)}
	case reflect.Slice:
		o, off, n, _ := v.store(m)
		return [3]any{o, off, n}
	case reflect.Map:
		if h, ok := v.ref().(*Map); ok && h.view != nil {
			return h.view.v.Pointer()
		}
	}
	return v.ref()
}

// A pair is a key of a map with its element.
type pair struct{ key, elem val }

// pairs copies what a map holds: the script may change it while it is walked.
func (v val) pairs(m *machine) []pair {
	h, _ := v.o.LdR(v.k).(*Map)
	if h = h.solid(); h == nil {
		return nil
	}
	kt, et := h.t.Key, h.t.Elem
	m.charge(int64(h.count) * (96 + 2*ir.ObjBytes + ir.CellsBytes(kt.Cells) + ir.CellsBytes(et.Cells)))
	list := make([]pair, 0, h.count)
	keys, elems := ir.NewObj(kt.W(), ir.BankI|ir.BankS|ir.BankR, h.count), ir.NewObj(et.W(), ir.BankI|ir.BankS|ir.BankR, h.count)
	for row := 0; row < h.rows && len(list) < h.count; row++ {
		if row&0xfff == 0 {
			m.check()
		}
		if !h.alive[row] {
			continue
		}
		i := len(list)
		rawCopy(kt.Cells, keys, i*kt.W(), h.keys, row*kt.W())
		rawCopy(et.Cells, elems, i*et.W(), h.vals, row*et.W())
		list = append(list, pair{
			val{t: kt, o: keys, k: i * kt.W(), flag: v.flag & hidden},
			val{t: et, o: elems, k: i * et.W(), flag: v.flag & hidden},
		})
	}
	return list
}

// growSlice makes the length of a slice n at least.
func (m *machine) growSlice(v val, n int) {
	o, off, have, c := v.store(m)
	if have >= n {
		return
	}
	if n > c {
		nc := m.capacity(v.t.Elem, c, n)
		m.alloc(ir.StoreBytes(v.t.Elem, int64(nc)))
		fresh := m.storeFor(v.t.Elem, nc)
		if o != nil {
			storeCopy(v.t.Elem, fresh, 0, o, off, have)
		}
		o, off, c = fresh, 0, nc
	}
	v.set(m, sliceCells(o, off, n, c), 0)
}

// sliceCells is a slice as cells hold it.
func sliceCells(store any, off, n, c int) *ir.Obj {
	return &ir.Obj{I: []int64{int64(n), int64(off)<<32 | int64(c)}, S: []string{"", ""}, R: []any{store, nil}}
}
