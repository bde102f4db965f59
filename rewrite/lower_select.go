package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

// ident lowers a name. Host members that need no import are used by bare names.
func (l *lowerer) ident(id *ast.Ident) ast.Expr {
	if obj := l.Info.Uses[id]; l.host(obj) {
		return l.hostMember(id, id, obj)
	}
	return id
}

func (l *lowerer) selector(e *ast.SelectorExpr) ast.Expr {
	sel := l.Info.Selections[e]
	if sel == nil {
		obj := l.Info.Uses[e.Sel]
		if !l.host(obj) {
			if x, ok := e.X.(*ast.Ident); ok && obj.Pkg() == l.Gate {
				l.Info.Uses[x] = l.gateName // an echo: the import it came by is replaced
			}
			return e
		}
		return l.hostMember(e, e.Sel, obj)
	}
	switch sel.Kind() {
	case types.FieldVal:
		return l.fieldValue(e, sel)
	case types.MethodVal:
		return l.methodValue(e, sel)
	default:
		return l.methodExpr(e, sel)
	}
}

// hostMember lowers e, which names the package-level member obj of the host by
// the identifier id.
func (l *lowerer) hostMember(e ast.Expr, id *ast.Ident, obj types.Object) ast.Expr {
	switch obj := obj.(type) {
	case *types.Func:
		gate := l.funcGate(id, e.Pos())
		if gate == nil { // stays generic, and is instantiated here
			i := l.section.add(Binding{Kind: abi.BindFunc, Path: obj.Pkg().Path(), Name: obj.Name(), Type: obj.Type(), Object: obj, Pos: e.Pos()})
			gate = l.bound(i, e.Pos())
			if inst, ok := l.Info.Instances[id]; ok {
				l.Info.Instances[gate.Sel] = inst
			}
		}
		l.Info.Types[gate] = l.Info.Types[e]
		return gate
	case *types.Var:
		return l.hostVar(e, obj)
	case *types.Const:
		l.bindConst(obj, e.Pos())
		return l.leaf(e, obj)
	case *types.TypeName:
		return l.hostTypeName(e, id, obj)
	}
	l.refuse(e, obj.Name(), "%s cannot be used here", obj.Name())
	return nil
}

// hostVar reads the variable v of the host, or selects it if it is the run's own.
func (l *lowerer) hostVar(e ast.Expr, v *types.Var) ast.Expr {
	b := Binding{Kind: abi.BindVar, Path: v.Pkg().Path(), Name: v.Name(), Object: v, Pos: e.Pos(), Pointer: l.Universe.Settable(v)}
	gives := v.Type()
	if b.Pointer {
		gives = types.NewPointer(gives)
	}
	b.Type = signature(nil, nil, []types.Type{gives}, false)
	call := l.callOf(l.bound(l.section.add(b), e.Pos()), e.Pos())
	if b.Pointer {
		return l.star(call, v.Type())
	}
	return call
}

// funcGate makes the gate of the host function that id names, instantiated if
// it is generic. It is nil if the type arguments are those of a script's own
// generic function.
func (l *lowerer) funcGate(id *ast.Ident, pos token.Pos) *ast.SelectorExpr {
	f := l.Info.Uses[id].(*types.Func)
	b := Binding{Kind: abi.BindFunc, Path: f.Pkg().Path(), Name: f.Name(), Type: f.Type(), Object: f, Pos: pos}
	if f.Signature().TypeParams().Len() > 0 {
		inst := l.Info.Instances[id]
		b.TypeArgs = check.TypeList(inst.TypeArgs)
		if inst.Type == nil || check.MentionsTypeParam(b.TypeArgs...) {
			return nil
		}
		b.Type = inst.Type
	}
	return l.bound(l.section.add(b), pos)
}

// hostTypeName lowers the name of a host type to that of its mirror.
func (l *lowerer) hostTypeName(e ast.Expr, id *ast.Ident, obj *types.TypeName) ast.Expr {
	b := Binding{Kind: abi.BindType, Path: obj.Pkg().Path(), Name: obj.Name(), Type: obj.Type(), Object: obj, Pos: e.Pos()}
	inst, generic := l.Info.Instances[id]
	if args := check.TypeList(inst.TypeArgs); generic && !check.MentionsTypeParam(args...) {
		b.Type, b.TypeArgs = inst.Type, args
	}
	l.section.add(b)
	m := l.mirror(obj, e.Pos())
	m.Sel = id // an embedded field is declared by this very identifier
	if generic {
		l.Info.Instances[id] = inst
	}
	l.Info.Types[m] = l.Info.Types[e]
	if _, bare := e.(*ast.Ident); bare {
		l.set(m, specimens().typeName, obj.Type())
	}
	return m
}

// A path is how a selection gets from its operand to the member: through
// embedded fields of the script's own structs, then from the type at.
type path struct {
	fields []*types.Var
	at     types.Type   // after fields: owner, a pointer to it, or an interface
	owner  *types.Named // the host's type that the member is selected on; nil if none
}

// follow walks the embedded fields with the given indices, as far as they are
// the script's own. What lies beyond is the host's, and one gate leads through
// all of it.
func (l *lowerer) follow(t types.Type, index []int) path {
	p := path{at: t}
	for _, i := range index {
		s := p.at
		if elem := pointee(s); elem != nil {
			s = elem
		}
		if p.owner = l.hostType(s); p.owner != nil {
			return p
		}
		f := s.Underlying().(*types.Struct).Field(i)
		p.fields = append(p.fields, f)
		p.at = f.Type()
	}
	return p
}

// walk makes the fields of p explicit.
func (l *lowerer) walk(x ast.Expr, p path) ast.Expr {
	for _, f := range p.fields {
		x = l.selectField(x, f)
	}
	return x
}

func (l *lowerer) fieldValue(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	p := l.follow(sel.Recv(), sel.Index())
	x := l.expr(e.X)
	if p.owner == nil {
		e.X = x
		if !check.IsPointer(sel.Recv()) && !sel.Indirect() {
			l.sameMode(e, x)
		}
		return e
	}
	x = l.walk(x, p)
	owner, at := p.owner, types.Type(p.owner)
	for _, i := range sel.Index()[len(p.fields):] {
		if elem := pointee(at); elem != nil {
			at = elem
		}
		f := at.Underlying().(*types.Struct).Field(i)
		at = f.Type()
		if !f.Exported() {
			continue // the next field's gate leads through it
		}
		x = l.hostField(e, x, owner, f)
		if elem := pointee(at); elem != nil {
			owner = l.hostType(elem)
		} else {
			owner = l.hostType(at)
		}
	}
	return x
}

// hostField selects the field f, which owner has or promotes, on x.
func (l *lowerer) hostField(e ast.Expr, x ast.Expr, owner *types.Named, f *types.Var) ast.Expr {
	if !check.IsPointer(l.Info.TypeOf(x)) {
		ptr := l.address(x)
		if ptr == nil {
			return l.fieldGate(e, owner, f, false, x)
		}
		x = ptr
	}
	return l.star(l.fieldGate(e, owner, f, true, x), f.Type())
}

// fieldGate makes the call of the gate of a field.
func (l *lowerer) fieldGate(e ast.Expr, owner *types.Named, f *types.Var, pointer bool, x ast.Expr) ast.Expr {
	i := l.bindField(e, owner, f, pointer)
	from, to := types.Type(owner), f.Type()
	if pointer {
		from, to = types.NewPointer(from), types.NewPointer(to)
	}
	concrete := signature(nil, []types.Type{from}, []types.Type{to}, false)
	return l.callOf(l.instanceOf(i, owner, concrete, e.Pos()), e.Pos(), x)
}

// methodCall lowers the call e of a method that fun selects.
func (l *lowerer) methodCall(e *ast.CallExpr, fun *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	p := l.methodPath(sel)
	if p.owner == nil {
		fun.X = l.expr(fun.X)
		l.exprs(e.Args)
		return e
	}
	if len(e.Args) == 1 {
		if _, several := l.Info.TypeOf(e.Args[0]).(*types.Tuple); several {
			e.Fun = l.boundMethod(fun, sel, p) // the receiver cannot join them
			l.exprs(e.Args)
			return e
		}
	}
	recv, pointer := l.receiver(fun, sel, p)
	e.Fun = l.methodGate(fun, abi.BindMethod, sel, p.owner, pointer)
	l.exprs(e.Args)
	e.Args = append([]ast.Expr{recv}, e.Args...)
	return e
}

// methodValue lowers a method that is selected but not called.
func (l *lowerer) methodValue(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	p := l.methodPath(sel)
	if p.owner == nil {
		e.X = l.expr(e.X)
		return e
	}
	return l.boundMethod(e, sel, p)
}

func (l *lowerer) boundMethod(e *ast.SelectorExpr, sel *types.Selection, p path) ast.Expr {
	recv, pointer := l.receiver(e, sel, p)
	return l.callOf(l.methodGate(e, abi.BindMethodValue, sel, p.owner, pointer), e.Pos(), recv)
}

func (l *lowerer) methodGate(e ast.Expr, kind abi.BindingKind, sel *types.Selection, owner *types.Named, pointer bool) ast.Expr {
	m := sel.Obj().(*types.Func)
	i := l.bindMethod(e, kind, owner, m, pointer)
	return l.instanceOf(i, owner, methodGate(kind, nil, owner, methodOf(owner, m), pointer), e.Pos())
}

// methodPath is the path to the host's type that a method is selected on. Its
// owner is nil if the method is the script's, or error's.
func (l *lowerer) methodPath(sel *types.Selection) path {
	index := sel.Index()
	p := l.follow(sel.Recv(), index[:len(index)-1])
	if p.owner != nil {
		return p
	}
	t := p.at
	if elem := pointee(t); elem != nil {
		t = elem
	}
	if types.IsInterface(t) {
		p.owner = l.hostInterface(t, sel.Obj())
	} else {
		p.owner = l.hostType(t)
	}
	return p
}

// hostInterface finds the host's interface that t is or embeds and that m comes
// from, or nil.
func (l *lowerer) hostInterface(t types.Type, m types.Object) *types.Named {
	if !l.host(m) {
		return nil
	}
	if n := l.hostType(t); n != nil {
		return n
	}
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		return l.hostInterface(tp.Constraint(), m)
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for e := range iface.EmbeddedTypes() {
		if !types.IsInterface(e) {
			continue
		}
		found, _, _ := types.LookupFieldOrMethod(e, false, m.Pkg(), m.Name())
		if found == nil {
			continue
		}
		if n := l.hostInterface(e, m); n != nil {
			return n
		}
	}
	return nil
}

// receiver makes the receiver of a host method explicit, as the type that
// the method's gate takes: a pointer to the owner or the owner itself.
func (l *lowerer) receiver(e *ast.SelectorExpr, sel *types.Selection, p path) (x ast.Expr, pointer bool) {
	x = l.walk(l.expr(e.X), p)
	if types.IsInterface(p.owner) {
		return x, false
	}
	if l.needsPointer(p.owner, sel.Obj()) {
		if check.IsPointer(p.at) {
			return x, true
		}
		ptr := l.address(x)
		if ptr == nil {
			l.refuse(e, sel.Obj().Name(), "the address of a variable of the host cannot be taken, as %s needs", sel.Obj().Name())
		}
		return ptr, true
	}
	if elem := pointee(p.at); elem != nil {
		if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
			return u.X, false
		}
		return l.star(x, elem), false
	}
	return x, false
}

// needsPointer reports whether the method m is in the method set of *owner only.
func (l *lowerer) needsPointer(owner *types.Named, m types.Object) bool {
	found, _, _ := types.LookupFieldOrMethod(owner, false, m.Pkg(), m.Name())
	return found == nil
}

// methodExpr lowers T.M.
func (l *lowerer) methodExpr(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	p := l.methodPath(sel)
	if p.owner == nil {
		e.X = l.expr(e.X)
		return e
	}
	recv := sel.Recv()
	pointer := check.IsPointer(recv)
	if pointer {
		recv = pointee(recv)
	}
	m := sel.Obj().(*types.Func)
	if l.hostType(recv) == nil {
		l.refuse(e, m.Name(), "the method expression of %s, which the host's %s promotes, is not supported; write a function literal that calls it", m.Name(), p.owner.Obj().Name())
	}
	if check.MentionsTypeParam(recv) {
		l.refuse(e, m.Name(), "the method expression of %s on a type with type parameters is not supported; write a function literal that calls it", m.Name())
	}
	return l.bound(l.bindMethod(e, abi.BindMethod, p.owner, m, pointer), e.Pos())
}
