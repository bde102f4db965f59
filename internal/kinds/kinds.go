// Package kinds names the sets of kinds of package reflect that the language treats alike, and finds the parts of a type.
//
// It may not know values of scripts: engines have kinds of their own beside, which are in no set.
package kinds

import (
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
)

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
