package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

const (
	resultName = "result"          // of the variable that a returned value is left in
	valueName  = abi.Prefix + "_v" // begins the names of what is returned, in a block of its own
)

// returns gives a meaning to return v among the statements of a snippet, which Go would refuse:
// v is echoed and left in the variable result, and an error that is not nil and comes last ends
// the run as panic does. It tells whether there were any.
func (c *checker) returns() bool {
	if c.parsed.Body == nil {
		return false
	}
	found := map[ast.Stmt]*returned{}
	var all []*returned
	ast.Inspect(c.parsed.Body.Body, func(n ast.Node) bool {
		if stmt, ok := n.(*ast.ReturnStmt); ok && len(stmt.Results) > 0 {
			if r := c.returned(stmt); c.canLeave(r) {
				found[stmt] = r
				all = append(all, r)
			}
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	if len(all) == 0 {
		return false
	}
	c.parsed.ReturnsNil = slices.ContainsFunc(all, func(r *returned) bool { return len(r.values) == 0 && !r.fails })
	left := c.declareResult(all)
	c.replaceReturns(found, left)
	c.index = nil
	c.importGate()
	return true
}

// replaceReturns puts a block in the place of each statement that was found.
func (c *checker) replaceReturns(found map[ast.Stmt]*returned, left bool) {
	replace := func(list []ast.Stmt) {
		for i, stmt := range list {
			if r := found[stmt]; r != nil {
				list[i] = c.block(r, left)
			}
		}
	}
	ast.Inspect(c.parsed.Body.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			replace(n.List)
		case *ast.CaseClause:
			replace(n.Body)
		case *ast.CommClause:
			replace(n.Body)
		case *ast.LabeledStmt:
			if r := found[n.Stmt]; r != nil {
				n.Stmt = c.block(r, left)
			}
		}
		return true
	})
}

// A returned is a return statement taken apart.
type returned struct {
	stmt   *ast.ReturnStmt
	types  []types.Type // of its values
	values []int        // those that are values: neither nil nor the error that comes last
	fails  bool         // the last one is an error
}

func (c *checker) returned(stmt *ast.ReturnStmt) *returned {
	r := &returned{stmt: stmt}
	for _, x := range stmt.Results {
		t := c.result.Info.TypeOf(x)
		if list, ok := t.(*types.Tuple); ok && len(stmt.Results) == 1 {
			r.types = VarTypes(list)
			break
		}
		if t == nil {
			t = types.Typ[types.Invalid]
		}
		r.types = append(r.types, types.Default(t))
	}
	last := len(r.types) - 1
	for i, t := range r.types {
		switch {
		case t == types.Typ[types.UntypedNil]:
		case i == last && t != nil && types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)):
			r.fails = true
		default:
			r.values = append(r.values, i)
		}
	}
	return r
}

// canLeave reports whether a meaning can be given to r: f() may have no results, and the script may
// have a variable result in an inner scope, where nothing can be left in that of the snippet.
func (c *checker) canLeave(r *returned) bool {
	if len(r.values) == 0 {
		return len(r.types) > 0
	}
	scope := c.result.Pkg.Scope()
	if inner := scope.Innermost(r.stmt.Pos()); inner != nil {
		if at, _ := inner.LookupParent(resultName, r.stmt.Pos()); at != nil && at != scope && at != types.Universe {
			return false
		}
	}
	return true
}

// declareResult declares the variable result, if the script does not. Its type is that of the
// values if they have one in common. It reports whether values can be left there.
func (c *checker) declareResult(all []*returned) bool {
	all = slices.DeleteFunc(slices.Clone(all), func(r *returned) bool { return len(r.values) == 0 })
	if len(all) == 0 {
		return false
	}
	if obj := c.result.Pkg.Scope().Lookup(resultName); obj != nil && c.packageNames()[resultName] {
		_, isVar := obj.(*types.Var)
		return isVar // beside a function or a type of this name the value is echoed alone
	} else if v, ok := obj.(*types.Var); ok && fit(all, v.Type()) {
		return true // an input, or of an earlier cell
	}
	common := all[0].result()
	for _, r := range all[1:] {
		if t := r.result(); common != nil && (t == nil || !types.Identical(t, common)) {
			common = nil
		}
	}
	pos := all[0].stmt.Pos()
	spec := &ast.ValueSpec{Names: []*ast.Ident{{NamePos: pos, Name: resultName}}, Type: c.typeSyntax(common, pos)}
	c.parsed.File.Decls = append(c.parsed.File.Decls, &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}})
	return true
}

// fit reports whether a variable of type t can take what is returned.
func fit(all []*returned, t types.Type) bool {
	return !slices.ContainsFunc(all, func(r *returned) bool {
		of := r.result()
		return of == nil || !types.AssignableTo(of, t)
	})
}

// result is the type of what r leaves in result, nil if that is several values.
func (r *returned) result() types.Type {
	if len(r.values) != 1 {
		return nil
	}
	return r.types[r.values[0]]
}

// block is what takes the place of r:
//
//	{
//		v0, v1 := f()
//		if v1 != nil { panic(v1) }
//		result = v0
//		gate.Echo(id, v0)
//		return
//	}
func (c *checker) block(r *returned, left bool) ast.Stmt {
	pos := r.stmt.Pos()
	list := c.defines(r)
	if r.fails {
		last := len(r.types) - 1
		fail := &ast.CallExpr{Fun: &ast.Ident{NamePos: r.at(last), Name: "panic"}, Lparen: r.at(last), Args: []ast.Expr{r.value(last)}, Rparen: r.at(last)}
		list = append(list, &ast.IfStmt{
			If:   pos,
			Cond: &ast.BinaryExpr{X: r.value(last), OpPos: r.at(last), Op: token.NEQ, Y: &ast.Ident{NamePos: r.at(last), Name: "nil"}},
			Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: fail}}, Rbrace: pos},
		})
	}
	if len(r.values) > 0 && left {
		set := &ast.AssignStmt{TokPos: r.at(r.values[0]), Tok: token.ASSIGN}
		set.Lhs, set.Rhs = []ast.Expr{&ast.Ident{NamePos: pos, Name: resultName}}, []ast.Expr{r.whole()}
		list = append(list, set)
	}
	for n, i := range r.values {
		id := len(c.parsed.Echoes)
		c.parsed.Echoes = append(c.parsed.Echoes, parse.Echo{Pos: r.at(i), Last: n == len(r.values)-1})
		list = append(list, &ast.ExprStmt{X: parse.EchoCall(id, r.value(i))})
	}
	return &ast.BlockStmt{Lbrace: pos, List: append(list, &ast.ReturnStmt{Return: pos}), Rbrace: pos}
}

// defines gives the values of r names. A constant without a type stays one.
func (c *checker) defines(r *returned) (list []ast.Stmt) {
	pos := r.stmt.Pos()
	define := &ast.AssignStmt{TokPos: pos, Tok: token.DEFINE}
	isCall := len(r.types) != len(r.stmt.Results)
	for i, t := range r.types {
		switch {
		case t == types.Typ[types.UntypedNil]:
		case isCall:
			define.Lhs = append(define.Lhs, r.value(i))
		case c.isUntyped(r.stmt.Results[i]):
			spec := &ast.ValueSpec{Names: []*ast.Ident{r.value(i)}, Values: r.stmt.Results[i : i+1]}
			list = append(list, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.CONST, Specs: []ast.Spec{spec}}})
		default:
			define.Lhs, define.Rhs = append(define.Lhs, r.value(i)), append(define.Rhs, r.stmt.Results[i])
		}
	}
	if isCall {
		define.Rhs = r.stmt.Results
	}
	if len(define.Lhs) > 0 {
		list = append(list, define)
	}
	return list
}

func (c *checker) isUntyped(x ast.Expr) bool {
	tv := c.result.Info.Types[x]
	t, ok := tv.Type.(*types.Basic)
	return ok && tv.Value != nil && t.Info()&types.IsUntyped != 0
}

// at is the position of value i, or of the call that gives it.
func (r *returned) at(i int) token.Pos {
	return r.stmt.Results[min(i, len(r.stmt.Results)-1)].Pos()
}

func (r *returned) value(i int) *ast.Ident {
	return &ast.Ident{NamePos: r.at(i), Name: valueName + strconv.Itoa(i)}
}

// whole is the value that is left, or a list of them.
func (r *returned) whole() ast.Expr {
	if len(r.values) == 1 {
		return r.value(r.values[0])
	}
	pos := r.stmt.Pos()
	list := &ast.CompositeLit{Type: &ast.ArrayType{Lbrack: pos, Elt: &ast.Ident{NamePos: pos, Name: "any"}}, Lbrace: pos, Rbrace: pos}
	for _, i := range r.values {
		list.Elts = append(list.Elts, r.value(i))
	}
	return list
}

// typeSyntax is t as the script can write it at package level, or any.
func (c *checker) typeSyntax(t types.Type, pos token.Pos) ast.Expr {
	name := func(s string) ast.Expr { return &ast.Ident{NamePos: pos, Name: s} }
	scope := c.result.Pkg.Scope()
	switch t := t.(type) {
	case *types.Basic:
		if scope.Lookup(t.Name()) == nil && types.Universe.Lookup(t.Name()) != nil {
			return name(t.Name())
		}
	case *types.Alias:
		return c.typeSyntax(types.Unalias(t), pos)
	case *types.Named:
		if obj := t.Obj(); t.TypeArgs() == nil && scope.Lookup(obj.Name()) == types.Object(obj) {
			return name(obj.Name())
		}
	case *types.Pointer:
		if elem := c.typeSyntax(t.Elem(), pos); !isAny(elem) {
			return &ast.StarExpr{Star: pos, X: elem}
		}
	case *types.Slice:
		if elem := c.typeSyntax(t.Elem(), pos); !isAny(elem) || isEmptyInterface(t.Elem()) {
			return &ast.ArrayType{Lbrack: pos, Elt: elem}
		}
	case *types.Map:
		key, elem := c.typeSyntax(t.Key(), pos), c.typeSyntax(t.Elem(), pos)
		if !isAny(key) && (!isAny(elem) || isEmptyInterface(t.Elem())) {
			return &ast.MapType{Map: pos, Key: key, Value: elem}
		}
	}
	return name("any")
}

func isAny(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "any"
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}
