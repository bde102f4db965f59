package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
)

// An orderer looks for calls that come after something which the compiler reads
// later, and takes them out of their expressions.
type orderer struct {
	*lowerer
	pending bool       // something was met that is read when the statement acts
	risky   bool       // something was met that may panic then
	seen    bool       // a call was met after the one, or an early panic after the other
	calls   int        // how many were met
	out     []ast.Stmt // what has to be done before the statement
}

// scan meets the parts of e in the order of Go's specification.
func (o *orderer) scan(e ast.Expr) {
	if tv := o.Info.Types[e]; e == nil || tv.Value != nil || tv.IsType() {
		return
	}
	before, risk := o.pending, o.risky
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := o.Info.Uses[e].(*types.Var); ok && o.isShared(v) {
			o.pending = true
		}
		return
	case *ast.FuncLit:
		return
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			o.target(e.X)
			return
		}
	case *ast.BinaryExpr:
		if o.early(e) { // the left side is over when the right one begins
			o.scan(e.X)
			o.pending = before
			o.scan(e.Y)
			o.pending = before
			return
		}
	}
	o.risky = false
	o.parts(e, func(p *ast.Expr) {
		calls := o.calls
		o.scan(*p)
		if i, ok := e.(*ast.IndexExpr); ok && p == &i.X && o.calls > calls && o.indexFirst(i) {
			o.seen = true
		}
	})
	inside := o.risky
	o.risky = risk || inside
	switch {
	case o.acts(e):
		o.calls++
		o.seen = o.seen || before
		o.pending, o.risky = before, risk
	case o.early(e):
		o.seen = o.seen || risk && inside
		o.pending, o.risky = before, risk
	case o.late(e):
		o.pending, o.risky = true, true
	case o.textOf(e):
		o.pending = true
	}
}

// indexFirst reports that go/ssa has the index before the value that is indexed, and that
// it matters if there is a call in that.
func (o *orderer) indexFirst(e *ast.IndexExpr) bool {
	switch o.Info.TypeOf(e.X).Underlying().(type) {
	case *types.Slice, *types.Pointer, *types.Map, *types.Signature:
		return false
	case *types.Array:
		if o.Info.Types[e.X].Addressable() {
			return false
		}
	}
	if id, ok := ast.Unparen(e.Index).(*ast.Ident); ok {
		v, ok := o.Info.Uses[id].(*types.Var)
		return ok && o.isShared(v)
	}
	return o.Info.Types[e.Index].Value == nil
}

// target meets what has to be known of a variable to store to it, or to take its
// address: it is not read.
func (o *orderer) target(e ast.Expr) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
	case *ast.StarExpr:
		o.scan(x.X)
	case *ast.SelectorExpr:
		sel := o.Info.Selections[x]
		switch {
		case sel == nil || len(sel.Index()) > 1 && sel.Indirect():
			o.scan(x)
		case sel.Indirect():
			o.scan(x.X)
		default:
			o.target(x.X)
		}
	case *ast.IndexExpr:
		if _, ok := o.Info.TypeOf(x.X).Underlying().(*types.Map); ok {
			o.scan(x.X)
			o.scan(x.Index)
			return
		}
		o.scan(x)
	default:
		o.scan(x)
	}
}

func (o *orderer) isShared(v *types.Var) bool {
	return v.Parent() == o.Pkg.Scope() || o.shared[v]
}

// acts reports an operation that may change what is read beside it, or be seen from
// outside.
func (o *orderer) acts(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		switch o.builtin(e) {
		case "":
			return !o.Info.Types[e.Fun].IsType() && !o.harmless(e)
		case "append", "copy", "recover":
			return true
		}
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	}
	return false
}

// harmless reports the call of a function of Go's library that gets nothing it could
// change or call, and has nothing of the kind from before: variables are known to flags, and
// to functions of who uses the sandbox.
func (o *orderer) harmless(e *ast.CallExpr) bool {
	id := memberName(ast.Unparen(e.Fun))
	if id == nil {
		return false
	}
	f, ok := o.Info.Uses[id].(*types.Func)
	if !ok || !o.host(f) || !o.Universe.Standard(f.Pkg().Path()) || hasWord(o.Universe.Engine(f.Pkg().Path(), "", f.Name()), "keeps") {
		return false
	}
	sig := f.Signature()
	if sig.Recv() != nil && o.hostType(sig.Recv().Type()) == nil {
		return false
	}
	for _, t := range check.VarTypes(sig.Params()) {
		if _, basic := t.Underlying().(*types.Basic); !basic {
			return false
		}
	}
	return true
}

// early reports an operation without effect whose result the compiler keeps from
// when its turn comes.
func (o *orderer) early(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		if o.Info.Types[e.Fun].IsType() {
			return o.bytesOf(e)
		}
		return true
	case *ast.BinaryExpr:
		return e.Op == token.LAND || e.Op == token.LOR
	case *ast.SliceExpr:
		return true
	case *ast.TypeAssertExpr:
		return e.Type != nil && !oneWord(o.Info.TypeOf(e))
	case *ast.CompositeLit:
		_, ok := o.Info.TypeOf(e).Underlying().(*types.Map)
		return ok && len(e.Elts) > 0
	}
	return false
}

// late reports an operation that reads memory, or may panic, when the statement acts.
func (o *orderer) late(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		sel := o.Info.Selections[e]
		return sel != nil && sel.Indirect() && !o.passed(sel)
	case *ast.IndexExpr:
		_, instance := o.Info.TypeOf(e.X).Underlying().(*types.Signature)
		return !instance
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return o.Info.Types[e.Y].Value == nil
		}
	case *ast.TypeAssertExpr:
		return true
	case *ast.CallExpr: // a conversion
		_, array := o.Info.TypeOf(e).Underlying().(*types.Array)
		return array
	}
	return false
}

// passed reports a method that gets its operand as it is.
func (o *orderer) passed(sel *types.Selection) bool {
	m, ok := sel.Obj().(*types.Func)
	return ok && len(sel.Index()) == 1 && (types.IsInterface(sel.Recv()) || check.IsPointer(m.Signature().Recv().Type()))
}

// builtin is the name of the builtin function that e calls, or "".
func (o *orderer) builtin(e *ast.CallExpr) string {
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := o.Info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// bytesOf reports the conversion of a string to a slice.
func (o *orderer) bytesOf(e *ast.CallExpr) bool {
	return check.IsSlice(o.Info.TypeOf(e).Underlying()) && check.IsString(o.Info.TypeOf(e.Args[0]))
}

// textOf reports the conversion of a slice to a string, which reads what is in the slice
// when the statement acts.
func (o *orderer) textOf(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || !o.Info.Types[call.Fun].IsType() || !check.IsString(o.Info.TypeOf(e)) {
		return false
	}
	return check.IsSlice(o.Info.TypeOf(call.Args[0]).Underlying())
}

// oneWord reports a type that an interface holds as it is.
func oneWord(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Struct:
		return u.NumFields() == 1 && oneWord(u.Field(0).Type())
	case *types.Array:
		return u.Len() == 1 && oneWord(u.Elem())
	}
	return false
}

// parts visits the places of the operands of e.
func (o *orderer) parts(e ast.Expr, visit func(*ast.Expr)) {
	some := func(list ...*ast.Expr) {
		for _, p := range list {
			if *p != nil {
				visit(p)
			}
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		visit(&e.X)
	case *ast.SelectorExpr:
		if o.Info.Selections[e] != nil {
			visit(&e.X)
		}
	case *ast.IndexExpr:
		some(&e.X, &e.Index)
	case *ast.SliceExpr:
		some(&e.X, &e.Low, &e.High, &e.Max)
	case *ast.StarExpr:
		visit(&e.X)
	case *ast.UnaryExpr:
		visit(&e.X)
	case *ast.BinaryExpr:
		some(&e.X, &e.Y)
	case *ast.TypeAssertExpr:
		visit(&e.X)
	case *ast.CallExpr:
		some(append([]*ast.Expr{&e.Fun}, places(e.Args)...)...)
	case *ast.CompositeLit:
		_, isStruct := o.Info.TypeOf(e).Underlying().(*types.Struct)
		for i := range e.Elts {
			kv, ok := e.Elts[i].(*ast.KeyValueExpr)
			switch {
			case !ok:
				visit(&e.Elts[i])
			case isStruct:
				visit(&kv.Value)
			default:
				some(&kv.Key, &kv.Value)
			}
		}
	}
}

// rewrite gives what stands for e once everything in it that does not wait has been
// done.
func (o *orderer) rewrite(e ast.Expr) ast.Expr {
	if tv := o.Info.Types[e]; e == nil || tv.Value != nil || tv.IsType() || tv.IsVoid() {
		return e
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		if o.early(x) {
			return o.logical(x)
		}
	case *ast.ParenExpr:
		x.X = o.rewrite(x.X)
		o.sameAs(x, x.X)
		return e
	}
	e = o.operands(e)
	if !o.acts(e) && !o.early(e) || !o.holdable(e) {
		return e
	}
	return o.hold(e)
}

// operands rewrites what e works on, and leaves e itself to be done later.
func (o *orderer) operands(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.FuncLit:
		return e
	case *ast.ParenExpr:
		x.X = o.operands(x.X)
		o.sameAs(x, x.X)
		return e
	case *ast.CompositeLit:
		if o.early(x) {
			o.mapLiteral(x)
			return e
		}
	case *ast.BinaryExpr:
		if x.Op == token.EQL || x.Op == token.NEQ {
			o.compared(x)
			return e
		}
	}
	o.parts(e, func(p *ast.Expr) { *p = o.part(e, p) })
	switch x := e.(type) {
	case *ast.SelectorExpr:
		if sel := o.Info.Selections[x]; sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect() {
			o.sameAs(x, x.X)
		}
	case *ast.IndexExpr:
		if _, array := o.Info.TypeOf(x.X).Underlying().(*types.Array); array {
			o.sameAs(x, x.X)
		}
	}
	return e
}

// sameAs makes e a variable if what it is a part of has become one.
func (o *orderer) sameAs(e, part ast.Expr) {
	if tv := o.Info.Types[e]; tv.IsValue() && !tv.Addressable() && o.Info.Types[part].Addressable() {
		o.set(e, specimens().variable, tv.Type)
	}
}

// plain reports a logical operation whose right side has nothing to be done first.
func (o *orderer) plain(e *ast.BinaryExpr) bool {
	probe := &orderer{lowerer: o.lowerer, pending: true}
	probe.scan(e.Y)
	return !probe.seen
}

// logical takes && and || apart: what the right side needs is done if it is reached.
func (o *orderer) logical(e *ast.BinaryExpr) ast.Expr {
	for _, side := range []ast.Expr{e, e.X, e.Y} {
		if !types.Identical(types.Default(o.Info.TypeOf(side)), types.Typ[types.Bool]) {
			return e
		}
	}
	if o.plain(e) {
		e.X = o.rewrite(e.X)
		return o.hold(e)
	}
	result := o.hold(o.rewrite(e.X))
	var cond ast.Expr = o.again(result)
	if e.Op == token.LOR {
		cond = o.not(cond)
	}
	right := &orderer{lowerer: o.lowerer}
	y := right.rewrite(e.Y)
	o.makeBool(y)
	set := &ast.AssignStmt{Lhs: []ast.Expr{o.again(result)}, TokPos: e.OpPos, Tok: token.ASSIGN, Rhs: []ast.Expr{y}}
	o.out = append(o.out, &ast.IfStmt{If: e.OpPos, Cond: cond, Body: &ast.BlockStmt{
		Lbrace: e.OpPos, List: append(right.out, set), Rbrace: e.End(),
	}})
	return result
}

func (o *orderer) again(id *ast.Ident) *ast.Ident { return o.use(id, o.Info.Uses[id]) }

// holdable reports an expression with one value that a variable can hold.
func (o *orderer) holdable(e ast.Expr) bool {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil { // the literal around it has its type
		return false
	}
	tv := o.Info.Types[e]
	if _, several := tv.Type.(*types.Tuple); several || !tv.IsValue() || tv.IsNil() {
		return false
	}
	b, ok := tv.Type.(*types.Basic)
	return !ok || b.Info()&types.IsUntyped == 0 || b.Kind() == types.UntypedBool
}

// hold keeps the value of e in a variable.
func (o *orderer) hold(e ast.Expr) *ast.Ident {
	o.makeBool(e)
	name, use := o.temporary(e.Pos(), o.Info.TypeOf(e))
	o.out = append(o.out, &ast.AssignStmt{Lhs: []ast.Expr{name}, TokPos: e.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{e}})
	return use
}

// makeBool gives a comparison that has no type yet, and what it is made of, the one
// that a variable gets from it.
func (o *orderer) makeBool(e ast.Expr) {
	tv := o.Info.Types[e]
	if tv.Type != types.Typ[types.UntypedBool] {
		return
	}
	tv.Type = types.Typ[types.Bool]
	o.Info.Types[e] = tv
	switch e := e.(type) {
	case *ast.ParenExpr:
		o.makeBool(e.X)
	case *ast.UnaryExpr:
		o.makeBool(e.X)
	case *ast.BinaryExpr:
		if o.early(e) {
			o.makeBool(e.X)
			o.makeBool(e.Y)
		}
	}
}
