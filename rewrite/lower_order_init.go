package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

// initials orders the initial values of package-level variables.
func (l *lowerer) initials(d ast.Decl) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return
	}
	for _, spec := range g.Specs {
		values := spec.(*ast.ValueSpec).Values
		for i, v := range values {
			if e := l.initial(v); e != v {
				values[i] = e
				check.Note(&l.replaced, v, e)
			}
		}
	}
}

// initial gives what stands for v. There is no place for statements before it, so they
// become a function that is called on the spot.
func (l *lowerer) initial(v ast.Expr) ast.Expr {
	o := &orderer{lowerer: l}
	_, call := ast.Unparen(v).(*ast.CallExpr)
	_, several := l.Info.TypeOf(v).(*types.Tuple)
	if o.scan(v); !o.seen || several && !call { // v, ok := ... cannot be returned
		return v
	}
	sig := l.returning(v)
	syntax, ok := l.spell(sig, v.Pos(), l.hiddenAtTop).(*ast.FuncType)
	if !ok { // a type that only functions can name
		return v
	}
	o.makeBool(v)
	e, before := v, []ast.Stmt(nil)
	if lit := o.literal(v); lit != nil {
		o.elements(lit)
		before = o.out
	} else {
		before = l.orderTop(&e)
	}
	end := &ast.ReturnStmt{Return: e.Pos(), Results: []ast.Expr{e}}
	fun := &ast.FuncLit{Type: syntax, Body: &ast.BlockStmt{Lbrace: v.Pos(), List: append(before, end), Rbrace: v.End()}}
	l.set(fun, specimens().value, sig)
	return l.callOf(fun, v.Pos())
}

// returning is the type of a function that returns v.
func (l *lowerer) returning(v ast.Expr) *types.Signature {
	list := []types.Type{types.Default(l.Info.TypeOf(v))}
	if several, ok := l.Info.TypeOf(v).(*types.Tuple); ok {
		list = check.VarTypes(several)
	}
	var results []*types.Var
	for _, t := range list {
		results = append(results, types.NewParam(token.NoPos, l.Pkg, "", t))
	}
	return types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(results...), false)
}

// literal is the literal that e is, or is the address of, unless it is one of a map.
func (o *orderer) literal(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	if lit, ok := e.(*ast.CompositeLit); ok && !o.isMap(lit) {
		return lit
	}
	return nil
}

// elements orders a literal that a package-level variable starts with: the compiler
// stores to its elements one by one.
func (o *orderer) elements(lit *ast.CompositeLit) {
	o.parts(lit, func(p *ast.Expr) {
		if inner := o.literal(*p); inner != nil {
			o.elements(inner)
			return
		}
		*p = o.pin(o.rewrite(*p))
	})
}

func (o *orderer) isMap(e ast.Expr) bool {
	_, ok := o.Info.TypeOf(e).Underlying().(*types.Map)
	return ok
}
