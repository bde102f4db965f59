package yaegi

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// builtins replaces the predeclared functions that the interpreter does not have
// or prints through the wrong stream.
func (a *adapter) builtins() {
	a.exprs(func(e ast.Expr, _ *astutil.Cursor) ast.Expr {
		c, ok := e.(*ast.CallExpr)
		if !ok {
			return nil
		}
		switch name := a.builtin(c); name {
		case "print":
			return a.helper(c.Pos(), "Print", nil, a.printable(c.Args)...)
		case "println":
			return a.helper(c.Pos(), "Println", nil, a.printable(c.Args)...)
		case "min", "max":
			return a.minMax(c, name)
		case "clear":
			return a.helper(c.Pos(), "Clear", nil, c.Args...)
		case "make":
			a.chargeMake(c)
		}
		return nil
	})
}

// printable are the operands of print: those of interface types are printed as
// pairs of addresses.
func (a *adapter) printable(args []ast.Expr) []ast.Expr {
	for i, x := range args {
		if t := a.typeOf(x); t != nil && types.IsInterface(t) && !a.info.Types[x].IsNil() {
			args[i] = a.helper(x.Pos(), "Face", types.Typ[types.String], x)
		}
	}
	return args
}

// minMax calls the host's min or max for the kind, converting to and from it where
// the type has a name of its own.
func (a *adapter) minMax(c *ast.CallExpr, name string) ast.Expr {
	t := a.typeOf(c)
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		a.refuse(c.Pos(), name+" of a type parameter")
		return nil
	}
	b = types.Default(b).(*types.Basic)
	fun := strings.ToUpper(name[:1]) + name[1:] + "_" + b.Name()
	args := c.Args
	if types.Unalias(t) != types.Type(b) {
		for i, x := range args {
			args[i] = a.typed(call(x.Pos(), a.typeExpr(x.Pos(), b), x), b)
		}
		x := a.typeExpr(c.Pos(), t)
		if x == nil {
			a.refuse(c.Pos(), name+" of a type that cannot be named here")
			return nil
		}
		return a.typed(call(c.Pos(), x, a.helper(c.Pos(), fun, b, args...)), t)
	}
	return a.helper(c.Pos(), fun, t, args...)
}

// chargeMake lets the gate see the size before it is allocated.
func (a *adapter) chargeMake(c *ast.CallExpr) {
	if len(c.Args) < 2 {
		return
	}
	size := int64(16)
	t := a.typeOf(c.Args[0])
	switch u := t.Underlying().(type) {
	case *types.Slice:
		size = sizeof(u.Elem())
	case *types.Chan:
		size = sizeof(u.Elem())
	case *types.Map:
		size = sizeof(u.Key()) + sizeof(u.Elem())
	}
	last := len(c.Args) - 1
	pos := c.Args[last].Pos()
	n := c.Args[last]
	if tv := a.info.Types[n]; tv.Value != nil {
		if lit, ok := n.(*ast.BasicLit); ok && len(lit.Value) < 4 && size <= 64 {
			return // small
		}
	}
	kind, _ := types.Default(a.typeOf(n)).Underlying().(*types.Basic)
	if kind == nil {
		a.refuse(c.Pos(), "make with a size of a type parameter")
		return
	}
	if kind.Info()&types.IsInteger == 0 {
		kind = types.Typ[types.Int]
	}
	conv := "int64"
	if kind.Info()&types.IsUnsigned != 0 {
		conv = "uint64"
	}
	arg := call(pos, ident(pos, conv), n)
	if conv == "uint64" {
		arg = call(pos, ident(pos, "int64"), a.helper(pos, "Clamp", nil, arg))
	}
	made := "slice"
	switch t.Underlying().(type) {
	case *types.Chan:
		made = "chan"
	case *types.Map:
		made = "map"
	}
	name := "Make"
	if last == 2 {
		name = "MakeCap"
	}
	c.Args[last] = a.helper(pos, name, types.Typ[types.Int], arg, intLit(pos, itoa(size)), stringLit(pos, made))
}

var sizes = types.SizesFor("gc", "amd64")

// sizeof is the size of a value of t in memory; what is too large to count is so
// large that it is refused anyway.
func sizeof(t types.Type) int64 {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return 16
	case *types.Tuple:
		return 0
	case *types.Basic:
		if t.Info()&types.IsUntyped != 0 || t.Kind() == types.Invalid || t.Kind() == types.UntypedNil {
			return 16
		}
	}
	n := sizes.Sizeof(t)
	if n < 0 {
		return 1 << 62
	}
	return n
}

// panics makes panic(v) a gate call that keeps v in the script, where recover finds
// it again as it was.
func (a *adapter) panics() {
	used := false
	a.exprs(func(e ast.Expr, c *astutil.Cursor) ast.Expr {
		x, ok := e.(*ast.CallExpr)
		if !ok {
			return nil
		}
		switch {
		case a.builtin(x) == "panic":
			used = true
			pos := x.Pos()
			x.Fun = ident(pos, throwName)
			x.Args = append(x.Args, intLit(pos, itoa(int64(pos))), stringLit(pos, a.typeText(a.typeOf(x.Args[0]))))
		case gateName(x.Fun) == "Recover":
			used = true
			return a.typed(call(x.Pos(), ident(x.Pos(), catchName), x), a.typeOf(x))
		}
		return nil
	})
	if used {
		a.helpers["Throw"], a.helpers["Thrown"] = true, true
		a.decls = append(a.decls, parseDecls(a.files[0].Package, throwSource)...)
	}
}

func (a *adapter) typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

const (
	throwName = "__st_throw"
	catchName = "__st_catch"

	// The values thrown stay here, so that they come back with their own type.
	throwSource = `package main
var __st_thrown []any
func __st_throw(v any, pos int, typ string) {
	__st_thrown = append(__st_thrown, v)
	__st.Throw(v, len(__st_thrown)-1, pos, typ)
}
func __st_catch(v any) any {
	i := __st.Thrown(v)
	if i < 0 {
		return v
	}
	return __st_thrown[i]
}
`
)
