package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// spell writes t as syntax. It is nil if a part of t has no name that is sure to
// mean it: one that hidden reports, or one declared inside a function.
func (l *lowerer) spell(t types.Type, pos token.Pos, hidden func(name string) bool) ast.Expr {
	s := speller{l: l, pos: pos, hidden: hidden}
	e := s.expr(t)
	if s.failed {
		return nil
	}
	return e
}

// A speller writes one type.
type speller struct {
	l      *lowerer
	pos    token.Pos
	hidden func(name string) bool
	failed bool
}

// maxSpelled bounds the parts of all types that are written in a script. Each takes some 500 bytes.
const maxSpelled = 200_000

func (s *speller) expr(t types.Type) ast.Expr {
	if s.l.spelled++; s.l.spelled > maxSpelled {
		at := s.l.Fset.Position(s.pos)
		panic(&diag.Rejection{
			Code: diag.TooComplex, Pos: diag.Position{Name: at.Filename, Line: at.Line, Column: at.Column},
			Message: "variables of types of this length take too long to compile", Hint: "declare a type, and use its name",
		})
	}
	e := s.syntax(t)
	if e == nil {
		s.failed = true
		return ident("_", s.pos)
	}
	s.l.set(e, specimens().typeName, t)
	return e
}

func (s *speller) syntax(t types.Type) ast.Expr {
	switch t := t.(type) {
	case *types.Alias:
		return s.syntax(types.Unalias(t))
	case *types.Basic:
		return s.basic(t)
	case *types.Named:
		return s.named(t)
	case *types.Pointer:
		return &ast.StarExpr{Star: s.pos, X: s.expr(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: s.pos, Elt: s.expr(t.Elem())}
	case *types.Array:
		return &ast.ArrayType{Lbrack: s.pos, Len: s.length(t.Len()), Elt: s.expr(t.Elem())}
	case *types.Map:
		return &ast.MapType{Map: s.pos, Key: s.expr(t.Key()), Value: s.expr(t.Elem())}
	case *types.Chan:
		return s.channel(t)
	case *types.Signature:
		return s.function(t)
	case *types.Struct:
		return s.structType(t)
	case *types.Interface:
		return s.interfaceType(t)
	}
	return nil
}

func (s *speller) name(name string, obj types.Object) ast.Expr {
	id := ident(name, s.pos)
	s.l.Info.Uses[id] = obj
	return id
}

func (s *speller) basic(t *types.Basic) ast.Expr {
	obj := types.Universe.Lookup(t.Name())
	if obj == nil || s.hidden(t.Name()) {
		return nil
	}
	return s.name(t.Name(), obj)
}

// named writes the name of a type of the script, of the host, or error.
func (s *speller) named(t *types.Named) ast.Expr {
	obj := t.Obj()
	var name ast.Expr
	switch {
	case obj.Pkg() == nil:
		if s.hidden(obj.Name()) {
			return nil
		}
		name = s.name(obj.Name(), obj)
	case s.l.host(obj):
		b := Binding{Kind: abi.BindType, Path: obj.Pkg().Path(), Name: obj.Name(), Type: t, TypeArgs: check.TypeList(t.TypeArgs()), Object: obj, Pos: s.pos}
		s.l.section.add(b)
		name = s.l.mirror(obj, s.pos)
	case check.IsLocal(t) || obj.Parent() == nil:
		return nil
	case !s.l.Same(obj.Pkg()) && !obj.Exported():
		return nil
	case !s.l.Same(obj.Pkg()):
		name = s.l.fromOwn(obj, s.pos)
	default:
		name = s.name(obj.Name(), obj)
	}
	if t.TypeArgs().Len() == 0 {
		return name
	}
	return s.instance(name, t)
}

func (s *speller) instance(name ast.Expr, t *types.Named) ast.Expr {
	s.l.Info.Instances[memberName(name)] = types.Instance{TypeArgs: t.TypeArgs(), Type: t}
	s.l.set(name, specimens().typeName, t.Origin())
	var args []ast.Expr
	for _, a := range check.TypeList(t.TypeArgs()) {
		args = append(args, s.expr(a))
	}
	if len(args) == 1 {
		return &ast.IndexExpr{X: name, Lbrack: s.pos, Index: args[0], Rbrack: s.pos}
	}
	return &ast.IndexListExpr{X: name, Lbrack: s.pos, Indices: args, Rbrack: s.pos}
}

func constantInt(n int) constant.Value { return constant.MakeInt64(int64(n)) }

func (s *speller) length(n int64) ast.Expr {
	e := &ast.BasicLit{ValuePos: s.pos, Kind: token.INT, Value: strconv.FormatInt(n, 10)}
	s.l.setConst(e, types.Typ[types.UntypedInt], constant.MakeInt64(n))
	return e
}

func (s *speller) channel(t *types.Chan) ast.Expr {
	e := &ast.ChanType{Begin: s.pos, Dir: ast.SEND | ast.RECV, Value: s.expr(t.Elem())}
	switch t.Dir() {
	case types.SendOnly:
		e.Dir, e.Arrow = ast.SEND, s.pos
	case types.RecvOnly:
		e.Dir, e.Arrow = ast.RECV, s.pos
	default: // chan (<-chan T), which without parentheses is chan<- (chan T)
		inner := types.Unalias(t.Elem())
		if c, ok := inner.(*types.Chan); ok && c.Dir() == types.RecvOnly {
			e.Value = &ast.ParenExpr{Lparen: s.pos, X: e.Value, Rparen: s.pos}
			s.l.set(e.Value, specimens().typeName, t.Elem())
		}
	}
	return e
}

func (s *speller) function(t *types.Signature) ast.Expr {
	if t.TypeParams().Len() > 0 {
		return nil
	}
	f := &ast.FuncType{Func: s.pos, Params: s.list(t.Params(), t.Variadic())}
	if t.Results().Len() > 0 {
		f.Results = s.list(t.Results(), false)
	}
	return f
}

func (s *speller) list(t *types.Tuple, variadic bool) *ast.FieldList {
	list := &ast.FieldList{Opening: s.pos, Closing: s.pos}
	for i, p := range check.VarTypes(t) {
		var e ast.Expr
		if variadic && i == t.Len()-1 {
			e = &ast.Ellipsis{Ellipsis: s.pos, Elt: s.expr(p.(*types.Slice).Elem())}
			s.l.set(e, specimens().typeName, p)
		} else {
			e = s.expr(p)
		}
		list.List = append(list.List, &ast.Field{Type: e})
	}
	return list
}

func (s *speller) structType(t *types.Struct) ast.Expr {
	list := &ast.FieldList{Opening: s.pos, Closing: s.pos}
	for i := range t.NumFields() {
		f := t.Field(i)
		field := &ast.Field{Type: s.expr(f.Type())}
		if !s.l.Same(f.Pkg()) && !f.Exported() {
			return nil // the syntax would declare another field
		}
		if !s.embed(field, f) {
			name := ident(f.Name(), s.pos)
			s.l.Info.Defs[name] = f
			field.Names = []*ast.Ident{name}
		}
		if tag := t.Tag(i); tag != "" {
			field.Tag = &ast.BasicLit{ValuePos: s.pos, Kind: token.STRING, Value: strconv.Quote(tag)}
		}
		list.List = append(list.List, field)
	}
	return &ast.StructType{Struct: s.pos, Fields: list}
}

// embed records that the type of field declares f, if f is an embedded field.
func (s *speller) embed(field *ast.Field, f *types.Var) bool {
	if !f.Embedded() {
		return false
	}
	e := field.Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if inst, ok := e.(*ast.IndexExpr); ok {
		e = inst.X
	}
	id := memberName(e)
	if id == nil || id.Name != f.Name() { // by an alias
		s.failed = true
		return true
	}
	s.l.Info.Defs[id] = f
	return true
}

func (s *speller) interfaceType(t *types.Interface) ast.Expr {
	list := &ast.FieldList{Opening: s.pos, Closing: s.pos}
	if !t.IsMethodSet() {
		return nil
	}
	for m := range t.Methods() {
		name := ident(m.Name(), s.pos)
		s.l.Info.Defs[name] = m
		f := s.function(m.Signature())
		s.l.set(f, specimens().typeName, types.NewSignatureType(nil, nil, nil, m.Signature().Params(), m.Signature().Results(), m.Signature().Variadic()))
		list.List = append(list.List, &ast.Field{Names: []*ast.Ident{name}, Type: f})
	}
	return &ast.InterfaceType{Interface: s.pos, Methods: list}
}
