package check

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// reuseEarlier makes m, err := f() assign to the err of an earlier cell if the cell has used that before: as in one
// function, where := declares what is new alone. With var the cell has a variable of its own below.
func (c *checker) reuseEarlier() bool {
	if c.session() == nil {
		return false
	}
	above := c.declareApart()
	first := map[string]*parse.TopVar{} // that declares the name
	for _, top := range slices.Backward(c.parsed.Tops) {
		for _, id := range top.Spec.Names {
			first[id.Name] = top
		}
	}
	reused := len(above) > 0
	for _, r := range c.usedBeforeDeclaration() {
		top := first[r.Name]
		if top == nil || c.apart[r.Name] || !c.session().Declares(r.Name) {
			continue
		}
		delete(first, r.Name) // it may be used many times
		if top.Short {
			c.parsed.Reuse(top, r.Name)
		} else if !slices.ContainsFunc(c.inputs, func(in Input) bool { return in.Name == r.Name }) {
			c.setApart(above, c.result.Pkg.Scope().Lookup(r.Name), top)
		} else {
			continue // above, the name would mean the input, and not what an earlier cell declares
		}
		reused = true
	}
	c.renameAbove(above)
	if reused {
		c.index = nil
	}
	return reused
}

// declareApart makes n := f() declare a variable of its own if the n of an earlier cell has another type. As in a block of Go,
// that is what n means above the statement, and in its values. It gives the statement for each such n.
func (c *checker) declareApart() map[types.Object]*parse.TopVar {
	above := map[types.Object]*parse.TopVar{}
	scope := c.result.Pkg.Scope()
	assigned := map[types.Object]bool{} // by statements above, which declare in a block of Go
	for _, top := range c.parsed.Tops {
		for k := len(top.Assign) - 1; k >= 0; k-- {
			a := top.Assign[k]
			to, from := scope.Lookup(a.To.Name), c.result.Info.Defs[a.Temp]
			if to == nil || from == nil || to.Pkg() != c.result.Outer || assigned[to] {
				continue
			}
			assigned[to] = true
			_, isVar := to.(*types.Var)
			if from.Type() == types.Typ[types.Invalid] || isVar && types.Identical(from.Type(), to.Type()) {
				continue
			}
			top.Declare(k)
			c.setApart(above, to, top)
		}
	}
	return above
}

// setApart adds obj, which an earlier cell declares, to those that statements above top mean by the name.
func (c *checker) setApart(above map[types.Object]*parse.TopVar, obj types.Object, top *parse.TopVar) {
	if c.apart == nil {
		c.apart = map[string]bool{}
	}
	c.apart[obj.Name()] = true
	above[obj] = top
}

// renameAbove gives objects, which earlier cells declare, other names in the statements above those of tops and in their
// values. It goes through the statements once, however many objects there are.
func (c *checker) renameAbove(tops map[types.Object]*parse.TopVar) {
	if len(tops) == 0 {
		return
	}
	declares, names, ends := c.topsByStmt(), map[string]bool{}, map[*parse.TopVar][]types.Object{}
	for obj, top := range tops {
		names[obj.Name()] = true
		ends[top] = append(ends[top], obj)
	}
	rename := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[id.Name] && tops[c.result.Info.Uses[id]] != nil {
			id.Name = abi.Earlier + id.Name
		}
		return true
	}
	for _, s := range c.parsed.Body.Body.List {
		t := declares[s]
		if t == nil {
			ast.Inspect(s, rename)
			continue
		}
		for _, v := range t.Spec.Values {
			ast.Inspect(v, rename)
		}
		for _, obj := range ends[t] {
			delete(names, obj.Name())
		}
		for _, a := range t.Assign {
			if names[a.To.Name] {
				a.To.Name = abi.Earlier + a.To.Name
			}
		}
	}
}

// cellFunctions are the functions and methods that a cell declares; nil outside of sessions, where what they do is left to
// the run.
func (c *checker) cellFunctions() map[types.Object]*ast.FuncDecl {
	if c.session() == nil {
		return nil
	}
	functions := map[types.Object]*ast.FuncDecl{}
	for _, d := range c.parsed.File.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f != c.parsed.Body && f.Body != nil {
			functions[c.result.Info.Defs[f.Name]] = f
		}
	}
	return functions
}

// usesThrough finds what usesFrom finds in those of functions that n names, and in those that these name, if an earlier cell
// declares it; and deletes them from functions. What function literals name is left to the run, and so are variables that
// are declared with var, as in a package.
func (c *checker) usesThrough(n ast.Node, functions map[types.Object]*ast.FuncDecl, defined map[types.Object]int, first int) (rs diag.Rejections) {
	todo := []ast.Node{n}
	visit := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := c.result.Info.Uses[id]
			if f, ok := obj.(*types.Func); ok {
				obj = f.Origin()
			}
			if f := functions[obj]; f != nil {
				delete(functions, obj)
				todo = append(todo, f.Body)
				rs = append(rs, c.usesIn(f, defined, first)...)
			}
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	}
	for len(todo) > 0 {
		n, todo = todo[0], todo[1:]
		ast.Inspect(n, visit)
	}
	return rs
}

// usesIn are those in f, which a statement above the variables' own one uses.
func (c *checker) usesIn(f *ast.FuncDecl, defined map[types.Object]int, first int) (rs diag.Rejections) {
	for _, r := range c.usesFrom(f.Body, defined, first, nil) {
		if c.session().Declares(r.Name) {
			r.Hint = f.Name.Name + " is used before that, too: move the declaration up, or use another name for it"
			rs = append(rs, r)
		}
	}
	return rs
}
