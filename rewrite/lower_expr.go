package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

func (l *lowerer) exprs(list []ast.Expr) {
	for i, e := range list {
		list[i] = l.expr(e)
	}
}

func (l *lowerer) optional(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	return l.expr(e)
}

// expr lowers an expression or type and returns what stands in its place.
func (l *lowerer) expr(e ast.Expr) ast.Expr {
	tv := l.Info.Types[e]
	if tv.Value == nil || l.hostFree {
		return l.operand(e)
	}
	consts, variables := l.hostObjects(e)
	if len(consts) == 0 && !variables {
		l.hostFree = true
		defer func() { l.hostFree = false }()
		return l.operand(e)
	}
	if folded := l.fold(e, tv, consts, variables); folded != nil {
		return folded
	}
	defer func(was bool) { l.leaves = was }(l.leaves)
	l.leaves = true
	return l.operand(e)
}

func (l *lowerer) operand(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		return l.ident(e)
	case *ast.BasicLit:
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.CallExpr:
		return l.call(e)
	case *ast.IndexExpr:
		return l.index(e)
	case *ast.IndexListExpr:
		return l.indexList(e)
	case *ast.UnaryExpr:
		return l.unary(e)
	case *ast.StarExpr:
		e.X = l.expr(e.X)
	case *ast.ParenExpr:
		e.X = l.expr(e.X)
		l.sameMode(e, e.X)
	case *ast.BinaryExpr:
		e.X, e.Y = l.expr(e.X), l.expr(e.Y)
	case *ast.SliceExpr:
		l.slice(e)
	case *ast.TypeAssertExpr:
		e.X, e.Type = l.expr(e.X), l.optional(e.Type)
	case *ast.CompositeLit:
		l.composite(e)
	case *ast.KeyValueExpr:
		e.Key, e.Value = l.expr(e.Key), l.expr(e.Value)
	case *ast.FuncLit:
		l.funcType(e.Type)
		l.metered(e.Body, e.Pos())
	case *ast.Ellipsis:
		e.Elt = l.optional(e.Elt)
	case *ast.ArrayType:
		e.Len, e.Elt = l.optional(e.Len), l.expr(e.Elt)
	case *ast.MapType:
		e.Key, e.Value = l.expr(e.Key), l.expr(e.Value)
	case *ast.ChanType:
		e.Value = l.expr(e.Value)
	case *ast.StructType:
		l.fields(e.Fields)
	case *ast.InterfaceType:
		l.fields(e.Methods)
	case *ast.FuncType:
		l.funcType(e)
	default:
		l.refuse(e, "", "this expression has no lowering")
	}
	return e
}

// unary lowers e; &p.F of a host field is what the gate of the field returns.
func (l *lowerer) unary(e *ast.UnaryExpr) ast.Expr {
	wasVariable := l.Info.Types[e.X].Addressable()
	e.X = l.expr(e.X)
	if e.Op != token.AND || !wasVariable {
		return e
	}
	if !l.Info.Types[e.X].Addressable() {
		l.refuse(e, "", "the address of a variable of the host cannot be taken")
	}
	if star, ok := ast.Unparen(e.X).(*ast.StarExpr); ok && l.isGateCall(star.X) {
		return star.X
	}
	return e
}

func (l *lowerer) slice(e *ast.SliceExpr) {
	wasVariable := l.Info.Types[e.X].Addressable()
	e.X = l.expr(e.X)
	_, array := l.Info.TypeOf(e.X).Underlying().(*types.Array)
	if array && wasVariable && !l.Info.Types[e.X].Addressable() {
		l.refuse(e, "", "an array of the host cannot be sliced; copy it first")
	}
	e.Low, e.High, e.Max = l.optional(e.Low), l.optional(e.High), l.optional(e.Max)
}

// index lowers indexing and instantiation.
func (l *lowerer) index(e *ast.IndexExpr) ast.Expr {
	if f := l.instance(e.X); f != nil {
		if gate := l.funcGate(f, e.Pos()); gate != nil {
			l.Info.Types[gate] = l.Info.Types[e]
			return gate
		}
	}
	wasVariable := l.Info.Types[e.X].Addressable()
	e.X, e.Index = l.expr(e.X), l.expr(e.Index)
	_, array := l.underlying(e.X).(*types.Array)
	if array && wasVariable {
		l.sameMode(e, e.X)
	}
	return e
}

func (l *lowerer) indexList(e *ast.IndexListExpr) ast.Expr {
	if f := l.instance(e.X); f != nil {
		if gate := l.funcGate(f, e.Pos()); gate != nil {
			l.Info.Types[gate] = l.Info.Types[e]
			return gate
		}
	}
	e.X = l.expr(e.X)
	l.exprs(e.Indices)
	return e
}

// instance returns the name in e of an instantiated function of the host, or nil.
func (l *lowerer) instance(e ast.Expr) *ast.Ident {
	id := memberName(ast.Unparen(e))
	if id == nil {
		return nil
	}
	if f, ok := l.Info.Uses[id].(*types.Func); ok && l.host(f) && f.Signature().Recv() == nil {
		return id
	}
	return nil
}

// memberName is the identifier that names what e denotes, if e is a name or
// a selector.
func memberName(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

func (l *lowerer) underlying(e ast.Expr) types.Type {
	if t := l.Info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

// composite lowers a literal. The fields of a host's struct are listed in the
// import section; they need no gate, since the value is not yet shared.
func (l *lowerer) composite(e *ast.CompositeLit) {
	e.Type = l.optional(e.Type)
	t := l.Info.TypeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if m, ok := t.Underlying().(*types.Map); ok {
		l.constantsFirst(e, m)
	}
	st, isStruct := t.Underlying().(*types.Struct)
	owner := l.hostType(t)
	for i, elt := range e.Elts {
		kv, keyed := elt.(*ast.KeyValueExpr)
		if !keyed {
			e.Elts[i] = l.expr(elt)
			if isStruct && owner != nil {
				l.bindField(elt, owner, st.Field(i), true)
			}
			continue
		}
		field := l.literalField(kv.Key)
		if field == nil {
			kv.Key = l.expr(kv.Key)
		} else if owner != nil {
			l.bindField(kv, owner, field, true)
		}
		kv.Value = l.expr(kv.Value)
	}
}

// literalField is the field that a key of a literal names, or nil.
func (l *lowerer) literalField(key ast.Expr) *types.Var {
	if id, ok := key.(*ast.Ident); ok {
		if v, ok := l.Info.Uses[id].(*types.Var); ok && v.IsField() {
			return v
		}
	}
	return nil
}

func (l *lowerer) call(e *ast.CallExpr) ast.Expr {
	if l.isRecover(e) {
		gate := l.gateCall(abi.Recover, e.Pos(), e)
		return gate
	}
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
		if s := l.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			return l.methodCall(e, sel, s)
		}
	}
	e.Fun = l.expr(e.Fun)
	l.exprs(e.Args)
	return e
}

func (l *lowerer) isRecover(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := l.Info.Uses[id].(*types.Builtin)
	return ok && b.Name() == "recover"
}
