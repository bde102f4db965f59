package yaegi

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/astutil"
)

// channels puts a gate before every channel operation. With one task, an operation
// that has to wait would wait for ever, so the gate ends the run instead.
func (a *adapter) channels() {
	a.exprs(func(e ast.Expr, _ *astutil.Cursor) ast.Expr {
		switch e := e.(type) {
		case *ast.UnaryExpr:
			if e.Op == token.ARROW {
				a.refuse(e.Pos(), "receive from a channel")
			}
		case *ast.CallExpr:
			if a.builtin(e) == "close" {
				a.refuse(e.Pos(), "close a channel")
			}
		}
		return nil
	})
	a.inspect(func(n ast.Node) bool {
		switch n.(type) {
		case *ast.SendStmt:
			a.refuse(n.Pos(), "send to a channel")
		case *ast.SelectStmt:
			a.refuse(n.Pos(), "wait in a select statement")
		}
		return true
	})
}
