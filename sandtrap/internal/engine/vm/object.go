package vm

import (
	"math"
	"reflect"
)

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// The stores hold elements of basic types as the host would, so that slices of
// them are shared with host functions.
type (
	Num[T integer]           struct{ V []T }
	Flt[T float32 | float64] struct{ V []T }
	Bools                    struct{ V []bool }
	Strs                     struct{ V []string }
)

func (o *Num[T]) ldI(k int) int64    { return int64(o.V[k]) }
func (o *Num[T]) stI(k int, v int64) { o.V[k] = T(v) }
func (o *Num[T]) ldS(int) string     { return noMem{}.ldS(0) }
func (o *Num[T]) stS(int, string)    { noMem{}.stS(0, "") }
func (o *Num[T]) ldR(int) any        { return noMem{}.ldR(0) }
func (o *Num[T]) stR(int, any)       { noMem{}.stR(0, nil) }
func (o *Num[T]) cellCount() int     { return len(o.V) }

func (o *Flt[T]) ldI(k int) int64    { return int64(math.Float64bits(float64(o.V[k]))) }
func (o *Flt[T]) stI(k int, v int64) { o.V[k] = T(math.Float64frombits(uint64(v))) }
func (o *Flt[T]) ldS(int) string     { return noMem{}.ldS(0) }
func (o *Flt[T]) stS(int, string)    { noMem{}.stS(0, "") }
func (o *Flt[T]) ldR(int) any        { return noMem{}.ldR(0) }
func (o *Flt[T]) stR(int, any)       { noMem{}.stR(0, nil) }
func (o *Flt[T]) cellCount() int     { return len(o.V) }

func (o *Bools) ldI(k int) int64    { return b2i(o.V[k]) }
func (o *Bools) stI(k int, v int64) { o.V[k] = v != 0 }
func (o *Bools) ldS(int) string     { return noMem{}.ldS(0) }
func (o *Bools) stS(int, string)    { noMem{}.stS(0, "") }
func (o *Bools) ldR(int) any        { return noMem{}.ldR(0) }
func (o *Bools) stR(int, any)       { noMem{}.stR(0, nil) }
func (o *Bools) cellCount() int     { return len(o.V) }

func (o *Strs) ldI(int) int64       { return noMem{}.ldI(0) }
func (o *Strs) stI(int, int64)      { noMem{}.stI(0, 0) }
func (o *Strs) ldS(k int) string    { return o.V[k] }
func (o *Strs) stS(k int, v string) { o.V[k] = v }
func (o *Strs) ldR(int) any         { return noMem{}.ldR(0) }
func (o *Strs) stR(int, any)        { noMem{}.stR(0, nil) }
func (o *Strs) cellCount() int      { return len(o.V) }

// newStore makes memory for n elements of type t, as slices and arrays have it.
func newStore(t *Type, n int) any {
	if t.heldByHost() {
		return &hostVals{t: t, v: reflect.MakeSlice(reflect.SliceOf(t.host), n, n)}
	}
	switch t.kind {
	case reflect.Bool:
		return &Bools{make([]bool, n)}
	case reflect.String:
		return &Strs{make([]string, n)}
	case reflect.Int:
		return &Num[int]{make([]int, n)}
	case reflect.Int8:
		return &Num[int8]{make([]int8, n)}
	case reflect.Int16:
		return &Num[int16]{make([]int16, n)}
	case reflect.Int32:
		return &Num[int32]{make([]int32, n)}
	case reflect.Int64:
		return &Num[int64]{make([]int64, n)}
	case reflect.Uint:
		return &Num[uint]{make([]uint, n)}
	case reflect.Uint8:
		return &Num[uint8]{make([]uint8, n)}
	case reflect.Uint16:
		return &Num[uint16]{make([]uint16, n)}
	case reflect.Uint32:
		return &Num[uint32]{make([]uint32, n)}
	case reflect.Uint64:
		return &Num[uint64]{make([]uint64, n)}
	case reflect.Uintptr:
		return &Num[uintptr]{make([]uintptr, n)}
	case reflect.Float32:
		return &Flt[float32]{make([]float32, n)}
	case reflect.Float64:
		return &Flt[float64]{make([]float64, n)}
	}
	banks := mask(0)
	for _, c := range t.cells {
		banks |= c.m
	}
	return newObj(t.w(), banks, n)
}

func memOf(r any) mem {
	switch r := r.(type) {
	case *Obj:
		if to := movedTo(r); to != nil {
			return to
		}
		return r
	case mem:
		return r
	case nil:
		throwNil()
	}
	panic("vm: a value of the host's is no memory")
}

// storeCopy copies n elements of type t between stores, overlap allowed.
func storeCopy(t *Type, dst any, di int, src any, si, n int) {
	if n == 0 {
		return
	}
	if hostCopy(t, dst, di, src, si, n) {
		return
	}
	if nativeCopy(dst, di, src, si, n) {
		return
	}
	switch d := dst.(type) {
	case *Obj:
		if t.plain() {
			s, w := src.(*Obj), t.w()
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
	d, s, w := memOf(dst), memOf(src), t.w()
	if di <= si {
		for i := range n {
			copyCells(t.cells, d, (di+i)*w, s, (si+i)*w)
		}
		return
	}
	for i := n - 1; i >= 0; i-- {
		copyCells(t.cells, d, (di+i)*w, s, (si+i)*w)
	}
}

// copyCells copies a value between memories. What is held by reference is
// copied into the place it has, so that pointers into it stay good.
func copyCells(cs []cell, d mem, di int, s mem, si int) {
	for k, c := range cs {
		if c.agg != nil {
			storeAgg(c.agg, d, di+k, s.ldR(si+k))
			continue
		}
		if c.m&mI != 0 {
			d.stI(di+k, s.ldI(si+k))
		}
		if c.m&mS != 0 {
			d.stS(di+k, s.ldS(si+k))
		}
		if c.m&mR != 0 {
			d.stR(di+k, s.ldR(si+k))
		}
	}
}

// newAgg makes the zero value of an array, wide struct or host struct.
func newAgg(t *Type) any {
	switch t.kind {
	case reflect.Array:
		return newStore(t.elem, t.n)
	case kindHost:
		return reflect.New(t.mem).Interface()
	}
	return newObj(len(t.inner), t.banks, 1)
}

// aggAt gives the object in a cell, making it if the cell is still empty: a
// nil cell stands for the zero value.
func aggAt(t *Type, m mem, k int) any {
	if v := m.ldR(k); v != nil {
		return v
	}
	v := newAgg(t)
	m.stR(k, v)
	return v
}

// copyAgg gives a copy of v, which may be nil for zero.
func copyAgg(t *Type, v any) any {
	n := newAgg(t)
	if v != nil {
		copyInto(t, n, 0, v, 0)
	}
	return n
}

// storeAgg writes the value v into the cell.
func storeAgg(t *Type, m mem, k int, v any) {
	if v == nil {
		v = newAgg(t)
	}
	copyInto(t, aggAt(t, m, k), 0, v, 0)
}

// copyInto copies the content of aggregate src over that of dst.
func copyInto(t *Type, dst any, di int, src any, si int) {
	switch t.kind {
	case reflect.Array:
		storeCopy(t.elem, dst, di, src, si, t.n)
	case kindHost:
		reflect.ValueOf(dst).Elem().Set(reflect.ValueOf(src).Elem())
	default:
		if dst != src {
			copyCells(t.inner, memOf(dst), di, memOf(src), si)
		}
	}
}
