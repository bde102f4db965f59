package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

func (l *lowerer) orderAssign(s *ast.AssignStmt) []ast.Stmt {
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		return l.orderResults(s)
	}
	if _, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 && (s.Tok == token.ASSIGN || s.Tok == token.DEFINE) {
		return l.orderTop(&s.Rhs[0])
	}
	o := &orderer{lowerer: l}
	for _, e := range s.Lhs {
		if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
			o.target(e)
		} else {
			o.scan(e)
		}
	}
	for _, e := range s.Rhs {
		o.scan(e)
	}
	if !o.seen {
		return l.orderSwap(s)
	}
	for _, e := range append(places(s.Lhs), places(s.Rhs)...) {
		*e = o.rewrite(*e)
	}
	return o.out
}

// orderSwap orders the elements in a[i], a[j] = a[j], a[i]. Where several are out of range, the
// panic of the compiler's is about what it reads first: the values that an assignment before them
// may change, and then the others.
func (l *lowerer) orderSwap(s *ast.AssignStmt) []ast.Stmt {
	if s.Tok != token.ASSIGN || len(s.Rhs) < 2 || !l.isElement(s.Lhs[0]) {
		return nil
	}
	o := &orderer{lowerer: l}
	for i := 1; i < len(s.Rhs); i++ {
		if to, ok := ast.Unparen(s.Lhs[i]).(*ast.IndexExpr); ok && l.isElement(to.X) {
			if _, slice := l.Info.TypeOf(to.X).Underlying().(*types.Slice); slice {
				to.X = o.hold(to.X)
			}
		}
		if l.isElement(s.Rhs[i]) {
			s.Rhs[i] = o.hold(s.Rhs[i])
		}
	}
	return o.out
}

// isElement reports an element of a slice, or of an array, whose index may be out of range, or a
// field of one.
func (l *lowerer) isElement(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		sel := l.Info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect() && l.isElement(e.X)
	case *ast.IndexExpr:
		switch l.Info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice:
			return true
		case *types.Array, *types.Pointer:
			return l.Info.Types[e.Index].Value == nil
		}
	}
	return false
}

// orderResults orders the assignment of what one call returns: where it goes is
// found when the call is over.
func (l *lowerer) orderResults(s *ast.AssignStmt) []ast.Stmt {
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return l.orderTop(&s.Rhs[0])
	}
	results, ok := l.Info.TypeOf(call).(*types.Tuple)
	if !ok || s.Tok == token.DEFINE {
		return l.orderTop(&s.Rhs[0])
	}
	o := &orderer{lowerer: l}
	for _, e := range s.Lhs {
		o.target(e)
	}
	o.scan(call)
	if !o.seen {
		return nil
	}
	for i := range s.Lhs {
		s.Lhs[i] = o.rewrite(s.Lhs[i])
	}
	define := &ast.AssignStmt{TokPos: s.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{o.operands(call)}}
	s.Rhs = nil
	for _, t := range check.VarTypes(results) {
		name, value := l.temporary(call.Pos(), t)
		define.Lhs = append(define.Lhs, name)
		s.Rhs = append(s.Rhs, value)
	}
	return append(o.out, define)
}
