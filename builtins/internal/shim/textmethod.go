package shim

import (
	"encoding"
	"go/types"
	"reflect"
)

// UnmarshalText calls p's method as a script does, with its price.
func (e *Env) UnmarshalText(p encoding.TextUnmarshaler, text []byte) error {
	f, err := e.ownMethod(p, "UnmarshalText")
	if err != nil {
		return err
	}
	if !f.IsValid() {
		return p.UnmarshalText(text)
	}
	out := f.Call([]reflect.Value{reflect.ValueOf(p), reflect.ValueOf(text)})
	err, _ = out[0].Interface().(error)
	return err
}

// MarshalText is UnmarshalText the other way round.
func (e *Env) MarshalText(m encoding.TextMarshaler) ([]byte, error) {
	f, err := e.ownMethod(m, "MarshalText")
	if err != nil {
		return nil, err
	}
	if !f.IsValid() {
		return m.MarshalText()
	}
	out := f.Call([]reflect.Value{reflect.ValueOf(m)})
	err, _ = out[1].Interface().(error)
	return out[0].Bytes(), err
}

// ownMethod is what a method of v's type is for this run, if that has a row.
func (e *Env) ownMethod(v any, name string) (reflect.Value, error) {
	if e == nil || e.Rules == nil {
		return reflect.Value{}, nil
	}
	return e.Method(reflect.TypeOf(v), name)
}

// Method gives what a method of a type is for the run that e serves, as Value does: zero
// for a type that has no row, unless the method has a price all the same.
func (e *Env) Method(recv reflect.Type, name string) (reflect.Value, error) {
	return e.Rules.Method(e, recv, name)
}

// Remade is what Remake makes v of; it is not ok for a value that a text does not say.
func (e *Env) Remade(v any) (how, text string, ok bool) { return e.Rules.Remade(v) }

// Remake makes a value again of what Remade gave for it.
func (e *Env) Remake(how, text string) (any, error) { return e.Rules.Remake(e, how, text) }

// Shape is the type of host values as scripts see it: of a named type only what its
// row allows, nothing if it has none.
func (e *Env) Shape(rt reflect.Type) types.Type { return e.Rules.Shape(rt) }
