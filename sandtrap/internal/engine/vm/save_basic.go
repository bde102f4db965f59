package vm

import (
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// basicSaved writes down a basic value in an interface.
func basicSaved(v any) (engine.Value, bool) {
	rv := reflect.ValueOf(v)
	if ir.KindTypes[rv.Kind()] != rv.Type() {
		return engine.Value{}, false
	}
	out := engine.Value{Kind: rv.Kind().String()}
	switch {
	case rv.Kind() == reflect.Bool:
		out.N = ir.BoolBits(rv.Bool())
	case rv.CanInt():
		out.N = rv.Int()
	case rv.CanUint():
		out.N = int64(rv.Uint())
	case rv.CanFloat():
		out.N = ir.FloatBits(rv.Float())
	case rv.CanComplex():
		out.N, out.M = ir.FloatBits(real(rv.Complex())), ir.FloatBits(imag(rv.Complex()))
	case rv.Kind() == reflect.String:
		out.S = rv.String()
	default:
		return engine.Value{}, false
	}
	return out, true
}

// kindsByName are the kinds of basic values.
var kindsByName = func() map[string]reflect.Kind {
	m := map[string]reflect.Kind{}
	for k := range ir.KindTypes {
		m[k.String()] = k
	}
	return m
}()

// basicLoaded makes a basic value again.
func basicLoaded(v engine.Value) (any, bool) {
	k, ok := kindsByName[v.Kind]
	if !ok {
		return nil, false
	}
	r := reflect.New(ir.KindTypes[k]).Elem()
	switch {
	case k == reflect.Bool:
		r.SetBool(v.N != 0)
	case r.CanInt():
		r.SetInt(v.N)
	case r.CanUint():
		r.SetUint(uint64(v.N))
	case r.CanFloat():
		r.SetFloat(ir.BitsFloat(v.N))
	case r.CanComplex():
		r.SetComplex(complex(ir.BitsFloat(v.N), ir.BitsFloat(v.M)))
	case k == reflect.String:
		r.SetString(v.S)
	}
	return r.Interface(), true
}

// nativeSaved writes down a store of elements as the host has them.
func nativeSaved(o any) (engine.Object, bool) {
	if s, ok := o.(*ir.Strs); ok {
		return engine.Object{Kind: "string", S: s.V}, true
	}
	if s, ok := o.(*ir.Num[uint8]); ok {
		return engine.Object{Kind: "uint8", Bytes: s.V}, true
	}
	kind, n := nativeKind(o)
	m, ok := o.(ir.Mem)
	if kind == reflect.Invalid || !ok {
		return engine.Object{}, false
	}
	out := engine.Object{Kind: kind.String(), I: make([]int64, n)}
	for i := range out.I {
		out.I[i] = m.LdI(i)
	}
	return out, true
}

// nativeLoaded makes such a store again.
func nativeLoaded(o *engine.Object) (any, bool) {
	k, ok := kindsByName[o.Kind]
	if !ok || k == reflect.Complex64 || k == reflect.Complex128 {
		return nil, false
	}
	switch k {
	case reflect.String:
		return &ir.Strs{V: o.S}, true
	case reflect.Uint8:
		return &ir.Num[uint8]{V: o.Bytes}, true
	}
	store := exec.NewStore(basicType(k), len(o.I))
	m := store.(ir.Mem)
	for i, n := range o.I {
		if k == reflect.Float32 {
			n = ir.FloatBits(float64(float32(ir.BitsFloat(n))))
		}
		m.StI(i, n)
	}
	return store, true
}

// inRange reports that n is what a number of the kind is in a cell.
func inRange(k reflect.Kind, n int64) bool {
	switch {
	case k == reflect.Bool:
		return n == 0 || n == 1
	case k == reflect.Float32:
		f := ir.BitsFloat(n)
		return math.IsNaN(f) || float64(float32(f)) == f
	case k == reflect.Float64:
		return true
	}
	if inspect.IsUnsigned(k) {
		return !inspect.OverflowsUint(k, uint64(n))
	}
	return !inspect.OverflowsInt(k, n)
}

// basicType is the Type of the basic kind k.
func basicType(k reflect.Kind) *ir.Type {
	for _, t := range ir.Universe.Basic {
		if t.Kind == k && t.Host == ir.KindTypes[k] {
			return t
		}
	}
	return nil
}

// nativeKind is the kind of the elements of a store as the host has them, and how many
// there are; it is Invalid for what is no such store.
func nativeKind(o any) (reflect.Kind, int) {
	switch o.(type) {
	case *ir.Num[int], *ir.Num[int8], *ir.Num[int16], *ir.Num[int32], *ir.Num[int64], *ir.Num[uint], *ir.Num[uint8], *ir.Num[uint16], *ir.Num[uint32],
		*ir.Num[uint64], *ir.Num[uintptr], *ir.Flt[float32], *ir.Flt[float64], *ir.Bools, *ir.Strs:
		v := exec.StoreSlice(o)
		return v.Type().Elem().Kind(), v.Len()
	}
	return reflect.Invalid, 0
}
