// Package kinds names the sets of kinds of package reflect that the language treats alike, and finds the parts of a type.
//
// It may not know values of scripts: engines have kinds of their own beside, which are in no set.
package kinds

import (
	"go/types"
	"iter"
	"reflect"
)

// A Set is a set of kinds.
type Set uint32

// Of is the set of some kinds.
func Of(kinds ...reflect.Kind) (s Set) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// between is the set of the kinds from one to another.
func between(from, to reflect.Kind) Set { return 1<<(to+1) - 1<<from }

// Has reports that k is in the set. A kind that package reflect does not have is in none.
func (s Set) Has(k reflect.Kind) bool { return s>>k&1 != 0 }

// The sets, by what the specification of the language says of values of these kinds.
var (
	Place     = Of(reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer) // printed as an address
	Nilable   = Place | Of(reflect.Interface)                                                                      // may be nil
	Indexable = Of(reflect.Array, reflect.Slice, reflect.String)                                                   // by a number
	Ranged    = Indexable | Of(reflect.Map)                                                                        // give two values each in a range
	Sized     = Ranged | Of(reflect.Chan)                                                                          // have a length
	Composite = Of(reflect.Array, reflect.Map, reflect.Slice, reflect.Struct)                                      // have literals with elements
	Elements  = Of(reflect.Array, reflect.Chan, reflect.Map, reflect.Pointer, reflect.Slice)                       // have an element's type
	Float     = Of(reflect.Float32, reflect.Float64)
	Complex   = Of(reflect.Complex64, reflect.Complex128)
	Basic     = between(reflect.Bool, reflect.Complex128) | Of(reflect.String) // numbers, truths and texts
)

// Types are the basic types, by their kind: those of Go itself, not other types of the same kind.
var Types = map[reflect.Kind]reflect.Type{
	reflect.Bool: reflect.TypeFor[bool](), reflect.Int: reflect.TypeFor[int](), reflect.Int8: reflect.TypeFor[int8](),
	reflect.Int16: reflect.TypeFor[int16](), reflect.Int32: reflect.TypeFor[int32](), reflect.Int64: reflect.TypeFor[int64](),
	reflect.Uint: reflect.TypeFor[uint](), reflect.Uint8: reflect.TypeFor[uint8](), reflect.Uint16: reflect.TypeFor[uint16](),
	reflect.Uint32: reflect.TypeFor[uint32](), reflect.Uint64: reflect.TypeFor[uint64](), reflect.Uintptr: reflect.TypeFor[uintptr](),
	reflect.Float32: reflect.TypeFor[float32](), reflect.Float64: reflect.TypeFor[float64](),
	reflect.Complex64: reflect.TypeFor[complex64](), reflect.Complex128: reflect.TypeFor[complex128](),
	reflect.String: reflect.TypeFor[string](),
}

// sizes are in bytes, of what has the same size on each machine that this module runs on.
var sizes = [reflect.Complex128 + 1]int{
	reflect.Bool: 1, reflect.Int8: 1, reflect.Uint8: 1, reflect.Int16: 2, reflect.Uint16: 2, reflect.Int32: 4, reflect.Uint32: 4,
	reflect.Int: 8, reflect.Int64: 8, reflect.Uint: 8, reflect.Uint64: 8, reflect.Uintptr: 8,
	reflect.Float32: 4, reflect.Float64: 8, reflect.Complex64: 8, reflect.Complex128: 16,
}

// Size is how many bytes a number or a bool of kind k takes, 0 for other kinds.
func Size(k reflect.Kind) int {
	if int(k) >= len(sizes) {
		return 0
	}
	return sizes[k]
}

// OfBasic is the kind of a basic type; that of its default type, if it is untyped.
func OfBasic(t *types.Basic) reflect.Kind {
	switch t, _ := types.Default(t).(*types.Basic); {
	case t.Kind() == types.String:
		return reflect.String
	case t.Kind() == types.UnsafePointer, t.Kind() == types.UntypedNil:
		return reflect.UnsafePointer
	default: // Bool to Complex128 have the same order in both packages, behind Invalid
		return reflect.Kind(t.Kind())
	}
}

// Parts are the types that values of t are made of, or lead to: its element, its key, its fields.
func Parts(t reflect.Type) iter.Seq[reflect.Type] {
	return func(yield func(reflect.Type) bool) {
		if t.Kind() == reflect.Map && !yield(t.Key()) {
			return
		}
		if Elements.Has(t.Kind()) {
			yield(t.Elem())
			return
		}
		if t.Kind() == reflect.Struct {
			for f := range t.Fields() {
				if !yield(f.Type) {
					return
				}
			}
		}
	}
}
