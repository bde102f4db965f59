package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"weak"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// A SavedSession holds the declarations of cells, as sources, without values.
type SavedSession struct {
	Cells    []SavedCell       `cbor:"cells"`
	Packages []SavedPackage    `cbor:"packages,omitempty"` // the script's own
	Names    map[string]int    `cbor:"names"`              // the cells that declare what names mean, from 1
	Imports  map[string]string `cbor:"imports,omitempty"`
}

// A SavedCell is the source of a cell, or variables of a cell whose source is no longer
// needed. Cells come after those that they use.
type SavedCell struct {
	Name    string            `cbor:"name"`
	Text    string            `cbor:"text"`
	Uses    map[string]int    `cbor:"uses,omitempty"` // cells, from 1, by the names that it uses
	Imports map[string]string `cbor:"imports,omitempty"`
	Inputs  map[string]int    `cbor:"inputs,omitempty"` // the types of variables that the source does not declare
	Types   []SavedType       `cbor:"types,omitempty"`
}

// A SavedPackage is a package of the script's own.
type SavedPackage struct {
	Path  string      `cbor:"path"`
	Files []SavedFile `cbor:"files"`
}

// A SavedFile is a source file.
type SavedFile struct {
	Name string `cbor:"name"`
	Text string `cbor:"text"`
}

// Cell returns the cell of p.
func (p *Program) Cell() *Cell { return p.cell }

// CellOf returns a function that finds the cell of a package, nil if there is none, while p is the last one
// compiled. It does not keep p alive, nor its cell.
func (p *Program) CellOf() func(*types.Package) *Cell {
	s, of, last := p.session, p.cell.pkg, weak.Make(p.cell)
	return func(pkg *types.Package) *Cell {
		if weak.Make(pkg) == of {
			return last.Value()
		}
		return s.cellOf(pkg)
	}
}

func (s *Session) cellOf(pkg *types.Package) *Cell {
	return s.cells[weak.Make(pkg)].Value()
}

// Live returns the cells that a session still needs: those that declare the meanings of
// names, others from the caller, and all that these use. Older ones come first.
func (s *Session) Live(others []*Cell) []*Cell {
	seen := map[*Cell]bool{}
	var list, todo []*Cell
	for _, m := range s.names {
		todo = append(todo, m.cell)
	}
	for todo = append(todo, others...); len(todo) > 0; {
		c := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; seen[c] {
			continue
		}
		seen[c] = true
		list = append(list, c)
		todo = slices.AppendSeq(todo, maps.Values(c.uses))
		if c.settled {
			todo = append(todo, s.typesFrom(c)...)
		}
	}
	slices.SortFunc(list, func(a, b *Cell) int { return cmp.Compare(a.serial, b.serial) })
	return list
}

// typesFrom are the cells that declare types of variables of c.
func (s *Session) typesFrom(c *Cell) (list []*Cell) {
	w := &TypeWriter{Cell: func(pkg *types.Package) (int, error) {
		from := s.cellOf(pkg)
		if from == nil {
			return 0, errNoCell // of a variable that nobody needs
		}
		list = append(list, from)
		return 0, nil
	}}
	for _, obj := range c.names {
		if v, ok := obj.(*types.Var); ok {
			_, _ = w.Add(v.Type())
		}
	}
	return list
}

var errNoCell = errors.New("the cell of a type is not known")

// A Numbering maps a cell to its saved cells, from 1: one with its source, and before
// that one with variables.
type Numbering struct{ sources, vars map[*Cell]int }

// Of returns the number of the saved cell that has the source of c.
func (n *Numbering) Of(c *Cell) int { return n.sources[c] }

// OfVariable returns the number of the saved cell that declares a variable of c. Its source declares those that no name
// of the session stands for.
func (n *Numbering) OfVariable(c *Cell, name string) int {
	if c.settled && c.spelled[name] == "" && !strings.HasPrefix(name, abi.Prefix) {
		return n.vars[c]
	}
	return n.sources[c]
}

// ofObject is that of the saved cell which declares what c declares.
func (n *Numbering) ofObject(c *Cell, obj types.Object) int {
	if v, ok := obj.(*types.Var); ok {
		return n.OfVariable(c, v.Name())
	}
	return n.Of(c)
}

// A sessionWriter describes cells.
type sessionWriter struct {
	*Numbering
	session *Session
	out     *SavedSession
	needed  map[*Cell]map[string]bool
	skipped map[*Cell]map[string]string
}

// Save describes the cells, which come from Live. valued are the variables that have values. skipped
// are variables of types without a name, with the reasons: nothing else uses them.
func (s *Session) Save(cells []*Cell, valued map[*Cell][]string) (out *SavedSession, n *Numbering, skipped map[*Cell]map[string]string, err error) {
	w := &sessionWriter{
		&Numbering{map[*Cell]int{}, map[*Cell]int{}}, s, &SavedSession{Names: map[string]int{}, Imports: maps.Clone(s.imports)},
		map[*Cell]map[string]bool{}, map[*Cell]map[string]string{},
	}
	for c, names := range valued {
		for _, name := range names {
			w.need(c, name)
		}
	}
	for name, m := range s.names {
		w.need(m.cell, name)
	}
	for _, c := range cells {
		for name, u := range c.uses {
			w.need(u, name)
		}
	}
	for _, c := range cells {
		if err := w.cell(c); err != nil {
			return nil, nil, nil, err
		}
	}
	for _, c := range cells {
		for name, u := range c.uses {
			if why := w.skipped[u][name]; why != "" {
				return nil, nil, nil, fmt.Errorf("variable %s, which a function uses: %s", name, why)
			}
		}
	}
	for name, m := range s.names {
		if w.skipped[m.cell][name] == "" {
			w.out.Names[name] = w.ofObject(m.cell, m.obj)
		}
	}
	for _, c := range s.own {
		p := SavedPackage{Path: c.Path}
		for _, src := range c.Sources {
			p.Files = append(p.Files, SavedFile{src.Name, src.Text})
		}
		w.out.Packages = append(w.out.Packages, p)
	}
	return w.out, w.Numbering, w.skipped, nil
}

func (w *sessionWriter) need(c *Cell, name string) {
	if w.needed[c] == nil {
		w.needed[c] = make(map[string]bool, len(c.names))
	}
	w.needed[c][name] = true
}

// cell adds the source of c, and before that the variables which it does not declare.
func (w *sessionWriter) cell(c *Cell) error {
	if !c.settled {
		inputs := slices.Clone(c.inputs)
		sort.Slice(inputs, func(i, j int) bool { return inputs[i].Name < inputs[j].Name })
		return w.source(c, c.source.Text, inputs)
	}
	text, needed := c.source.Text, w.needed[c]
	var vars []check.Input
	for _, obj := range c.names {
		name := obj.Name()
		if !needed[name] {
			continue
		}
		if v, ok := obj.(*types.Var); ok && c.spelled[name] == "" {
			vars = append(vars, check.Input{Name: name, Type: v.Type()})
		}
		text += c.spelled[name]
	}
	if len(vars) > 0 {
		w.skipped[c] = w.add(SavedCell{Name: c.source.Name}, vars)
		w.vars[c] = len(w.out.Cells)
	}
	if text == "" {
		return nil
	}
	return w.source(c, text, nil)
}

func (w *sessionWriter) source(c *Cell, text string, vars []check.Input) error {
	out := SavedCell{Name: c.source.Name, Text: text, Uses: map[string]int{}, Imports: c.imports}
	for name, u := range c.uses {
		if u != c || c.spelled[name] == "" {
			out.Uses[name] = w.ofObject(u, u.declares(name))
		}
	}
	for name, why := range w.add(out, vars) {
		return fmt.Errorf("variable %s: %s", name, why)
	}
	w.sources[c] = len(w.out.Cells)
	return nil
}

// add adds a cell with variables, which are in the order of their names, but for those of types that a table cannot have,
// which it gives with the reasons.
func (w *sessionWriter) add(out SavedCell, vars []check.Input) (unnamed map[string]string) {
	table := &TypeWriter{
		Known: w.session.Knows,
		Cell: func(pkg *types.Package) (int, error) {
			if n := w.sources[w.session.cellOf(pkg)]; n > 0 {
				return n, nil
			}
			return 0, errNoCell
		},
	}
	out.Inputs = make(map[string]int, len(vars))
	for _, v := range vars {
		i, err := table.Add(v.Type)
		if err != nil {
			check.Note(&unnamed, v.Name, err.Error())
			continue
		}
		out.Inputs[v.Name] = i
	}
	out.Types = table.List
	w.out.Cells = append(w.out.Cells, out)
	return unnamed
}

// A Restorer compiles the cells of a saved session into a new one.
type Restorer struct {
	Session *Session
	saved   *SavedSession
	cells   []*Cell // by number
}

var errSavedCell = errors.New("a saved cell uses one that does not come before it")

// Restore prepares s, which has no cells, for those of saved, and for values of the types of a table.
func (s *Session) Restore(saved *SavedSession, values []SavedType) *Restorer {
	s.noteLoaded(values)
	for _, c := range saved.Cells {
		s.noteLoaded(c.Types)
	}
	return &Restorer{Session: s, saved: saved}
}

// noteLoaded notes the types of the host in a table.
func (s *Session) noteLoaded(list []SavedType) {
	for _, t := range list {
		if obj := s.hostType(t); t.Kind == "named" && obj != nil {
			s.loaded = append(s.loaded, obj.Type())
		}
	}
}

// scope is that of a package, or of a cell that was compiled.
func (r *Restorer) scope(path string, cell int) *types.Scope {
	if path == "main" {
		if cell < 1 || cell > len(r.cells) {
			return nil
		}
		if pkg := r.cells[cell-1].pkg.Value(); pkg != nil {
			return pkg.Scope()
		}
		return nil
	}
	return r.Session.packageScope(path)
}

// packageScope is that of a package of the script's or the host's; nil if there is none.
func (s *Session) packageScope(path string) *types.Scope {
	for _, c := range s.own {
		if c.Path == path {
			return c.Pkg.Scope()
		}
	}
	pkg, err := s.universe.Import(path)
	if err != nil {
		return nil
	}
	return pkg.Scope()
}

// Knows reports whether a loaded session finds a named type of the host or of a package.
func (s *Session) Knows(t SavedType) bool { return s.hostType(t) != nil }

// hostType declares a named type of the host or of a package; nil if there is none.
func (s *Session) hostType(t SavedType) types.Object {
	if scope := s.packageScope(t.Path); scope != nil && scope.Lookup(t.Name) != nil {
		return scope.Lookup(t.Name)
	}
	if obj := predeclared(s.universe.Predeclared(), t); obj != nil {
		return obj
	}
	return nil
}

// Packages compiles the script's own packages, as imports of an otherwise empty cell; nil
// if there are none.
func (r *Restorer) Packages() (*Program, error) {
	if len(r.saved.Packages) == 0 {
		return nil, nil
	}
	var text strings.Builder
	for i, p := range r.saved.Packages {
		fmt.Fprintf(&text, "import p%d %s\n", i, strconv.Quote(p.Path))
	}
	p, err := r.Session.Compile(parse.Source{Name: "packages.go", Text: text.String(), Find: r.find}, nil)
	if err == nil {
		r.Session.Declare(p)
	}
	return p, err
}

func (r *Restorer) find(path string) ([]parse.Source, error) {
	for _, p := range r.saved.Packages {
		if p.Path == path {
			var files []parse.Source
			for _, f := range p.Files {
				files = append(files, parse.Source{Name: f.Name, Text: f.Text})
			}
			return files, nil
		}
	}
	return nil, nil
}

// Next compiles the next cell, and returns the cells that it uses, by name; nil after the
// last one.
func (r *Restorer) Next() (p *Program, uses map[string]*Cell, err error) {
	n := len(r.cells)
	if n == len(r.saved.Cells) {
		return nil, nil, nil
	}
	c, s := r.saved.Cells[n], r.Session
	s.names, s.imports, uses = make(map[string]*meaning, len(c.Uses)+len(c.Inputs)), map[string]string{}, make(map[string]*Cell, len(c.Uses))
	maps.Copy(s.imports, c.Imports)
	for name, k := range c.Uses {
		if k < 1 || k > n {
			return nil, nil, errSavedCell
		}
		obj := r.cells[k-1].declares(name)
		if obj == nil {
			return nil, nil, fmt.Errorf("a saved cell uses %s, which is not declared", parse.Printable(name))
		}
		s.names[name], uses[name] = &meaning{obj, r.cells[k-1]}, r.cells[k-1]
	}
	list, err := r.Types(c.Types)
	if err != nil {
		return nil, nil, err
	}
	var inputs []check.Input
	for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
		if i := c.Inputs[name]; i >= 0 && i < len(list) {
			inputs = append(inputs, check.Input{Name: name, Type: list[i], Later: true})
		}
	}
	if c.Text == "" {
		p, err = s.variables(c.Name, inputs)
	} else {
		p, err = s.Compile(parse.Source{Name: c.Name, Text: c.Text, Find: r.find}, inputs)
	}
	if err != nil {
		return nil, nil, err
	}
	s.Declare(p)
	r.cells = append(r.cells, p.cell)
	return p, uses, nil
}

// Last compiles, after all others, a cell that declares nothing and can refer to all of
// them.
func (r *Restorer) Last() (*Program, error) {
	s := r.Session
	s.names, s.imports = map[string]*meaning{}, map[string]string{}
	for _, c := range r.cells {
		for _, u := range c.generics {
			if !slices.Contains(s.sources, u) {
				s.sources = append(s.sources, u)
			}
		}
	}
	defer func() { s.sources = nil }()
	return s.Compile(parse.Source{Name: "last.go", Text: "_ = 0"}, nil)
}

func (c *Cell) declares(name string) types.Object {
	i, found := slices.BinarySearchFunc(c.names, name, func(obj types.Object, name string) int { return strings.Compare(obj.Name(), name) })
	if !found {
		return nil
	}
	return c.names[i]
}

// Done restores the meanings of names, and returns the cells that declare them.
func (r *Restorer) Done() (map[string]*Cell, error) {
	s := r.Session
	s.names, s.imports = make(map[string]*meaning, len(r.saved.Names)), maps.Clone(r.saved.Imports)
	if s.imports == nil {
		s.imports = map[string]string{}
	}
	cells := make(map[string]*Cell, len(r.saved.Names))
	for name, k := range r.saved.Names {
		var obj types.Object
		if k >= 1 && k <= len(r.cells) {
			obj = r.cells[k-1].declares(name)
		}
		if obj == nil {
			return nil, fmt.Errorf("a saved session has a name %s that is not declared", parse.Printable(name))
		}
		s.names[name], cells[name] = &meaning{obj, r.cells[k-1]}, r.cells[k-1]
	}
	return cells, nil
}

// Types reads a table of types of the compiled cells.
func (r *Restorer) Types(list []SavedType) ([]types.Type, error) {
	return (&TypeReader{Scope: r.scope, Predeclared: r.Session.universe.Predeclared()}).Read(list)
}

// Cells returns the cells by number, from 0.
func (r *Restorer) Cells() []*Cell { return r.cells }
