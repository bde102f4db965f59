package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
)

// switchesOnInterfaces reports whether n is a case of a type switch with a type
// that the interpreter never or wrongly matches: an interface or an unnamed struct.
func switchesOnInterfaces(u *unit, n ast.Node) bool {
	sw, ok := n.(*ast.TypeSwitchStmt)
	if !ok {
		return false
	}
	for _, c := range sw.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			tv := u.info.Types[e]
			if !tv.IsType() {
				continue
			}
			_, unnamed := types.Unalias(tv.Type).(*types.Struct)
			if unnamed || types.IsInterface(tv.Type) {
				return true
			}
		}
	}
	return false
}

// comparesInterfaces reports whether n compares values of which one is of an
// interface with methods of the script: the interpreter compares its own wrapping.
func comparesInterfaces(u *unit, n ast.Node) bool {
	b, ok := n.(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return false
	}
	x, y := u.info.Types[b.X], u.info.Types[b.Y]
	if x.Type == nil || y.Type == nil || x.IsNil() || y.IsNil() {
		return false
	}
	return ownInterface(u, x.Type) || ownInterface(u, y.Type)
}

func ownInterface(u *unit, t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || i.Empty() {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return !ok || n.Obj().Pkg() == u.pkg
}

// assertsColor reports whether n asks whether a value is a color. The interpreter asks the host's type, of which the script
// may not have all methods: an image of one color is a color to the host.
func assertsColor(u *unit, n ast.Node) bool {
	a, ok := n.(*ast.TypeAssertExpr)
	if !ok || a.Type == nil {
		return false
	}
	named, ok := types.Unalias(u.info.Types[a.Type].Type).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "image/color" && named.Obj().Name() == "Color"
}
