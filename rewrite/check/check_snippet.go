package check

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// repair changes a script so that what the last pass refused becomes what was
// meant, and tells whether another pass is worth it. A program lacks imports at most.
func (c *checker) repair() bool {
	if c.parsed.Path != "main" {
		return false
	}
	reused := c.reuseEarlier()
	if len(c.errs) == 0 {
		return reused
	}
	imported := c.importUndefined()
	if !c.parsed.Snippet {
		return imported || reused
	}
	keyed := c.keyLiterals()
	returned := c.returns()
	return c.echoUnused() || imported || keyed || returned || reused
}

// echoUnused wraps the top-level calls that Go refuses as statements, such as
// len(x) or T(x), in the Echo gate.
func (c *checker) echoUnused() bool {
	if c.parsed.Body == nil {
		return false
	}
	unused := map[token.Pos]bool{}
	for _, e := range c.errs {
		if e.goName == "UnusedExpr" {
			unused[e.Pos] = true
		}
	}
	wrapped := false
	list := c.parsed.Body.Body.List
	for i, s := range list {
		stmt, ok := s.(*ast.ExprStmt)
		if !ok || !unused[stmt.X.Pos()] {
			continue
		}
		if !c.parsed.IsLast(i) {
			c.warnDropped(stmt.X)
		}
		id := len(c.parsed.Echoes)
		c.parsed.Echoes = append(c.parsed.Echoes, parse.Echo{Pos: stmt.X.Pos(), Last: c.parsed.IsLast(i)})
		stmt.X = parse.EchoCall(id, stmt.X)
		wrapped = true
	}
	if wrapped {
		c.index = nil
		c.importGate()
	}
	return wrapped
}

// warnDropped names a call of append in the middle of a snippet, whose result goes nowhere: that is seldom meant.
func (c *checker) warnDropped(x ast.Expr) {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	id, ok := call.Fun.(*ast.Ident)
	if _, builtin := c.result.Info.Uses[id].(*types.Builtin); !ok || !builtin || id.Name != "append" {
		return
	}
	list := types.ExprString(call.Args[0])
	c.warn(x.Pos(), "the result of append is dropped, and "+list+" stays as it was; write "+list+" = append("+list+", ...)")
}

// importGate imports the gate package into a snippet with calls of Echo.
func (c *checker) importGate() {
	imported := slices.ContainsFunc(c.parsed.File.Imports, func(s *ast.ImportSpec) bool {
		return parse.ImportPath(s) == abi.Path
	})
	if len(c.parsed.Echoes) == 0 {
		return
	}
	FixedGate(c.packages.gate, abi.Echo)
	if !imported {
		c.addImport(abi.Name, abi.Path)
	}
}

// setEchoTypes fills in the types of the echoes that are calls of the gate.
func (c *Checked) setEchoTypes() {
	if c.Body == nil {
		return
	}
	ast.Inspect(c.Body.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.ExprStmt); ok {
			if id, x, ok := Echoed(s); ok && id < len(c.Echoes) {
				c.Echoes[id].Type = c.Info.Types[x].Type
			}
		}
		return true
	})
}

// Echoed takes a call of the Echo gate apart.
func Echoed(s ast.Stmt) (id int, x ast.Expr, ok bool) {
	stmt, ok := s.(*ast.ExprStmt)
	if !ok {
		return 0, nil, false
	}
	call, ok := stmt.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return 0, nil, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return 0, nil, false
	}
	pkg, ok := sel.X.(*ast.Ident)
	lit, isLit := call.Args[0].(*ast.BasicLit)
	if !ok || !isLit || pkg.Name != abi.Name {
		return 0, nil, false
	}
	id, err := strconv.Atoi(lit.Value)
	return id, call.Args[1], err == nil
}

// usedBeforeDeclaration finds statements of a snippet that use a variable which
// a statement below them declares, or which they declare themselves. For go/types they
// are package-level variables, whose order does not matter. What a function literal
// does is left to the run: it may be called later. But a name that an earlier cell
// declares is its variable there too, but for that of the literal itself.
func (c *checker) usedBeforeDeclaration() diag.Rejections {
	p := c.parsed
	if p.Body == nil {
		return nil
	}
	tops := c.topsByStmt()
	declared, defined := map[types.Object]int{}, map[types.Object]int{}
	for i, s := range p.Body.Body.List {
		if top := tops[s]; top != nil {
			for _, name := range top.Spec.Names {
				obj := c.result.Info.Defs[name]
				if declared[obj] = i; top.Short {
					defined[obj] = i
				}
			}
		}
	}
	delete(declared, nil) // of the blank name
	delete(defined, nil)
	var rs diag.Rejections
	functions := c.cellFunctions()
	for i, s := range p.Body.Body.List {
		top := tops[s]
		if top == nil {
			rs = append(rs, c.usesFrom(s, declared, i+1, nil)...)
			rs = append(rs, c.usesThrough(s, functions, defined, i+1)...)
			continue
		}
		spec := top.Spec
		for k, v := range spec.Values {
			var self types.Object
			if _, literal := ast.Unparen(v).(*ast.FuncLit); literal && len(spec.Values) == len(spec.Names) {
				self = c.result.Info.Defs[spec.Names[k]]
			}
			rs = append(rs, c.usesFrom(v, declared, i, self)...)
			rs = append(rs, c.usesThrough(v, functions, defined, i)...)
		}
	}
	return rs
}

// topsByStmt are the statements of a snippet that declare variables, by what stands for them in its body.
func (c *checker) topsByStmt() map[ast.Stmt]*parse.TopVar {
	tops := make(map[ast.Stmt]*parse.TopVar, len(c.parsed.Tops))
	for _, top := range c.parsed.Tops {
		tops[top.Placeholder] = top
	}
	return tops
}

// usesFrom finds the uses in n of variables that statement first or a later one declares. In function literals these are
// those of earlier cells, without self: what the value of self, a function, calls by that name is itself.
func (c *checker) usesFrom(n ast.Node, declared map[types.Object]int, first int, self types.Object) diag.Rejections {
	var rs diag.Rejections
	selectors := map[ast.Expr]*ast.SelectorExpr{} // by their operands
	var literal token.Pos                         // the end of the last function literal
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literal = max(literal, n.End())
		case *ast.SelectorExpr:
			selectors[n.X] = n
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := c.result.Info.Uses[id]
		at, ok := declared[obj]
		if id.Pos() < literal {
			ok = ok && obj != self && c.session() != nil && c.session().Declares(id.Name)
		}
		if ok && at >= first {
			hidden := ""
			if sel := selectors[id]; sel != nil {
				hidden = c.hidesPackage(sel)
			}
			line := c.position(obj.Pos()).Line
			rs = append(rs, c.reject(diag.UsedBeforeDeclaration, id, id.Name,
				id.Name+" is used before it is declared on line "+strconv.Itoa(line),
				cmp.Or(hidden, hidesGoName(id), "statements run from top to bottom: move the declaration up")))
		}
		return true
	})
	return rs
}

// assignBacks gives meaning to the names in the assignments that are no syntax
// yet: err = __st_t0 for a, err := f() where err was there before.
func (c *checker) assignBacks() diag.Rejections {
	var rs diag.Rejections
	info, scope := c.result.Info, c.result.Pkg.Scope()
	for _, top := range c.parsed.Tops {
		for _, a := range top.Assign {
			to, from := scope.Lookup(a.To.Name), info.Defs[a.Temp]
			if to == nil || from == nil {
				continue // the declaration has an error
			}
			info.Uses[a.To] = to
			if from.Type() == types.Typ[types.Invalid] && to.Pkg() == c.result.Outer {
				continue // with a type it declares what it cannot assign to
			}
			if _, ok := to.(*types.Var); !ok {
				rs = append(rs, c.reject(diag.WrongType, a.To, a.To.Name,
					a.To.Name+" is no variable, and cannot be assigned to: the lines above use what an earlier cell declares by that name",
					"use another name, or declare the variable in a cell of its own"))
				continue
			}
			if !types.AssignableTo(from.Type(), to.Type()) && from.Type() != types.Typ[types.Invalid] {
				rs = append(rs, c.reject(diag.WrongType, a.To, a.To.Name,
					"cannot assign a value of type "+c.typeText(from.Type())+" to "+a.To.Name+", which is of type "+c.typeText(to.Type()),
					"use another name, or convert the value"))
			}
		}
	}
	return rs
}

// jumpsOver finds the gotos of a snippet over a statement that declares variables, which Go refuses: to go/types the
// variables are those of a package, which no statement declares.
func (c *checker) jumpsOver() (rs diag.Rejections) {
	p := c.parsed
	if p.Body == nil {
		return nil
	}
	tops := c.topsByStmt()
	declared := map[string]int{} // the last statement above a label that declares
	last := -1
	for i, s := range p.Body.Body.List {
		for l, ok := s.(*ast.LabeledStmt); ok; l, ok = l.Stmt.(*ast.LabeledStmt) {
			declared[l.Label.Name] = last
		}
		if tops[s] != nil {
			last = i
		}
	}
	for i, s := range p.Body.Body.List {
		for _, to := range gotosIn(s) {
			if at, ok := declared[to.Name]; ok && at > i {
				line := strconv.Itoa(c.position(p.Body.Body.List[at].Pos()).Line)
				rs = append(rs, c.reject(diag.BadBranch, to, to.Name, "goto "+to.Name+" jumps over variable declaration at line "+line,
					"declare the variable before the goto, or write if, for or return in its place"))
			}
		}
	}
	return rs
}

// gotosIn are the labels of the gotos in s, apart from those of functions in it.
func gotosIn(s ast.Stmt) (labels []*ast.Ident) {
	ast.Inspect(s, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			labels = append(labels, b.Label)
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return labels
}
