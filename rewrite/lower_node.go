package rewrite

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

// modes are specimens of what go/types records for expressions: the mode of a
// types.TypeAndValue cannot be set, only copied.
type modes struct {
	value, variable, noValue, constant, typeName types.TypeAndValue
}

var specimens = sync.OnceValue(func() modes {
	const src = "package p; var v int; func f() { f(); _ = v; _ = 1; _ = int(v) }"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		panic(err)
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, &info); err != nil {
		panic(err)
	}
	stmts := file.Decls[1].(*ast.FuncDecl).Body.List
	assigned := func(i int) ast.Expr { return stmts[i].(*ast.AssignStmt).Rhs[0] }
	return modes{
		noValue:  info.Types[stmts[0].(*ast.ExprStmt).X],
		variable: info.Types[assigned(1)],
		constant: info.Types[assigned(2)],
		value:    info.Types[assigned(3)],
		typeName: info.Types[assigned(3).(*ast.CallExpr).Fun],
	}
})

// set records that e is as the specimen, of type t.
func (l *lowerer) set(e ast.Expr, specimen types.TypeAndValue, t types.Type) {
	specimen.Type, specimen.Value = t, nil
	l.Info.Types[e] = specimen
}

func (l *lowerer) setConst(e ast.Expr, t types.Type, v constant.Value) {
	tv := specimens().constant
	tv.Type, tv.Value = t, v
	l.Info.Types[e] = tv
}

// sameMode makes e a plain value if it was a variable as part of operand, which
// lowering has made a value.
func (l *lowerer) sameMode(e, operand ast.Expr) {
	tv := l.Info.Types[e]
	if tv.Addressable() && !l.Info.Types[operand].Addressable() {
		l.set(e, specimens().value, tv.Type)
	}
}

func ident(name string, pos token.Pos) *ast.Ident {
	return &ast.Ident{NamePos: pos, Name: name}
}

// qualified makes package.object, without recording its type.
func (l *lowerer) qualified(name *types.PkgName, obj types.Object, pos token.Pos) *ast.SelectorExpr {
	var e struct { // in one piece: there is one for each gate
		ast.SelectorExpr
		x, sel ast.Ident
	}
	e.x, e.sel = ast.Ident{NamePos: pos, Name: name.Name()}, ast.Ident{NamePos: pos, Name: obj.Name()}
	e.X, e.Sel = &e.x, &e.sel
	l.Info.Uses[&e.x] = name
	l.Info.Uses[&e.sel] = obj
	return &e.SelectorExpr
}

// bound makes the name of the gate with index i, which is no generic function.
func (l *lowerer) bound(i int, pos token.Pos) *ast.SelectorExpr {
	obj := l.section.object(i)
	e := l.qualified(l.gateName, obj, pos)
	l.set(e, specimens().value, obj.Type())
	return e
}

// instanceOf makes the name of the gate with index i as a generic function that
// is called with the type arguments of owner; the same as bound if the gate is
// not generic.
func (l *lowerer) instanceOf(i int, owner *types.Named, concrete *types.Signature, pos token.Pos) *ast.SelectorExpr {
	e := l.bound(i, pos)
	if l.section.object(i).Type().(*types.Signature).TypeParams().Len() > 0 {
		l.set(e, specimens().value, concrete)
		l.Info.Instances[e.Sel] = types.Instance{TypeArgs: owner.TypeArgs(), Type: concrete}
	}
	return e
}

// gateCall makes a call of one of the fixed gates.
func (l *lowerer) gateCall(name string, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	obj := check.FixedGate(l.Gate, name)
	fun := l.qualified(l.gateName, obj, pos)
	l.set(fun, specimens().value, obj.Type())
	return l.callOf(fun, pos, args...)
}

// callOf makes a call of fun, which has a signature.
func (l *lowerer) callOf(fun ast.Expr, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	call := &ast.CallExpr{Fun: fun, Lparen: pos, Args: args, Rparen: pos}
	results := l.Info.TypeOf(fun).Underlying().(*types.Signature).Results()
	switch results.Len() {
	case 0:
		l.set(call, specimens().noValue, results)
	case 1:
		l.set(call, specimens().value, results.At(0).Type())
	default:
		l.set(call, specimens().value, results)
	}
	return call
}

// star makes *e.
func (l *lowerer) star(e ast.Expr, elem types.Type) ast.Expr {
	s := &ast.StarExpr{Star: e.Pos(), X: e}
	l.set(s, specimens().variable, elem)
	return s
}

// address makes &e, or p if e is *p. It is nil if e is not a variable.
func (l *lowerer) address(e ast.Expr) ast.Expr {
	if !l.Info.Types[e].Addressable() {
		return nil
	}
	if s, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		return s.X
	}
	u := &ast.UnaryExpr{OpPos: e.Pos(), Op: token.AND, X: e}
	l.set(u, specimens().value, types.NewPointer(l.Info.TypeOf(e)))
	return u
}

// isGateCall reports whether e calls a function of the gate package.
func (l *lowerer) isGateCall(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	obj := l.Info.Uses[sel.Sel]
	return obj != nil && obj.Pkg() == l.Gate
}

// selectField makes base.f for an embedded field of the script's own type. A
// types.Selection cannot be made by hand, so go/types is asked for one.
func (l *lowerer) selectField(base ast.Expr, f *types.Var) ast.Expr {
	t := l.Info.TypeOf(base)
	scratch := types.NewPackage(f.Pkg().Path(), f.Pkg().Name())
	scratch.Scope().Insert(types.NewVar(token.NoPos, scratch, "x", t))
	e := &ast.SelectorExpr{X: ident("x", base.Pos()), Sel: ident(f.Name(), base.Pos())}
	info := types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if err := types.CheckExpr(l.Fset, scratch, token.NoPos, e, &info); err != nil {
		l.refuse(base, f.Name(), "the embedded field %s cannot be selected: %v", f.Name(), err)
	}
	e.X = base
	l.Info.Selections[e] = info.Selections[e]
	l.Info.Uses[e.Sel] = f
	mode := specimens().value
	if check.IsPointer(t) || l.Info.Types[base].Addressable() {
		mode = specimens().variable
	}
	l.set(e, mode, f.Type())
	return e
}

// mirror makes the name under which lowered code knows the host type obj.
func (l *lowerer) mirror(obj *types.TypeName, pos token.Pos) *ast.SelectorExpr {
	path := obj.Pkg().Path()
	name := l.imported[path]
	if name == nil {
		pkg := types.NewPackage(abi.MirrorPath(path), obj.Pkg().Name())
		pkg.SetImports([]*types.Package{obj.Pkg()})
		name = types.NewPkgName(token.NoPos, l.Pkg, l.mirrorName(path), pkg)
		check.Note(&l.imported, path, name)
	}
	return l.qualified(name, obj, pos)
}

// mirrorName is the name of a mirror, the same in all packages.
func (out *outward) mirrorName(path string) string {
	for _, m := range out.mirrors {
		if m.Path == path {
			return m.Name
		}
	}
	m := Mirror{Path: path, Name: abi.MirrorName(len(out.mirrors) + 1)}
	out.mirrors = append(out.mirrors, m)
	return m.Name
}

// fromOwn makes the name of an object of another of the script's packages.
func (l *lowerer) fromOwn(obj types.Object, pos token.Pos) *ast.SelectorExpr {
	path := obj.Pkg().Path()
	if l.names[path] == "" {
		check.Note(&l.names, path, abi.PackageName(len(l.names)+1))
	}
	name := l.imported[path]
	if name == nil {
		name = types.NewPkgName(token.NoPos, l.Pkg, l.names[path], obj.Pkg())
		check.Note(&l.imported, path, name)
	}
	return l.qualified(name, obj, pos)
}

// pointee is what t points to; nil if t is no pointer.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}
