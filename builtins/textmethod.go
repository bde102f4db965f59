package builtins

import (
	"encoding"
	"reflect"
)

// unmarshalText calls p's method as a script does, with its price.
func (e *Env) unmarshalText(p encoding.TextUnmarshaler, text []byte) error {
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

// marshalText is unmarshalText the other way round.
func (e *Env) marshalText(m encoding.TextMarshaler) ([]byte, error) {
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
	if e == nil || e.table == nil {
		return reflect.Value{}, nil
	}
	return e.Method(reflect.TypeOf(v), name)
}
