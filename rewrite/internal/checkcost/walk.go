package checkcost

import (
	"go/ast"
	"go/token"
)

// walk goes through n in order of the text, declares what is declared in its
// scope and computes the cost of each type and inferred type.
func (s *sizer) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		s.most.nodes++
		if len(s.rs) > 0 {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.funcBody(n.Recv, n.Type, n.Body)
			return false
		case *ast.FuncLit:
			s.funcBody(nil, n.Type, n.Body)
			return false
		case *ast.BlockStmt:
			s.block(n.List)
			return false
		case *ast.CaseClause:
			s.caseClause(n)
			return false
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.CommClause:
			s.nested(n)
			return false
		case *ast.GenDecl:
			s.genDecl(n)
			return false
		case *ast.AssignStmt:
			s.assign(n)
		case ast.Expr:
			return s.expr(n)
		}
		return true
	})
}

// expr computes the cost of a type literal, which has no more to walk through
// than its array lengths, and of a call.
func (s *sizer) expr(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
		s.typ(x)
		return false
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.BinaryExpr, *ast.CallExpr:
		if !s.seen[x] {
			s.check(x, s.value(x))
		}
	}
	return true
}

func (s *sizer) funcBody(recv *ast.FieldList, t *ast.FuncType, body *ast.BlockStmt) {
	s.push()
	defer s.pop()
	s.receiverParams(recv)
	s.typeParams(t.TypeParams)
	for _, list := range []*ast.FieldList{recv, t.Params, t.Results} {
		for _, f := range fields(list) {
			c := s.typ(f.Type)
			c.isType = false
			s.check(f.Type, c)
			for _, name := range f.Names {
				s.declare(name, c)
			}
		}
	}
	if body != nil {
		s.block(body.List)
	}
}

func (s *sizer) block(list []ast.Stmt) {
	s.push()
	defer s.pop()
	for _, stmt := range list {
		s.walk(stmt)
	}
}

// nested walks a statement with a scope of its own.
func (s *sizer) nested(n ast.Node) {
	s.push()
	defer s.pop()
	switch n := n.(type) {
	case *ast.RangeStmt:
		s.walk(n.X)
		if n.Tok == token.DEFINE {
			s.define([]ast.Expr{n.Key, n.Value}, []ast.Expr{n.X})
		}
		s.walk(n.Body)
		return
	case *ast.TypeSwitchStmt:
		s.typeSwitch(n)
		return
	}
	ast.Inspect(n, func(child ast.Node) bool {
		if child == n {
			return true
		}
		if child != nil {
			s.walk(child)
		}
		return false
	})
}

func (s *sizer) typeSwitch(n *ast.TypeSwitchStmt) {
	cases := 0.0
	for _, clause := range n.Body.List {
		cases += float64(len(clause.(*ast.CaseClause).List))
	}
	s.most.cases += cases * cases
	if n.Init != nil {
		s.walk(n.Init)
	}
	s.walk(n.Assign)
	s.block(n.Body.List)
}

func (s *sizer) caseClause(n *ast.CaseClause) {
	s.push()
	defer s.pop()
	for _, x := range n.List {
		s.walk(x)
	}
	for _, stmt := range n.Body {
		s.walk(stmt)
	}
}

// genDecl declares what a declaration inside a function declares; at package
// level everything is declared already.
func (s *sizer) genDecl(d *ast.GenDecl) {
	s.repeat(d)
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if s.scope == nil {
				s.lookup(spec.Name.Name)
				continue
			}
			s.declare(spec.Name, leaf()) // it may refer to itself
			s.declare(spec.Name, s.typeSpec(spec))
		case *ast.ValueSpec:
			for _, v := range spec.Values {
				s.walk(v)
			}
			c := s.valueSpec(spec, d.Tok)
			s.check(spec, c)
			for _, name := range spec.Names {
				if s.scope != nil {
					s.declare(name, c)
				}
			}
		}
	}
	s.most.repeats += repeated(d)
}

// repeated is the syntax that go/types goes through again: the type of variables for each of their names, and what the
// lines of a const declaration without values of their own repeat.
func repeated(d *ast.GenDecl) float64 {
	total, each := 0.0, 0.0
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		switch {
		case !ok:
		case d.Tok != token.CONST:
			total += float64(len(v.Names)-1) * nodes(v.Type)
		case len(v.Values) > 0 || v.Type != nil:
			each = 0
			for _, x := range v.Values {
				each += nodes(x)
			}
		default:
			total += each
		}
	}
	return total
}

// nodes counts them in x.
func nodes(x ast.Expr) (n float64) {
	if x != nil {
		ast.Inspect(x, func(ast.Node) bool { n++; return true })
	}
	return n
}

func (s *sizer) assign(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE {
		s.define(n.Lhs, n.Rhs)
	}
}

// define declares variables whose types are inferred from values.
func (s *sizer) define(names, values []ast.Expr) {
	costs := make([]cost, len(values))
	for i, v := range values {
		costs[i] = s.value(v)
		costs[i].bytes, costs[i].bits, costs[i].isType = 0, 0, false
		s.check(v, costs[i])
	}
	for i, x := range names {
		id, ok := x.(*ast.Ident)
		if !ok {
			continue
		}
		c := costs[0]
		if len(values) == len(names) {
			c = costs[i]
		}
		if old, ok := s.scope.names[id.Name]; ok { // := may assign to it
			c = either(c, old)
		}
		s.declare(id, c)
	}
}
