package shim

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// untied is what a value of a placeholder stands for, else v.
func (e *Env) untied(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Interface || e.Rules == nil {
		return v
	}
	return made.Resolved(v, e.Rules.Untied(v.Type()))
}

// A madeValue is a value of a made type, or a pointer to one, with the methods by which
// values print. Who has one asks before whether scripts see them.
type madeValue struct {
	e *Env
	v reflect.Value
}

// withMethods is v as something that Go finds methods on.
func (e *Env) withMethods(v reflect.Value) any {
	base := v.Type()
	if base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	if made.Is(base) && e.Rules != nil {
		return madeValue{e, v}
	}
	return v.Interface()
}

func (m madeValue) text(method string) string {
	fn, err := m.e.Method(m.v.Type(), method)
	if err != nil || !fn.IsValid() || fn.Type().NumIn() != 1 || fn.Type().NumOut() != 1 {
		return ""
	}
	return fn.Call([]reflect.Value{m.v})[0].String()
}

func (m madeValue) Error() string    { return m.text("Error") }
func (m madeValue) String() string   { return m.text("String") }
func (m madeValue) GoString() string { return m.text("GoString") }
