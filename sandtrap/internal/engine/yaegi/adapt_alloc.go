package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// allocations charges what can grow without bound between two ticks: strings put
// together, conversions that copy, appends, and values of large types. Small
// allocations of fixed size are left to the watch on the heap.
func (a *adapter) allocations() {
	a.appendStatements()
	a.exprs(func(e ast.Expr, c *astutil.Cursor) ast.Expr {
		switch e := e.(type) {
		case *ast.BinaryExpr:
			if e.Op == token.ADD && a.isString(e) && !a.insideSum(c) {
				return a.concat(e)
			}
		case *ast.CallExpr:
			switch {
			case a.builtin(e) == "append" && !a.charged[e]:
				return a.appendClosure(e)
			case a.info.Types[e.Fun].IsType() && len(e.Args) == 1:
				a.chargeConversion(e)
			}
		}
		return nil
	})
	a.stmts(a.concatAssign)
}

func (a *adapter) isString(e ast.Expr) bool {
	t := a.typeOf(e)
	if t == nil || a.info.Types[e].Value != nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// insideSum reports whether the node is an operand of a longer concatenation.
func (a *adapter) insideSum(c *astutil.Cursor) bool {
	p, ok := c.Parent().(*ast.BinaryExpr)
	return ok && p.Op == token.ADD
}

// concat calls the gate that counts before it puts strings together.
func (a *adapter) concat(e *ast.BinaryExpr) ast.Expr {
	t := a.typeOf(e)
	var parts []ast.Expr
	var collect func(x ast.Expr)
	collect = func(x ast.Expr) {
		if b, ok := ast.Unparen(x).(*ast.BinaryExpr); ok && b.Op == token.ADD && a.info.Types[x].Value == nil {
			collect(b.X)
			collect(b.Y)
			return
		}
		parts = append(parts, a.asString(x))
	}
	collect(e)
	return a.fromString(e.Pos(), t, a.helper(e.Pos(), "Cat", types.Typ[types.String], parts...))
}

func (a *adapter) asString(e ast.Expr) ast.Expr {
	if _, ok := types.Unalias(a.typeOf(e)).(*types.Basic); ok {
		return e
	}
	return a.typed(call(e.Pos(), ident(e.Pos(), "string"), e), types.Typ[types.String])
}

func (a *adapter) fromString(pos token.Pos, t types.Type, e ast.Expr) ast.Expr {
	if _, ok := types.Unalias(t).(*types.Basic); ok {
		return e
	}
	x := a.typeExpr(pos, t)
	if x == nil {
		a.refuse(pos, "put together strings of a type that cannot be named here")
		return e
	}
	return a.typed(call(pos, x, e), t)
}

// concatAssign is s += t.
func (a *adapter) concatAssign(s ast.Stmt) []ast.Stmt {
	as, ok := s.(*ast.AssignStmt)
	if !ok || as.Tok != token.ADD_ASSIGN || !a.isString(as.Lhs[0]) {
		return nil
	}
	var out []ast.Stmt
	l := as.Lhs[0]
	if !a.pure(l) {
		l = a.operands(l, func(e ast.Expr) ast.Expr {
			if a.pure(e) {
				return e
			}
			t := a.temp()
			out = append(out, assign(s.Pos(), token.DEFINE, ident(s.Pos(), t), e))
			return a.typed(ident(s.Pos(), t), a.typeOf(e))
		})
	}
	t := a.typeOf(as.Lhs[0])
	sum := a.helper(s.Pos(), "Cat", types.Typ[types.String], a.asString(a.typed(l, t)), a.asString(as.Rhs[0]))
	return append(out, assign(s.Pos(), token.ASSIGN, l, a.fromString(s.Pos(), t, sum)))
}

// pure reports whether evaluating e twice is the same as once.
func (a *adapter) pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.ParenExpr, *ast.BasicLit, *ast.BinaryExpr, *ast.SliceExpr:
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			name := a.builtin(n)
			ok = ok && (name == "len" || name == "cap" || a.info.Types[n.Fun].IsType())
		default:
			_ = n
			ok = ok && a.info.Types[n2expr(n)].IsType()
		}
		return ok
	})
	return ok
}

func n2expr(n ast.Node) ast.Expr {
	e, _ := n.(ast.Expr)
	return e
}

// chargeConversion counts the copy that a conversion between strings and slices
// makes.
func (a *adapter) chargeConversion(c *ast.CallExpr) {
	to, from := a.typeOf(c), a.typeOf(c.Args[0])
	if to == nil || from == nil {
		return
	}
	x := c.Args[0]
	switch {
	case a.isString(x) && isSlice(to):
		size := sizeof(to.Underlying().(*types.Slice).Elem())
		c.Args[0] = a.helper(x.Pos(), "CopyString", types.Typ[types.String], a.asString(x), intLit(x.Pos(), itoa(size)))
	case isSlice(from) && a.isString(c):
		elem := from.Underlying().(*types.Slice).Elem().Underlying().(*types.Basic)
		name := "CopyBytes"
		if elem.Kind() == types.Int32 {
			name = "CopyRunes"
		}
		if _, ok := types.Unalias(from).(*types.Slice); !ok {
			x = call(x.Pos(), &ast.ArrayType{Lbrack: x.Pos(), Elt: ident(x.Pos(), elem.Name())}, x)
		}
		c.Args[0] = a.helper(x.Pos(), name, nil, x)
	}
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// appendStatements puts the charge of an append before its statement, if it stands
// on the right of a plain assignment or is returned.
func (a *adapter) appendStatements() {
	a.charged = map[*ast.CallExpr]bool{}
	a.stmts(func(s ast.Stmt) []ast.Stmt {
		var right []ast.Expr
		switch s := s.(type) {
		case *ast.AssignStmt:
			right = s.Rhs
		case *ast.ReturnStmt:
			right = s.Results
		}
		var out []ast.Stmt
		for _, e := range right {
			if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && a.builtin(c) == "append" {
				if ch := a.chargeAppend(c); ch != nil {
					a.charged[c] = true
					out = append(out, ch)
				}
			}
		}
		if out == nil {
			return nil
		}
		return append(out, s)
	})
}

// chargeAppend is the statement that counts an append before it happens, nil if
// an operand would have to be evaluated twice.
func (a *adapter) chargeAppend(c *ast.CallExpr) ast.Stmt {
	s := c.Args[0]
	if !a.pure(s) {
		return nil
	}
	pos := c.Pos()
	size := int64(16)
	if t, ok := a.typeOf(s).Underlying().(*types.Slice); ok {
		size = sizeof(t.Elem())
	}
	more := ast.Expr(intLit(pos, itoa(int64(len(c.Args)-1))))
	if c.Ellipsis.IsValid() {
		if !a.pure(c.Args[1]) {
			return nil
		}
		more = a.length(pos, "len", c.Args[1])
	}
	if a.info.Types[s].IsNil() || a.typeOf(s) == types.Typ[types.UntypedNil] {
		return exprStmt(a.helper(pos, "Append", nil, intLit(pos, "0"), more, intLit(pos, itoa(size))))
	}
	free := &ast.BinaryExpr{X: a.length(pos, "cap", s), OpPos: pos, Op: token.SUB, Y: a.length(pos, "len", s)}
	return &ast.IfStmt{
		If:   pos,
		Cond: &ast.BinaryExpr{X: free, OpPos: pos, Op: token.LSS, Y: more},
		Body: block(pos, exprStmt(a.helper(pos, "Append", nil, a.length(pos, "len", s), more, intLit(pos, itoa(size))))),
	}
}

func (a *adapter) length(pos token.Pos, fun string, e ast.Expr) ast.Expr {
	f := ident(pos, fun)
	a.info.Uses[f] = types.Universe.Lookup(fun)
	return a.typed(call(pos, f, e), types.Typ[types.Int])
}

// appendClosure is an append anywhere else: a function that evaluates the operands
// once, counts, and appends.
func (a *adapter) appendClosure(c *ast.CallExpr) ast.Expr {
	pos := c.Pos()
	if !c.Ellipsis.IsValid() && a.fresh(c.Args[0]) {
		return nil // what is appended stands in the source
	}
	a.charged[c] = true
	if ch := a.chargeAppend(c); ch != nil {
		t := a.typeExpr(pos, a.typeOf(c))
		if t == nil {
			a.refuse(pos, "append here to a slice of a type that cannot be named")
			return nil
		}
		return a.typed(call(pos, funcLit(pos, t, ch, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{c}})), a.typeOf(c))
	}
	t := a.typeExpr(pos, a.typeOf(c))
	if t == nil {
		a.refuse(pos, "append here to a slice of a type that cannot be named")
		return nil
	}
	var list []ast.Stmt
	for i, x := range c.Args {
		if a.pure(x) || i > 0 && !c.Ellipsis.IsValid() {
			continue
		}
		n := a.temp()
		list = append(list, assign(pos, token.DEFINE, ident(pos, n), x))
		c.Args[i] = a.typed(ident(pos, n), a.typeOf(x))
	}
	list = append(list, a.chargeAppend(c), &ast.ReturnStmt{Return: pos, Results: []ast.Expr{c}})
	return a.typed(call(pos, funcLit(pos, t, list...)), a.typeOf(c))
}

// fresh reports whether e is an empty or literal slice.
func (a *adapter) fresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return a.info.Types[e.Fun].IsType() && a.info.Types[e.Args[0]].IsNil()
	}
	return false
}

// weigh puts a charge for large values behind the tick of each body that makes some.
func (a *adapter) weigh() {
	a.inspect(func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		}
		if body == nil || len(body.List) == 0 || !isTick(body.List[0]) {
			return true
		}
		if sum := a.large(body); sum > 0 {
			pos := body.Pos()
			charge := exprStmt(a.helper(pos, "Charge", nil, intLit(pos, itoa(sum))))
			body.List = append([]ast.Stmt{body.List[0], charge}, body.List[1:]...)
		}
		return true
	})
}

// largeValue is the size from which a value is charged where it is made or copied.
const largeValue = 1 << 10

// large is what the statements of a body, those of inner loops and functions
// apart, allocate in values of large types.
func (a *adapter) large(body *ast.BlockStmt) int64 {
	var sum int64
	add := func(t types.Type) {
		if t != nil {
			if n := sizeof(t); n >= largeValue {
				sum = min(sum+n, 1<<62)
			}
		}
	}
	astutil.Apply(body, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			switch c.Parent().(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				return n == body
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				if o := a.info.Defs[id]; o != nil {
					add(o.Type())
				}
			}
		case *ast.CallExpr:
			if a.builtin(n) == "new" {
				add(a.typeOf(n.Args[0]))
			}
		case *ast.SelectorExpr:
			return true
		}
		if e, ok := c.Node().(ast.Expr); ok && !a.info.Types[e].IsType() && a.info.Types[e].IsValue() && !inPlace(c) {
			add(a.info.Types[e].Type)
		}
		return true
	}, nil)
	return sum
}

// inPlace reports whether the node is used without a copy.
func inPlace(c *astutil.Cursor) bool {
	switch p := c.Parent().(type) {
	case *ast.IndexExpr:
		return c.Name() == "X"
	case *ast.SliceExpr, *ast.SelectorExpr, *ast.ParenExpr:
		return true
	case *ast.UnaryExpr:
		_, lit := c.Node().(*ast.CompositeLit)
		return p.Op == token.AND && !lit
	case *ast.AssignStmt:
		return c.Name() == "Lhs"
	}
	return false
}
