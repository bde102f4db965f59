package rewrite

import (
	"go/ast"
	"go/types"
)

// Checked is a source that type-checks against a universe.
type Checked struct {
	*Parsed
	universe Universe
	inputs   []Input
	pkg      *types.Package
	info     *types.Info
}

// Check type-checks p against u with the inputs declared. All errors are
// reported together; the error is of type Rejections.
func (p *Parsed) Check(u Universe, inputs []Input) (*Checked, error) {
	info := &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Instances:    map[*ast.Ident]types.Instance{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		Scopes:       map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: u}
	pkg, err := conf.Check("main", p.fset, []*ast.File{p.file}, info)
	if err != nil {
		return nil, Rejections{{Code: BadSyntax, Message: err.Error()}}
	}
	return &Checked{Parsed: p, universe: u, inputs: inputs, pkg: pkg, info: info}, nil
}
