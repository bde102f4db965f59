package builtins

import (
	"go/types"
	"reflect"
)

// Replaced reports whether the type has a method of this name that scripts may
// not call, or whose row has a shim in its place.
func (t *Table) Replaced(owner *types.TypeName, method string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	rt := t.goOf(owner)
	if rt == nil || owner.Pkg() == nil || !hasMethod(rt, method) {
		return false
	}
	p := t.at(owner.Pkg().Path())
	if p == nil {
		return true
	}
	row := p.row(owner.Name())
	m := p.row(owner.Name() + "." + method)
	switch {
	case row == nil:
		return true
	case m != nil:
		return m.Deny || m.Value != nil
	}
	return rt.Kind() != reflect.Interface && !p.allows(row, method) // interfaces have all their methods
}

// Settable reports whether each run has its own copy of the variable; see
// Member.Settable.
func (t *Table) Settable(v *types.Var) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.at(v.Pkg().Path())
	if p == nil {
		return false
	}
	row := p.row(v.Name())
	return row != nil && row.Settable
}

// Standard reports whether the package at path is one of the curated tables, and not
// the host's own under its path.
func (t *Table) Standard(path string) bool {
	p := t.at(path)
	return p != nil && p.open && !p.OfHost
}
