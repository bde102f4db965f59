package vm

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// openMethods are those that scripts may find on values of types that they are not
// shown: what errors and texts are asked for.
var openMethods = map[string]bool{
	"Error": true, "Unwrap": true, "Is": true, "As": true, "Timeout": true, "Temporary": true,
	"String": true, "GoString": true, "RuntimeError": true,
}

// hostShows reports that v, a value of the host's, has the method f for the script:
// an assertion must not find what the policy hides. Of a type that the policy
// knows, that is what its declaration shows; of others, little.
func (m *machine) hostShows(v any, f *types.Func) bool {
	if _, ok := v.(scriptType); ok {
		sig := inspect.Method(m.typeOfHost(typeType).T, f.Name())
		return !f.Exported() || sig != nil && types.Identical(sig, f.Signature())
	}
	method := reflect.ValueOf(v).MethodByName(f.Name())
	if !method.IsValid() && !isMade(reflect.TypeOf(v)) {
		return false
	}
	t := m.p.HostType(reflect.TypeOf(v))
	if t == nil {
		t = m.typeOfHost(reflect.TypeOf(v))
		if types.NewMethodSet(t.T).Len() == 0 {
			t = nil
		}
	}
	if t != nil {
		obj, _, _ := types.LookupFieldOrMethod(t.T, false, f.Pkg(), f.Name())
		shown, ok := obj.(*types.Func)
		return ok && types.Identical(shown.Signature(), f.Signature())
	}
	if !method.IsValid() || !openMethods[f.Name()] {
		return false
	}
	want, err := m.p.Gates.TypeOf(unbound(f.Signature()))
	return err == nil && method.Type() == want
}

// unbound is a signature without its receiver.
func unbound(s *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// A scriptType is a reflect.Type as scripts have it.
type scriptType interface {
	reflect.Type
	ScriptType() *ir.Type
}

var (
	valueType = reflect.TypeFor[reflect.Value]()
	typeType  = reflect.TypeFor[reflect.Type]()
)

// typeOfHost is the type of a value of the host's as the policy shows it.
func (m *machine) typeOfHost(rt reflect.Type) *ir.Type {
	if t := ir.Universe.ByHost[rt]; t != nil {
		return t
	}
	if t := m.p.ByHost[rt]; t != nil {
		return t
	}
	return m.typeOf(m.seam.Shape(rt))
}

// TypeOf is the Type of t, which the program may not have.
func (m *machine) typeOf(t types.Type) *ir.Type {
	if m.types == nil {
		base := m.p.Types
		m.types = &ir.TypeTable{Known: map[types.Type]*ir.Type{}, TypeOf: base.TypeOf, Script: base.Script, Base: base}
	}
	return m.types.Of(t)
}

// goes reports that the host gets a value of type t in an interface as one of its own.
// A pointer, or a function, is that only to who may keep it: for others it has the
// place in memory that the script sees.
func (m *machine) goes(t *ir.Type) bool {
	switch {
	case t.Host == nil || t.Kind == reflect.Chan:
		return false
	case t.Elem != nil && t.Elem.Host == valueType: // fmt would look into each
		return m.sharing
	case t.Kind == reflect.Func || t.Kind == reflect.Pointer:
		return m.sharing
	case m.keeping && goesAsCopy(t):
		return false
	}
	return true
}

// isMade reports a type that stands for one of another process, or a pointer to one: it has
// methods that Go knows nothing of.
func isMade(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return made.Is(t)
}

// scriptValue is the value of the script that v, which the host has, stands for.
func scriptValue(v any) (f *Iface, ok bool) {
	if w, is := v.(interface{ ScriptValue() any }); is {
		f, ok = w.ScriptValue().(*Iface)
	}
	return f, ok
}

// An ownError stands for an error of the host's whose methods Go knows nothing of.
type ownError interface{ HostError() any }

// hostIface is a value of the host as an interface of the script holds it.
func hostIface(v any) any {
	switch w := v.(type) {
	case interface{ ScriptValue() any }:
		if f, ok := w.ScriptValue().(*Iface); ok {
			return f
		}
	case interface{ HostValue() any }:
		v = w.HostValue()
		if own, ok := v.(ownError); ok {
			return own.HostError()
		}
	}
	return v
}

// goesAsCopy reports that the host's form of a value of type t is a copy, whose elements are not those that the script
// has: what a member of the library keeps for the script has to stay the script's own.
func goesAsCopy(t *ir.Type) bool {
	switch t.Kind {
	case reflect.Map:
		return true
	case reflect.Slice:
		return !ir.IsNative(t.Elem)
	case reflect.Array:
		return t.Elem.Kind == reflect.Pointer || t.Elem.Kind == reflect.Func || goesAsCopy(t.Elem)
	}
	return false
}

// export makes of an interface value what host code may have.
func (m *machine) export(v any) any { return m.exportTo(v, reflect.TypeFor[any]()) }

// exportTo is export for a place in host code with the interface type it.
func (m *machine) exportTo(v any, it reflect.Type) any { return above.exportTo(m, v, it) }
