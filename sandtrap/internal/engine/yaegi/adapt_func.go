package yaegi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// results sets named results to zero at the start of their function: the
// interpreter hands a function the place of its caller's variable as it is.
func (a *adapter) results() {
	a.inspect(func(n ast.Node) bool {
		switch f := n.(type) {
		case *ast.FuncDecl:
			a.zeroResults(f.Type, f.Body)
		case *ast.FuncLit:
			a.zeroResults(f.Type, f.Body)
		}
		return true
	})
}

func (a *adapter) zeroResults(t *ast.FuncType, body *ast.BlockStmt) {
	if t.Results == nil || body == nil {
		return
	}
	var zero []ast.Stmt
	for _, f := range t.Results.List {
		for _, id := range f.Names {
			if id.Name == "_" {
				continue
			}
			z := a.temp()
			zero = append(zero,
				&ast.DeclStmt{Decl: varDecl(id.Pos(), z, f.Type)},
				assign(id.Pos(), token.ASSIGN, ident(id.Pos(), id.Name), ident(id.Pos(), z)))
		}
	}
	body.List = append(zero, body.List...)
}

// defers evaluates the arguments of a deferred call into variables of their own:
// the interpreter keeps references to them.
func (a *adapter) defers() {
	a.stmts(func(s ast.Stmt) []ast.Stmt {
		d, ok := s.(*ast.DeferStmt)
		if !ok || len(d.Call.Args) == 0 {
			return nil
		}
		var out []ast.Stmt
		for i, x := range d.Call.Args {
			tv := a.info.Types[x]
			if tv.Value != nil || tv.IsNil() || tv.IsType() || a.isUntyped(x) {
				continue
			}
			if _, ok := x.(*ast.FuncLit); ok {
				continue
			}
			t := a.temp()
			out = append(out, assign(x.Pos(), token.DEFINE, ident(x.Pos(), t), x))
			d.Call.Args[i] = a.typed(ident(x.Pos(), t), tv.Type)
		}
		if out == nil {
			return nil
		}
		return append(out, d)
	})
}

// parameters gives every parameter a name: the interpreter makes no place in its
// frame for one without, and then puts the argument in the place of something else.
func (a *adapter) parameters() {
	name := func(l *ast.FieldList) {
		if l == nil {
			return
		}
		for _, f := range l.List {
			if len(f.Names) == 0 {
				f.Names = []*ast.Ident{ident(f.Pos(), a.temp())}
			}
			for _, id := range f.Names {
				if id.Name == "_" {
					id.Name = a.temp()
				}
			}
		}
	}
	a.inspect(func(n ast.Node) bool {
		switch f := n.(type) {
		case *ast.FuncDecl:
			name(f.Recv)
			name(f.Type.Params)
		case *ast.FuncLit:
			name(f.Type.Params)
		}
		return true
	})
}

// parseDecls returns the declarations of a source of this package, all at pos.
func parseDecls(pos token.Pos, src string) []ast.Decl {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // a source of this package
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			n.NamePos = pos
		case *ast.BasicLit:
			n.ValuePos = pos
		case *ast.CallExpr:
			n.Lparen = pos
			if n.Ellipsis.IsValid() {
				n.Ellipsis = pos
			}
		case *ast.BlockStmt:
			n.Lbrace = pos
		case *ast.ReturnStmt:
			n.Return = pos
		case *ast.IfStmt:
			n.If = pos
		case *ast.FuncType:
			n.Func = pos
		case *ast.GenDecl:
			n.TokPos = pos
		case *ast.ArrayType:
			n.Lbrack = pos
		}
		return true
	})
	return f.Decls
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
