package made

import (
	"reflect"
	"strings"
	"sync"
)

// Package reflect makes no type that is part of itself. So where a struct holds itself, by a pointer,
// a slice or a map, the field is of a knot: an interface that stands for what the field is in
// the other process, and holds that or, in place of a nil one, nothing.
type knot[M any] any

func knots[M any]() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[knot[[0]M]](), reflect.TypeFor[knot[[1]M]](), reflect.TypeFor[knot[[2]M]](), reflect.TypeFor[knot[[3]M]](),
		reflect.TypeFor[knot[[4]M]](), reflect.TypeFor[knot[[5]M]](), reflect.TypeFor[knot[[6]M]](), reflect.TypeFor[knot[[7]M]](),
	}
}

// allKnots are as many as there are.
var allKnots = sync.OnceValue(func() (all []reflect.Type) {
	for _, some := range [][]reflect.Type{
		knots[[0]int](), knots[[1]int](), knots[[2]int](), knots[[3]int](), knots[[4]int](), knots[[5]int](), knots[[6]int](), knots[[7]int](),
	} {
		all = append(all, some...)
	}
	return all
})

// Knot is the nth of them; nil if there are not so many.
func Knot(n int) reflect.Type {
	if all := allKnots(); n < len(all) {
		return all[n]
	}
	return nil
}

// IsKnot reports one of them.
func IsKnot(t reflect.Type) bool {
	return t.Kind() == reflect.Interface && t.PkgPath() == ours && strings.HasPrefix(t.Name(), "knot[")
}

// Untied is what v holds if it is of a knot, which stands for the type t, else v.
func Untied(v reflect.Value, t reflect.Type) reflect.Value {
	switch {
	case !IsKnot(v.Type()):
		return v
	case v.IsNil():
		return reflect.Zero(t)
	}
	return v.Elem()
}

// Tie puts v, of the type that a knot stands for, into k, which is of that.
func Tie(k, v reflect.Value) {
	if v.IsNil() {
		k.SetZero()
		return
	}
	k.Set(v)
}
