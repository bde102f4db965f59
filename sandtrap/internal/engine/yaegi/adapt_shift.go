package yaegi

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// shifts looks at each shift count that may be negative: the interpreter takes it
// for a large one.
func (a *adapter) shifts() {
	keys := a.rangeKeys()
	a.exprs(func(e ast.Expr, _ *astutil.Cursor) ast.Expr {
		b, ok := e.(*ast.BinaryExpr)
		if ok && (b.Op == token.SHL || b.Op == token.SHR) && a.info.Types[e].Value == nil {
			b.Y = a.shiftCount(b.Y, keys)
		}
		return nil
	})
	a.inspect(func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if ok && (s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN) {
			s.Rhs[0] = a.shiftCount(s.Rhs[0], keys)
		}
		return true
	})
}

func (a *adapter) shiftCount(e ast.Expr, keys map[types.Object]bool) ast.Expr {
	t := a.typeOf(e)
	if t == nil || a.info.Types[e].Value != nil || a.never(e, keys) {
		return e
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsUnsigned != 0 || b.Info()&types.IsInteger == 0 {
		return e
	}
	return a.helper(e.Pos(), "ShiftCount", types.Typ[types.Uint], call(e.Pos(), ident(e.Pos(), "int64"), e))
}

// never reports whether e is plainly never negative.
func (a *adapter) never(e ast.Expr, keys map[types.Object]bool) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return keys[a.info.Uses[e]]
	case *ast.CallExpr:
		return a.builtin(e) == "len"
	case *ast.BinaryExpr:
		x, y := a.info.Types[e.X].Value, a.info.Types[e.Y].Value
		switch e.Op {
		case token.AND:
			return positive(x) || positive(y)
		case token.REM, token.QUO:
			return a.never(e.X, keys) && positive(y)
		}
	}
	return false
}

func positive(v constant.Value) bool { return v != nil && constant.Sign(v) >= 0 }

// rangeKeys are the variables that count the iterations of a range and are
// assigned nowhere else.
func (a *adapter) rangeKeys() map[types.Object]bool {
	keys := map[types.Object]bool{}
	a.inspect(func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && r.Tok == token.DEFINE {
			id, ok := r.Key.(*ast.Ident)
			if o := a.info.Defs[id]; ok && o != nil && a.counts(r) {
				keys[o] = true
			}
		}
		return true
	})
	a.inspect(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				a.forget(keys, l)
			}
		case *ast.IncDecStmt:
			a.forget(keys, n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				a.forget(keys, n.X)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				a.forget(keys, n.Key)
				a.forget(keys, n.Value)
			}
		}
		return true
	})
	return keys
}

func (a *adapter) forget(keys map[types.Object]bool, e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok {
		delete(keys, a.info.Uses[id])
	}
}

// counts reports whether the keys of r are 0, 1, 2, ...
func (a *adapter) counts(r *ast.RangeStmt) bool {
	switch t := a.typeOf(r.X).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Pointer:
		return true
	case *types.Basic:
		return t.Info()&(types.IsInteger|types.IsString) != 0
	}
	return false
}
