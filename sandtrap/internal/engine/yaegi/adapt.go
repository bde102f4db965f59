package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// An adapter writes a program again in the part of Go that the interpreter runs
// right. It works on a copy. Where it cannot, it adds a refusal.
type adapter struct {
	*unit
	temps   int
	helpers map[string]bool // gate functions of this engine that are used
	refused diag.Rejections
	decls   []ast.Decl // to be added
	charged map[*ast.CallExpr]bool

	chanFuncs []chanFunc
}

// adapt returns the adapted copy of u, or why there is none.
func adapt(u *unit) (*adapter, diag.Rejections) {
	a := &adapter{unit: u.clone(), helpers: map[string]bool{}}
	for _, pass := range []func(){
		a.start,
		a.foldConstants,
		a.splitVars,
		a.initOrder,
		a.shifts,
		a.panics,
		a.weigh,
		a.allocations,
		a.builtins,
		a.switches,
		a.channels,
		a.ranges,
		a.loopVars,
		a.tuples,
		a.loads,
		a.assignments,
		a.parameters,
		a.results,
		a.defers,
		a.ticks,
	} {
		pass()
		if len(a.refused) > 0 {
			return nil, a.refused
		}
	}
	a.prelude()
	return a, nil
}

// exprs replaces every expression for which f returns another, innermost first.
func (a *adapter) exprs(f func(e ast.Expr, c *astutil.Cursor) ast.Expr) {
	for i, file := range a.files {
		a.files[i] = astutil.Apply(file, nil, func(c *astutil.Cursor) bool {
			if e, ok := c.Node().(ast.Expr); ok {
				if r := f(e, c); r != nil && r != e {
					c.Replace(r)
				}
			}
			return true
		}).(*ast.File)
	}
}

// lists replaces every list of statements, innermost first.
func (a *adapter) lists(f func(list []ast.Stmt) []ast.Stmt) {
	for _, file := range a.files {
		astutil.Apply(file, nil, func(c *astutil.Cursor) bool {
			switch n := c.Node().(type) {
			case *ast.BlockStmt:
				n.List = f(n.List)
			case *ast.CaseClause:
				n.Body = f(n.Body)
			case *ast.CommClause:
				n.Body = f(n.Body)
			}
			return true
		})
	}
}

// stmts replaces every statement of a list for which f returns others.
func (a *adapter) stmts(f func(s ast.Stmt) []ast.Stmt) {
	a.lists(func(list []ast.Stmt) []ast.Stmt {
		var out []ast.Stmt
		for i, s := range list {
			r := f(s)
			if r != nil && out == nil {
				out = append(make([]ast.Stmt, 0, len(list)+len(r)), list[:i]...)
			}
			switch {
			case r != nil:
				out = append(out, r...)
			case out != nil:
				out = append(out, s)
			}
		}
		if out == nil {
			return list
		}
		return out
	})
}

// inspect calls f for every node.
func (a *adapter) inspect(f func(n ast.Node) bool) {
	for _, file := range a.files {
		ast.Inspect(file, f)
	}
}

func (a *adapter) refuse(pos token.Pos, what string) {
	a.refused = append(a.refused, refusal(a.unit, pos, what))
}

// temp is a fresh name.
func (a *adapter) temp() string {
	a.temps++
	return fmt.Sprintf("%s_y%d", abi.Prefix, a.temps)
}

func (a *adapter) typeOf(e ast.Expr) types.Type {
	if t, ok := a.info.Types[e]; ok {
		return t.Type
	}
	if id, ok := e.(*ast.Ident); ok {
		if o := a.object(id); o != nil {
			return o.Type()
		}
	}
	return nil
}

func (a *adapter) object(id *ast.Ident) types.Object {
	if o := a.info.Uses[id]; o != nil {
		return o
	}
	return a.info.Defs[id]
}

// typed records the type of an expression that the adaptation made.
func (a *adapter) typed(e ast.Expr, t types.Type) ast.Expr {
	if t != nil {
		a.info.Types[e] = types.TypeAndValue{Type: t}
	}
	return e
}

// builtin is the name of the predeclared function that is called, or "".
func (a *adapter) builtin(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := a.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// gateName is the name of the gate that fun selects, or "".
func gateName(fun ast.Expr) string {
	if s, ok := fun.(*ast.SelectorExpr); ok {
		if id, ok := s.X.(*ast.Ident); ok && id.Name == abi.Name {
			return s.Sel.Name
		}
	}
	return ""
}

func ident(pos token.Pos, name string) *ast.Ident { return &ast.Ident{NamePos: pos, Name: name} }

// helper calls a gate function of this engine.
func (a *adapter) helper(pos token.Pos, name string, t types.Type, args ...ast.Expr) ast.Expr {
	a.helpers[name] = true
	return a.typed(call(pos, &ast.SelectorExpr{X: ident(pos, abi.Name), Sel: ident(pos, name)}, args...), t)
}

func call(pos token.Pos, fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: fun, Lparen: pos, Args: args}
}

func exprStmt(e ast.Expr) ast.Stmt { return &ast.ExprStmt{X: e} }

func block(pos token.Pos, list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: pos, List: list}
}

func assign(pos token.Pos, tok token.Token, l, r ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{l}, TokPos: pos, Tok: tok, Rhs: []ast.Expr{r}}
}

func intLit(pos token.Pos, text string) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: text}
}

func stringLit(pos token.Pos, text string) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: fmt.Sprintf("%q", text)}
}

func varDecl(pos token.Pos, name string, typ ast.Expr) ast.Decl {
	return &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{ident(pos, name)}, Type: typ}}}
}

func funcLit(pos token.Pos, result ast.Expr, list ...ast.Stmt) *ast.FuncLit {
	t := &ast.FuncType{Func: pos, Params: &ast.FieldList{}}
	if result != nil {
		t.Results = &ast.FieldList{List: []*ast.Field{{Type: result}}}
	}
	return &ast.FuncLit{Type: t, Body: block(pos, list...)}
}
