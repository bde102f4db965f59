package builtins

import (
	"go/types"
	"reflect"
)

// InputType returns the type that a value of the host has for a script. It is not nil, which has none.
func (t *Table) InputType(v any) types.Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.typ(reflect.TypeOf(v))
}

// InputReader returns a func() T that returns v, for T the type of v.
func InputReader(v any) reflect.Value {
	rv := reflect.ValueOf(v)
	ft := reflect.FuncOf(nil, []reflect.Type{rv.Type()}, false)
	return reflect.MakeFunc(ft, func([]reflect.Value) []reflect.Value { return []reflect.Value{rv} })
}
