package toolfile

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strings"
	"unicode"

	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// A syntax refuses what a file may not say, before its types are looked at.
type syntax struct {
	*refusals
	funcs, types int
	depth        int
}

func (s *syntax) file(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.function(d)
		case *ast.GenDecl:
			s.declaration(d)
		}
	}
}

func (s *syntax) declaration(d *ast.GenDecl) {
	switch d.Tok {
	case token.IMPORT:
		for _, spec := range d.Specs {
			if i := spec.(*ast.ImportSpec); i.Path.Value != `"time"` {
				s.add(i.Path.Pos(), "a file of tools imports nothing but time: declare here the types that the tools need")
			}
		}
	case token.TYPE:
		for _, spec := range d.Specs {
			s.typeSpec(spec.(*ast.TypeSpec))
		}
	default:
		s.add(d.Pos(), "a %v is no tool: a file declares functions and types; tell of values in a comment", d.Tok)
	}
}

func (s *syntax) typeSpec(t *ast.TypeSpec) {
	if s.types++; s.types == maxTypes+1 {
		s.add(t.Pos(), "a file declares at most %d types: make several files of it, for one policy each", maxTypes)
	}
	s.name(t.Name)
	switch {
	case t.Assign.IsValid():
		s.add(t.Assign, "%s is an alias, which scripts would not know by this name: leave out the =", t.Name.Name)
	case t.TypeParams != nil:
		s.add(t.TypeParams.Pos(), "type parameters have no form in JSON: declare a type for each")
	}
	s.typ(t.Type)
}

func (s *syntax) function(d *ast.FuncDecl) {
	if s.funcs++; s.funcs == maxFuncs+1 {
		s.add(d.Pos(), "a file declares at most %d functions: make several files of it, for one policy each", maxFuncs)
	}
	s.name(d.Name)
	switch {
	case d.Recv != nil:
		s.add(d.Recv.Pos(), "a method is no tool: declare a function that has the receiver as its first parameter")
	case d.Type.TypeParams != nil:
		s.add(d.Type.TypeParams.Pos(), "type parameters have no form in JSON: declare a function for each type")
	case d.Body != nil:
		s.add(d.Body.Pos(), "%s has a body, which would never run: end the declaration before it", d.Name.Name)
	}
	for _, p := range d.Type.Params.List {
		if len(p.Names) == 0 {
			s.add(p.Pos(), "the parameter has no name, and its argument would have none in JSON: give it one")
		}
		s.named(p, "parameter")
	}
	if d.Type.Results != nil {
		for _, p := range d.Type.Results.List {
			s.named(p, "result")
		}
	}
}

// named looks at the names and the type of parameters or results.
func (s *syntax) named(p *ast.Field, what string) {
	for _, name := range p.Names {
		if name.Name == "_" {
			s.add(name.Pos(), "the %s has no name, and its value would have none in JSON: give it one", what)
		}
		s.length(name)
	}
	s.typ(p.Type)
}

// name looks at that of a function or a type.
func (s *syntax) name(id *ast.Ident) {
	s.length(id)
	switch {
	case id.Name == "_" || id.Name == "init" || id.Name == "main":
		s.add(id.Pos(), "scripts cannot use the name %s: give it another", id.Name)
	case types.Universe.Lookup(id.Name) != nil:
		s.add(id.Pos(), "%s is a name of Go's own, which scripts would miss: give it another", id.Name)
	case parse.Reserved(id.Name):
		s.add(id.Pos(), "%s is a name of the sandbox's own: give it another", id.Name)
	}
}

func (s *syntax) length(id *ast.Ident) {
	if len(id.Name) > maxName {
		s.add(id.Pos(), "the name has more than %d bytes: give it a shorter one", maxName)
	}
}

// typ looks at a type as it is written.
func (s *syntax) typ(e ast.Expr) {
	if s.depth++; s.depth == maxDepth {
		s.add(e.Pos(), "the type is nested more than %d deep: give its parts names", maxDepth)
	}
	defer func() { s.depth-- }()
	if s.depth >= maxDepth {
		return
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
	case *ast.ParenExpr:
		s.typ(e.X)
	case *ast.StarExpr:
		s.typ(e.X)
	case *ast.Ellipsis:
		s.typ(e.Elt)
	case *ast.ArrayType:
		if lit, ok := e.Len.(*ast.BasicLit); e.Len != nil && (!ok || lit.Kind != token.INT) {
			s.add(e.Len.Pos(), "the length of an array is written as a number here")
		}
		s.typ(e.Elt)
	case *ast.MapType:
		s.typ(e.Key)
		s.typ(e.Value)
	case *ast.StructType:
		s.fields(e)
	case *ast.InterfaceType:
		if len(e.Methods.List) > 0 {
			s.add(e.Pos(), "an interface with methods has no form in JSON: use any, or a struct of the data")
		}
	case *ast.FuncType:
		s.add(e.Pos(), "a function has no form in JSON: pass data that says what to do, or return data that the script goes over")
	case *ast.ChanType:
		s.add(e.Pos(), "a channel has no form in JSON: use a list")
	case *ast.IndexExpr, *ast.IndexListExpr:
		s.add(e.Pos(), "type parameters have no form in JSON: declare a type for each")
	default:
		s.add(e.Pos(), "this is no type")
	}
}

func (s *syntax) fields(t *ast.StructType) {
	for _, f := range t.Fields.List {
		if len(f.Names) == 0 {
			s.add(f.Pos(), "an embedded field: give it a name")
		}
		for _, name := range f.Names {
			s.length(name)
			if !name.IsExported() {
				s.add(name.Pos(), "the field %s is not exported, so it is not in JSON: %s", name.Name, exportedAs(name.Name))
			}
		}
		s.typ(f.Type)
	}
}

// exportedAs says how a field can be exported under the same name in JSON.
func exportedAs(name string) string {
	first := []rune(name)
	if first[0] = unicode.ToUpper(first[0]); !token.IsExported(string(first)) {
		return "its name begins with a capital letter then"
	}
	return "write " + string(first) + " with the tag " + "`json:\"" + strings.TrimSpace(name) + "\"`"
}

// fieldsOf are the fields of a struct type that a declaration names, each with its names.
func fieldsOf(t *ast.TypeSpec) iter.Seq2[*ast.Field, *ast.Ident] {
	return func(yield func(*ast.Field, *ast.Ident) bool) {
		st, ok := t.Type.(*ast.StructType)
		if !ok {
			return
		}
		for _, f := range st.Fields.List {
			for _, name := range f.Names {
				if !yield(f, name) {
					return
				}
			}
		}
	}
}

func trimmed(g *ast.CommentGroup) string { return strings.TrimSpace(g.Text()) }
