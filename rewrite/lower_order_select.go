package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

// orderSelect orders the operands of all cases before s: the compiler copies each before
// it looks at the next.
func (l *lowerer) orderSelect(s *ast.SelectStmt) []ast.Stmt {
	for _, c := range s.Body.List {
		l.receiveFirst(c.(*ast.CommClause))
	}
	list := commOperands(s)
	seen := false
	for _, p := range list {
		probe := &orderer{lowerer: l}
		probe.scan(*p)
		seen = seen || probe.seen
	}
	if !seen {
		return nil
	}
	o := &orderer{lowerer: l}
	for _, p := range list {
		*p = o.pin(o.rewrite(*p))
	}
	return o.out
}

// commOperands are the places of the channels, and of the values to send, of all cases.
func commOperands(s *ast.SelectStmt) (list []*ast.Expr) {
	for _, c := range s.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			list = append(list, &comm.Chan, &comm.Value)
		case *ast.ExprStmt:
			list = append(list, received(&comm.X))
		case *ast.AssignStmt:
			list = append(list, received(&comm.Rhs[0]))
		}
	}
	return list
}

// received is the place of the channel that the expression at p receives from.
func received(p *ast.Expr) *ast.Expr {
	for {
		switch e := (*p).(type) {
		case *ast.ParenExpr:
			p = &e.X
		case *ast.UnaryExpr:
			return &e.X
		}
	}
}

// receiveFirst moves an assignment of what a case receives into the body, where what it
// assigns to is looked at when the value is there.
func (l *lowerer) receiveFirst(c *ast.CommClause) {
	s, ok := c.Comm.(*ast.AssignStmt)
	if !ok || s.Tok == token.DEFINE {
		return
	}
	probe := &orderer{lowerer: l}
	for _, e := range s.Lhs {
		probe.target(e)
	}
	if !probe.seen {
		return
	}
	elems := []types.Type{l.Info.TypeOf(s.Rhs[0])}
	if both, ok := elems[0].(*types.Tuple); ok {
		elems = check.VarTypes(both)
	}
	define := &ast.AssignStmt{TokPos: s.TokPos, Tok: token.DEFINE, Rhs: s.Rhs}
	var stores []ast.Stmt
	for i, e := range s.Lhs {
		if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
			define.Lhs = append(define.Lhs, id)
			continue
		}
		name, value := l.temporary(e.Pos(), elems[i])
		define.Lhs = append(define.Lhs, name)
		stores = append(stores, &ast.AssignStmt{Lhs: []ast.Expr{e}, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{value}})
	}
	c.Comm, c.Body = define, append(stores, c.Body...)
}
