package made

import (
	"reflect"
	"strings"
	"sync"
)

// Package reflect makes no type that is part of itself. So where a struct holds itself, by a pointer,
// a slice or a map, the field is of type recursive: an interface that stands for what the field is in
// the other process, and holds that or, in place of a nil one, nothing.
type recursive[M any] any

func recursiveTypes[M any]() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[recursive[[0]M]](), reflect.TypeFor[recursive[[1]M]](), reflect.TypeFor[recursive[[2]M]](), reflect.TypeFor[recursive[[3]M]](),
		reflect.TypeFor[recursive[[4]M]](), reflect.TypeFor[recursive[[5]M]](), reflect.TypeFor[recursive[[6]M]](), reflect.TypeFor[recursive[[7]M]](),
	}
}

// allRecursive are as many as there are.
var allRecursive = sync.OnceValue(func() (all []reflect.Type) {
	for _, some := range [][]reflect.Type{
		recursiveTypes[[0]int](), recursiveTypes[[1]int](), recursiveTypes[[2]int](), recursiveTypes[[3]int](), recursiveTypes[[4]int](), recursiveTypes[[5]int](), recursiveTypes[[6]int](), recursiveTypes[[7]int](),
	} {
		all = append(all, some...)
	}
	return all
})

// Recursive is the nth of them; nil if there are not so many.
func Recursive(n int) reflect.Type {
	if all := allRecursive(); n < len(all) {
		return all[n]
	}
	return nil
}

// IsRecursive reports one of them.
func IsRecursive(t reflect.Type) bool {
	return t.Kind() == reflect.Interface && t.PkgPath() == ours && strings.HasPrefix(t.Name(), "recursive[")
}

// Resolved is what v holds if it is of type recursive, which stands for the type t, else v.
func Resolved(v reflect.Value, t reflect.Type) reflect.Value {
	switch {
	case !IsRecursive(v.Type()):
		return v
	case v.IsNil():
		return reflect.Zero(t)
	}
	return v.Elem()
}

// Resolve puts v, of the type that a placeholder stands for, into k, which is of that.
func Resolve(k, v reflect.Value) {
	if v.IsNil() {
		k.SetZero()
		return
	}
	k.Set(v)
}
