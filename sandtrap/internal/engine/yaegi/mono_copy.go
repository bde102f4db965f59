package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// A copier copies one declaration, with types in place of type parameters.
type copier struct {
	*mono
	env     map[*types.TypeParam]types.Type
	spelled map[string]bool // names written that the original did not have there
}

func (m *mono) copier(params []*types.TypeParam, args []types.Type) *copier {
	c := &copier{mono: m, env: map[*types.TypeParam]types.Type{}, spelled: map[string]bool{}}
	for i, p := range params {
		c.env[p] = args[i]
	}
	return c
}

func (c *copier) copy(n ast.Node) ast.Node {
	k := &cloner{from: c.info, replace: c.replace}
	return k.node(n)
}

// done refuses a copy in which a written type may mean another, because the
// declaration has a type of its own with that name.
func (c *copier) done(decl ast.Node) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && s != decl && c.spelled[s.Name.Name] {
			c.refuse(s.Pos(), "instantiate generic code that hides a type argument")
		}
		return true
	})
}

// replace returns what takes the place of n, nil if that is a copy.
func (c *copier) replace(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.IndexExpr:
		return c.explicit(n, n.X)
	case *ast.IndexListExpr:
		return c.explicit(n, n.X)
	case *ast.SelectorExpr:
		return c.selector(n)
	case *ast.Ident:
		return c.ident(n)
	case *ast.DeclStmt:
		if g, ok := n.Decl.(*ast.GenDecl); ok {
			if d := c.genDecl(g); d != nil {
				return &ast.DeclStmt{Decl: d}
			}
			return &ast.EmptyStmt{Semicolon: n.Pos()}
		}
	case *ast.TypeSwitchStmt:
		if short := c.switchOnce(n); short != nil {
			return c.copy(short)
		}
	}
	return nil
}

// genDecl copies a declaration without its generic types and constraints, nil if
// nothing is left.
func (c *copier) genDecl(d *ast.GenDecl) ast.Decl {
	n := &ast.GenDecl{TokPos: d.TokPos, Tok: d.Tok, Lparen: d.Lparen, Rparen: d.Rparen}
	for _, s := range d.Specs {
		if t, ok := s.(*ast.TypeSpec); ok && (t.TypeParams != nil || constraint(c.info.Defs[t.Name])) {
			continue
		}
		n.Specs = append(n.Specs, c.copy(s).(ast.Spec))
	}
	if len(n.Specs) == 0 && len(d.Specs) > 0 {
		return nil
	}
	return n
}

// explicit is f[T].
func (c *copier) explicit(n ast.Expr, x ast.Expr) ast.Node {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if _, ok := c.info.Instances[x]; ok {
			return c.instantiated(n.Pos(), x)
		}
	case *ast.SelectorExpr:
		if _, ok := c.info.Instances[x.Sel]; ok {
			return c.selector(x)
		}
	}
	return nil
}

// instantiated is the name of the instance that id stands for.
func (c *copier) instantiated(pos token.Pos, id *ast.Ident) ast.Node {
	inst := c.info.Instances[id]
	o := origin(c.info.Uses[id])
	if n, ok := o.(*types.TypeName); ok && n.IsAlias() {
		return c.written(pos, inst.Type)
	}
	if o == nil || c.generic[o] == nil {
		c.refuse(pos, "instantiate "+id.Name+" with type parameters")
		return nil
	}
	var args []types.Type
	for t := range inst.TypeArgs.Types() {
		args = append(args, c.subst(t))
	}
	in := c.instance(pos, o, args)
	if in == nil {
		c.refuse(pos, "instantiate "+id.Name)
		return nil
	}
	return ident(id.Pos(), in.name)
}

func origin(o types.Object) types.Object {
	if f, ok := o.(*types.Func); ok {
		return f.Origin()
	}
	return o
}

// written is a type in the text of the script.
func (c *copier) written(pos token.Pos, t types.Type) ast.Node {
	t = c.subst(t)
	e := c.spell(pos, t)
	if e == nil {
		c.refuse(pos, "write the type argument "+types.TypeString(t, types.RelativeTo(c.pkg)))
		return nil
	}
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.InterfaceType, *ast.StructType:
		return e
	}
	return &ast.ParenExpr{Lparen: pos, X: e, Rparen: pos}
}

// selector refuses what a copy would do past the gates: call a host type's method
// that the original called on a type parameter.
func (c *copier) selector(n *ast.SelectorExpr) ast.Node {
	if _, ok := c.info.Instances[n.Sel]; ok {
		c.refuse(n.Pos(), "call generic functions of the host with type parameters")
		return nil
	}
	s := c.info.Selections[n]
	if s == nil {
		return nil
	}
	if p, ok := types.Unalias(deref(s.Recv())).(*types.TypeParam); ok {
		if named := namedOf(c.subst(p)); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg() != c.pkg {
			c.refuse(n.Pos(), "call methods of host types through type parameters")
		}
	}
	return nil
}

func deref(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func (c *copier) ident(n *ast.Ident) ast.Node {
	o := c.info.Uses[n]
	if o == nil {
		o = c.info.Defs[n]
	}
	if _, ok := c.info.Instances[n]; ok {
		return c.instantiated(n.Pos(), n)
	}
	switch o := o.(type) {
	case *types.TypeName:
		if p, ok := o.Type().(*types.TypeParam); ok && c.env[p] != nil {
			return c.written(n.Pos(), p)
		}
	case *types.Var:
		switch {
		case o.Embedded():
			return c.embedded(n, o)
		case !o.IsField() && c.env != nil && o.Parent() != c.pkg.Scope() && c.names[n.Name]:
			return ident(n.Pos(), abi.Prefix+"_v_"+n.Name)
		}
	}
	return nil
}

// embedded is the name of an embedded field, which is that of its type.
func (c *copier) embedded(n *ast.Ident, o *types.Var) ast.Node {
	if _, ok := deref(o.Type()).(*types.Alias); ok {
		return nil // that of the alias
	}
	named := namedOf(c.subst(o.Type()))
	if named == nil || named.TypeArgs().Len() == 0 {
		return nil
	}
	in := c.instance(n.Pos(), named.Origin().Obj(), slices.Collect(named.TypeArgs().Types()))
	if in == nil {
		return nil
	}
	return ident(n.Pos(), in.name)
}

// switchOnce drops the cases of a type switch that are the same as an earlier one
// for these type arguments: Go takes the first. It is nil if there are none.
func (c *copier) switchOnce(n *ast.TypeSwitchStmt) *ast.TypeSwitchStmt {
	if len(c.env) == 0 {
		return nil
	}
	var seen []types.Type
	again := func(e ast.Expr) bool {
		tv, ok := c.info.Types[e]
		if !ok || !tv.IsType() {
			return false
		}
		t := c.subst(tv.Type)
		if slices.ContainsFunc(seen, func(s types.Type) bool { return types.Identical(s, t) }) {
			return true
		}
		seen = append(seen, t)
		return false
	}
	_, named := n.Assign.(*ast.AssignStmt)
	short := &ast.TypeSwitchStmt{Switch: n.Switch, Init: n.Init, Assign: n.Assign, Body: &ast.BlockStmt{Lbrace: n.Body.Lbrace, Rbrace: n.Body.Rbrace}}
	dropped := false
	for _, s := range n.Body.List {
		cc := s.(*ast.CaseClause)
		left := slices.DeleteFunc(slices.Clone(cc.List), again)
		switch {
		case len(left) == len(cc.List):
			short.Body.List = append(short.Body.List, cc)
			continue
		case len(left) == 1 && named:
			c.refuse(cc.Pos(), "instantiate a type switch that names a type twice")
		case len(left) > 0:
			short.Body.List = append(short.Body.List, &ast.CaseClause{Case: cc.Case, List: left, Colon: cc.Colon, Body: cc.Body})
		}
		dropped = true
	}
	if !dropped {
		return nil
	}
	return short
}
