package shim

import (
	"cmp"
	"reflect"
	"slices"
)

// sortedKeys are the keys of a map in the order in which fmt prints them.
func (e *Env) sortedKeys(v reflect.Value) []reflect.Value {
	e.Charge(int64(v.Len()) * 24)
	keys := v.MapKeys()
	slices.SortStableFunc(keys, e.Order)
	return keys
}

// Order compares two keys of a map as fmt does. What points somewhere has no order that a script may
// see but that of its made-up places.
func (e *Env) Order(a, b reflect.Value) int {
	switch {
	case a.CanInt(), a.CanUint(), a.CanFloat(), a.Kind() == reflect.String:
		return CompareValues(a, b)
	case a.CanComplex():
		x, y := a.Complex(), b.Complex()
		return cmp.Or(cmp.Compare(real(x), real(y)), cmp.Compare(imag(x), imag(y)))
	case hasPlace(a):
		return cmp.Compare(e.place(a), e.place(b))
	}
	switch a.Kind() {
	case reflect.Bool:
		return cmp.Compare(truth(a), truth(b))
	case reflect.Struct:
		return e.orderParts(a.NumField(), a.Field, b.Field)
	case reflect.Array:
		return e.orderParts(a.Len(), a.Index, b.Index)
	case reflect.Interface:
		return e.orderDynamic(a.Elem(), b.Elem())
	}
	return 0
}

func truth(v reflect.Value) int {
	if v.Bool() {
		return 1
	}
	return 0
}

func (e *Env) orderParts(n int, a, b func(int) reflect.Value) int {
	for i := range n {
		if c := e.Order(a(i), b(i)); c != 0 {
			return c
		}
	}
	return 0
}

// orderDynamic compares what two interfaces hold: nil comes first, then one type after
// the other, in the order in which the linker laid them out.
func (e *Env) orderDynamic(a, b reflect.Value) int {
	switch {
	case !a.IsValid() || !b.IsValid():
		return cmp.Compare(valid(a), valid(b))
	case a.Type() != b.Type():
		return cmp.Compare(reflect.ValueOf(a.Type()).Pointer(), reflect.ValueOf(b.Type()).Pointer())
	}
	return e.Order(a, b)
}

func valid(v reflect.Value) int {
	if v.IsValid() {
		return 1
	}
	return 0
}

// CompareValues is cmp.Compare: a NaN is equal to a NaN and less than all else.
func CompareValues(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(a.String(), b.String())
}
