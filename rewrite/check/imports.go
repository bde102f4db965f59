package check

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// importMissing adds to a snippet the imports it left out: X in X.Sel that is
// declared nowhere, where the universe has a package of that name with that member. A name
// that is declared somewhere is left to go/types, see repair.
func (c *checker) importMissing() {
	if !c.parsed.Snippet {
		return // a program has them as a rule, see importUndefined
	}
	used := c.usedAsPackage()
	for name := range c.declaredAnywhere() {
		delete(used, name)
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if path := c.importedBefore(name, used[name]); path != "" {
			c.addImport(name, path)
		}
	}
}

// importedBefore is the path of what name stands for where no declaration of the source
// says it: of what an earlier cell imported, or of the best package.
func (c *checker) importedBefore(name string, members map[string]bool) string {
	if s := c.session(); s != nil {
		if s.Declares(name) {
			return ""
		}
		if path := s.ImportOf(name); path != "" {
			return path
		}
	}
	return c.bestPackage(name, members)
}

// usedAsPackage maps each X of an X.Sel to the Sels it is used with.
func (c *checker) usedAsPackage() map[string]map[string]bool {
	used := map[string]map[string]bool{}
	ast.Inspect(c.parsed.File, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok {
			if used[id.Name] == nil {
				used[id.Name] = map[string]bool{}
			}
			used[id.Name][sel.Sel.Name] = true
		}
		return true
	})
	return used
}

// declaredAnywhere are the names that the script declares in any scope, the
// inputs and the host's predeclared members.
func (c *checker) declaredAnywhere() map[string]bool {
	names := map[string]bool{}
	for _, in := range c.inputs {
		names[in.Name] = true
	}
	for _, obj := range c.universe.Predeclared() {
		names[obj.Name()] = true
	}
	add := func(x ast.Expr) {
		if id, ok := x.(*ast.Ident); ok {
			names[id.Name] = true
		}
	}
	ast.Inspect(c.parsed.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if n.Tok == token.DEFINE {
					add(x)
				}
			}
		case *ast.RangeStmt:
			add(n.Key)
			add(n.Value)
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.Field:
			for _, id := range n.Names {
				add(id)
			}
		case ast.Spec:
			for _, name := range c.specNames(n) {
				names[name] = true
			}
		}
		return true
	})
	return names
}

// bestPackage is the path of the importable package of the given name that has
// the most of members, the likeliest of equals; "" if none has any.
func (c *checker) bestPackage(name string, members map[string]bool) string {
	best, most := "", 0
	for _, path := range c.universe.Named(name) {
		pkg, err := c.universe.Import(path)
		if err != nil {
			continue
		}
		has := 0
		for m := range members {
			if token.IsExported(m) && pkg.Scope().Lookup(m) != nil {
				has++
			}
		}
		if has > most {
			best, most = path, has
		}
	}
	return best
}

// likeliestPackage is for a name none of whose members is there: the first
// package of that name, so that the error is about the member.
func (c *checker) likeliestPackage(name string) string {
	for _, path := range c.universe.Named(name) {
		if _, err := c.universe.Import(path); err == nil {
			return path
		}
	}
	return ""
}

// addImport imports path under name. The new syntax stands where the text starts.
func (c *checker) addImport(name, path string) {
	f := c.parsed.File
	pos := f.Package
	spec := &ast.ImportSpec{
		Name: &ast.Ident{NamePos: pos, Name: name},
		Path: &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(path)},
	}
	decl := &ast.GenDecl{TokPos: pos, Tok: token.IMPORT, Specs: []ast.Spec{spec}}
	f.Decls = append([]ast.Decl{decl}, f.Decls...)
	f.Imports = append(f.Imports, spec)
	c.index = nil
}

// importUndefined adds imports for what the last pass did not know, and tells
// whether it found any.
func (c *checker) importUndefined() bool {
	missing := map[string]map[string]bool{}
	for _, e := range c.errs {
		name, ok := strings.CutPrefix(e.Msg, "undefined: ")
		sel := c.syntax().selectorsByX[e.Pos]
		if !ok || sel == nil || e.goName != "UndeclaredName" {
			continue
		}
		if missing[name] == nil {
			missing[name] = map[string]bool{}
		}
		missing[name][sel.Sel.Name] = true
	}
	added := false
	own := c.packageNames()
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		path := c.bestPackage(name, missing[name])
		if path == "" {
			path = c.likeliestPackage(name)
		}
		if path != "" && !own[name] {
			c.addImport(name, path)
			added = true
		}
	}
	return added
}
