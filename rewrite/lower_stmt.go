package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

func (l *lowerer) block(b *ast.BlockStmt) {
	if b != nil {
		b.List = l.list(b.List)
	}
}

// list lowers statements. A goto becomes two: the tick it pays, and itself.
func (l *lowerer) list(stmts []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(stmts)+1)
	for _, s := range l.orderAll(stmts) {
		l.stmt(s)
		at := s
		var label *ast.LabeledStmt // the innermost of the labels s has
		for {
			labeled, ok := at.(*ast.LabeledStmt)
			if !ok {
				break
			}
			label, at = labeled, labeled.Stmt
		}
		jump, ok := at.(*ast.BranchStmt)
		switch {
		case !ok || jump.Tok != token.GOTO:
			out = append(out, s)
		case label == nil:
			out = append(out, l.tick(jump.Pos()), jump)
		default: // the labels stay in front of the tick
			label.Stmt = l.tick(jump.Pos())
			out = append(out, s, jump)
		}
	}
	return out
}

// stmt lowers s in place.
func (l *lowerer) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt, *ast.BranchStmt:
	case *ast.DeclStmt:
		l.decl(s.Decl)
	case *ast.LabeledStmt:
		l.stmt(s.Stmt)
	case *ast.ExprStmt:
		s.X = l.expr(s.X)
	case *ast.SendStmt:
		s.Chan, s.Value = l.expr(s.Chan), l.expr(s.Value)
	case *ast.IncDecStmt:
		s.X = l.target(s.X)
	case *ast.AssignStmt:
		l.assign(s)
	case *ast.GoStmt:
		l.launch(s.Call)
	case *ast.DeferStmt:
		l.launch(s.Call)
	case *ast.ReturnStmt:
		l.exprs(s.Results)
	case *ast.BlockStmt:
		l.block(s)
	case *ast.IfStmt:
		l.stmt(s.Init)
		s.Cond = l.expr(s.Cond)
		l.block(s.Body)
		l.stmt(s.Else)
	case *ast.SwitchStmt:
		l.stmt(s.Init)
		s.Tag = l.optional(s.Tag)
		l.block(s.Body)
	case *ast.TypeSwitchStmt:
		l.stmt(s.Init)
		l.stmt(s.Assign)
		l.block(s.Body)
	case *ast.CaseClause:
		l.exprs(s.List)
		s.Body = l.list(s.Body)
	case *ast.SelectStmt:
		l.block(s.Body)
	case *ast.CommClause:
		l.stmt(s.Comm)
		s.Body = l.list(s.Body)
	case *ast.ForStmt:
		l.stmt(s.Init)
		s.Cond = l.optional(s.Cond)
		l.stmt(s.Post)
		l.metered(s.Body, s.Pos())
	case *ast.RangeStmt:
		l.rangeStmt(s)
	default:
		l.refuse(s, "", "this statement has no lowering")
	}
}

func (l *lowerer) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		for i, e := range s.Lhs {
			s.Lhs[i] = l.target(e)
		}
	}
	l.exprs(s.Rhs)
}

func (l *lowerer) rangeStmt(s *ast.RangeStmt) {
	if s.Tok == token.ASSIGN {
		s.Key, s.Value = l.target(s.Key), l.target(s.Value)
	}
	if n := l.length(s); n != nil {
		s.X = n
	}
	s.X = l.expr(s.X)
	l.metered(s.Body, s.Pos())
}

// length is the number of rounds of a range over an array behind a pointer, if that
// is all that is asked of it: Go does not look at the array then. It is nil for others.
func (l *lowerer) length(s *ast.RangeStmt) ast.Expr {
	array, ok := l.underlying(s.X).(*types.Array)
	if !ok || s.Value != nil || s.Key != nil && s.Tok == token.ASSIGN {
		return nil
	}
	pointer, call := false, false
	ast.Inspect(s.X, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr:
			pointer = true
		case *ast.SelectorExpr:
			sel := l.Info.Selections[n]
			pointer = pointer || sel != nil && sel.Indirect()
		case *ast.CallExpr:
			call = true
		case *ast.UnaryExpr:
			call = call || n.Op == token.ARROW
		}
		return true
	})
	if !pointer || call {
		return nil
	}
	n := &ast.BasicLit{ValuePos: s.X.Pos(), Kind: token.INT, Value: strconv.FormatInt(array.Len(), 10)}
	l.setConst(n, types.Typ[types.Int], constant.MakeInt64(array.Len()))
	return n
}

// target lowers what is assigned to. What was a variable must still be one:
// the variables of the host are behind a gate that only reads.
func (l *lowerer) target(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	wasVariable := l.Info.Types[e].Addressable()
	lowered := l.expr(e)
	if wasVariable && !l.Info.Types[lowered].Addressable() {
		l.refuse(e, "", "a variable of the host cannot be assigned to")
	}
	return lowered
}

// launch lowers the call of a go or defer statement. A deferred recover() gives
// its result to nobody and stops nothing, so it needs no gate.
func (l *lowerer) launch(call *ast.CallExpr) {
	if !l.isRecover(call) {
		l.call(call)
	}
}
