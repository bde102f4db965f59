package builtins

import (
	"go/token"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// DataTypes returns the types of plain data that the functions among values take and return, by name: named types of the
// host that are made of basic types, other such types, and the standard library's types for times. Scripts see the
// fields of such a type and none of its methods, except those by which errors are asked: a host has to list a type with
// methods. It omits a type whose name is
// in values, or is that of another type, and one that values or others list.
func DataTypes(values map[string]any, others ...map[string]any) map[string]any {
	d := &dataTypes{seen: map[reflect.Type]bool{}, found: map[string][]reflect.Type{}}
	for _, list := range append(others, values) {
		for _, v := range list {
			if t := typeListed(v); t != nil {
				d.seen[t] = true
			}
		}
	}
	for _, v := range values {
		if t := signatureOf(v); t != nil {
			d.signature(t)
		}
	}
	out := map[string]any{}
	for name, list := range d.found {
		if _, taken := values[name]; !taken && len(list) == 1 {
			out[name] = dataType(list[0])
		}
	}
	return out
}

// typeListed is the type that a value stands for, nil if it stands for none.
func typeListed(v any) reflect.Type {
	switch v := v.(type) {
	case reflect.Type:
		return v
	case Registered:
		return typeListed(v.Value)
	case Made:
		return typeListed(v.Type)
	}
	if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
		return rv.Type().Elem()
	}
	return nil
}

// signatureOf is the type of a function among values.
func signatureOf(v any) reflect.Type {
	switch f := v.(type) {
	case Registered:
		return signatureOf(f.Value)
	case Function:
		return signatureOf(f.Fn)
	}
	if t := reflect.TypeOf(v); t != nil && t.Kind() == reflect.Func {
		return t
	}
	return nil
}

// dataTypes looks for types of plain data.
type dataTypes struct {
	seen  map[reflect.Type]bool
	found map[string][]reflect.Type
}

func (d *dataTypes) signature(f reflect.Type) {
	for t := range f.Ins() {
		d.add(t)
	}
	for t := range f.Outs() {
		d.add(t)
	}
}

// add adds the types of plain data that t is made of.
func (d *dataTypes) add(t reflect.Type) {
	if d.seen[t] {
		return
	}
	d.seen[t] = true
	if t.Name() != "" && t.PkgPath() != "" {
		if InStd(t.PkgPath()) || !token.IsIdentifier(t.Name()) || !isData(t, map[reflect.Type]bool{}) {
			return
		}
		d.found[t.Name()] = append(d.found[t.Name()], t)
	}
	if t.Kind() == reflect.Func {
		d.signature(t)
	}
	if made.Is(t) { // what it is made of here is not for scripts
		return
	}
	for part := range kinds.Parts(t) {
		d.add(part)
	}
}

// timePath is the package whose types are plain data, though their fields are hidden.
const timePath = "time"

// isData reports a type all of whose values a script could have written down. been are the types that lead here.
func isData(t reflect.Type, been map[reflect.Type]bool) bool {
	if been[t] || t.PkgPath() == timePath {
		return true
	}
	been[t] = true
	if unwritable.Has(t.Kind()) || t.Kind() == reflect.Interface && t.NumMethod() > 0 || t.Kind() == reflect.Struct && !isOpen(t) {
		return false
	}
	for part := range kinds.Parts(t) {
		if !isData(part, been) {
			return false
		}
	}
	return true
}

// unwritable are the kinds of values that no script can write down.
var unwritable = kinds.Of(reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr)

// isOpen reports a struct without hidden fields.
func isOpen(t reflect.Type) bool {
	for f := range t.Fields() {
		if !f.IsExported() {
			return false
		}
	}
	return true
}

// dataType is t for scripts: its fields and, of an error, the methods by which package errors, and who prints it, ask it.
func dataType(t reflect.Type) Made {
	p := reflect.PointerTo(t)
	m := Made{Type: reflect.Zero(p).Interface(), Methods: map[string]any{}}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			m.Fields = append(m.Fields, f.Name)
		}
	}
	for method := range p.Methods() {
		if !p.Implements(shim.ErrorType) || !isAsked(method) {
			m.Denied = append(m.Denied, method.Name)
			continue
		}
		if onValue, ok := t.MethodByName(method.Name); ok {
			method = onValue
		}
		m.Methods[method.Name] = method.Func.Interface()
	}
	return m
}

// isAsked reports a method of errors.
func isAsked(m reflect.Method) bool {
	for _, it := range []reflect.Type{
		shim.ErrorType, reflect.TypeFor[interface{ Unwrap() error }](), reflect.TypeFor[interface{ Unwrap() []error }](),
		reflect.TypeFor[interface{ Is(error) bool }](), reflect.TypeFor[interface{ Timeout() bool }](), reflect.TypeFor[interface{ Temporary() bool }](),
	} {
		if it.Method(0).Name == m.Name && m.Type.In(0).Implements(it) {
			return true
		}
	}
	return false
}
