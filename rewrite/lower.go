package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// Compile runs all stages on src.
func Compile(src parse.Source, b parse.Bounds, u check.Universe, inputs []check.Input) (*Program, error) {
	parsed, err := parse.Parse(src, b)
	if err != nil {
		return nil, err
	}
	checked, err := check.Check(parsed, u, inputs)
	if err != nil {
		return nil, err
	}
	return Lower(checked)
}

// Lower inserts the gates into the syntax of c, which must not be used afterwards, and
// verifies the result. The error is of type Rejections.
func Lower(c *check.Checked) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			refusal, ok := r.(*diag.Rejection)
			if !ok { // a mistake of ours; the host must not fall for it
				refusal = &diag.Rejection{Code: diag.Unverified, Message: fmt.Sprintf("internal: lowering failed: %v", r)}
			}
			p, err = nil, diag.Rejections{refusal}
		}
	}()
	out := &outward{section: section{gate: c.Gate, universe: c.Universe}}
	p = &Program{fset: c.Fset, source: c.Source}
	var main *lowerer
	for _, each := range append(slices.Clone(c.Packages.List[c.Packages.Lowered:]), c) {
		p.imports = appendStandard(p.imports, each)
		main = newLowerer(each, out)
		main.lowerFiles()
		p.warnings = append(p.warnings, each.Warnings...)
		p.units = append(p.units, Unit{Package: each.Pkg, Files: each.Files, Info: each.Info, Outer: each.Outer})
	}
	c.Gate.SetImports(out.section.packages())
	p.earlier = earlier(c)
	p.entry, p.echoes, p.vars = main.entry, c.Echoes, main.vars
	p.snippet, p.nothing, p.unechoed = c.Snippet, c.ReturnsNil, c.Unechoed
	p.bindings, p.mirrors = out.section.list, out.mirrors
	if err := Verify(p); err != nil {
		return nil, err
	}
	return p, nil
}

// appendStandard appends the packages of the standard library that c imports.
func appendStandard(paths []string, c *check.Checked) []string {
	for _, f := range c.Files {
		for _, spec := range f.Imports {
			if path := parse.ImportPath(spec); c.Universe.Standard(path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// outward is what the packages of one program share: their ways out, and the names
// for it.
type outward struct {
	section section
	mirrors []Mirror
	names   map[string]string // of the script's packages, where lowering has to write one
}

// A lowerer rewrites the files of one package in place. Every node it makes is entered
// in info as go/types would have done.
type lowerer struct {
	*check.Checked
	*outward
	gateName *types.PkgName
	imported map[string]*types.PkgName // mirrors and own packages by import path
	declared map[string]bool           // see declares; made when it is asked
	leaves   bool                      // fold host constants alone, not the expressions around them
	hostFree bool                      // inside a constant expression that mentions no host constant
	replaced map[ast.Expr]ast.Expr     // initial values of package-level variables
	vars     []Var
	entry    string // name of the function that engines start

	shared      map[*types.Var]bool // see sharedVars
	gotos       map[string]bool     // labels that goto statements name
	temporaries int
	spelled     int // parts of types; see maxSpelled
}

func newLowerer(c *check.Checked, out *outward) *lowerer {
	return &lowerer{
		Checked:  c,
		gateName: types.NewPkgName(token.NoPos, c.Pkg, abi.Name, c.Gate),
		outward:  out,
		entry:    "main",
	}
}

// declares reports a name that the script declares anywhere.
func (l *lowerer) declares(name string) bool {
	if l.declared == nil {
		l.declared = map[string]bool{}
		for id, obj := range l.Info.Defs {
			if obj != nil {
				l.declared[id.Name] = true
			}
		}
	}
	return l.declared[name]
}

// refuse gives up on the program: there is something at n that lowering cannot
// put behind a gate.
func (l *lowerer) refuse(n ast.Node, name, format string, args ...any) {
	at := l.Fset.Position(n.Pos())
	panic(&diag.Rejection{
		Code:    diag.Ungated,
		Pos:     diag.Position{Name: at.Filename, Line: at.Line, Column: at.Column},
		Name:    name,
		Message: fmt.Sprintf(format, args...),
	})
}

// host reports whether obj belongs to the host: to a package other than the script's.
func (l *lowerer) host(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && !l.Checked.Own(obj.Pkg()) && obj.Pkg() != l.Gate
}

// hostType returns the host's defined type that t is, or nil.
func (l *lowerer) hostType(t types.Type) *types.Named {
	if n, ok := types.Unalias(t).(*types.Named); ok && l.host(n.Obj()) {
		return n
	}
	return nil
}
