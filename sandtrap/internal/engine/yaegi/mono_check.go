package yaegi

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// recheck type-checks the copy, so that the adaptation knows it as it does other programs.
func (m *mono) recheck(files []*ast.File) (*unit, diag.Rejections) {
	v := *m.unit
	v.files, v.shown = files, m.shown
	v.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	var first *types.Error
	conf := types.Config{
		Importer:                 m.imports(),
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			if e := (types.Error{}); errors.As(err, &e) && !e.Soft && first == nil {
				first = &e
			}
		},
	}
	v.pkg, _ = conf.Check(m.pkg.Path(), m.fset, files, v.info) // errors go to conf.Error
	if first != nil {
		return nil, diag.Rejections{refusal(m.unit, first.Pos, "instantiate generic code: "+v.display(first.Msg))}
	}
	return &v, nil
}

// A lowered holds the packages that lowered code imports, by path.
type lowered map[string]*types.Package

func (i lowered) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("lowered code does not import " + path)
}

// imports are the gate package, and mirrors that have the host's types under
// their own names.
func (m *mono) imports() lowered {
	out := lowered{}
	for _, p := range m.pkg.Imports() {
		if p.Path() == abi.Path {
			out[p.Path()] = p
		}
	}
	for _, r := range m.mirrors {
		p := types.NewPackage(abi.MirrorPath(r.Path), r.Name)
		p.MarkComplete() // or it would not count
		out[p.Path()] = p
	}
	for _, b := range m.bindings {
		p := out[abi.MirrorPath(b.Path)]
		if b.Kind != abi.BindType || p == nil || p.Scope().Lookup(b.Name) != nil {
			continue
		}
		o := types.NewTypeName(token.NoPos, p, b.Name, nil)
		types.NewAlias(o, b.Object.Type())
		p.Scope().Insert(o)
	}
	return out
}
