package check

import (
	"go/ast"
	"go/types"
)

// keyLiterals names the fields in literals of types that earlier cells declared. To
// go/types those are of another package, where T{1, 2} may not set what is not exported.
// It tells whether there were any.
func (c *checker) keyLiterals() bool {
	keyed := false
	for _, e := range c.errs {
		if e.goName != "UnexportedLitField" || c.session() == nil {
			continue
		}
		if lit := c.syntax().litsByKey[e.Pos]; lit != nil && c.keyLiteral(lit) {
			keyed = true
		}
	}
	if keyed {
		c.index = nil
	}
	return keyed
}

func (c *checker) keyLiteral(lit *ast.CompositeLit) bool {
	t := c.result.Info.TypeOf(lit)
	if t == nil {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // elided: []*T{{1, 2}}
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() != len(lit.Elts) || !c.result.Same(s.Field(0).Pkg()) {
		return false
	}
	for i, x := range lit.Elts {
		if _, ok := x.(*ast.KeyValueExpr); ok || s.Field(i).Name() == "_" {
			return false
		}
		name := &ast.Ident{NamePos: x.Pos(), Name: s.Field(i).Name()}
		lit.Elts[i] = &ast.KeyValueExpr{Key: name, Colon: x.Pos(), Value: x}
	}
	return true
}
