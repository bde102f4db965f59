package yaegi

import (
	"go/ast"
	"go/token"
)

// selects writes a select statement as a switch over the operation that the gate
// picked, after its operands.
func (a *adapter) selects() {
	a.stmts(func(s ast.Stmt) []ast.Stmt {
		switch s := s.(type) {
		case *ast.SelectStmt:
			before, sw := a.selectSwitch(s)
			return []ast.Stmt{block(s.Pos(), append(before, sw)...)}
		case *ast.LabeledStmt:
			if x, ok := s.Stmt.(*ast.SelectStmt); ok {
				before, sw := a.selectSwitch(x)
				s.Stmt = sw
				return []ast.Stmt{block(s.Pos(), append(before, s)...)}
			}
		}
		return nil
	})
}

func (a *adapter) selectSwitch(s *ast.SelectStmt) (before []ast.Stmt, sw ast.Stmt) {
	pos := s.Pos()
	keep := func(e ast.Expr) ast.Expr {
		t := a.temp()
		before = append(before, assign(e.Pos(), token.DEFINE, ident(e.Pos(), t), e))
		return a.typed(ident(e.Pos(), t), a.typeOf(e))
	}
	var ops string
	var chans []ast.Expr
	var clauses []ast.Stmt
	hasDefault := false
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		n := &ast.CaseClause{Case: c.Case, Colon: c.Colon, Body: c.Body}
		clauses = append(clauses, n)
		if c.Comm == nil {
			hasDefault = true
			continue
		}
		n.List = []ast.Expr{intLit(c.Pos(), itoa(int64(len(chans))))}
		if send, ok := c.Comm.(*ast.SendStmt); ok {
			ch := keep(send.Chan)
			v := send.Value
			if tv := a.info.Types[v]; tv.Value == nil && !tv.IsNil() && !a.isUntyped(v) {
				v = keep(v)
			}
			ops += "s"
			chans = append(chans, ch)
			n.Body = append([]ast.Stmt{&ast.SendStmt{Chan: ch, Arrow: send.Arrow, Value: v}}, c.Body...)
			continue
		}
		u := received(c.Comm)
		u.X = keep(u.X)
		ops += "r"
		chans = append(chans, u.X)
		n.Body = append([]ast.Stmt{c.Comm}, c.Body...)
	}
	if hasDefault {
		ops += "d"
	}
	a.helpers["Selected"] = true
	tag := a.helper(pos, "Selected", nil, append([]ast.Expr{stringLit(pos, ops)}, chans...)...)
	if len(clauses) == 0 {
		return nil, exprStmt(tag)
	}
	return before, &ast.SwitchStmt{Switch: pos, Tag: tag, Body: block(pos, clauses...)}
}

// received is the receive operation of a case.
func received(s ast.Stmt) *ast.UnaryExpr {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	return ast.Unparen(e).(*ast.UnaryExpr)
}
