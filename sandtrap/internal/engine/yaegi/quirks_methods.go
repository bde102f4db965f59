package yaegi

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
)

// called is the binding that n calls.
func called(u *unit, n ast.Node) (*ast.CallExpr, rewrite.Binding, bool) {
	if c, ok := n.(*ast.CallExpr); ok {
		name := gateName(c.Fun)
		for _, b := range u.bindings {
			if name == abi.Binding(b.Index) {
				return c, b, true
			}
		}
	}
	return nil, rewrite.Binding{}, false
}

// looksIntoErrors reports whether n asks package errors about an error that may be
// of a type of the script: compiled code sees its Error method only.
func looksIntoErrors(u *unit, n ast.Node) bool {
	c, b, ok := called(u, n)
	if !ok || b.Path != "errors" {
		return false
	}
	switch b.Name {
	case "As", "AsType", "Is":
		if chains(u) || len(b.TypeArgs) > 0 && ofScript(u, b.TypeArgs[0], 0) {
			return true
		}
		return len(c.Args) == 2 && ofScript(u, u.info.Types[c.Args[1]].Type, 0)
	case "Unwrap":
		return chains(u)
	}
	return false
}

// mirrored are the packages that look into the values of scripts.
var mirrored = map[string]bool{"text/template": true, "html/template": true, "encoding/xml": true, "encoding/gob": true}

// mirrors reports whether n calls such a package.
func mirrors(u *unit, n ast.Node) bool {
	_, b, ok := called(u, n)
	return ok && mirrored[b.Path]
}

// chains reports whether a type of the script has a method that package errors
// looks for.
func chains(u *unit) bool {
	for _, o := range u.info.Defs {
		if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
			switch f.Name() {
			case "Unwrap", "Is", "As":
				return true
			}
		}
	}
	return false
}

// formats reports whether n declares a method that only fmt calls.
func formats(_ *unit, n ast.Node) bool {
	f, ok := n.(*ast.FuncDecl)
	return ok && f.Recv != nil && (f.Name.Name == "GoString" && f.Type.Params.NumFields() == 0 || f.Name.Name == "Format" && f.Type.Params.NumFields() == 2)
}

// redefines reports whether n defines a type as one of the host's with methods.
func redefines(u *unit, n ast.Node) bool {
	s, ok := n.(*ast.TypeSpec)
	if !ok || s.Assign.IsValid() {
		return false
	}
	t, ok := types.Unalias(u.info.Types[s.Type].Type).(*types.Named)
	return ok && t.Obj().Pkg() != nil && t.Obj().Pkg() != u.pkg && !types.IsInterface(t) && t.NumMethods() > 0
}

// defersLoopVars reports whether n is a loop that defers a function which uses
// variables of its iterations.
func defersLoopVars(u *unit, n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
	default:
		return false
	}
	found := false
	eachDeferred(n, func(lit *ast.FuncLit) {
		ast.Inspect(lit.Body, func(x ast.Node) bool {
			if id, ok := x.(*ast.Ident); ok {
				v, ok := u.info.Uses[id].(*types.Var)
				inLoop := ok && !v.IsField() && n.Pos() <= v.Pos() && v.Pos() < n.End()
				found = found || inLoop && (v.Pos() < lit.Pos() || v.Pos() >= lit.End())
			}
			return !found
		})
	})
	return found
}

// defersPanics reports whether n is a function with several deferred calls of which
// one panics: the interpreter then leaves out the others.
func defersPanics(u *unit, n ast.Node) bool {
	var body *ast.BlockStmt
	switch n := n.(type) {
	case *ast.FuncDecl:
		body = n.Body
	case *ast.FuncLit:
		body = n.Body
	}
	if body == nil {
		return false
	}
	defers, panics := 0, false
	for _, s := range body.List {
		ast.Inspect(s, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.FuncLit:
				return false
			case *ast.DeferStmt:
				defers++
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				eachDeferred(x, func(*ast.FuncLit) { defers++ })
			}
			return true
		})
	}
	eachDeferred(body, func(lit *ast.FuncLit) {
		caught := false // by what it defers itself
		eachDeferred(lit.Body, func(*ast.FuncLit) { caught = true })
		if caught {
			return
		}
		ast.Inspect(lit.Body, func(x ast.Node) bool {
			if c, ok := x.(*ast.CallExpr); ok {
				id, ok := c.Fun.(*ast.Ident)
				b, _ := u.info.Uses[id].(*types.Builtin)
				panics = panics || ok && b != nil && b.Name() == "panic"
			}
			return !panics
		})
	})
	return defers > 1 && panics
}

// eachDeferred calls f for the function literals deferred in n, those of inner
// functions apart.
func eachDeferred(n ast.Node, f func(*ast.FuncLit)) {
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.DeferStmt:
			if lit, ok := x.Call.Fun.(*ast.FuncLit); ok {
				f(lit)
			}
			return false
		case *ast.FuncLit:
			return false
		}
		return true
	})
}

// embedsHost reports a struct with an embedded type of the host's own.
func embedsHost(u *unit, n ast.Node) bool {
	st, ok := n.(*ast.StructType)
	if !ok {
		return false
	}
	for _, f := range st.Fields.List {
		if len(f.Names) > 0 {
			continue
		}
		t := types.Unalias(u.info.TypeOf(f.Type))
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if named, ok := t.(*types.Named); ok && !types.IsInterface(t) && ofHost(u, named.Obj().Pkg()) {
			return true
		}
	}
	return false
}

// ofHost reports a package of the host's own.
func ofHost(u *unit, p *types.Package) bool {
	return p != nil && slices.ContainsFunc(u.bindings, func(b rewrite.Binding) bool {
		return b.Kind == abi.BindType && b.Path == p.Path() && !b.Standard
	})
}
