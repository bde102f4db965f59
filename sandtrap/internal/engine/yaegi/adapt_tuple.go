package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
)

// tuples takes apart assignments of one operation with two results, or of a call
// with several, to something other than variables: the interpreter writes to those
// only from single values.
func (a *adapter) tuples() {
	a.stmts(func(s ast.Stmt) []ast.Stmt {
		as, ok := s.(*ast.AssignStmt)
		if !ok || as.Tok != token.ASSIGN || len(as.Lhs) < 2 || len(as.Rhs) != 1 || allNames(as.Lhs) {
			return nil
		}
		results, ok := a.typeOf(as.Rhs[0]).(*types.Tuple)
		if !ok || results.Len() != len(as.Lhs) {
			return nil
		}
		return a.tupleApart(as, results)
	})
}

func allNames(list []ast.Expr) bool {
	for _, e := range list {
		if _, ok := e.(*ast.Ident); !ok {
			return false
		}
	}
	return true
}

func (a *adapter) tupleApart(s *ast.AssignStmt, results *types.Tuple) []ast.Stmt {
	pos := s.Pos()
	var before, after []ast.Stmt
	keep := func(e ast.Expr) ast.Expr {
		if _, ok := e.(*ast.BasicLit); ok {
			return e
		}
		t := a.temp()
		before = append(before, assign(pos, token.DEFINE, ident(pos, t), e))
		return a.typed(ident(pos, t), a.typeOf(e))
	}
	got := &ast.AssignStmt{TokPos: pos, Tok: token.DEFINE, Rhs: s.Rhs}
	for i, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); ok && id.Name == "_" {
			got.Lhs = append(got.Lhs, ident(pos, "_"))
			continue
		}
		t := a.temp()
		got.Lhs = append(got.Lhs, ident(pos, t))
		v := a.typed(ident(pos, t), results.At(i).Type())
		after = append(after, assign(pos, token.ASSIGN, a.operands(l, keep), v))
	}
	return append(append(before, got), after...)
}
