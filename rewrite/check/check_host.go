package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/internal/typename"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
)

// postCheck refuses what Go allows and a policy does not: scripts read the
// variables of host packages, and do nothing else with those that are not the run's.
func (c *checker) postCheck() diag.Rejections {
	rs := c.assignBacks()
	ast.Inspect(c.parsed.File, func(n ast.Node) bool {
		if r := c.overwrites(n); r != nil {
			rs = append(rs, r)
		}
		for _, x := range assignedBy(n) {
			rs = c.appendWrite(rs, x)
		}
		for _, x := range c.addressedBy(n) {
			rs = c.appendWrite(rs, x)
		}
		return true
	})
	rs = append(rs, c.handles()...)
	rs = append(rs, c.bypasses()...)
	rs = append(rs, c.unknownPredeclared()...)
	rs = append(rs, checkcost.HugeTypes(c.result.typed(), c.typeText, MaxErrors, c.reject)...)
	rs = append(rs, c.manyInstances()...)
	return c.inOrder(rs)
}

func (c *checker) manyInstances() diag.Rejections {
	var files []checkcost.Typed
	for _, own := range append(c.packages.List, c.result) {
		files = append(files, own.typed())
	}
	return checkcost.Instances(files, c.result.Own, c.reject)
}

func (c *Checked) typed() checkcost.Typed {
	return checkcost.Typed{File: c.File, Pkg: c.Pkg, Info: c.Info}
}

// appendWrite refuses x, which is assigned to or addressed, if it is the host's.
func (c *checker) appendWrite(rs diag.Rejections, x ast.Expr) diag.Rejections {
	v := c.hostVar(x)
	if v == nil {
		return rs
	}
	name := typename.Of(v)
	return append(rs, c.reject(diag.HostWrite, x, name,
		"variable "+name+" of the host cannot be assigned to or addressed",
		"copy it into a variable of your own: mine := "+name))
}

// assignedBy are the operands that n assigns to.
func assignedBy(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	}
	return nil
}

// addressedBy are the operands that n takes the address of.
func (c *checker) addressedBy(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	case *ast.SliceExpr:
		if t := c.typeOf(n.X); t != nil && isArray(t) {
			return []ast.Expr{n.X}
		}
	case *ast.SelectorExpr:
		if c.addresses(n) {
			return []ast.Expr{n.X}
		}
	}
	return nil
}

// addresses tells whether the method value or call n takes the address of its
// operand, as x.M does for a variable x where M belongs to *T, and not to what a pointer embedded in x leads to.
func (c *checker) addresses(n *ast.SelectorExpr) bool {
	sel := c.result.Info.Selections[n]
	if sel == nil || sel.Kind() != types.MethodVal {
		return false
	}
	recv := sel.Obj().(*types.Func).Signature().Recv()
	return recv != nil && IsPointer(recv.Type()) && !sel.Indirect()
}

// hostVar is the variable of the host in whose memory x is, or nil; a variable of the
// run's own is none.
func (c *checker) hostVar(x ast.Expr) *types.Var {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return c.hostVar(x.X)
	case *ast.Ident:
		return c.asHostVar(x)
	case *ast.SelectorExpr:
		if sel := c.result.Info.Selections[x]; sel != nil {
			if sel.Indirect() {
				return nil // behind a pointer, which is another matter
			}
			return c.hostVar(x.X)
		}
		return c.asHostVar(x.Sel)
	case *ast.IndexExpr:
		if t := c.typeOf(x.X); t != nil && isArray(t) {
			return c.hostVar(x.X)
		}
	}
	return nil
}

func (c *checker) asHostVar(id *ast.Ident) *types.Var {
	v, ok := c.result.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || !c.isHost(v) || c.universe.Settable(v) {
		return nil
	}
	return v
}

// typeOf is the type of x, or nil.
func (c *checker) typeOf(x ast.Expr) types.Type { return c.result.Info.Types[x].Type }

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
