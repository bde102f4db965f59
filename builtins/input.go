package builtins

import (
	"errors"
	"go/types"
	"reflect"
)

// InputType returns the type that a value of the host has for a script.
func (t *Table) InputType(v any) (types.Type, error) {
	if v == nil {
		return nil, errors.New("nil has no type; use a typed value")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.typ(reflect.TypeOf(v)), nil
}

// InputReader returns a func() T that returns v, for T the type of v.
func InputReader(v any) reflect.Value {
	rv := reflect.ValueOf(v)
	ft := reflect.FuncOf(nil, []reflect.Type{rv.Type()}, false)
	return reflect.MakeFunc(ft, func([]reflect.Value) []reflect.Value { return []reflect.Value{rv} })
}
