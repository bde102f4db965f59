package ir

import (
	"math"
	"reflect"
)

// Integer is the type of an element of a Num.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// The stores hold elements of basic types as the host would, so that slices of
// them are shared with host functions.
type (
	Num[T Integer]           struct{ V []T }
	Flt[T float32 | float64] struct{ V []T }
	Bools                    struct{ V []bool }
	Strs                     struct{ V []string }
)

func (o *Num[T]) LdI(k int) int64    { return int64(o.V[k]) }
func (o *Num[T]) StI(k int, v int64) { o.V[k] = T(v) }
func (o *Num[T]) LdS(int) string     { return NoMem{}.LdS(0) }
func (o *Num[T]) StS(int, string)    { NoMem{}.StS(0, "") }
func (o *Num[T]) LdR(int) any        { return NoMem{}.LdR(0) }
func (o *Num[T]) StR(int, any)       { NoMem{}.StR(0, nil) }
func (o *Num[T]) CellCount() int     { return len(o.V) }

func (o *Flt[T]) LdI(k int) int64    { return int64(math.Float64bits(float64(o.V[k]))) }
func (o *Flt[T]) StI(k int, v int64) { o.V[k] = T(math.Float64frombits(uint64(v))) }
func (o *Flt[T]) LdS(int) string     { return NoMem{}.LdS(0) }
func (o *Flt[T]) StS(int, string)    { NoMem{}.StS(0, "") }
func (o *Flt[T]) LdR(int) any        { return NoMem{}.LdR(0) }
func (o *Flt[T]) StR(int, any)       { NoMem{}.StR(0, nil) }
func (o *Flt[T]) CellCount() int     { return len(o.V) }

func (o *Bools) LdI(k int) int64    { return BoolBits(o.V[k]) }
func (o *Bools) StI(k int, v int64) { o.V[k] = v != 0 }
func (o *Bools) LdS(int) string     { return NoMem{}.LdS(0) }
func (o *Bools) StS(int, string)    { NoMem{}.StS(0, "") }
func (o *Bools) LdR(int) any        { return NoMem{}.LdR(0) }
func (o *Bools) StR(int, any)       { NoMem{}.StR(0, nil) }
func (o *Bools) CellCount() int     { return len(o.V) }

func (o *Strs) LdI(int) int64       { return NoMem{}.LdI(0) }
func (o *Strs) StI(int, int64)      { NoMem{}.StI(0, 0) }
func (o *Strs) LdS(k int) string    { return o.V[k] }
func (o *Strs) StS(k int, v string) { o.V[k] = v }
func (o *Strs) LdR(int) any         { return NoMem{}.LdR(0) }
func (o *Strs) StR(int, any)        { NoMem{}.StR(0, nil) }
func (o *Strs) CellCount() int      { return len(o.V) }

// A Store holds elements of a basic type.
type Store interface {
	Mem
	// CopyFrom copies n elements from si on of another store of the same type to its own from di on; the two may be
	// one.
	CopyFrom(di int, src any, si, n int)
}

func (o *Num[T]) CopyFrom(di int, src any, si, n int) { copy(o.V[di:di+n], src.(*Num[T]).V[si:si+n]) }
func (o *Flt[T]) CopyFrom(di int, src any, si, n int) { copy(o.V[di:di+n], src.(*Flt[T]).V[si:si+n]) }
func (o *Bools) CopyFrom(di int, src any, si, n int)  { copy(o.V[di:di+n], src.(*Bools).V[si:si+n]) }
func (o *Strs) CopyFrom(di int, src any, si, n int)   { copy(o.V[di:di+n], src.(*Strs).V[si:si+n]) }

// NewStore makes a store of n elements of a kind; it is nil if stores hold none of that kind.
func NewStore(k reflect.Kind, n int) any {
	if int(k) >= len(newStores) || newStores[k] == nil {
		return nil
	}
	return newStores[k](n)
}

var newStores = [reflect.UnsafePointer + 1]func(n int) any{
	reflect.Bool:    func(n int) any { return &Bools{make([]bool, n)} },
	reflect.String:  func(n int) any { return &Strs{make([]string, n)} },
	reflect.Int:     newNum[int],
	reflect.Int8:    newNum[int8],
	reflect.Int16:   newNum[int16],
	reflect.Int32:   newNum[int32],
	reflect.Int64:   newNum[int64],
	reflect.Uint:    newNum[uint],
	reflect.Uint8:   newNum[uint8],
	reflect.Uint16:  newNum[uint16],
	reflect.Uint32:  newNum[uint32],
	reflect.Uint64:  newNum[uint64],
	reflect.Uintptr: newNum[uintptr],
	reflect.Float32: newFlt[float32],
	reflect.Float64: newFlt[float64],
}

func newNum[T Integer](n int) any           { return &Num[T]{make([]T, n)} }
func newFlt[T float32 | float64](n int) any { return &Flt[T]{make([]T, n)} }

// StoreOver is a store over numbers, booleans or strings that the host holds as
// the machine does.
func StoreOver(v reflect.Value) any {
	if v.Type().Name() != "" {
		v = v.Convert(reflect.SliceOf(v.Type().Elem()))
	}
	switch v := v.Interface().(type) {
	case []bool:
		return &Bools{v}
	case []string:
		return &Strs{v}
	case []int:
		return &Num[int]{v}
	case []int8:
		return &Num[int8]{v}
	case []int16:
		return &Num[int16]{v}
	case []int32:
		return &Num[int32]{v}
	case []int64:
		return &Num[int64]{v}
	case []uint:
		return &Num[uint]{v}
	case []uint8:
		return &Num[uint8]{v}
	case []uint16:
		return &Num[uint16]{v}
	case []uint32:
		return &Num[uint32]{v}
	case []uint64:
		return &Num[uint64]{v}
	case []uintptr:
		return &Num[uintptr]{v}
	case []float32:
		return &Flt[float32]{v}
	case []float64:
		return &Flt[float64]{v}
	}
	return nil
}

// SliceInto sets what to points to, a slice, to the part of a store from off on, where both are of a type that most slices
// are of: package reflect would make another value of it first. It reports false, and does nothing, of others.
func SliceInto(to, store any, off, n, c int) bool {
	switch to := to.(type) {
	case *[]string:
		if s, ok := store.(*Strs); ok {
			*to = s.V[off : off+n : off+c]
			return true
		}
	case *[]byte:
		if s, ok := store.(*Num[byte]); ok {
			*to = s.V[off : off+n : off+c]
			return true
		}
	}
	return false
}
