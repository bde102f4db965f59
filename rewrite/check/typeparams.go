package check

import "go/types"

// MentionsTypeParam reports whether one of the types is, or is made with, a type
// parameter.
func MentionsTypeParam(list ...types.Type) bool {
	return mentions{}.any(list)
}

// mentions holds the types already looked into.
type mentions map[types.Type]bool

func (m mentions) any(list []types.Type) bool {
	for _, t := range list {
		if m.in(t) {
			return true
		}
	}
	return false
}

func (m mentions) in(t types.Type) bool {
	if m[t] {
		return false
	}
	m[t] = true
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Alias:
		return m.in(types.Unalias(t))
	case *types.Named:
		return m.any(TypeList(t.TypeArgs())) || IsLocal(t) && m.in(t.Underlying())
	case *types.Pointer:
		return m.in(t.Elem())
	case *types.Slice:
		return m.in(t.Elem())
	case *types.Array:
		return m.in(t.Elem())
	case *types.Chan:
		return m.in(t.Elem())
	case *types.Map:
		return m.in(t.Key()) || m.in(t.Elem())
	case *types.Tuple:
		return m.any(VarTypes(t))
	case *types.Signature:
		return m.in(t.Params()) || m.in(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if m.in(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		return m.inInterface(t)
	case *types.Union:
		for term := range t.Terms() {
			if m.in(term.Type()) {
				return true
			}
		}
	}
	return false
}

func (m mentions) inInterface(t *types.Interface) bool {
	for e := range t.EmbeddedTypes() {
		if m.in(e) {
			return true
		}
	}
	for f := range t.ExplicitMethods() {
		if m.in(f.Signature()) {
			return true
		}
	}
	return false
}

// IsLocal reports whether t is declared inside a function, whose type
// parameters it can use without naming them as arguments.
func IsLocal(t *types.Named) bool {
	obj := t.Obj()
	return obj.Pkg() != nil && obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope()
}

func VarTypes(t *types.Tuple) []types.Type {
	var list []types.Type
	for v := range t.Variables() {
		list = append(list, v.Type())
	}
	return list
}

func TypeList(l *types.TypeList) []types.Type {
	var list []types.Type
	for t := range l.Types() {
		list = append(list, t)
	}
	return list
}
