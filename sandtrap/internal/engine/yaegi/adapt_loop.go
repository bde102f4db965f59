package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// ranges writes range over an integer as a counting loop.
func (a *adapter) ranges() {
	for i, file := range a.files {
		a.files[i] = astutil.Apply(file, nil, func(c *astutil.Cursor) bool {
			r, ok := c.Node().(*ast.RangeStmt)
			if !ok {
				return true
			}
			switch t := a.typeOf(r.X).Underlying().(type) {
			case *types.Basic:
				if t.Info()&types.IsInteger != 0 {
					c.Replace(a.rangeInt(r))
				}
			case *types.Signature:
				a.refuse(r.Pos(), "range over a function")
			}
			return true
		}).(*ast.File)
	}
}

// rangeInt evaluates the number once, and gives each iteration its own variable.
func (a *adapter) rangeInt(r *ast.RangeStmt) ast.Stmt {
	pos := r.Pos()
	var t types.Type = types.Typ[types.Int]
	if r.Key != nil && a.typeOf(r.Key) != nil {
		t = a.typeOf(r.Key)
	} else if x := a.typeOf(r.X); x != nil {
		t = types.Default(x)
	}
	te := a.typeExpr(pos, t)
	if te == nil {
		a.refuse(pos, "range over an integer of a type that cannot be named here")
		return r
	}
	i, n := a.temp(), a.temp()
	cast := func(e ast.Expr) ast.Expr { return call(pos, a.typeExpr(pos, t), e) }
	body := r.Body
	if id, ok := r.Key.(*ast.Ident); r.Key != nil && (!ok || id.Name != "_") {
		set := assign(pos, r.Tok, r.Key, ident(pos, i))
		body = block(pos, append([]ast.Stmt{set}, r.Body.List...)...)
		if r.Tok == token.DEFINE && ok {
			body.List = append([]ast.Stmt{set, assign(pos, token.ASSIGN, ident(pos, "_"), ident(pos, id.Name))}, r.Body.List...)
		}
	}
	return &ast.ForStmt{
		For:  pos,
		Init: &ast.AssignStmt{Lhs: []ast.Expr{ident(pos, i), ident(pos, n)}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{cast(intLit(pos, "0")), cast(r.X)}},
		Cond: &ast.BinaryExpr{X: ident(pos, i), OpPos: pos, Op: token.LSS, Y: ident(pos, n)},
		Post: &ast.IncDecStmt{X: ident(pos, i), TokPos: pos, Tok: token.INC},
		Body: body,
	}
}

// loopVars gives each iteration its own variables where a closure or a pointer can
// tell the difference.
func (a *adapter) loopVars() {
	for i, file := range a.files {
		labels := map[ast.Stmt]string{}
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.LabeledStmt); ok {
				labels[l.Stmt] = l.Label.Name
			}
			return true
		})
		a.files[i] = astutil.Apply(file, nil, func(c *astutil.Cursor) bool {
			switch n := c.Node().(type) {
			case *ast.ForStmt:
				a.forVars(n, labels[n])
			case *ast.RangeStmt:
				a.rangeVars(n)
			}
			return true
		}).(*ast.File)
	}
}

func (a *adapter) forVars(n *ast.ForStmt, label string) {
	init, ok := n.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return
	}
	for _, l := range init.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		o := a.info.Defs[id]
		if o == nil || !a.escapes(n.Body, o) {
			continue
		}
		if n.Cond != nil && a.captured(n.Cond, o) || n.Post != nil && a.captured(n.Post, o) {
			a.refuse(n.Pos(), "a loop variable captured in the head of its loop")
			return
		}
		a.perIteration(n, id, o, label)
	}
}

// perIteration renames the variable in the head of the loop, copies it into a
// variable of the body at its start and back at its end.
func (a *adapter) perIteration(n *ast.ForStmt, id *ast.Ident, o types.Object, label string) {
	outer := a.temp()
	rename := func(e ast.Node) {
		if e == nil {
			return
		}
		ast.Inspect(e, func(x ast.Node) bool {
			if u, ok := x.(*ast.Ident); ok && a.object(u) == o {
				u.Name = outer
			}
			return true
		})
	}
	pos := n.Pos()
	name := id.Name
	back := func() ast.Stmt { return assign(pos, token.ASSIGN, ident(pos, outer), a.use(pos, name, o)) }
	rename(n.Init)
	if n.Cond != nil {
		rename(n.Cond)
	}
	if n.Post != nil {
		rename(n.Post)
	}
	copyIn := assign(pos, token.DEFINE, a.use(pos, name, o), ident(pos, outer))
	body := withContinues(n.Body, label, back)
	n.Body = block(pos, append(append([]ast.Stmt{copyIn}, body.List...), back())...)
}

func (a *adapter) use(pos token.Pos, name string, o types.Object) *ast.Ident {
	id := ident(pos, name)
	a.info.Uses[id] = o
	return id
}

// withContinues puts a statement before every continue of the loop with this body.
func withContinues(body *ast.BlockStmt, label string, before func() ast.Stmt) *ast.BlockStmt {
	depth := 0
	return astutil.Apply(body, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			depth++
		case *ast.BranchStmt:
			mine := n.Label == nil && depth == 0 || n.Label != nil && n.Label.Name == label
			if n.Tok == token.CONTINUE && mine {
				c.Replace(block(n.Pos(), before(), &ast.BranchStmt{TokPos: n.Pos(), Tok: token.CONTINUE, Label: n.Label}))
				return false
			}
		}
		return true
	}, func(c *astutil.Cursor) bool {
		switch c.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			depth--
		}
		return true
	}).(*ast.BlockStmt)
}

func (a *adapter) rangeVars(n *ast.RangeStmt) {
	if n.Tok != token.DEFINE {
		return
	}
	for _, p := range []*ast.Expr{&n.Key, &n.Value} {
		id, ok := (*p).(*ast.Ident)
		if !ok || id.Name == "_" {
			continue
		}
		o := a.info.Defs[id]
		if o == nil || !a.escapes(n.Body, o) {
			continue
		}
		t := a.temp()
		*p = ident(id.Pos(), t)
		set := assign(id.Pos(), token.DEFINE, a.use(id.Pos(), id.Name, o), ident(id.Pos(), t))
		n.Body.List = append([]ast.Stmt{set}, n.Body.List...)
	}
}

// escapes reports whether o is used in a function literal below n, or its address
// is taken there.
func (a *adapter) escapes(n ast.Node, o types.Object) bool {
	found := a.captured(n, o)
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.UnaryExpr:
			found = found || x.Op == token.AND && a.mentions(x.X, o)
		case *ast.SliceExpr:
			if _, ok := a.typeOf(x.X).Underlying().(*types.Array); ok {
				found = found || a.mentions(x.X, o)
			}
		case *ast.SelectorExpr:
			if s := a.info.Selections[x]; s != nil && s.Kind() == types.MethodVal {
				found = found || a.mentions(x.X, o)
			}
		}
		return !found
	})
	return found
}

func (a *adapter) captured(n ast.Node, o types.Object) bool {
	found := false
	ast.Inspect(n, func(x ast.Node) bool {
		if l, ok := x.(*ast.FuncLit); ok && a.mentions(l, o) {
			found = true
		}
		return !found
	})
	return found
}

func (a *adapter) mentions(n ast.Node, o types.Object) bool {
	found := false
	ast.Inspect(n, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok && a.info.Uses[id] == o {
			found = true
		}
		return !found
	})
	return found
}
