package checkcost

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// A sizer computes the costs of a file. It resolves names by Go's scopes, as
// far as it has to: what is no type, function, constant or variable of the script
// is a leaf.
type sizer struct {
	refused Refuse
	earlier *Earlier            // nil: the file is no cell
	specs   map[string]declared // at package level
	members Members             // results of methods and types of fields, by name
	scope   *sizeScope
	growing map[*ast.TypeSpec][]growth
	current *ast.TypeSpec // at package level, whose type is being computed
	chain   int           // of package-level declarations that are being computed
	most    work
	seen    map[ast.Expr]bool // calls, sums and indexings whose cost is known

	repeated map[*ast.ValueSpec]*ast.ValueSpec // the line that a line of constants without values repeats
	wholes   map[*ast.ValueSpec]cost           // of declarations whose names share a cost
	rs       diag.Rejections
}

// declared is a package-level declaration; its cost is computed when needed.
type declared struct {
	node ast.Node // *ast.TypeSpec, *ast.FuncDecl, or *ast.ValueSpec
	at   int      // of the names of a ValueSpec
	kind token.Token
	cost *cost // nil: not yet; a leaf while it is being computed
}

// A sizeScope holds the names declared in a block.
type sizeScope struct {
	outer *sizeScope
	names map[string]cost
}

func (s *sizer) push() { s.scope = &sizeScope{outer: s.scope} }
func (s *sizer) pop()  { s.scope = s.scope.outer }

func (s *sizer) declare(name *ast.Ident, c cost) {
	if name.Name == "_" {
		return
	}
	if s.scope.names == nil {
		s.scope.names = map[string]cost{}
	}
	s.scope.names[name.Name] = c
}

// lookup is the cost of a name, and whether the script declares it.
func (s *sizer) lookup(name string) (cost, bool) {
	for sc := s.scope; sc != nil; sc = sc.outer {
		if c, ok := sc.names[name]; ok {
			return c, true
		}
	}
	d, ok := s.specs[name]
	if !ok {
		return s.earlierCost(name)
	}
	if d.cost == nil {
		start := leaf()
		d.cost = &start
		s.specs[name] = d
		*d.cost = s.packageLevel(name, d)
	}
	return *d.cost, true
}

// packageLevel computes the cost of a package-level declaration, outside of any
// block.
func (s *sizer) packageLevel(name string, d declared) cost {
	scope, current := s.scope, s.current
	s.chain++
	defer func() { s.scope, s.current = scope, current; s.chain-- }()
	s.scope = nil
	if s.chain > maxChain {
		if len(s.rs) == 0 {
			s.refuse(diag.TooComplex, d.node, "declarations refer to each other in a chain of more than "+strconv.Itoa(maxChain), "shorten the chain at "+name)
		}
		return leaf()
	}
	switch n := d.node.(type) {
	case *ast.TypeSpec:
		s.current = n
		return s.typeSpec(n)
	case *ast.FuncDecl:
		s.current = nil
		return s.function(nil, n.Type)
	case *ast.ValueSpec:
		s.current = nil
		return s.valueNamed(n, d.at, d.kind)
	}
	return leaf()
}

// typeSpec is the cost of a declared type.
func (s *sizer) typeSpec(n *ast.TypeSpec) cost {
	s.push()
	defer s.pop()
	params := s.typeParams(n.TypeParams)
	body := s.typ(n.Type)
	c := body
	c.params, c.isType = params, true
	if n.Assign.IsValid() {
		s.check(n, c)
		return c
	}
	c.depth++
	c.embeds = body.embeds.plus(number(1))
	c.under = body.text
	c.text = number(1)
	for _, p := range params {
		c.text = c.text.plus(typeParam(p).text)
	}
	s.check(n, c)
	return c
}

// typeParams declares type parameters and returns them in order.
func (s *sizer) typeParams(list *ast.FieldList) []*ast.Ident {
	var params []*ast.Ident
	for _, f := range fields(list) {
		for _, name := range f.Names {
			params = append(params, name)
			s.declare(name, typeParam(name))
		}
	}
	for _, f := range fields(list) {
		s.typ(f.Type)
	}
	return params
}

func fields(list *ast.FieldList) []*ast.Field {
	if list == nil {
		return nil
	}
	return list.List
}

// typ is the cost of a type expression.
func (s *sizer) typ(x ast.Expr) cost {
	switch x := x.(type) {
	case *ast.Ident:
		c, ok := s.lookup(x.Name)
		if !ok && x.Name == "error" {
			c.methods = 1
		}
		return c
	case *ast.ParenExpr:
		return s.typ(x.X)
	case *ast.StarExpr:
		return s.pointer(s.typ(x.X))
	case *ast.Ellipsis:
		return around(s.typ(x.Elt))
	case *ast.ArrayType:
		return s.array(x)
	case *ast.MapType:
		return around(s.typ(x.Key), s.typ(x.Value))
	case *ast.ChanType:
		return around(s.typ(x.Value))
	case *ast.FuncType:
		return s.function(nil, x)
	case *ast.StructType:
		return s.structure(x)
	case *ast.InterfaceType:
		return s.interfaceType(x)
	case *ast.IndexExpr:
		return s.instance(x, x.X, []ast.Expr{x.Index})
	case *ast.IndexListExpr:
		return s.instance(x, x.X, x.Indices)
	case *ast.UnaryExpr:
		return s.typ(x.X)
	case *ast.BinaryExpr:
		return s.union(x)
	case *ast.SelectorExpr:
		return s.hostType(x)
	}
	return leaf()
}

// around is a type that refers to others without holding their values.
func around(elems ...cost) cost {
	c := leaf()
	for _, e := range elems {
		c.text = c.text.plus(e.text)
	}
	return c
}

// pointer keeps what an embedded pointer shows of its element.
func (s *sizer) pointer(elem cost) cost {
	c := around(elem)
	c.embeds = elem.embeds
	return c
}

func (s *sizer) array(x *ast.ArrayType) cost {
	elem := s.typ(x.Elt)
	c := around(elem)
	if x.Len != nil {
		c.parts, c.depth = elem.parts.plus(number(1)), elem.depth
	}
	return c
}

func (s *sizer) structure(x *ast.StructType) cost {
	c := leaf()
	for _, f := range fields(x.Fields) {
		t := s.typ(f.Type)
		n := float64(max(1, len(f.Names)))
		c.parts = c.parts.plusTimes(t.parts, n)
		c.text = c.text.plusTimes(t.text, n).plus(number(n))
		c.depth = max(c.depth, t.depth)
		if len(f.Names) == 0 {
			c.embeds = c.embeds.plus(t.embeds)
		}
	}
	s.most.fields = max(s.most.fields, c.parts.total())
	s.most.own = max(s.most.own, float64(x.Fields.NumFields()))
	s.most.embeds += c.embeds.total() - 1
	s.check(x, c)
	return c
}

func (s *sizer) interfaceType(x *ast.InterfaceType) cost {
	c := leaf()
	for _, f := range fields(x.Methods) {
		t := s.typ(f.Type)
		c.text = c.text.plus(t.text).plus(number(1))
		if len(f.Names) > 0 {
			c.methods += float64(len(f.Names))
			continue
		}
		c.methods = min(c.methods+t.methods, most)
		c.parts, c.depth = c.parts.plus(t.parts), max(c.depth, t.depth)
		c.terms = max(c.terms, t.terms)
		s.most.unions += t.terms * t.terms
	}
	s.most.methods = max(s.most.methods, c.methods)
	s.most.flattened += c.methods
	s.check(x, c)
	return c
}

func (s *sizer) union(x *ast.BinaryExpr) cost {
	a, b := s.typ(x.X), s.typ(x.Y)
	c := around(a, b)
	c.parts, c.depth = a.parts.plus(b.parts), max(a.depth, b.depth)
	c.terms = min(a.terms+b.terms, most)
	return c
}

// function is the cost of a function type. The results alone matter to the type
// of a call.
func (s *sizer) function(recv *ast.FieldList, x *ast.FuncType) cost {
	s.push()
	defer s.pop()
	s.receiverParams(recv)
	c := leaf()
	c.params = s.typeParams(x.TypeParams)
	for _, f := range fields(x.Params) {
		c.text = c.text.plusTimes(s.typ(f.Type).text, float64(max(1, len(f.Names))))
	}
	for _, f := range fields(x.Results) {
		n := float64(max(1, len(f.Names)))
		t := s.typ(f.Type).text
		c.text, c.spread = c.text.plusTimes(t, n), c.spread.plusTimes(t, n)
		c.result = larger(c.result, t)
	}
	c.isType = false
	s.check(x, c)
	return c
}

// receiverParams declares the type parameters that a receiver names: P of
// func (t *T[P]) m().
func (s *sizer) receiverParams(recv *ast.FieldList) {
	for _, f := range fields(recv) {
		x := ast.Unparen(f.Type)
		if star, ok := x.(*ast.StarExpr); ok {
			x = ast.Unparen(star.X)
		}
		for _, arg := range typeArgs(x) {
			if id, ok := arg.(*ast.Ident); ok {
				s.declare(id, typeParam(id))
			}
		}
	}
}

func typeArgs(x ast.Expr) []ast.Expr {
	switch x := x.(type) {
	case *ast.IndexExpr:
		return []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		return x.Indices
	}
	return nil
}

// instance is the cost of a generic type with arguments.
func (s *sizer) instance(x, generic ast.Expr, args []ast.Expr) cost {
	g := s.typ(generic)
	costs := make([]cost, len(args))
	for i, a := range args {
		costs[i] = s.typ(a)
		s.grows(x, generic, a, costs[i])
	}
	if len(g.params) == 0 { // of the host, or an error
		return around(append(costs, g)...)
	}
	c := g.instance(costs)
	s.most.embeds += c.embeds.total() - 2 // itself, and its struct
	s.check(x, c)
	return c
}
