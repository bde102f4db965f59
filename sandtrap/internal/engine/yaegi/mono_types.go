package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// subst returns t with types in place of type parameters.
func (c *copier) subst(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if a := c.env[t]; a != nil {
			return a
		}
		return t
	case *types.Named:
		return c.substNamed(t)
	case *types.Pointer:
		return types.NewPointer(c.subst(t.Elem()))
	case *types.Slice:
		return types.NewSlice(c.subst(t.Elem()))
	case *types.Array:
		return types.NewArray(c.subst(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), c.subst(t.Elem()))
	case *types.Map:
		return types.NewMap(c.subst(t.Key()), c.subst(t.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, c.substTuple(t.Params()), c.substTuple(t.Results()), t.Variadic())
	case *types.Struct:
		return c.substStruct(t)
	case *types.Interface:
		return c.substInterface(t)
	default:
		return t
	}
}

func (c *copier) substNamed(t *types.Named) types.Type {
	if t.TypeArgs().Len() == 0 {
		return t
	}
	args := slices.Collect(t.TypeArgs().Types())
	for i, a := range args {
		args[i] = c.subst(a)
	}
	n, err := types.Instantiate(c.types, t.Origin(), args, false)
	if err != nil {
		return t
	}
	return n
}

func (c *copier) substTuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), c.subst(v.Type())))
	}
	return types.NewTuple(vars...)
}

func (c *copier) substStruct(t *types.Struct) types.Type {
	var fields []*types.Var
	var tags []string
	for i := range t.NumFields() {
		f := t.Field(i)
		fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), c.subst(f.Type()), f.Embedded()))
		tags = append(tags, t.Tag(i))
	}
	return types.NewStruct(fields, tags)
}

func (c *copier) substInterface(t *types.Interface) types.Type {
	if t.Empty() || !t.IsMethodSet() {
		return t
	}
	var methods []*types.Func
	for m := range t.Methods() {
		methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), c.subst(m.Signature()).(*types.Signature)))
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

// spell writes t, or returns nil if it has no name outside of where it is declared.
func (c *copier) spell(pos token.Pos, t types.Type) ast.Expr {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return c.name(pos, types.Universe, t.Name())
	case *types.Named:
		return c.spellNamed(pos, t)
	case *types.Signature:
		return c.spellFunc(pos, t)
	case *types.Struct:
		return c.spellStruct(pos, t)
	case *types.Interface:
		return c.spellInterface(pos, t)
	case *types.Map:
		k, v := c.spell(pos, t.Key()), c.spell(pos, t.Elem())
		if k == nil || v == nil {
			return nil
		}
		return &ast.MapType{Map: pos, Key: k, Value: v}
	}
	elem, ok := types.Unalias(t).(interface{ Elem() types.Type })
	if !ok {
		return nil
	}
	e := c.spell(pos, elem.Elem())
	if e == nil {
		return nil
	}
	return around(pos, types.Unalias(t), e)
}

// around writes a type made of one other.
func around(pos token.Pos, t types.Type, e ast.Expr) ast.Expr {
	switch t := t.(type) {
	case *types.Pointer:
		return &ast.StarExpr{Star: pos, X: e}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: pos, Elt: e}
	case *types.Array:
		return &ast.ArrayType{Lbrack: pos, Len: intLit(pos, strconv.FormatInt(t.Len(), 10)), Elt: e}
	case *types.Chan:
		dir := [...]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}[t.Dir()]
		if dir != ast.RECV {
			e = &ast.ParenExpr{Lparen: pos, X: e, Rparen: pos} // chan (<-chan int)
		}
		return &ast.ChanType{Begin: pos, Dir: dir, Value: e}
	}
	return nil
}

// name writes a name of a scope that no inner one may hide.
func (c *copier) name(pos token.Pos, in *types.Scope, name string) ast.Expr {
	if in == types.Universe && c.pkg.Scope().Lookup(name) != nil {
		return nil
	}
	if c.spelled != nil {
		c.spelled[name] = true
	}
	return ident(pos, name)
}

func (c *copier) spellNamed(pos token.Pos, t *types.Named) ast.Expr {
	o := t.Obj()
	switch {
	case o.Pkg() == nil:
		return c.name(pos, types.Universe, o.Name())
	case o.Pkg() != c.pkg:
		return c.hostExpr(pos, t)
	case t.TypeArgs().Len() > 0:
		if in := c.instance(pos, t.Origin().Obj(), slices.Collect(t.TypeArgs().Types())); in != nil {
			return ident(pos, in.name)
		}
		return nil
	case o.Parent() != c.pkg.Scope():
		return nil
	}
	return c.name(pos, c.pkg.Scope(), o.Name())
}

// hostExpr writes a type of the host's, or returns nil if no binding has it.
func (u *unit) hostExpr(pos token.Pos, t *types.Named) ast.Expr {
	if t.TypeArgs().Len() > 0 {
		return nil
	}
	for _, m := range u.mirrors {
		for _, b := range u.bindings {
			if m.Path == t.Obj().Pkg().Path() && b.Path == m.Path && b.Name == t.Obj().Name() {
				return &ast.SelectorExpr{X: ident(pos, m.Name), Sel: ident(pos, b.Name)}
			}
		}
	}
	return nil
}

func (c *copier) spellFunc(pos token.Pos, t *types.Signature) ast.Expr {
	f := funcType(pos, t, c.spell)
	if f == nil {
		return nil
	}
	if t.Variadic() {
		last := f.Params.List[len(f.Params.List)-1]
		s, ok := last.Type.(*ast.ArrayType)
		if !ok {
			return nil
		}
		last.Type = &ast.Ellipsis{Ellipsis: pos, Elt: s.Elt}
	}
	return f
}

// funcType is a signature of which spell writes the types; nil if it cannot write one.
func funcType(pos token.Pos, t *types.Signature, spell func(token.Pos, types.Type) ast.Expr) *ast.FuncType {
	var lists [2]ast.FieldList
	for i, tuple := range []*types.Tuple{t.Params(), t.Results()} {
		for v := range tuple.Variables() {
			x := spell(pos, v.Type())
			if x == nil {
				return nil
			}
			lists[i].List = append(lists[i].List, &ast.Field{Type: x})
		}
	}
	return &ast.FuncType{Func: pos, Params: &lists[0], Results: &lists[1]}
}

func (c *copier) spellStruct(pos token.Pos, t *types.Struct) ast.Expr {
	l := &ast.FieldList{Opening: pos, Closing: pos}
	for i := range t.NumFields() {
		f := t.Field(i)
		x := c.spell(pos, f.Type())
		if x == nil || !f.Exported() && f.Pkg() != c.pkg {
			return nil
		}
		field := &ast.Field{Type: x}
		if !f.Embedded() {
			field.Names = []*ast.Ident{ident(pos, f.Name())}
		}
		if tag := t.Tag(i); tag != "" {
			field.Tag = &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(tag)}
		}
		l.List = append(l.List, field)
	}
	return &ast.StructType{Struct: pos, Fields: l}
}

func (c *copier) spellInterface(pos token.Pos, t *types.Interface) ast.Expr {
	if !t.IsMethodSet() {
		return nil
	}
	l := &ast.FieldList{Opening: pos, Closing: pos}
	for m := range t.Methods() {
		f := c.spell(pos, m.Signature())
		if f == nil || !m.Exported() && m.Pkg() != c.pkg {
			return nil
		}
		l.List = append(l.List, &ast.Field{Names: []*ast.Ident{ident(pos, m.Name())}, Type: f})
	}
	return &ast.InterfaceType{Interface: pos, Methods: l}
}

// argsText is a list of type arguments as Go prints it.
func argsText(args []types.Type) string {
	var text []string
	for _, t := range args {
		text = append(text, types.TypeString(t, func(p *types.Package) string { return p.Name() }))
	}
	return "[" + strings.Join(text, ",") + "]"
}
