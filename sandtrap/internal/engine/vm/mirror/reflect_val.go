package mirror

import (
	"go/types"
	"math"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A Val is a value where it lies, as packages see it that work by reflection. The
// zero val is none.
type Val struct {
	T    *ir.Type
	O    ir.Mem
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

func (v Val) Valid() bool { return v.T != nil }

// settable is what reflect calls CanSet.
func (v Val) settable() bool { return v.flag&^pointed == isVar }

// mustBeSettable panics as the method of reflect.Value does that sets v.
func (v Val) mustBeSettable(method string) {
	switch {
	case v.flag&hidden != 0:
		exec.Throw("reflect: reflect.Value." + method + " using value obtained using unexported field")
	case v.flag&isVar == 0:
		exec.Throw("reflect: reflect.Value." + method + " using unaddressable value")
	}
}

// IsVar reports a variable: it has an address.
func (v Val) IsVar() bool { return v.flag&isVar != 0 }

// Kind is that of package reflect.
func (v Val) Kind() reflect.Kind {
	if v.T == nil {
		return reflect.Invalid
	}
	return kindOf(v.T)
}

func kindOf(t *ir.Type) reflect.Kind {
	if t.Kind == ir.KindHost {
		return reflect.Struct
	}
	return t.Kind
}

// ValOf is what an interface value holds.
func ValOf(m *exec.Machine, x any) Val {
	switch f := x.(type) {
	case nil:
		return Val{}
	case *exec.Iface:
		return Val{T: f.T, O: exec.IfaceCells(f)}
	}
	t := m.TypeOfHost(reflect.TypeOf(x))
	o := NewCells(m, t)
	exec.FromHost(m, reflect.ValueOf(x), t, o, 0)
	return Val{T: t, O: o}
}

// ValIn is the value of type t in registers from k on.
func ValIn(m *exec.Machine, t *ir.Type, k int) Val {
	return Val{T: t, O: &ir.Obj{I: m.I, S: m.S, R: m.R}, k: k}
}

// TextVal is a string.
func TextVal(s string) Val { return Val{T: ir.Universe.Str, O: &ir.Obj{S: []string{s}}} }

// ZeroOf is the zero value of t.
func ZeroOf(t *ir.Type) Val {
	return Val{T: t, O: ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)}
}

// NewCells is room for one value, in registers.
func NewCells(m *exec.Machine, t *ir.Type) *ir.Obj {
	m.Charge(ir.ObjBytes + ir.CellsBytes(t.Cells))
	return ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
}

// NewVal is a new variable.
func NewVal(m *exec.Machine, t *ir.Type) Val {
	m.MustMake(t)
	m.Alloc(ir.ValueBytes(t))
	if t.Agg {
		return Val{T: t, O: &ir.Obj{R: []any{m.FollowAny(exec.NewAgg(t))}}, flag: isVar}
	}
	return Val{T: t, O: exec.Follow(m, ir.NewObj(t.W(), t.Banks, 1)), flag: isVar}
}

// held is the object of an array or of a struct that is not flat.
func (v Val) held(m *exec.Machine) any {
	if r := v.O.LdR(v.k); r != nil {
		return r
	}
	m.Alloc(ir.AggBytes(v.T))
	r := m.FollowAny(exec.NewAgg(v.T))
	if v.flag&isVar != 0 {
		v.O.StR(v.k, r)
	}
	return r
}

// deref is the variable that the pointer to an e in the cells at k of b leads to.
func deref(e *ir.Type, b ir.Mem, k int) Val {
	r := b.LdR(k)
	switch {
	case r == nil:
		return Val{}
	case e.Kind == reflect.Array:
		return Val{T: e, O: &ir.Obj{R: []any{r}}, off: int(b.LdI(k+1) >> 32), flag: isVar}
	case e.Kind == ir.KindHost:
		return Val{T: e, O: &ir.Obj{R: []any{r}}, flag: isVar | pointed}
	case e.Agg:
		return Val{T: e, O: &ir.Obj{R: []any{r}}, off: int(b.LdI(k)), flag: isVar}
	}
	return Val{T: e, O: exec.MemOf(r), k: int(b.LdI(k)), flag: isVar}
}

// Elem is what a pointer leads to, or an interface holds; none if it is nil.
func (v Val) Elem(m *exec.Machine) Val {
	var e Val
	if v.T.Kind == reflect.Interface {
		e = ValOf(m, v.O.LdR(v.k))
	} else {
		e = deref(v.T.Elem, v.O, v.k)
		if v.flag&toOwn != 0 {
			e.flag &^= pointed
		}
	}
	if e.Valid() {
		e.flag |= v.flag & hidden
	}
	return e
}

// Addr is the pointer to a variable.
func (v Val) Addr(m *exec.Machine) Val {
	p := Val{T: ptrTo(m, v.T), flag: v.flag & hidden}
	if v.T.Kind == ir.KindHost && v.own() {
		p.flag |= toOwn
	}
	o := NewCells(m, p.T)
	p.O = o
	switch {
	case v.T.Kind == reflect.Array:
		o.R[0], o.I[0], o.I[1] = v.held(m), int64(v.T.N), int64(v.off)<<32|int64(v.T.N)
	case v.T.Agg:
		o.R[0], o.I[0] = v.held(m), int64(v.off)
	default:
		o.R[0], o.I[0] = v.O, int64(v.k)
		if h, ok := v.O.(*exec.HostVals); ok {
			at, _ := h.At(v.k)
			exec.PointTo(m, v.T, at.V.Addr(), o, 0)
		}
	}
	return p
}

// Field is field i, as the script sees them.
func (v Val) Field(m *exec.Machine, f *structField) Val {
	flag := v.flag &^ embedded
	switch {
	case f.Exported:
	case f.Embedded:
		flag |= embedded
	default:
		flag |= private
	}
	switch {
	case v.T.Kind == ir.KindHost:
		p := reflect.ValueOf(v.held(m)).Elem().Field(f.host).Addr()
		o := NewCells(m, ptrTo(m, f.typ))
		exec.PointTo(m, f.typ, p, o, 0)
		e := deref(f.typ, o, 0)
		e.flag = flag
		return e
	case v.T.Agg:
		return Val{T: f.typ, O: exec.MemOf(v.held(m)), k: v.off + f.off, flag: flag}
	}
	return Val{T: f.typ, O: v.O, k: v.k + f.off, flag: flag}
}

// store is where the elements of an array or slice are.
func (v Val) store(m *exec.Machine) (o any, off, n, c int) {
	if v.T.Kind == reflect.Array {
		return v.held(m), v.off, v.T.N, v.T.N
	}
	n, at := int(v.O.LdI(v.k)), v.O.LdI(v.k+1)
	return v.O.LdR(v.k), int(at >> 32), n, int(at & 0xffffffff)
}

// Len is that of a string, array, slice, map or channel, and 0 for others.
func (v Val) Len() int {
	switch v.Kind() {
	case reflect.String:
		return len(v.O.LdS(v.k))
	case reflect.Array:
		return v.T.N
	case reflect.Map:
		if h, _ := v.O.LdR(v.k).(*exec.Map); h != nil {
			return h.Len()
		}
	case reflect.Chan:
		if c, _ := v.O.LdR(v.k).(*exec.Chan); c != nil {
			return c.Buf.N
		}
	case reflect.Slice:
		return int(v.O.LdI(v.k))
	}
	return 0
}

// Cap is that of a slice, and the length of others.
func (v Val) Cap() int {
	if v.Kind() == reflect.Slice {
		return int(v.O.LdI(v.k+1) & 0xffffffff)
	}
	return v.Len()
}

// Index is element i of an array, slice or string.
func (v Val) Index(m *exec.Machine, i int) Val {
	if v.T.Kind == reflect.String {
		return ValOf(m, v.Str()[i])
	}
	o, off, _, _ := v.store(m)
	return v.at(o, off+i)
}

// Slice is v[lo:hi:max] of a slice, a string, or an array that is a variable.
func (v Val) Slice(m *exec.Machine, lo, hi, max int) Val {
	switch v.T.Kind {
	case reflect.String:
		return Val{T: v.T, O: &ir.Obj{S: []string{v.Str()[lo:hi]}}}
	case reflect.Array:
		return Val{T: m.TypeOf(types.NewSlice(v.T.Elem.T)), O: SliceCells(v.held(m), v.off+lo, hi-lo, max-lo)}
	}
	o, off, _, _ := v.store(m)
	return Val{T: v.T, O: SliceCells(o, off+lo, hi-lo, max-lo)}
}

// at is element i of the store o.
func (v Val) at(o any, i int) Val {
	e := Val{T: v.T.Elem, flag: v.flag | isVar}
	if v.T.Kind == reflect.Array {
		e.flag = v.flag
	}
	if e.O, e.k = exec.MemOf(o), i*e.T.W(); e.T.W() == 0 {
		e.k = 0
	}
	return e
}

// isNil is for kinds that have nil.
func (v Val) isNil() bool { return v.O.LdR(v.k) == nil }

// IsNil reports nil, or no value.
func (v Val) IsNil() bool { return !v.Valid() || kinds.Nilable.Has(v.Kind()) && v.isNil() }

func (v Val) Int() int64     { return v.O.LdI(v.k) }
func (v Val) Float() float64 { return ir.BitsFloat(v.O.LdI(v.k)) }
func (v Val) Str() string    { return v.O.LdS(v.k) }
func (v Val) Ref() any       { return v.O.LdR(v.k) }

func (v Val) Complex() complex128 {
	return complex(v.Float(), ir.BitsFloat(v.O.LdI(v.k+1)))
}

func (v Val) SetInt(x int64)  { v.O.StI(v.k, x) }
func (v Val) SetStr(s string) { v.O.StS(v.k, s) }
func (v Val) SetRef(x any)    { v.O.StR(v.k, x) }
func (v Val) setFloat(f float64) {
	if v.T.Kind == reflect.Float32 {
		f = float64(float32(f))
	}
	v.O.StI(v.k, int64(math.Float64bits(f)))
}

// Put makes the variable v a value of the host's.
func (v Val) Put(m *exec.Machine, x reflect.Value) {
	o := NewCells(m, v.T)
	exec.FromHost(m, x, v.T, o, 0)
	v.Set(m, o, 0)
}

// As is v as a value of type t, which it is assignable to.
func (v Val) As(m *exec.Machine, t *ir.Type) Val {
	switch {
	case !v.Valid():
		return ZeroOf(t)
	case t.Kind == reflect.Interface:
		m.Charge(exec.IfaceBytes)
		return Val{T: t, O: &ir.Obj{I: make([]int64, 1), S: make([]string, 1), R: []any{v.Boxed(m)}}}
	}
	return Val{T: t, O: v.Load(m)}
}

// Load copies the value into cells, as registers have it.
func (v Val) Load(m *exec.Machine) *ir.Obj {
	o := NewCells(m, v.T)
	switch {
	case v.T.Agg:
		m.Alloc(ir.AggBytes(v.T))
		n := m.FollowAny(exec.NewAgg(v.T))
		if r := v.O.LdR(v.k); r != nil {
			exec.CopyInto(v.T, n, 0, r, v.off)
		}
		o.R[0] = n
	case v.T.W() > 0:
		exec.LoadValue(v.T, o, 0, v.O, v.k)
		for i, c := range v.T.Cells {
			if c.Agg != nil {
				m.Alloc(ir.AggBytes(c.Agg))
				o.R[i] = m.FollowAny(exec.CopyAgg(c.Agg, o.R[i]))
			}
		}
	}
	return o
}

// cells are cells that hold the value, its own if they refer to nothing that would have
// to be copied.
func (v Val) cells(m *exec.Machine) (*ir.Obj, int) {
	if o, ok := v.O.(*ir.Obj); ok && exec.EscapedTo(o) == nil && !slices.ContainsFunc(v.T.Cells, func(c ir.Cell) bool { return c.Agg != nil }) {
		return o, v.k
	}
	return v.Load(m), 0
}

// Set makes the variable v the value in cells at k of b.
func (v Val) Set(m *exec.Machine, b ir.Mem, k int) {
	switch {
	case v.T.Agg:
		r := b.LdR(k)
		if r == nil {
			r = exec.NewAgg(v.T)
		}
		to := v.held(m)
		if v.T.Kind == ir.KindHost {
			v.mustReplace(m, to)
		}
		exec.CopyInto(v.T, to, v.off, r, 0)
	case v.T.W() > 0:
		exec.CopyValue(v.T, v.O, v.k, b, k)
	}
}

// mustReplace is that of a machine for the variable v, a struct of the host's at p.
func (v Val) mustReplace(m *exec.Machine, p any) {
	if !v.own() {
		m.MustReplace(p, v.flag&pointed != 0)
	}
}

// own reports that v, a struct of the host's, is in memory of the script's.
func (v Val) own() bool {
	_, cells := v.O.(*ir.Obj)
	return cells && v.flag&pointed == 0
}

// setZero makes the variable v the zero value.
func (v Val) setZero(m *exec.Machine) {
	v.Set(m, ir.NewObj(v.T.W(), ir.BankI|ir.BankS|ir.BankR, 1), 0)
}

// Iface is the value as an interface holds it.
func (v Val) Iface(m *exec.Machine) any {
	if v.T.Kind == reflect.Interface {
		return v.O.LdR(v.k)
	}
	if v.T.Kind == ir.KindHost {
		m.MustMake(v.T)
	}
	return v.Boxed(m)
}

// Boxed is Iface for what the script does not get: a value of the host's need not be one that it may make.
func (v Val) Boxed(m *exec.Machine) any {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface:
		return v.O.LdR(v.k)
	}
	m.Alloc(exec.IfaceBytes)
	b, k := v.cells(m)
	x := exec.Box(m, v.T, b, k)
	if f, ok := x.(*exec.Iface); ok {
		exec.Follow(m, f)
	}
	return x
}

// identity is equal for references to the same.
func (v Val) identity(m *exec.Machine) any {
	switch v.T.Kind {
	case reflect.Pointer:
		return exec.TypedKey{T: v.T, K: exec.MapKey(nil, v.T, v.Load(m), 0)}
	case reflect.Slice:
		o, off, n, _ := v.store(m)
		return [3]any{o, off, n}
	case reflect.Map:
		if h, ok := v.Ref().(*exec.Map); ok && h.View != nil {
			return h.View.V.Pointer()
		}
	}
	return v.Ref()
}

// GrowSlice makes the length of a slice n at least.
func GrowSlice(m *exec.Machine, v Val, n int) {
	o, off, have, c := v.store(m)
	if have >= n {
		return
	}
	if n > c {
		nc := m.Capacity(v.T.Elem, c, n)
		m.Alloc(ir.StoreBytes(v.T.Elem, int64(nc)))
		fresh := m.AllocStore(v.T.Elem, nc)
		if o != nil {
			exec.StoreCopy(v.T.Elem, fresh, 0, o, off, have)
		}
		o, off, c = fresh, 0, nc
	}
	v.Set(m, SliceCells(o, off, n, c), 0)
}

// SliceCells is a slice as cells hold it.
func SliceCells(store any, off, n, c int) *ir.Obj {
	return &ir.Obj{I: []int64{int64(n), int64(off)<<32 | int64(c)}, S: []string{"", ""}, R: []any{store, nil}}
}
