package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A SavedSession is what cells declare, as sources. Values are not part of it.
type SavedSession struct {
	Cells    []SavedCell       `cbor:"cells"`
	Packages []SavedPackage    `cbor:"packages,omitempty"` // the script's own
	Names    map[string]int    `cbor:"names"`              // the cells that declare what names mean, from 1
	Imports  map[string]string `cbor:"imports,omitempty"`
	Types    []SavedType       `cbor:"types,omitempty"` // of inputs
}

// A SavedCell is the source of a cell. Cells come after those that they use.
type SavedCell struct {
	Name    string            `cbor:"name"`
	Text    string            `cbor:"text"`
	Uses    map[string]int    `cbor:"uses,omitempty"` // cells, from 1, by the names that it uses
	Imports map[string]string `cbor:"imports,omitempty"`
	Inputs  map[string]int    `cbor:"inputs,omitempty"` // their types
}

// A SavedPackage is a package of the script's own.
type SavedPackage struct {
	Path  string      `cbor:"path"`
	Files []SavedFile `cbor:"files"`
}

// A SavedFile is a source.
type SavedFile struct {
	Name string `cbor:"name"`
	Text string `cbor:"text"`
}

// Cell is the cell that p is.
func (p *Program) Cell() *Cell { return p.cell }

// Of finds the cell that pkg is among c and what it uses.
func (c *Cell) Of(pkg *types.Package) *Cell {
	seen := map[*Cell]bool{}
	for todo := []*Cell{c}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at.pkg.Value() == pkg {
			return at
		}
		for _, u := range at.uses {
			if !seen[u] {
				seen[u] = true
				todo = append(todo, u)
			}
		}
	}
	return nil
}

// Live are the cells that a session needs again: those which declare what names mean,
// others that the caller knows of, and what all of these use. Older ones come first.
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
	}
	slices.SortFunc(list, func(a, b *Cell) int { return cmp.Compare(a.serial, b.serial) })
	return list
}

// Save describes the cells, which are what Live gave.
func (s *Session) Save(cells []*Cell) (*SavedSession, error) {
	number := map[*Cell]int{}
	for i, c := range cells {
		number[c] = i + 1
	}
	out := &SavedSession{Names: map[string]int{}, Imports: maps.Clone(s.imports)}
	for name, m := range s.names {
		out.Names[name] = number[m.cell]
	}
	w := &TypeWriter{Cell: func(*types.Package) (int, error) { return 0, errors.New("an input has a type of a script") }}
	for _, c := range cells {
		saved := SavedCell{Name: c.source.Name, Text: c.source.Text, Uses: map[string]int{}, Imports: c.imports, Inputs: map[string]int{}}
		for name, u := range c.uses {
			saved.Uses[name] = number[u]
		}
		for _, in := range c.inputs {
			i, err := w.Add(in.Type)
			if err != nil {
				return nil, fmt.Errorf("input %s: %w", in.Name, err)
			}
			saved.Inputs[in.Name] = i
		}
		out.Cells = append(out.Cells, saved)
	}
	for _, c := range s.own {
		p := SavedPackage{Path: c.path}
		for _, src := range c.sources {
			p.Files = append(p.Files, SavedFile{src.Name, src.Text})
		}
		out.Packages = append(out.Packages, p)
	}
	out.Types = w.List
	return out, nil
}

// A Restorer compiles the cells of a saved session into a new one.
type Restorer struct {
	Session *Session
	saved   *SavedSession
	inputs  []types.Type
	cells   []*Cell // by number
}

var errSavedCell = errors.New("a saved cell uses one that does not come before it")

// Restore readies s, which has no cells, for those of saved.
func (s *Session) Restore(saved *SavedSession) (*Restorer, error) {
	r := &Restorer{Session: s, saved: saved}
	types := &TypeReader{Scope: func(path string, _ int) *types.Scope { return s.scopeAt(path) }}
	var err error
	r.inputs, err = types.Read(saved.Types)
	return r, err
}

func (s *Session) scopeAt(path string) *types.Scope {
	pkg, err := s.universe.Import(path)
	if err != nil {
		return nil
	}
	return pkg.Scope()
}

// Packages compiles the packages of the script's own, as imports of a cell without
// anything else; nil if there are none.
func (r *Restorer) Packages() (*Program, error) {
	if len(r.saved.Packages) == 0 {
		return nil, nil
	}
	var text strings.Builder
	for i, p := range r.saved.Packages {
		fmt.Fprintf(&text, "import p%d %s\n", i, strconv.Quote(p.Path))
	}
	p, err := r.Session.Compile(Source{Name: "packages.go", Text: text.String(), Find: r.find}, nil)
	if err == nil {
		r.Session.Declare(p)
	}
	return p, err
}

func (r *Restorer) find(path string) ([]Source, error) {
	for _, p := range r.saved.Packages {
		if p.Path == path {
			var files []Source
			for _, f := range p.Files {
				files = append(files, Source{Name: f.Name, Text: f.Text})
			}
			return files, nil
		}
	}
	return nil, nil
}

// Next compiles the next cell, whose uses are the cells that it gives, by name; nil
// after the last one.
func (r *Restorer) Next() (p *Program, uses map[string]*Cell, err error) {
	n := len(r.cells)
	if n == len(r.saved.Cells) {
		return nil, nil, nil
	}
	c, s := r.saved.Cells[n], r.Session
	s.names, s.imports, uses = map[string]*meaning{}, map[string]string{}, map[string]*Cell{}
	maps.Copy(s.imports, c.Imports)
	for name, k := range c.Uses {
		if k < 1 || k > n {
			return nil, nil, errSavedCell
		}
		obj := r.cells[k-1].declares(name)
		if obj == nil {
			return nil, nil, fmt.Errorf("a saved cell uses %s, which is not declared", printable(name))
		}
		s.names[name], uses[name] = &meaning{obj, r.cells[k-1]}, r.cells[k-1]
	}
	var inputs []Input
	for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
		if i := c.Inputs[name]; i >= 0 && i < len(r.inputs) {
			inputs = append(inputs, Input{name, r.inputs[i]})
		}
	}
	if p, err = s.Compile(Source{Name: c.Name, Text: c.Text, Find: r.find}, inputs); err != nil {
		return nil, nil, err
	}
	s.Declare(p)
	r.cells = append(r.cells, p.cell)
	return p, uses, nil
}

// Last compiles a cell that declares nothing, after all others: what they say is at hand
// for it.
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
	return s.Compile(Source{Name: "last.go", Text: "_ = 0"}, nil)
}

func (c *Cell) declares(name string) types.Object {
	for _, obj := range c.names {
		if obj.Name() == name {
			return obj
		}
	}
	return nil
}

// Done makes names mean what they did, and gives the cells that declare them.
func (r *Restorer) Done() (map[string]*Cell, error) {
	s := r.Session
	s.names, s.imports = map[string]*meaning{}, maps.Clone(r.saved.Imports)
	if s.imports == nil {
		s.imports = map[string]string{}
	}
	cells := map[string]*Cell{}
	for name, k := range r.saved.Names {
		if k < 1 || k > len(r.cells) || r.cells[k-1].declares(name) == nil {
			return nil, fmt.Errorf("a saved session has a name %s that is not declared", printable(name))
		}
		s.names[name], cells[name] = &meaning{r.cells[k-1].declares(name), r.cells[k-1]}, r.cells[k-1]
	}
	return cells, nil
}

// Types reads a table of types of the session's cells.
func (r *Restorer) Types(list []SavedType) ([]types.Type, error) {
	reader := &TypeReader{Scope: func(path string, cell int) *types.Scope {
		if path != "main" {
			for _, c := range r.Session.own {
				if c.path == path {
					return c.pkg.Scope()
				}
			}
			return r.Session.scopeAt(path)
		}
		if cell < 1 || cell > len(r.cells) {
			return nil
		}
		if pkg := r.cells[cell-1].pkg.Value(); pkg != nil {
			return pkg.Scope()
		}
		return nil
	}}
	return reader.Read(list)
}

// Cells are the cells by number, from 0.
func (r *Restorer) Cells() []*Cell { return r.cells }
