package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// channels puts a gate before every channel operation. With one task, an operation
// that has to wait would wait for ever, so the gate ends the run instead.
func (a *adapter) channels() {
	a.selects()
	a.chanRanges()
	a.received()
	a.exprs(func(e ast.Expr, _ *astutil.Cursor) ast.Expr {
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			return a.typed(a.chanCall(u, u.X, "recv"), a.elem(u.X))
		}
		return nil
	})
	for i, file := range a.files {
		a.files[i] = astutil.Apply(file, nil, func(c *astutil.Cursor) bool {
			if s, ok := c.Node().(*ast.SendStmt); ok {
				c.Replace(exprStmt(a.chanCall(s, s.Chan, "send", s.Value)))
			}
			return true
		}).(*ast.File)
	}
}

func (a *adapter) elem(c ast.Expr) types.Type {
	return a.typeOf(c).Underlying().(*types.Chan).Elem()
}

// chanSources are functions of the script with C for a type of channel and E for
// its elements. In each, the gate stands before the operation itself, which is the
// interpreter's, because elements of the script's types are.
var chanSources = map[string]string{
	"recv":  "func NAME(c C) E { __st.AwaitRecv(c); v := <-c; return v }",
	"recv2": "func NAME(c C) (E, bool) { __st.AwaitRecv(c); v, ok := <-c; return v, ok }",
	"send":  "func NAME(c C, v E) { __st.AwaitSend(c); c <- v }",
}

// chanCall calls the function for an operation on channels of the type of c.
func (a *adapter) chanCall(at ast.Node, c ast.Expr, op string, args ...ast.Expr) *ast.CallExpr {
	pos := at.Pos()
	return call(pos, ident(pos, a.chanFunc(pos, a.typeOf(c), op)), append([]ast.Expr{c}, args...)...)
}

func (a *adapter) chanFunc(pos token.Pos, t types.Type, op string) string {
	for _, f := range a.chanFuncs {
		if f.op == op && types.Identical(f.chans, t) {
			return f.name
		}
	}
	name := abi.Prefix + "_" + op + itoa(int64(len(a.chanFuncs)))
	c, e := a.typeExpr(pos, t), a.typeExpr(pos, t.Underlying().(*types.Chan).Elem())
	if c == nil || e == nil {
		a.refuse(pos, "use a channel of a type that cannot be named outside of its function")
		return name
	}
	a.helpers["AwaitRecv"], a.helpers["AwaitSend"] = true, true
	d := parseDecls(pos, "package main\n"+strings.Replace(chanSources[op], "NAME", name, 1))[0]
	d = astutil.Apply(d, nil, func(cur *astutil.Cursor) bool {
		if id, ok := cur.Node().(*ast.Ident); ok && cur.Name() == "Type" {
			switch id.Name {
			case "C":
				cur.Replace(c)
			case "E":
				cur.Replace(e)
			}
		}
		return true
	}).(ast.Decl)
	a.decls = append(a.decls, d)
	a.chanFuncs = append(a.chanFuncs, chanFunc{op, t, name})
	return name
}

// A chanFunc is a function made for an operation on one type of channel.
type chanFunc struct {
	op    string
	chans types.Type
	name  string
}

// received is v, ok = <-c.
func (a *adapter) received() {
	two := func(l int, r []ast.Expr) {
		if l != 2 || len(r) != 1 {
			return
		}
		if u, ok := ast.Unparen(r[0]).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			r[0] = a.typed(a.chanCall(u, u.X, "recv2"), a.info.Types[u].Type)
		}
	}
	a.inspect(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			two(len(n.Lhs), n.Rhs)
		case *ast.ValueSpec:
			two(len(n.Names), n.Values)
		}
		return true
	})
}

// chanRanges writes a range over a channel as a loop that receives.
func (a *adapter) chanRanges() {
	for i, file := range a.files {
		a.files[i] = astutil.Apply(file, nil, func(c *astutil.Cursor) bool {
			r, ok := c.Node().(*ast.RangeStmt)
			if !ok {
				return true
			}
			if _, ok := a.typeOf(r.X).Underlying().(*types.Chan); ok {
				c.Replace(a.chanRange(r))
			}
			return true
		}).(*ast.File)
	}
}

func (a *adapter) chanRange(r *ast.RangeStmt) ast.Stmt {
	pos := r.Pos()
	c := ident(pos, a.temp())
	a.typed(c, a.typeOf(r.X))
	v, ok := a.temp(), a.temp()
	list := []ast.Stmt{
		&ast.AssignStmt{Lhs: []ast.Expr{ident(pos, v), ident(pos, ok)}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{a.chanCall(r, c, "recv2")}},
		&ast.IfStmt{If: pos, Cond: &ast.UnaryExpr{OpPos: pos, Op: token.NOT, X: ident(pos, ok)}, Body: block(pos, &ast.BranchStmt{TokPos: pos, Tok: token.BREAK})},
	}
	if id, isName := r.Key.(*ast.Ident); r.Key != nil && (!isName || id.Name != "_") {
		list = append(list, assign(pos, r.Tok, r.Key, a.typed(ident(pos, v), a.elem(r.X))))
	}
	return &ast.ForStmt{
		For:  pos,
		Init: assign(pos, token.DEFINE, c, r.X),
		Body: block(pos, append(list, r.Body.List...)...),
	}
}
