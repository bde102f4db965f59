package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"weak"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/internal/detached"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// A Session holds the declarations of the cells so far. Each cell is a package main of
// its own, whose scope has the objects of earlier cells that it uses. So the cost of a
// cell is independent of the number of earlier ones, and only references keep a cell
// alive.
//
// A name that is declared again has the new meaning in that cell and later. Code that was
// compiled before keeps the old one: functions call the old function, values have the old
// type. A Session is not safe for concurrent use.
type Session struct {
	universe  check.Universe
	bounds    parse.Bounds
	names     map[string]*meaning
	imports   map[string]string // paths, by the names that cells gave them
	own       []*check.Checked  // the script's packages
	units     []*Unit           // theirs
	hosts     map[*types.Package]bool
	inputs    map[string]types.Type                              // those of the host, the last of each name
	loaded    []types.Type                                       // of the host, whose values the session was loaded with
	count     int                                                // of cells that were compiled
	base      int                                                // of the positions of the next one
	members   checkcost.Members                                  // of all cells
	scopeless *types.Package                                     // of the objects that names mean
	sources   []*Unit                                            // that the next cell may need, whatever it says
	cells     map[weak.Pointer[types.Package]]weak.Pointer[Cell] // that were declared and are still there
}

// A meaning is what a name stands for.
type meaning struct {
	obj  types.Object
	cell *Cell
}

// A Cell describes a compiled cell.
type Cell struct {
	// Linked is the state of the engine for it.
	Linked Linked

	serial   int // later ones have larger
	source   parse.Source
	pkg      weak.Pointer[types.Package]
	uses     map[string]*Cell // where what it uses of earlier cells is declared
	names    []types.Object
	costs    checkcost.Costs
	imports  map[string]string
	hosts    []*types.Package
	inputs   []check.Input
	own      []*check.Checked
	units    []*Unit
	generics []*Unit // whose source later cells may need, if they use what this one declares
	rest     *rest   // nil for a cell that is settled, or never will be
	settled  bool
	spelled  map[string]string // of a settled cell: how variables of its own types are declared
}

// NewSession returns a session without cells. The universe must not have a package main.
func NewSession(u check.Universe, b parse.Bounds) *Session {
	return &Session{
		universe: u, bounds: b.OrDefault(), names: map[string]*meaning{}, imports: map[string]string{},
		hosts: map[*types.Package]bool{}, inputs: map[string]types.Type{}, members: checkcost.Members{},
		cells: map[weak.Pointer[types.Package]]weak.Pointer[Cell]{}, scopeless: types.NewPackage("main", "main"),
	}
}

// Compile takes one cell through all stages. It changes nothing in s.
func (s *Session) Compile(src parse.Source, inputs []check.Input) (*Program, error) {
	src.Base = s.base
	parsed, err := parse.Parse(src, s.bounds)
	if err != nil {
		return nil, err
	}
	checked, err := check.CheckCell(parsed, s.universe, inputs, cells{s})
	if err != nil {
		return nil, err
	}
	s.base = parsed.Fset.Base()
	c := s.cell(checked)
	p, err := Lower(checked)
	if err != nil {
		return nil, err
	}
	p.cell, p.session = c, s
	p.complete(checked)
	return p, nil
}

// cells tells the check of a cell what the earlier ones of a session are.
type cells struct{ s *Session }

func (e cells) MembersOf() checkcost.Members               { return e.s.members }
func (e cells) Declares(name string) bool                  { return e.s.names[name] != nil }
func (e cells) ImportOf(name string) string                { return e.s.imports[name] }
func (e cells) Packages() []*check.Checked                 { return e.s.own }
func (e cells) Hosts() map[*types.Package]bool             { return e.s.hosts }
func (e cells) InputTypes() map[string]types.Type          { return e.s.inputs }
func (e cells) LoadedTypes() []types.Type                  { return e.s.loaded }
func (e cells) Show(c *check.Checked, own map[string]bool) { e.s.show(c, own) }

// CostsOf implements Cells.
func (e cells) CostsOf(name string) (checkcost.Costs, bool) { return e.s.costsOf(name) }

// costsOf are the costs of what the cell that declares name declares.
func (s *Session) costsOf(name string) (checkcost.Costs, bool) {
	if m := s.names[name]; m != nil {
		return m.cell.costs, true
	}
	return checkcost.Costs{}, false
}

// Declare makes the declarations of p known to later cells, once the engine has accepted
// p.
func (s *Session) Declare(p *Program) {
	c := p.cell
	s.cells[c.pkg] = weak.Make(c)
	for name, path := range c.imports {
		delete(s.names, name)
		s.imports[name] = path
	}
	for i, obj := range c.names {
		obj = s.detached(obj)
		c.names[i] = obj
		delete(s.imports, obj.Name())
		s.names[obj.Name()] = &meaning{obj, c}
	}
	s.members.Add(c.costs)
	for _, pkg := range c.hosts {
		s.hosts[pkg] = true
	}
	for _, in := range c.inputs {
		if !in.Later {
			s.inputs[in.Name] = in.Type
		}
	}
	s.own, s.units = append(s.own, c.own...), append(s.units, c.units...)
}

// detached is obj, or what has its name and its type in a package that declares nothing: objects know the scope they are
// declared in, and that would keep all of the cell. Types, and what go/ssa makes instances of, have to be themselves.
func (s *Session) detached(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Var:
		return types.NewVar(obj.Pos(), s.scopeless, obj.Name(), detached.Type(obj.Type()))
	case *types.Const:
		return types.NewConst(obj.Pos(), s.scopeless, obj.Name(), obj.Type(), obj.Val())
	case *types.Func:
		if obj.Signature().TypeParams().Len() == 0 {
			return types.NewFunc(obj.Pos(), s.scopeless, obj.Name(), detached.Signature(obj.Signature()))
		}
	}
	return obj
}

// Names returns the objects that names currently mean, by name.
func (s *Session) Names() []types.Object {
	var list []types.Object
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		list = append(list, s.names[name].obj)
	}
	return list
}

// Imports returns the paths of the packages that cells have imported, by name.
func (s *Session) Imports() map[string]string { return maps.Clone(s.imports) }

// cell notes what a checked cell declares, before it is lowered.
func (s *Session) cell(c *check.Checked) *Cell {
	s.count++
	out := &Cell{
		serial: s.count, source: parse.Source{Name: c.Source.Name, Text: c.Source.Text}, pkg: weak.Make(c.Pkg), uses: usedBy(c).cells, costs: c.Costs,
		hosts: c.Hosts(), inputs: c.Inputs, own: c.Packages.List[c.Packages.Lowered:], rest: restOf(c),
	}
	scope := c.Pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		ownMain := name == "main" && c.Body != nil && c.Body.Name.Name == name // of statements, and not the author's
		if obj.Pkg() == c.Pkg && !ownMain && !strings.HasPrefix(name, abi.Prefix) {
			out.names = append(out.names, obj)
		}
	}
	for _, spec := range c.File.Imports {
		path := parse.ImportPath(spec)
		pkg, err := c.ImportedBy(path)
		if err != nil || path == abi.Path {
			continue
		}
		name := pkg.Name()
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if out.imports == nil {
			out.imports = map[string]string{}
		}
		out.imports[name] = path
	}
	return out
}

// earlier are the units of earlier cells that c may need.
func earlier(c *check.Checked) []*Unit {
	e, ok := c.Packages.Session.(cells)
	if !ok {
		return nil
	}
	return append(slices.Clone(e.s.units), usedBy(c).generics...)
}

// used is what a cell uses of earlier ones.
type used struct {
	cells    map[string]*Cell // where each name is declared
	generics []*Unit          // whose source it may need
}

// usedBy is that of c.
func usedBy(c *check.Checked) *used {
	u, _ := c.Used.(*used)
	if u == nil {
		u = &used{}
	}
	return u
}

// complete notes what p has for later cells.
func (p *Program) complete(c *check.Checked) {
	p.cell.generics = usedBy(c).generics
	for i := range p.units[:len(p.units)-1] {
		p.cell.units = append(p.cell.units, &p.units[i])
	}
	main := &p.units[len(p.units)-1]
	if p.cell.hasGenerics() {
		p.cell.generics = append(slices.Clone(usedBy(c).generics), main)
	}
}

// hasGenerics reports that later cells may have to instantiate what c declares.
func (c *Cell) hasGenerics() bool {
	for _, obj := range c.names {
		switch t := obj.Type().(type) {
		case *types.Named:
			if t.Obj().Pkg() == obj.Pkg() && t.TypeParams().Len() > 0 {
				return true
			}
		case *types.Signature:
			if t.TypeParams().Len() > 0 {
				return true
			}
		}
	}
	return false
}

// Earlier returns the units of earlier cells whose source a cell may need: the script's
// packages, and units with generic declarations.
func (p *Program) Earlier() []*Unit { return p.earlier }

// Sources returns the units of a cell that Earlier may return for later ones. The engine
// links them before the cell is declared.
func (p *Program) Sources() []*Unit {
	list := slices.Clone(p.cell.units)
	if n := len(p.cell.generics); n > 0 && p.cell.generics[n-1].Package == p.Main().Package {
		list = append(list, p.cell.generics[n-1])
	}
	return list
}

// Declares returns the objects that a cell declares.
func (p *Program) Declares() []types.Object { return p.cell.names }

// standIn is what a later cell knows d by. Objects know the scope they are declared in,
// and that would keep the cell; so variables and functions are shown as others of the same
// type. Types, and what go/ssa makes instances of, have to be themselves.
func (d *meaning) standIn(outer *types.Package, name string) types.Object {
	switch obj := d.obj.(type) {
	case *types.Var:
		return types.NewVar(token.NoPos, outer, name, obj.Type())
	case *types.Const:
		return types.NewConst(token.NoPos, outer, name, obj.Type(), obj.Val())
	case *types.Func:
		if obj.Signature().TypeParams().Len() == 0 {
			return types.NewFunc(token.NoPos, outer, name, obj.Signature())
		}
	}
	return d.obj
}

// show puts what r uses of earlier cells into its scope, apart from what it declares
// itself.
func (s *Session) show(r *check.Checked, own map[string]bool) {
	r.Outer = types.NewPackage("main", "main")
	u := &used{map[string]*Cell{}, slices.Clone(s.sources)}
	r.Used = u
	for _, name := range slices.Sorted(maps.Keys(namesIn(r.File))) {
		earlier := strings.TrimPrefix(name, abi.Earlier)
		d := s.names[earlier]
		if d == nil || own[name] {
			continue
		}
		obj := d.standIn(r.Outer, name)
		if r.Pkg.Scope().Insert(obj) != nil {
			continue // an input
		}
		u.cells[earlier] = d.cell
		if _, constant := obj.(*types.Const); obj.Pkg() == r.Outer && !constant {
			r.Outer.Scope().Insert(obj)
		}
		for _, unit := range d.cell.generics {
			if !slices.Contains(u.generics, unit) {
				u.generics = append(u.generics, unit)
			}
		}
	}
}

// namesIn are the identifiers of f that are not selected.
func namesIn(f ast.Node) map[string]bool {
	names := map[string]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	}
	ast.Inspect(f, visit)
	return names
}
