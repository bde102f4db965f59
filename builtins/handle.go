package builtins

import "go/types"

// Handle reports whether scripts may hold the type only behind a pointer; see
// Member.Handle. A type of the standard library is looked up in the curated rows
// even where its package cannot be imported, since a value may come by another way.
func (t *Table) Handle(name *types.TypeName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	rt := t.back[name]
	if rt == nil {
		return false
	}
	if ref, ok := t.rows[rt]; ok {
		return ref.row.Handle
	}
	p := t.pkgs[rt.PkgPath()]
	if p == nil {
		std := stdPackage(rt.PkgPath())
		if std == nil {
			return false
		}
		p = &pkg{Package: *std}
	}
	row := p.row(rt.Name())
	return row != nil && row.Handle
}
