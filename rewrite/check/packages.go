package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// packages are the script's own packages, in the order in which they are
// initialised, with what they share.
type packages struct {
	universe Universe
	find     parse.Finder
	fset     *token.FileSet
	gate     *types.Package
	bounds   parse.Bounds
	left     int // bytes of source that may still come
	ByPath   map[string]*Checked
	List     []*Checked
	open     []string // those being checked, from the script inwards

	Session Cells // that the script comes after, if it is a cell
	Lowered int   // of list: those that earlier cells brought
}

// sort puts the packages that came with the source into the order in which Go initialises them: again and again
// the first by path whose imports are initialised.
func (ps *packages) sort() {
	rest := ps.List[ps.Lowered:]
	slices.SortFunc(rest, byPath)
	fresh, waits := map[*Checked]bool{}, map[*Checked]int{} // waits for so many that are fresh
	for _, c := range rest {
		fresh[c] = true
	}
	importers := map[*Checked][]*Checked{}
	var ready, sorted []*Checked // ready is in order of path
	for _, c := range rest {
		for own := range ps.importedBy(c) {
			if fresh[own] {
				waits[c]++
				importers[own] = append(importers[own], c)
			}
		}
		if waits[c] == 0 {
			ready = append(ready, c)
		}
	}
	for len(ready) > 0 {
		next := ready[0]
		ready, sorted = ready[1:], append(sorted, next)
		for _, c := range importers[next] {
			if waits[c]--; waits[c] == 0 {
				i, _ := slices.BinarySearchFunc(ready, c, byPath)
				ready = slices.Insert(ready, i, c)
			}
		}
	}
	copy(rest, sorted)
}

func byPath(a, b *Checked) int { return strings.Compare(a.Path, b.Path) }

// importedBy are the script's own packages that c imports.
func (ps *packages) importedBy(c *Checked) map[*Checked]bool {
	imported := map[*Checked]bool{}
	for _, f := range c.Files {
		for _, spec := range f.Imports {
			if own := ps.ByPath[parse.ImportPath(spec)]; own != nil {
				imported[own] = true
			}
		}
	}
	return imported
}

func newPackages(p *parse.Parsed, u Universe, s Cells) *packages {
	ps := &packages{
		universe: u, find: p.Source.Find, fset: p.Fset, gate: gatePackage(), bounds: p.Bounds,
		left: p.Bounds.Bytes - len(p.Source.Text), open: []string{"main"},
	}
	if s != nil {
		own := s.Packages()
		ps.Session, ps.List, ps.Lowered = s, slices.Clone(own), len(own)
		for _, c := range own {
			Note(&ps.ByPath, c.Path, c)
		}
	}
	return ps
}

// session tells of the cells before the one that c checks, nil if it checks something else.
func (c *checker) session() Cells {
	if c.packages == nil || c.parsed.Path != "main" {
		return nil
	}
	return c.packages.Session
}

// Own reports whether pkg is the script itself or one of its packages.
func (c *Checked) Own(pkg *types.Package) bool {
	return pkg != nil && (c.Same(pkg) || c.Packages.holds(pkg) || c.Packages.Session != nil && pkg.Path() == "main")
}

// Hosts are the packages of the host that c imports, also by way of packages of the script's.
func (c *Checked) Hosts() (list []*types.Package) {
	seen := map[*types.Package]bool{}
	todo := slices.Clone(c.Pkg.Imports())
	for len(todo) > 0 {
		pkg := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case seen[pkg], pkg.Path() == abi.Path:
		case c.Own(pkg):
			todo = append(todo, pkg.Imports()...)
		default:
			list = append(list, pkg)
		}
		seen[pkg] = true
	}
	return list
}

// Same reports whether pkg is the package of c, to the user: all cells are package main.
func (c *Checked) Same(pkg *types.Package) bool {
	return pkg == c.Pkg || c.Packages.Session != nil && c.Path == "main" && pkg != nil && pkg.Path() == "main"
}

// holds reports whether pkg is one of the packages.
func (ps *packages) holds(pkg *types.Package) bool {
	c := ps.ByPath[pkg.Path()]
	return c != nil && c.Pkg == pkg
}

// load checks all packages that p imports, directly or not.
func (ps *packages) load(c *checker) diag.Rejections {
	for _, f := range c.parsed.Files {
		for _, spec := range f.Imports {
			if ps.find != nil {
				if rs := ps.loadOne(c, spec); len(rs) > 0 {
					return rs
				}
			}
			if r := ps.checkBlank(c, spec); r != nil {
				return diag.Rejections{r}
			}
		}
	}
	return nil
}

// blankImports are the packages of the universe whose imports can be blank, with the reason.
var blankImports = map[string]string{
	"time/tzdata": "it has no names, and the zones are there anyway",
}

// checkBlank refuses a blank import, unless the package is the script's own: that is initialised.
func (ps *packages) checkBlank(c *checker, spec *ast.ImportSpec) *diag.Rejection {
	path := parse.ImportPath(spec)
	if spec.Name == nil || spec.Name.Name != "_" || ps.ByPath[path] != nil || blankImports[path] != "" {
		return nil
	}
	return c.reject(diag.BadImport, spec, path, "blank import of "+path+" is not allowed: it has no use but side effects", "remove it")
}

// loadOne checks the package that spec imports, if it is the script's own.
func (ps *packages) loadOne(c *checker, spec *ast.ImportSpec) diag.Rejections {
	path := parse.ImportPath(spec)
	if path == abi.Path || strings.HasPrefix(path, abi.Path+"/") || ps.ByPath[path] != nil {
		return nil
	}
	if _, err := ps.universe.Import(path); err == nil {
		return nil
	}
	for i, open := range ps.open {
		if open == path {
			cycle := strings.Join(append(ps.open[i:], path), " imports ")
			return diag.Rejections{c.reject(diag.BadImport, spec, path, "import cycle: "+cycle, "move what both need into a package of its own")}
		}
	}
	files, err := ps.find(path)
	if err != nil {
		return diag.Rejections{c.reject(diag.UnknownImport, spec, path, parse.Printable(err.Error()), "")}
	}
	if len(files) == 0 {
		return nil // the type checker says so
	}
	if len(ps.open) >= maxPackageDepth {
		return diag.Rejections{c.reject(diag.TooComplex, spec, path, "packages import each other too deeply", "import fewer packages")}
	}
	ps.open = append(ps.open, path)
	defer func() { ps.open = ps.open[:len(ps.open)-1] }()
	parsed, rs := ps.parse(path, files)
	if len(rs) > 0 {
		return rs
	}
	checked, rs := (&checker{parsed: parsed, universe: ps.universe, packages: ps}).check()
	if len(rs) > 0 {
		return rs
	}
	Note(&ps.ByPath, path, checked)
	ps.List = append(ps.List, checked)
	return nil
}

// maxPackageDepth bounds how deeply packages import each other: each level is a
// recursion of the check.
const maxPackageDepth = 100

// parse parses the files of one package.
func (ps *packages) parse(path string, files []parse.Source) (*parse.Parsed, diag.Rejections) {
	p := &parse.Parsed{Path: path, Source: files[0], Bounds: ps.bounds, Fset: ps.fset}
	for _, src := range files {
		s := parse.NewScriptIn(ps.fset, src)
		b := ps.bounds
		b.Bytes = ps.left
		if len(src.Text) > ps.left {
			return nil, diag.Rejections{s.TooLargeTogether(ps.bounds, ps.bounds.Bytes-ps.left+len(src.Text))}
		}
		if rs := s.CheckText(b); rs != nil {
			return nil, rs
		}
		ps.left -= len(src.Text)
		f, warnings, rs := s.ParseFile(b)
		if len(rs) > 0 {
			return nil, rs
		}
		p.Warnings = append(p.Warnings, warnings...)
		p.Files, p.Sources = append(p.Files, f), append(p.Sources, src)
		if first := p.Files[0].Name.Name; f.Name.Name != first {
			return nil, diag.Rejections{s.Reject(s.Offset(f.Name.Pos()), diag.BadPackage, f.Name.Name,
				"package "+f.Name.Name+" in a directory of package "+first, "give all files of a directory the same package clause")}
		}
	}
	p.File = parse.Merged(p.Files)
	return p, nil
}

// Note enters v for k in the map at m, which is made when it is needed.
func Note[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}
