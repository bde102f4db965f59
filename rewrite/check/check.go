package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// Checked is a source that type-checks against a universe.
type Checked struct {
	*parse.Parsed
	Universe Universe
	Inputs   []Input
	Packages *packages      // the script's own
	Gate     *types.Package // what an import of abi.Path in file stands for
	Pkg      *types.Package
	Info     *types.Info

	// InputVars are the package-level variables that stand for the inputs, by
	// index; nil where the script declares the name itself. No syntax declares
	// them. Predeclared host members have no syntax either: an identifier whose
	// use is an object of another package than pkg is one.
	InputVars []*types.Var

	// Of cells: the variables and functions that they use of earlier ones, what else their session notes of those, and
	// the costs of what they declare.
	Outer *types.Package
	Used  any
	Costs checkcost.Costs
}

// Cells are what a session tells of those before the one that is checked.
type Cells interface {
	// CostsOf are the costs of what the cell that declares name declares, MembersOf those of all cells.
	CostsOf(name string) (checkcost.Costs, bool)
	MembersOf() checkcost.Members

	// Declares reports a name that a cell declares, and ImportOf is the path of a package that one imports by the name.
	Declares(name string) bool
	ImportOf(name string) string

	// Packages are those that came with cells, Hosts those of the host that cells import, and InputTypes the
	// types of their inputs. LoadedTypes are those of the host whose values the session was loaded with.
	Packages() []*Checked
	Hosts() map[*types.Package]bool
	InputTypes() map[string]types.Type
	LoadedTypes() []types.Type

	// Show puts what c uses of earlier cells into its scope, apart from what it declares itself.
	Show(c *Checked, own map[string]bool)
}

// Check type-checks p against u with the inputs declared. All errors are
// reported together, up to a limit; the error is of type Rejections. Check adds
// to the syntax of p (imports of snippets, calls of the Echo gate), so a Parsed is
// checked once.
//
// go/types cannot be stopped. What is known to make it slow is refused before; the
// caller gives up what is slow all the same.
func Check(p *parse.Parsed, u Universe, inputs []Input) (*Checked, error) {
	return CheckCell(p, u, inputs, nil)
}

// CheckCell is Check for the next cell after s, if that is not nil.
func CheckCell(p *parse.Parsed, u Universe, inputs []Input, s Cells) (checked *Checked, err error) {
	defer func() {
		if e := recover(); e != nil {
			checked, err = nil, diag.Rejections{{
				Code:    diag.BadProgram,
				Pos:     diag.Position{Name: p.Source.FileName(), Line: 1, Column: 1},
				Message: "the type checker failed: " + oneLine(fmt.Sprint(e)),
				Hint:    "simplify the program; this is not an error of its author",
			}}
		}
	}()
	c := &checker{parsed: p, universe: u, inputs: inputs, packages: newPackages(p, u, s)}
	checked, reasons := c.check()
	for _, r := range reasons {
		r.Name, r.Message, r.Hint = asWritten(r.Name), asWritten(r.Message), asWritten(r.Hint)
	}
	for i, w := range p.Warnings {
		p.Warnings[i] = asWritten(w)
	}
	if len(reasons) > 0 {
		return nil, reasons
	}
	return checked, nil
}

// asWritten is a text about a script with the names of variables as the script has them.
func asWritten(text string) string { return strings.ReplaceAll(text, abi.Earlier, "") }

// A checker checks one Parsed.
type checker struct {
	parsed   *parse.Parsed
	universe Universe
	inputs   []Input
	packages *packages
	result   *Checked        // of the last pass
	errs     []typeError     // of the last pass
	conf     types.Config    // of the last pass
	index    *syntaxIndex    // made on first use
	costs    checkcost.Costs // of what a cell declares
	apart    map[string]bool // names that mean a variable of an earlier cell above a statement, and the cell's own below
}

// check runs the passes: our own bounds first, because go/types cannot be
// stopped; then go/types; then what go/types does not know.
func (c *checker) check() (*Checked, diag.Rejections) {
	if rs := c.boundCost(); len(rs) > 0 {
		return nil, rs
	}
	if rs := c.strayMethods(); len(rs) > 0 {
		return nil, rs
	}
	if rs := c.packages.load(c); len(rs) > 0 {
		return nil, rs
	}
	if len(c.packages.open) == 1 { // the script itself: all packages are loaded
		c.packages.sort()
	}
	c.importGate()
	c.importMissing()
	c.pass()
	for range maxPasses {
		if !c.repair() {
			break
		}
		c.pass()
	}
	if rs := c.rejections(); len(rs) > 0 {
		return nil, rs
	}
	if rs := c.postCheck(); len(rs) > 0 {
		return nil, rs
	}
	c.warnUnused()
	c.warnHabits()
	c.result.setEchoTypes()
	c.result.Costs = c.costs
	return c.result, nil
}

// boundCost refuses what go/types would take too long for.
func (c *checker) boundCost() (rs diag.Rejections) {
	var before *checkcost.Earlier
	if s := c.session(); s != nil {
		before = &checkcost.Earlier{Of: s.CostsOf, Members: s.MembersOf(), Body: c.parsed.Body}
	}
	c.costs, rs = checkcost.Check(c.parsed.File, before, c.reject)
	return rs
}

// maxPasses bounds how often a snippet is repaired and checked again. Each
// repair ends a kind of error, so two are the rule.
const maxPasses = 4

// pass runs go/types once over the files.
func (c *checker) pass() {
	c.errs = nil
	p := c.parsed
	r := &Checked{
		Parsed: p, Universe: c.universe, Inputs: c.inputs, Packages: c.packages, Gate: c.packages.gate,
		Pkg: types.NewPackage(p.Path, p.File.Name.Name), Info: NewInfo(),
		InputVars: make([]*types.Var, len(c.inputs)),
	}
	c.result = r
	c.predeclare(r)
	defer c.parenthesize()()
	c.conf = types.Config{
		Importer: importer{c.packages},
		Error:    c.collect,
		Sizes:    checkcost.Layouts,
	}
	// The error is the first of those that collect has been given.
	_ = types.NewChecker(&c.conf, p.Fset, r.Pkg, r.Info).Files(p.Files)
}

func NewInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Instances:    map[*ast.Ident]types.Instance{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
}

// predeclare puts the inputs and the host members that need no import into the
// package's scope, apart from those whose names the script declares itself.
func (c *checker) predeclare(r *Checked) {
	predeclared := c.universe.Predeclared()
	if len(c.inputs) == 0 && len(predeclared) == 0 && c.session() == nil {
		return
	}
	own := c.packageNames()
	for i, in := range c.inputs {
		if own[in.Name] {
			continue
		}
		v := types.NewVar(token.NoPos, r.Pkg, in.Name, in.Type)
		if r.Pkg.Scope().Insert(v) == nil {
			r.InputVars[i] = v
		}
	}
	if s := c.session(); s != nil {
		s.Show(r, own)
	}
	for _, obj := range predeclared {
		// Insert would write to an object without a scope, and obj is shared.
		if own[obj.Name()] || obj.Parent() == nil {
			continue
		}
		r.Pkg.Scope().Insert(obj)
	}
}

// packageNames are the names that the script declares at package level, its
// imports included.
func (c *checker) packageNames() map[string]bool {
	names := map[string]bool{}
	for _, d := range c.parsed.File.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				for _, id := range c.specNames(s) {
					names[id] = true
				}
			}
		}
	}
	return names
}

// specNames are the names that a declaration binds.
func (c *checker) specNames(s ast.Spec) []string {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return []string{s.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, id := range s.Names {
			names = append(names, id.Name)
		}
		return names
	case *ast.ImportSpec:
		if s.Name != nil {
			return []string{s.Name.Name}
		}
		if pkg, err := (importer{c.packages}).Import(parse.ImportPath(s)); err == nil {
			return []string{pkg.Name()}
		}
		path := parse.ImportPath(s) // go/types names what it could not import by its last element
		return []string{path[strings.LastIndexByte(path, '/')+1:]}
	}
	return nil
}

// ImportedBy is the package at a path as c sees it.
func (c *Checked) ImportedBy(path string) (*types.Package, error) {
	return importer{c.Packages}.Import(path)
}

// importer shows go/types the universe, the script's own packages and the gate
// package.
type importer struct{ *packages }

func (i importer) Import(path string) (*types.Package, error) {
	if path == abi.Path {
		return i.gate, nil
	}
	if own := i.ByPath[path]; own != nil {
		return own.Pkg, nil
	}
	return i.universe.Import(path)
}
