package vm

import (
	"go/types"
	"reflect"
	"strings"
)

// An rtype is a type of the program as a reflect.Type. What it does not declare, the
// embedded nil panics for.
type rtype struct {
	reflect.Type
	p *Program
	t *Type
}

// reflectType is t as a reflect.Type, nil for none.
func (m *machine) reflectType(t *Type) reflect.Type {
	if t == nil {
		return nil
	}
	return rtype{p: m.p, t: t}
}

func (r rtype) String() string     { return r.t.str }
func (r rtype) Kind() reflect.Kind { return kindOf(r.t) }
func (r rtype) Name() string       { return typeName(r.t) }

func hasName(t *Type) bool { return typeName(t) != "" }

// typeName is the name of a type without its package, empty if it has none.
func typeName(t *Type) string {
	switch u := t.t.(type) {
	case *types.Basic:
		return t.str
	case *types.Named:
		if u.Obj().Pkg() == nil {
			return t.str
		}
		name, args, ok := strings.Cut(t.str, "[")
		name = name[strings.LastIndexByte(name, '.')+1:]
		if ok {
			name += "[" + args
		}
		return name
	}
	return ""
}

// reflectValue is v as a reflect.Value.
func (m *machine) reflectValue(v val) reflect.Value { return reflect.Value{} }
