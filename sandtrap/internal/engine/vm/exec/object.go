package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// NewStore makes memory for n elements of type t, as slices and arrays have it.
func NewStore(t *ir.Type, n int) any {
	if HeldByHost(t) {
		return &HostVals{T: t, V: reflect.MakeSlice(reflect.SliceOf(t.Host), n, n)}
	}
	if s := ir.NewStore(t.Kind, n); s != nil {
		return s
	}
	banks := ir.Mask(0)
	for _, c := range t.Cells {
		banks |= c.M
	}
	return ir.NewObj(t.W(), banks, n)
}

func MemOf(r any) ir.Mem {
	switch r := r.(type) {
	case *ir.Obj:
		if to := EscapedTo(r); to != nil {
			return to
		}
		return r
	case ir.Mem:
		return r
	case nil:
		ThrowNil()
	}
	panic("vm: a value of the host's is no memory")
}

// StoreCopy copies n elements of type t between stores, overlap allowed.
func StoreCopy(t *ir.Type, dst any, di int, src any, si, n int) {
	if n == 0 {
		return
	}
	if hostCopy(t, dst, di, src, si, n) {
		return
	}
	if d, ok := dst.(ir.Store); ok {
		d.CopyFrom(di, src, si, n)
		return
	}
	switch d := dst.(type) {
	case *ir.Obj:
		if t.Plain() {
			s, w := src.(*ir.Obj), t.W()
			if d.I != nil {
				copy(d.I[di*w:(di+n)*w], s.I[si*w:(si+n)*w])
			}
			if d.S != nil {
				copy(d.S[di*w:(di+n)*w], s.S[si*w:(si+n)*w])
			}
			if d.R != nil {
				copy(d.R[di*w:(di+n)*w], s.R[si*w:(si+n)*w])
			}
			return
		}
	}
	d, s, w := MemOf(dst), MemOf(src), t.W()
	if di <= si {
		for i := range n {
			copyCells(t.Cells, d, (di+i)*w, s, (si+i)*w)
		}
		return
	}
	for i := n - 1; i >= 0; i-- {
		copyCells(t.Cells, d, (di+i)*w, s, (si+i)*w)
	}
}

// copyCells copies a value between memories. What is held by reference is
// copied into the place it has, so that pointers into it stay good.
func copyCells(cs []ir.Cell, d ir.Mem, di int, s ir.Mem, si int) {
	for k, c := range cs {
		if c.Agg != nil {
			storeAgg(c.Agg, d, di+k, s.LdR(si+k))
			continue
		}
		if c.M&ir.BankI != 0 {
			d.StI(di+k, s.LdI(si+k))
		}
		if c.M&ir.BankS != 0 {
			d.StS(di+k, s.LdS(si+k))
		}
		if c.M&ir.BankR != 0 {
			d.StR(di+k, s.LdR(si+k))
		}
	}
}

// NewAgg makes the zero value of an array, wide struct or host struct.
func NewAgg(t *ir.Type) any {
	switch t.Kind {
	case reflect.Array:
		return NewStore(t.Elem, t.N)
	case ir.KindHost:
		return reflect.New(t.Mem).Interface()
	}
	return ir.NewObj(len(t.Inner), t.Banks, 1)
}

// AggAt gives the object in a cell, making it if the cell is still empty: a
// nil cell stands for the zero value.
func AggAt(t *ir.Type, m ir.Mem, k int) any {
	if v := m.LdR(k); v != nil {
		return v
	}
	v := NewAgg(t)
	m.StR(k, v)
	return v
}

// CopyAgg gives a copy of v, which may be nil for zero.
func CopyAgg(t *ir.Type, v any) any {
	n := NewAgg(t)
	if v != nil {
		CopyInto(t, n, 0, v, 0)
	}
	return n
}

// storeAgg writes the value v into the cell.
func storeAgg(t *ir.Type, m ir.Mem, k int, v any) {
	if v == nil {
		v = NewAgg(t)
	}
	CopyInto(t, AggAt(t, m, k), 0, v, 0)
}

// CopyInto copies the content of aggregate src over that of dst.
func CopyInto(t *ir.Type, dst any, di int, src any, si int) {
	switch t.Kind {
	case reflect.Array:
		StoreCopy(t.Elem, dst, di, src, si, t.N)
	case ir.KindHost:
		reflect.ValueOf(dst).Elem().Set(reflect.ValueOf(src).Elem())
	default:
		if dst != src {
			copyCells(t.Inner, MemOf(dst), di, MemOf(src), si)
		}
	}
}
