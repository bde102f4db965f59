package yaegi

import (
	"go/ast"
	"go/token"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// ticks replaces each call of the tick gate by a countdown: a call into the host
// costs several times what a loop iteration does.
func (a *adapter) ticks() {
	a.stmts(func(s ast.Stmt) []ast.Stmt {
		if l, ok := s.(*ast.LabeledStmt); ok && isTick(l.Stmt) {
			l.Stmt = &ast.EmptyStmt{Semicolon: l.Pos()}
			return append([]ast.Stmt{l}, a.tick(s.Pos())...)
		}
		if isTick(s) {
			return a.tick(s.Pos())
		}
		return nil
	})
}

func isTick(s ast.Stmt) bool {
	if e, ok := s.(*ast.ExprStmt); ok {
		c, ok := e.X.(*ast.CallExpr)
		return ok && gateName(c.Fun) == abi.Tick
	}
	return false
}

func (a *adapter) tick(pos token.Pos) []ast.Stmt {
	return []ast.Stmt{
		&ast.IncDecStmt{X: ident(pos, countdown), TokPos: pos, Tok: token.DEC},
		&ast.IfStmt{
			If:   pos,
			Cond: &ast.BinaryExpr{X: ident(pos, countdown), OpPos: pos, Op: token.LSS, Y: intLit(pos, "0")},
			Body: block(pos, assign(pos, token.ASSIGN, ident(pos, countdown), a.helper(pos, "Grant", nil))),
		},
	}
}
