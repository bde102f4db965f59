package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// Go leaves open when the variables beside a call are read; its compiler reads them
// after all calls of a statement. A script that was tried with the compiler may depend
// on it (nodes[i].next = grow(), where grow moves nodes), so the order is written
// down: in a statement where it can be seen, calls come first, in statements of their
// own.

func (l *lowerer) orderAll(stmts []ast.Stmt) []ast.Stmt {
	list := make([]ast.Stmt, 0, len(stmts))
	for _, s := range stmts {
		list = append(list, l.ordered(s)...)
	}
	return list
}

// ordered gives the statements that stand for s.
func (l *lowerer) ordered(s ast.Stmt) []ast.Stmt {
	inner, labels, jumped := s, []*ast.LabeledStmt(nil), false
	for {
		labeled, ok := inner.(*ast.LabeledStmt)
		if !ok {
			break
		}
		labels, inner = append(labels, labeled), labeled.Stmt
		jumped = jumped || l.gotos[labeled.Label.Name]
	}
	before, inner, block := l.orderStmt(inner)
	if len(labels) == 0 {
		return l.scoped(before, inner, block)
	}
	last := labels[len(labels)-1]
	if last.Stmt = inner; !jumped {
		return l.scoped(before, s, block)
	}
	if len(before) == 0 {
		return []ast.Stmt{s}
	}
	list := l.scoped(before, l.leftByName(inner, labels), block) // goto goes to what comes first
	last.Stmt = list[0]
	return append([]ast.Stmt{s}, list[1:]...)
}

// leftByName gives s a label of its own in place of labels, if a break or continue in it names one of them.
func (l *lowerer) leftByName(s ast.Stmt, labels []*ast.LabeledStmt) ast.Stmt {
	name := ident(abi.Prefix+"_o"+strconv.Itoa(l.temporaries+1), s.Pos())
	own := types.NewLabel(s.Pos(), l.Pkg, name.Name)
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // has labels of its own
			return false
		case *ast.BranchStmt:
			if n.Tok != token.GOTO && n.Label != nil && slices.ContainsFunc(labels, func(old *ast.LabeledStmt) bool { return old.Label.Name == n.Label.Name }) {
				n.Label = ident(name.Name, n.Label.Pos())
				l.Info.Uses[n.Label] = own
				found = true
			}
		}
		return true
	})
	if !found {
		return s
	}
	l.temporaries++
	l.Info.Defs[name] = own
	return &ast.LabeledStmt{Label: name, Colon: s.Pos(), Stmt: s}
}

func declares(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.DeclStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE
	}
	return false
}

// orderStmt gives s and the statements before it, and tells whether they need a block
// together.
func (l *lowerer) orderStmt(s ast.Stmt) (before []ast.Stmt, _ ast.Stmt, block bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		before = l.orderTop(&s.X)
	case *ast.GoStmt:
		before = l.orderCall(s.Call)
	case *ast.DeferStmt:
		before = l.orderCall(s.Call)
	case *ast.SendStmt:
		before = l.order(&s.Chan, &s.Value)
	case *ast.IncDecStmt:
		before = l.order(&s.X)
	case *ast.AssignStmt:
		before = l.orderAssign(s)
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			before = l.orderTop(&s.Results[0])
		} else {
			before = l.order(places(s.Results)...)
		}
	case *ast.DeclStmt:
		list := l.orderDecl(s)
		return list[:len(list)-1], list[len(list)-1], false
	case *ast.RangeStmt:
		before = l.orderTop(&s.X)
	case *ast.ForStmt:
		before = l.orderFor(s)
	case *ast.IfStmt:
		return l.orderIf(s)
	case *ast.SwitchStmt:
		if s.Tag != nil {
			before, s.Init, block = l.orderHeader(s.Init, &s.Tag)
		}
	case *ast.TypeSwitchStmt:
		before, s.Init, block = l.orderHeader(s.Init, switched(s))
	case *ast.SelectStmt:
		before = l.orderSelect(s)
	}
	return before, s, block
}

// scoped puts s behind the statements before it, in a block of their own if they
// declare what only s may see, or if a goto might go past them: none goes past a
// declaration that is there already.
func (l *lowerer) scoped(before []ast.Stmt, s ast.Stmt, block bool) []ast.Stmt {
	list := append(before, s)
	if len(before) == 0 || !block && (len(l.gotos) == 0 || declares(s)) {
		return list
	}
	return []ast.Stmt{&ast.BlockStmt{Lbrace: s.Pos(), List: list, Rbrace: s.End()}}
}

// places are the places of the expressions in list.
func places(list []ast.Expr) []*ast.Expr {
	at := make([]*ast.Expr, len(list))
	for i := range list {
		at[i] = &list[i]
	}
	return at
}

// switched is the place of the value whose type s looks at.
func switched(s *ast.TypeSwitchStmt) *ast.Expr {
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		return &a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		return &a.X.(*ast.TypeAssertExpr).X
	}
	return nil
}

// orderDecl splits a declaration of several variables where one of them needs it.
func (l *lowerer) orderDecl(s *ast.DeclStmt) []ast.Stmt {
	g, ok := s.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return []ast.Stmt{s}
	}
	var list []ast.Stmt
	split := false
	for _, spec := range g.Specs {
		spec := spec.(*ast.ValueSpec)
		var before []ast.Stmt
		if len(spec.Values) == 1 {
			before = l.orderTop(&spec.Values[0])
		} else {
			before = l.order(places(spec.Values)...)
		}
		split = split || len(before) > 0
		list = append(append(list, before...), &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: g.TokPos, Tok: token.VAR, Specs: []ast.Spec{spec}}})
	}
	if !split {
		return []ast.Stmt{s}
	}
	return list
}

// orderHeader orders a value that a statement decides by. If it needs statements
// before it, what comes first in the header becomes one of them.
func (l *lowerer) orderHeader(init ast.Stmt, value *ast.Expr) (before []ast.Stmt, kept ast.Stmt, block bool) {
	before, init = l.orderInit(init)
	hoisted := l.order(value)
	if len(hoisted) == 0 {
		return before, init, false
	}
	if init != nil {
		before = append(before, init)
	}
	return append(before, hoisted...), nil, init != nil
}

func (l *lowerer) orderInit(init ast.Stmt) ([]ast.Stmt, ast.Stmt) {
	if init == nil {
		return nil, nil
	}
	before, init, _ := l.orderStmt(init)
	return before, init
}

func (l *lowerer) orderIf(s *ast.IfStmt) (before []ast.Stmt, _ ast.Stmt, block bool) {
	before, s.Init, block = l.orderHeader(s.Init, &s.Cond)
	if next, ok := s.Else.(*ast.IfStmt); ok {
		if list, next, _ := l.orderIf(next); len(list) > 0 {
			s.Else = &ast.BlockStmt{Lbrace: next.Pos(), List: append(list, next), Rbrace: next.End()}
		}
	}
	return before, s, block
}

// orderFor moves a condition that needs statements before it into the body.
func (l *lowerer) orderFor(s *ast.ForStmt) (before []ast.Stmt) {
	before, s.Init = l.orderInit(s.Init)
	if s.Cond == nil {
		return before
	}
	hoisted := l.order(&s.Cond)
	if len(hoisted) == 0 {
		return before
	}
	end := &ast.IfStmt{If: s.Cond.Pos(), Cond: l.not(s.Cond), Body: &ast.BlockStmt{
		Lbrace: s.Cond.End(), List: []ast.Stmt{&ast.BranchStmt{TokPos: s.Cond.Pos(), Tok: token.BREAK}}, Rbrace: s.Cond.End(),
	}}
	s.Body.List = append(append(hoisted, end), s.Body.List...)
	s.Cond = nil
	return before
}

func (l *lowerer) not(e ast.Expr) ast.Expr {
	paren := &ast.ParenExpr{Lparen: e.Pos(), X: e, Rparen: e.End()}
	l.Info.Types[paren] = l.Info.Types[e]
	not := &ast.UnaryExpr{OpPos: e.Pos(), Op: token.NOT, X: paren}
	l.set(not, specimens().value, l.Info.TypeOf(e))
	return not
}

// order orders what a statement evaluates, all of it before the statement acts.
func (l *lowerer) order(list ...*ast.Expr) []ast.Stmt {
	o := &orderer{lowerer: l}
	for _, e := range list {
		o.scan(*e)
	}
	if !o.seen {
		return nil
	}
	for _, e := range list {
		*e = o.rewrite(*e)
	}
	return o.out
}

// orderTop orders an expression that is all its statement evaluates: what it does
// last can stay where it is.
func (l *lowerer) orderTop(e *ast.Expr) []ast.Stmt {
	o := &orderer{lowerer: l}
	o.scan(*e)
	if !o.seen {
		return nil
	}
	if b, ok := ast.Unparen(*e).(*ast.BinaryExpr); ok && o.early(b) {
		*e = o.logical(b)
	} else {
		*e = o.operands(*e)
	}
	return o.out
}

func (l *lowerer) orderCall(call *ast.CallExpr) []ast.Stmt {
	var e ast.Expr = call
	return l.orderTop(&e)
}

// temporary declares a variable of lowered code.
func (l *lowerer) temporary(pos token.Pos, t types.Type) (name, use *ast.Ident) {
	l.temporaries++
	name = ident(abi.Prefix+"_o"+strconv.Itoa(l.temporaries), pos)
	v := types.NewVar(pos, l.Pkg, name.Name, t)
	l.Info.Defs[name] = v
	return name, l.use(name, v)
}
