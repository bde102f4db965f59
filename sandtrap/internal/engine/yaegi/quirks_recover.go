package yaegi

import (
	"go/ast"
	"go/types"
)

// indexesNested reports whether n indexes an array of arrays through a pointer.
func indexesNested(u *unit, n ast.Node) bool {
	x, ok := n.(*ast.IndexExpr)
	if !ok || u.info.Types[x.X].Type == nil {
		return false
	}
	p, ok := u.info.Types[x.X].Type.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	outer, ok := p.Elem().Underlying().(*types.Array)
	if !ok {
		return false
	}
	_, ok = outer.Elem().Underlying().(*types.Array)
	return ok
}

// assertsRecovered reports whether n asks if a recovered value is of a type of the
// script that is an error.
func assertsRecovered(u *unit, n ast.Node) bool {
	var x ast.Expr
	var asked []ast.Expr
	switch n := n.(type) {
	case *ast.TypeAssertExpr:
		x, asked = n.X, []ast.Expr{n.Type}
	case *ast.TypeSwitchStmt:
		ast.Inspect(n.Assign, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeAssertExpr); ok {
				x = t.X
				return false
			}
			return true
		})
		for _, c := range n.Body.List {
			asked = append(asked, c.(*ast.CaseClause).List...)
		}
	default:
		return false
	}
	for _, e := range asked {
		if e != nil && errorOfScript(u, u.info.Types[e].Type) {
			return recovered(u, x)
		}
	}
	return false
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func errorOfScript(u *unit, t types.Type) bool {
	return t != nil && !types.IsInterface(t) && ofScript(u, t, 0) && types.Implements(t, errorType)
}

// recovered reports whether x is what recover returned, or a variable that is set
// to that somewhere.
func recovered(u *unit, x ast.Expr) bool {
	x = ast.Unparen(x)
	if c, ok := x.(*ast.CallExpr); ok {
		return gateName(c.Fun) == "Recover"
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	o, found := u.info.ObjectOf(id), false
	set := func(l, r ast.Expr) {
		name, ok := l.(*ast.Ident)
		c, called := ast.Unparen(r).(*ast.CallExpr)
		found = found || ok && called && gateName(c.Fun) == "Recover" && u.info.ObjectOf(name) == o
	}
	for _, f := range u.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i := range n.Rhs {
					set(n.Lhs[i], n.Rhs[i])
				}
			case *ast.ValueSpec:
				for i := range n.Values {
					set(n.Names[i], n.Values[i])
				}
			}
			return true
		})
	}
	return found
}
