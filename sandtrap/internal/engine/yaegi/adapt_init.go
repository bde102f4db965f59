package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// initOrder initialises package variables in a function of their own, in Go's
// order: the interpreter has another.
func (a *adapter) initOrder() {
	specs := map[types.Object]*ast.ValueSpec{}
	a.eachPackageVar(func(s *ast.ValueSpec) {
		for _, id := range s.Names {
			specs[a.info.Defs[id]] = s
		}
	})
	if !a.mattersInOrder(specs) || a.inSourceOrder(specs) && !a.allNamed() {
		return
	}
	var body []ast.Stmt
	for _, in := range a.info.InitOrder {
		if s := specs[in.Lhs[0]]; s != nil && len(s.Values) > 0 {
			body = append(body, a.initStmt(s, in.Lhs))
		}
	}
	a.eachPackageVar(a.declareOnly)
	pos := a.files[0].Package
	f := a.files[0]
	f.Decls = append(f.Decls, nil)
	i := slices.IndexFunc(f.Decls, func(d ast.Decl) bool { g, ok := d.(*ast.GenDecl); return !ok || g.Tok != token.IMPORT })
	copy(f.Decls[i+1:], f.Decls[i:])
	f.Decls[i] = &ast.FuncDecl{Name: ident(pos, "init"), Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}}, Body: block(pos, body...)}
}

// inSourceOrder reports whether Go's order is that of the source.
func (a *adapter) inSourceOrder(specs map[types.Object]*ast.ValueSpec) bool {
	last := token.NoPos
	for _, in := range a.info.InitOrder {
		if s := specs[in.Lhs[0]]; s != nil {
			if s.Pos() < last {
				return false
			}
			last = s.Pos()
		}
	}
	return true
}

// allNamed reports whether the type of each variable with a value can be written.
func (a *adapter) allNamed() bool {
	ok := true
	a.eachPackageVar(func(s *ast.ValueSpec) {
		if len(s.Values) > 0 && s.Type == nil && a.commonType(s) == nil {
			ok = false
		}
	})
	return ok
}

func (a *adapter) eachPackageVar(f func(s *ast.ValueSpec)) {
	for _, file := range a.files {
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					f(s.(*ast.ValueSpec))
				}
			}
		}
	}
}

// mattersInOrder reports whether an initialiser calls something or reads another
// variable.
func (a *adapter) mattersInOrder(specs map[types.Object]*ast.ValueSpec) bool {
	found := false
	a.eachPackageVar(func(s *ast.ValueSpec) {
		for _, v := range s.Values {
			ast.Inspect(v, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					found = found || !a.info.Types[n.Fun].IsType()
				case *ast.Ident:
					found = found || specs[a.info.Uses[n]] != nil
				}
				return !found
			})
		}
	})
	return found
}

func (a *adapter) initStmt(s *ast.ValueSpec, lhs []*types.Var) ast.Stmt {
	st := &ast.AssignStmt{TokPos: s.Pos(), Tok: token.ASSIGN}
	for i, id := range s.Names {
		if len(s.Values) == len(s.Names) && a.info.Defs[id] != lhs[0] {
			continue
		}
		st.Lhs = append(st.Lhs, a.use(id.Pos(), id.Name, a.info.Defs[id]))
		if len(s.Values) == len(s.Names) {
			st.Rhs = append(st.Rhs, s.Values[i])
		}
	}
	if len(s.Values) != len(s.Names) {
		st.Rhs = s.Values
	}
	return st
}

// declareOnly takes the values out of a declaration; each variable then needs its
// type written.
func (a *adapter) declareOnly(s *ast.ValueSpec) {
	if len(s.Values) == 0 {
		return
	}
	if s.Type == nil {
		// Variables of one declaration have different types only if it has a
		// value for each of them, or a call with several results.
		if s.Type = a.commonType(s); s.Type == nil {
			a.refuse(s.Pos(), "initialise package variables of these types in Go's order")
			return
		}
	}
	s.Values = nil
}

func (a *adapter) commonType(s *ast.ValueSpec) ast.Expr {
	var t types.Type
	for _, id := range s.Names {
		o := a.info.Defs[id]
		if o == nil || t != nil && !types.Identical(t, o.Type()) {
			return nil
		}
		t = o.Type()
	}
	return a.typeExpr(s.Pos(), t)
}

// splitVars gives each package variable a declaration of its own, where that does
// not change what is evaluated.
func (a *adapter) splitVars() {
	for _, file := range a.files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			var specs []ast.Spec
			for _, s := range g.Specs {
				specs = append(specs, split(s.(*ast.ValueSpec))...)
			}
			g.Specs = specs
		}
	}
}

func split(s *ast.ValueSpec) []ast.Spec {
	if len(s.Names) == 1 || len(s.Values) != len(s.Names) {
		return []ast.Spec{s}
	}
	var out []ast.Spec
	for i, id := range s.Names {
		out = append(out, &ast.ValueSpec{Names: []*ast.Ident{id}, Type: s.Type, Values: []ast.Expr{s.Values[i]}})
	}
	return out
}

// start makes the program's entry the function main, which is what the
// interpreter starts. A main of the script's own gets another name then.
func (a *adapter) start() {
	if a.entry == "main" || a.entry == "" {
		return
	}
	entry, own := a.pkg.Scope().Lookup(a.entry), a.pkg.Scope().Lookup("main")
	if entry == nil {
		a.entryByName()
		return
	}
	name := a.temp()
	a.inspect(func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch o := a.object(id); {
			case o == nil:
			case o == own:
				id.Name = name
			case o == entry:
				id.Name = "main"
			}
		}
		return true
	})
}

// entryByName is start for an entry that is in no scope.
func (a *adapter) entryByName() {
	name := a.temp()
	own := a.pkg.Scope().Lookup("main")
	a.inspect(func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && own != nil && a.object(id) == own {
			id.Name = name
		}
		return true
	})
	for _, f := range a.files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == a.entry {
				fd.Name.Name = "main"
			}
		}
	}
}
