package exec

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Unbound is a signature without its receiver.
func Unbound(s *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// A ScriptType is a reflect.Type as scripts have it.
type ScriptType interface {
	reflect.Type
	ScriptType() *ir.Type
}

var (
	ValueType = reflect.TypeFor[reflect.Value]()
	TypeType  = reflect.TypeFor[reflect.Type]()
)

// TypeOfHost is the type of a value of the host's as the policy shows it.
func (m *Machine) TypeOfHost(rt reflect.Type) *ir.Type {
	if t := ir.Universe.ByHost[rt]; t != nil {
		return t
	}
	if t := m.P.ByHost[rt]; t != nil {
		return t
	}
	return m.TypeOf(m.Host.Shape(rt))
}

// TypeOf is the Type of t, which the program may not have.
func (m *Machine) TypeOf(t types.Type) *ir.Type {
	if m.Types == nil {
		base := m.P.Types
		m.Types = &ir.TypeTable{Known: map[types.Type]*ir.Type{}, TypeOf: base.TypeOf, Script: base.Script, Base: base}
	}
	return m.Types.Of(t)
}

// IsProxy reports a type that stands for one of another process, or a pointer to one: it has
// methods that Go knows nothing of.
func IsProxy(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return made.Is(t)
}

// ScriptValue is the value of the script that v, which the host has, stands for.
func ScriptValue(v any) (f *Iface, ok bool) {
	if w, is := v.(interface{ ScriptValue() any }); is {
		f, ok = w.ScriptValue().(*Iface)
	}
	return f, ok
}

// An ownError stands for an error of the host's whose methods Go knows nothing of.
type ownError interface{ HostError() any }

// HostIface is a value of the host as an interface of the script holds it.
func HostIface(v any) any {
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

// Export makes of an interface value what host code may have.
func (m *Machine) Export(v any) any { return m.ExportTo(v, reflect.TypeFor[any]()) }

// ExportTo is export for a place in host code with the interface type it.
func (m *Machine) ExportTo(v any, it reflect.Type) any { return Above.ExportTo(m, v, it) }
