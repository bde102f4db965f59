package search

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A source is the text of one package.
type source struct {
	text  string
	set   *token.FileSet
	types map[string]string // declarations by their names
}

// A declaration is one of a package.
type declaration struct {
	name, doc, text string
	names           []string // of types in it
	function        bool
}

func (p *source) between(from, to token.Pos) string {
	return p.text[p.set.Position(from).Offset:p.set.Position(to).Offset]
}

// declared are the names that d declares.
func (p *source) declared(d ast.Decl) (list []declaration) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		list = append(list, declaration{name, d.Doc.Text(), p.between(d.Pos(), d.End()), named(d), d.Recv == nil})
	case *ast.GenDecl:
		for _, s := range d.Specs {
			list = append(list, p.spec(d, s)...)
		}
	}
	return list
}

func (p *source) spec(d *ast.GenDecl, s ast.Spec) (list []declaration) {
	text := d.Tok.String() + " " + p.between(s.Pos(), s.End())
	switch s := s.(type) {
	case *ast.TypeSpec:
		p.types[s.Name.Name] = text
		list = append(list, declaration{s.Name.Name, comments(s.Doc, d.Doc, s.Comment), text, named(s), false})
	case *ast.ValueSpec:
		for _, name := range s.Names {
			list = append(list, declaration{name.Name, comments(s.Doc, d.Doc, s.Comment), text, named(s), false})
		}
	}
	return list
}

// comments is the first one that says something.
func comments(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := g.Text(); text != "" {
			return text
		}
	}
	return ""
}

func receiver(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// named are the identifiers in n, in their order.
func named(n ast.Node) (names []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// with is a declaration of a function with the types that it names, and those that these name.
func (p *source) with(d declaration) string {
	var b strings.Builder
	b.WriteString(d.text)
	if !d.function {
		return b.String()
	}
	seen := map[string]bool{}
	for open := d.names; len(open) > 0; {
		name := open[0]
		open = open[1:]
		text, ok := p.types[name]
		if !ok || seen[name] || b.Len()-len(d.text)+len(text) > maxDecl {
			continue
		}
		seen[name] = true
		b.WriteString("\n\n" + text)
		open = append(slices.Clone(open), identifiers(text)...)
	}
	return b.String()
}
