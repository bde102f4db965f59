package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A unit is what this engine needs of a program.
type unit struct {
	fset     *token.FileSet
	files    []*ast.File
	info     *types.Info
	pkg      *types.Package
	bindings []rewrite.Binding
	mirrors  []rewrite.Mirror
	echoes   []parse.Echo
	vars     []rewrite.Var
	entry    string // the function to start

	shown map[string]string // what a made-up name of an instance stands for
}

func unitOf(p *rewrite.Program) *unit {
	main := p.Main()
	return &unit{
		fset: p.FileSet(), files: main.Files, info: main.Info, pkg: main.Package,
		bindings: p.Bindings(), mirrors: p.Mirrors(), echoes: p.Echoes(), vars: p.Vars(),
		entry: p.Entry(),
	}
}

// position is that of the user's text.
func (u *unit) position(pos token.Pos) diag.Position {
	p := u.fset.PositionFor(pos, false)
	return diag.Position{Name: p.Filename, Line: p.Line, Column: p.Column}
}

// clone returns a copy of u with syntax and info of its own, so that the
// adaptation can write to them: programs are shared by concurrent runs.
func (u *unit) clone() *unit {
	c := &cloner{from: u.info, to: &types.Info{
		Types:      make(map[ast.Expr]types.TypeAndValue, len(u.info.Types)),
		Defs:       make(map[*ast.Ident]types.Object, len(u.info.Defs)),
		Uses:       make(map[*ast.Ident]types.Object, len(u.info.Uses)),
		Implicits:  make(map[ast.Node]types.Object, len(u.info.Implicits)),
		Selections: make(map[*ast.SelectorExpr]*types.Selection, len(u.info.Selections)),
		Instances:  make(map[*ast.Ident]types.Instance, len(u.info.Instances)),
		InitOrder:  u.info.InitOrder,
	}}
	v := *u
	v.info = c.to
	v.files = make([]*ast.File, len(u.files))
	for i, f := range u.files {
		v.files[i] = c.file(f)
	}
	return &v
}

var madeUp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(abi.Prefix + `_g[0-9]+_[\pL_][\pL_\pN]*`) })

// display writes the names of instances in a text as Go does.
func (u *unit) display(text string) string {
	if len(u.shown) == 0 {
		return text
	}
	return madeUp().ReplaceAllStringFunc(text, func(name string) string {
		if s, ok := u.shown[name]; ok {
			return s
		}
		return name
	})
}

// displayed is p with the names of instances as in Go.
func (u *unit) displayed(p *engine.Panic) *engine.Panic {
	if p != nil {
		p.Text = u.display(p.Text)
		for i := range p.Stack {
			p.Stack[i].Func = u.display(p.Stack[i].Func)
		}
	}
	return p
}
