package yaegi

import (
	"go/ast"
	"go/token"
)

// switches writes case lists of tagless switches as one condition, because only
// the first of a list is tested, and takes the init statement out of a switch,
// because with one no case is taken.
func (a *adapter) switches() {
	a.stmts(func(s ast.Stmt) []ast.Stmt {
		if l, ok := s.(*ast.LabeledStmt); ok {
			if sw, ok := l.Stmt.(*ast.SwitchStmt); ok {
				a.caseLists(sw)
				if sw.Init != nil {
					init := sw.Init
					sw.Init = nil
					return []ast.Stmt{block(s.Pos(), init, l)}
				}
			}
			return nil
		}
		sw, ok := s.(*ast.SwitchStmt)
		if !ok {
			return nil
		}
		a.caseLists(sw)
		if sw.Init == nil {
			return nil
		}
		init := sw.Init
		sw.Init = nil
		return []ast.Stmt{block(s.Pos(), init, sw)}
	})
}

func (a *adapter) caseLists(sw *ast.SwitchStmt) {
	if id, ok := sw.Tag.(*ast.Ident); ok && id.Name == "true" {
		sw.Tag = nil
	}
	if sw.Tag != nil {
		return
	}
	for _, c := range sw.Body.List {
		c := c.(*ast.CaseClause)
		if len(c.List) < 2 {
			continue
		}
		or := c.List[0]
		for _, e := range c.List[1:] {
			or = a.typed(&ast.BinaryExpr{X: or, OpPos: e.Pos(), Op: token.LOR, Y: e}, a.typeOf(e))
		}
		c.List = []ast.Expr{or}
	}
}
