package check

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// reuseEarlier makes m, err := f() assign to the err of an earlier cell if the cell has used that before: as in one
// function, where := declares what is new alone.
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
		if top == nil || !c.session().Declares(r.Name) {
			continue
		}
		delete(first, r.Name) // it may be used many times
		if top.Spec.Type == nil && len(top.Spec.Values) > 0 {
			c.parsed.Reuse(top, r.Name)
		} else if !slices.ContainsFunc(c.inputs, func(in Input) bool { return in.Name == r.Name }) {
			above[c.result.Pkg.Scope().Lookup(r.Name)] = top
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

// declareApart makes n := f() declare a variable of its own if it cannot assign to the n of an earlier cell. As in a block
// of Go, that is what n means above the statement, and in its values. It gives the statement for each such n.
func (c *checker) declareApart() map[types.Object]*parse.TopVar {
	apart := map[types.Object]*parse.TopVar{}
	scope := c.result.Pkg.Scope()
	for _, top := range c.parsed.Tops {
		for k := len(top.Assign) - 1; k >= 0; k-- {
			a := top.Assign[k]
			to, from := scope.Lookup(a.To.Name), c.result.Info.Defs[a.Temp]
			if to == nil || from == nil || to.Pkg() != c.result.Outer || from.Type() == types.Typ[types.Invalid] {
				continue
			}
			if _, isVar := to.(*types.Var); isVar && types.AssignableTo(from.Type(), to.Type()) {
				continue
			}
			top.Declare(k)
			apart[to] = top
		}
	}
	return apart
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
