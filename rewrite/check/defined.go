package check

import (
	"go/ast"
	"go/token"
)

// parenthesize writes type T (Order) for type T Order where the scope has Order from elsewhere; the function that it returns
// takes the parentheses away. go/types looks for cycles among such names, takes what is in the scope of the package for
// declared in its files, and panics; a cycle cannot lead through what is declared before.
func (c *checker) parenthesize() (restore func()) {
	names := map[*ast.TypeSpec]*ast.Ident{}
	for _, d := range c.parsed.File.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			spec := spec.(*ast.TypeSpec)
			if id, ok := spec.Type.(*ast.Ident); ok && c.result.Pkg.Scope().Lookup(id.Name) != nil {
				names[spec] = id
				spec.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
			}
		}
	}
	return func() {
		for spec, id := range names {
			spec.Type = id
		}
	}
}
