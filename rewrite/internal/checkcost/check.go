package checkcost

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// The bounds on single types and constants. Real programs stay below a tenth
// of them.
const (
	maxParts       = 10_000 // values within a value
	maxText        = 10_000 // length of a type written out, in names
	maxEmbeds      = 2_000  // types to search for a promoted member
	maxDepth       = 100    // declared types within each other
	maxMethods     = 1_000  // of an interface
	maxChain       = 500    // package-level declarations, each of which needs the next
	maxStringConst = 1 << 20
	maxConstBits   = 1_000_000 // of the exponent of a number constant
	maxIntBits     = 512       // of an integer constant, in go/types
)

// work is what go/types has to do for a file as a whole, in its own units.
type work struct {
	nodes     float64 // of syntax
	fields    float64 // of the largest struct
	own       float64 // of the one that declares most, without those within these
	methods   float64 // of the largest interface
	embeds    float64 // embedded types of all structs, those within others for each again
	declared  float64 // methods of the type with most of them
	flattened float64 // methods of all interfaces
	unions    float64 // comparisons of terms
	cases     float64 // comparisons of the cases of type switches
	repeats   float64 // syntax that counts for each constant or variable of a declaration
	initEdges float64 // dependencies of package-level variables
}

// limits on work. Each is worth about a second at most.
func (w work) over() string {
	switch {
	case w.nodes*w.fields > 2e7:
		return "structs of this many fields in a program of this size"
	case w.nodes*w.methods*w.declared > 2e8:
		return "types and interfaces of this many methods in a program of this size"
	case w.embeds > 2e4: // methods and fields are looked up through each, for each
		return "structs that embed this many others"
	case w.embeds*w.own > 4e5: // which each have the fields of those
		return "structs that embed others of this many fields"
	case w.flattened > 5e5:
		return "interfaces of this many methods"
	case w.unions > 1e7:
		return "interfaces that embed unions this often"
	case w.cases > 4e6:
		return "type switches of this many cases"
	case w.repeats > 3e5:
		return "constants and variables that share expressions or types of this length"
	case w.initEdges > 4e6:
		return "package-level variables that depend on this many functions and variables"
	}
	return ""
}

// Refuse makes a rejection of what a check finds, with its place.
type Refuse func(code diag.Code, at ast.Node, name, message, hint string) *diag.Rejection

// Check refuses a file that go/types would take too long for. Where the file is a cell,
// it gives the costs of what the cell declares.
func Check(f *ast.File, before *Earlier, refused Refuse) (Costs, diag.Rejections) {
	s := &sizer{refused: refused, earlier: before, specs: map[string]declared{}, seen: map[ast.Expr]bool{}}
	s.declarePackage(f)
	s.collectMembers(f)
	for _, d := range f.Decls {
		s.walk(d)
	}
	if len(s.rs) > 0 {
		return Costs{}, s.rs[:1]
	}
	if spec := s.endlessGrowth(); spec != nil {
		return Costs{}, diag.Rejections{refused(diag.TooComplex, spec.Name, spec.Name.Name,
			"generic type "+spec.Name.Name+" needs ever larger instances of itself", "instantiate it with its own type parameters only")}
	}
	s.most.declared = mostMethods(f)
	s.most.initEdges = initEdges(f)
	if what := s.most.over(); what != "" {
		return Costs{}, diag.Rejections{refused(diag.TooComplex, f.Name, "", what+" take too long to check", "make the program smaller")}
	}
	return s.declared(), nil
}

func (s *sizer) declarePackage(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				s.specs[d.Name.Name] = declared{node: d}
			}
		case *ast.GenDecl:
			s.repeat(d)
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					s.specs[spec.Name.Name] = declared{node: spec}
				case *ast.ValueSpec:
					for i, name := range spec.Names {
						s.specs[name.Name] = declared{node: spec, at: i, kind: d.Tok}
					}
				}
			}
		}
	}
	delete(s.specs, "_")
}

// repeat notes which line the lines of a const declaration without values repeat.
func (s *sizer) repeat(d *ast.GenDecl) {
	var last *ast.ValueSpec
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		switch {
		case !ok || d.Tok != token.CONST:
		case len(v.Values) > 0:
			last = v
		default:
			if s.repeated == nil {
				s.repeated = map[*ast.ValueSpec]*ast.ValueSpec{}
			}
			s.repeated[v] = last
		}
	}
}

// check refuses a type that is too large in one of its dimensions.
func (s *sizer) check(n ast.Node, c cost) {
	switch {
	case c.parts.total() > maxParts:
		s.tooLarge(n, "values within it", maxParts)
	case c.text.total() > maxText || c.under.total() > maxText:
		s.tooLarge(n, "names when written out", maxText)
	case c.embeds.total() > maxEmbeds:
		s.tooLarge(n, "embedded types", maxEmbeds)
	case c.depth > maxDepth:
		s.tooLarge(n, "types within each other", maxDepth)
	case c.methods > maxMethods:
		s.tooLarge(n, "methods", maxMethods)
	}
}

func (s *sizer) tooLarge(n ast.Node, what string, limit int) {
	s.refuse(diag.TypeTooLarge, n, fmt.Sprintf("the type is too large: more than %d %s", limit, what), "use slices, maps or pointers")
}

func (s *sizer) refuse(code diag.Code, n ast.Node, message, hint string) {
	s.rs = append(s.rs, s.refused(code, n, "", message, hint))
}

// A growth is a reference of one generic type to another with arguments made of
// the first one's parameters.
type growth struct {
	to    string // type at package level
	grown bool   // an argument is more than a parameter: []P, T[P]
}

// grows notes the reference generic[arg] in the package-level type that is being
// computed.
func (s *sizer) grows(_ ast.Expr, generic, arg ast.Expr, c cost) {
	id, ok := generic.(*ast.Ident)
	if !ok || s.current == nil || len(c.text.params) == 0 {
		return
	}
	_, plain := ast.Unparen(arg).(*ast.Ident)
	if s.growing == nil {
		s.growing = map[*ast.TypeSpec][]growth{}
	}
	s.growing[s.current] = append(s.growing[s.current], growth{to: id.Name, grown: !plain || c.text.total() > 1})
}

// endlessGrowth finds a generic type that refers to itself, perhaps through
// others, with an argument that grows on the way.
func (s *sizer) endlessGrowth() *ast.TypeSpec {
	if len(s.growing) == 0 {
		return nil
	}
	byPos := func(a, b *ast.TypeSpec) int { return int(a.Pos() - b.Pos()) }
	for _, spec := range slices.SortedFunc(maps.Keys(s.growing), byPos) {
		for _, g := range s.growing[spec] {
			if g.grown && s.reaches(g.to, spec, map[string]bool{}) {
				return spec
			}
		}
	}
	return nil
}

func (s *sizer) reaches(from string, to *ast.TypeSpec, seen map[string]bool) bool {
	spec, ok := s.specs[from].node.(*ast.TypeSpec)
	if !ok || seen[from] {
		return false
	}
	seen[from] = true
	if spec == to {
		return true
	}
	return slices.ContainsFunc(s.growing[spec], func(g growth) bool { return s.reaches(g.to, to, seen) })
}

// mostMethods is the largest number of methods that one type declares.
func mostMethods(f *ast.File) float64 {
	count := map[string]float64{}
	largest := 0.0
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && len(fn.Recv.List) == 1 {
			if name := Receiver(fn.Recv.List[0].Type); name != nil {
				count[name.Name]++
				largest = max(largest, count[name.Name])
			}
		}
	}
	return largest
}

// Receiver is the name of the type of a receiver, nil if it has none.
func Receiver(x ast.Expr) *ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		return x
	case *ast.ParenExpr:
		return Receiver(x.X)
	case *ast.StarExpr:
		return Receiver(x.X)
	case *ast.IndexExpr:
		return Receiver(x.X)
	case *ast.IndexListExpr:
		return Receiver(x.X)
	}
	return nil
}

// initEdges bounds the edges of the graph by which go/types orders package-level
// variables. It takes each function out of the graph and joins all that depend on
// it to all that it depends on.
func initEdges(f *ast.File) float64 {
	funcs := map[string]bool{}
	vars := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			funcs[d.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && (d.Tok == token.VAR || d.Tok == token.CONST) {
					for _, name := range v.Names {
						vars[name.Name] = true
					}
				}
			}
		}
	}
	n := float64(len(funcs))
	if len(vars) == 0 {
		return n * n
	}
	read := map[string]bool{} // variables that functions mention
	callers := 0.0            // variables whose values mention functions
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				names(d.Body, func(name string) { read[name] = read[name] || vars[name] })
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && mentionsAny(v, funcs) {
					callers += float64(len(v.Names))
				}
			}
		}
	}
	readers := 0.0
	for _, is := range read {
		if is {
			readers++
		}
	}
	return callers*readers + n*(callers+readers) + n*n
}

func names(n ast.Node, f func(string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			f(id.Name)
		}
		return true
	})
}

func mentionsAny(v *ast.ValueSpec, set map[string]bool) bool {
	found := false
	for _, x := range v.Values {
		names(x, func(name string) { found = found || set[name] })
	}
	return found
}
