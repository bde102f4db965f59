package builtins

import (
	"go/types"
	"reflect"
)

// Handle reports whether scripts may hold the type only behind a pointer; see
// Member.Handle. A type of the standard library is looked up in the curated rows even if
// its package cannot be imported, since a value may come by another route.
func (t *Table) Handle(name *types.TypeName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	rt := t.goOf(name)
	return rt != nil && t.handleType(rt)
}

// decides is the row that says what may be done with values of a named type, nil if there is
// none: that of the table, or the curated one. mu is held.
func (t *Table) decides(rt reflect.Type) (*pkg, *Member) {
	if ref, ok := t.renamed(rt); ok {
		return ref.pkg, ref.row
	}
	p := t.at(rt.PkgPath())
	if p == nil {
		std := stdPackage(rt.PkgPath())
		if std == nil {
			return nil, nil
		}
		p = &pkg{Package: std}
	}
	return p, p.row(rt.Name())
}
