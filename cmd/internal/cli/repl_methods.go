package cli

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A typeText is a type that the cells of a repl have declared, as it was typed.
type typeText struct {
	text    string
	methods map[string]string // by name
}

// A typeTexts has them by name. A line that is typed ends with its declaration, so a type and its
// methods are in one cell only if they are pasted; but a session needs them in one.
type typeTexts map[string]typeText

const typedHead = "package p;" // before a text of declarations alone

// declarations parses those of a cell, except variables and imports.
func declarations(text string) []ast.Decl {
	text, _ = parts(text)
	f, err := parser.ParseFile(token.NewFileSet(), "", typedHead+text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return f.Decls
}

// typed is the part of text that a node of declarations is.
func typed(text string, n ast.Node) string {
	return text[int(n.Pos())-1-len(typedHead) : int(n.End())-1-len(typedHead)]
}

// receiverType is the name of the type whose method d is, "" if it is none.
func receiverType(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// specs are the types that d declares.
func specs(d ast.Decl) (list []*ast.TypeSpec) {
	if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
		for _, s := range g.Specs {
			list = append(list, s.(*ast.TypeSpec))
		}
	}
	return list
}

// complete is text with the types of earlier cells that it declares methods of, and the other
// methods of these; again are their names.
func (t typeTexts) complete(text string) (cell string, again []string) {
	own := map[string]map[string]bool{} // methods in text, by type
	decls := declarations(text)
	for _, d := range decls {
		name := receiverType(d)
		if t[name].text == "" {
			continue
		}
		if own[name] == nil {
			own[name] = map[string]bool{}
		}
		own[name][d.(*ast.FuncDecl).Name.Name] = true
	}
	for _, d := range decls {
		for _, s := range specs(d) {
			delete(own, s.Name.Name) // text has the type itself
		}
	}
	again = slices.Sorted(maps.Keys(own))
	for _, name := range again {
		text += t[name].text + "\n"
		for _, m := range slices.Sorted(maps.Keys(t[name].methods)) {
			if !own[name][m] { // else it is declared anew
				text += t[name].methods[m] + "\n"
			}
		}
	}
	return text, again
}

// keep remembers the types and methods of a cell.
func (t typeTexts) keep(text string) {
	decls := declarations(text)
	for _, d := range decls {
		for _, s := range specs(d) {
			t[s.Name.Name] = typeText{"type " + typed(text, s), map[string]string{}}
		}
	}
	for _, d := range decls {
		if of, ok := t[receiverType(d)]; ok {
			of.methods[d.(*ast.FuncDecl).Name.Name] = typed(text, d)
		}
	}
}

// declared tells of a cell that was not refused.
func (r *repl) declared(text string, again []string) {
	r.types.keep(text)
	if len(again) > 0 {
		fmt.Fprintln(r.stdout, r.paint(dim, fmt.Sprintf("// %s: declared again with its methods; what there was before keeps the type that it has", strings.Join(again, ", "))))
	}
}
