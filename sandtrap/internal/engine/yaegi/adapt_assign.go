package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// assignments takes apart tuple assignments in which one side depends on the
// other: the interpreter assigns one after the other.
func (a *adapter) assignments() {
	a.inspect(func(n ast.Node) bool {
		if f, ok := n.(*ast.ForStmt); ok {
			if s, ok := f.Post.(*ast.AssignStmt); ok && a.entangled(s) {
				f.Post = exprStmt(call(s.Pos(), funcLit(s.Pos(), nil, a.apart(s)...)))
			}
		}
		if f, ok := n.(*ast.IfStmt); ok {
			if e, ok := f.Else.(*ast.IfStmt); ok {
				if list := a.headApart(e, &e.Init); list != nil {
					f.Else = list[0]
				}
			}
		}
		return true
	})
	a.stmts(func(s ast.Stmt) []ast.Stmt {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if a.entangled(s) {
				return a.apart(s)
			}
		case *ast.DeclStmt:
			return a.declApart(s)
		case *ast.IfStmt:
			return a.headApart(s, &s.Init)
		case *ast.SwitchStmt:
			return a.headApart(s, &s.Init)
		case *ast.TypeSwitchStmt:
			return a.headApart(s, &s.Init)
		case *ast.ForStmt:
			return a.headApart(s, &s.Init)
		case *ast.LabeledStmt:
			if f, ok := s.Stmt.(*ast.ForStmt); ok {
				return a.headApart(s, &f.Init)
			}
			if t, ok := s.Stmt.(*ast.AssignStmt); ok && a.entangled(t) {
				s.Stmt = &ast.EmptyStmt{Semicolon: s.Pos()}
				return append([]ast.Stmt{s}, a.apart(t)...)
			}
		}
		return nil
	})
}

// headApart puts an assignment out of the head of a statement.
func (a *adapter) headApart(s ast.Stmt, init *ast.Stmt) []ast.Stmt {
	as, ok := (*init).(*ast.AssignStmt)
	if !ok || !a.entangled(as) {
		return nil
	}
	*init = nil
	return []ast.Stmt{block(s.Pos(), append(a.apart(as), s)...)}
}

// declApart is a declaration of several variables with a value for each.
func (a *adapter) declApart(s *ast.DeclStmt) []ast.Stmt {
	g, ok := s.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return nil
	}
	var out []ast.Stmt
	split := false
	for _, sp := range g.Specs {
		v := sp.(*ast.ValueSpec)
		if len(v.Names) < 2 || len(v.Values) != len(v.Names) {
			out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: v.Pos(), Tok: token.VAR, Specs: []ast.Spec{v}}})
			continue
		}
		split = true
		values := make([]ast.Expr, len(v.Values))
		for i, x := range v.Values {
			t := a.temp()
			values[i] = ident(x.Pos(), t)
			out = append(out, varOf(ident(x.Pos(), t), v.Type, x))
		}
		for i, id := range v.Names {
			out = append(out, varOf(id, v.Type, values[i]))
		}
	}
	if !split {
		return nil
	}
	return out
}

func varOf(id *ast.Ident, t, x ast.Expr) ast.Stmt {
	spec := &ast.ValueSpec{Names: []*ast.Ident{id}, Type: t, Values: []ast.Expr{x}}
	return &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: id.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}}
}

// makesValue reports whether a value that e is made of is written as a literal of a
// composite type: the interpreter then leaves the other variables of the assignment
// as they were.
func makesValue(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			found = true
		}
		return !found
	})
	return found
}

func (a *adapter) entangled(s *ast.AssignStmt) bool {
	if len(s.Lhs) < 2 || len(s.Lhs) != len(s.Rhs) {
		return false
	}
	if slices.ContainsFunc(s.Rhs, makesValue) {
		return true
	}
	if s.Tok == token.DEFINE {
		for i, l := range s.Lhs {
			if id := l.(*ast.Ident); a.info.Defs[id] == nil && id.Name != "_" && a.anyMentions(s.Rhs[i+1:], id) {
				return true
			}
		}
		return false
	}
	for i, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		switch {
		case !ok:
			return true
		case a.anyMentions(s.Rhs[i+1:], id) || a.anyMentions(s.Lhs[i+1:], id) || anyCalls(s.Rhs):
			return true
		}
	}
	return false
}

func (a *adapter) anyMentions(list []ast.Expr, id *ast.Ident) bool {
	o := a.object(id)
	for _, e := range list {
		if o != nil && a.mentions(e, o) {
			return true
		}
	}
	return false
}

func anyCalls(list []ast.Expr) bool {
	found := false
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			if _, ok := n.(*ast.CallExpr); ok {
				found = true
			}
			return !found
		})
	}
	return found
}

// apart evaluates the operands of the left side, then the right side, and assigns
// last.
func (a *adapter) apart(s *ast.AssignStmt) []ast.Stmt {
	var out []ast.Stmt
	keep := func(e ast.Expr) ast.Expr {
		if _, ok := e.(*ast.BasicLit); ok {
			return e
		}
		t := a.temp()
		out = append(out, assign(s.Pos(), token.DEFINE, ident(s.Pos(), t), e))
		return a.typed(ident(s.Pos(), t), a.typeOf(e))
	}
	lhs := make([]ast.Expr, len(s.Lhs))
	for i, l := range s.Lhs {
		lhs[i] = a.operands(l, keep)
	}
	rhs := make([]ast.Expr, len(s.Rhs))
	for i, r := range s.Rhs {
		if a.info.Types[r].IsNil() || a.info.Types[r].Value != nil || a.isUntyped(r) {
			rhs[i] = r
			continue
		}
		rhs[i] = keep(r)
	}
	for i := range lhs {
		tok := token.ASSIGN
		if id, ok := lhs[i].(*ast.Ident); ok && s.Tok == token.DEFINE && a.info.Defs[id] != nil {
			tok = token.DEFINE
		}
		out = append(out, assign(s.Pos(), tok, lhs[i], rhs[i]))
	}
	return out
}

func (a *adapter) isUntyped(e ast.Expr) bool {
	b, ok := a.typeOf(e).(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// operands keeps the operands of something assignable.
func (a *adapter) operands(l ast.Expr, keep func(ast.Expr) ast.Expr) ast.Expr {
	switch l := l.(type) {
	case *ast.ParenExpr:
		return a.operands(l.X, keep)
	case *ast.IndexExpr:
		c := *l
		if t := a.typeOf(l.X); t != nil {
			if _, ok := t.Underlying().(*types.Array); ok {
				c.X = a.operands(l.X, keep)
			} else {
				c.X = keep(l.X)
			}
		}
		c.Index = keep(l.Index)
		return a.typed(&c, a.typeOf(l))
	case *ast.StarExpr:
		return a.typed(&ast.StarExpr{Star: l.Star, X: keep(l.X)}, a.typeOf(l))
	case *ast.SelectorExpr:
		c := *l
		if t := a.typeOf(l.X); t != nil {
			if _, ok := t.Underlying().(*types.Pointer); ok {
				c.X = keep(l.X)
			} else {
				c.X = a.operands(l.X, keep)
			}
		}
		a.info.Selections[&c] = a.info.Selections[l]
		return a.typed(&c, a.typeOf(l))
	}
	return l
}
