package check

import (
	"go/ast"
	"go/types"

	"github.com/sandtrap-go/sandtrap/internal/typename"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// handles refuses every value of a handle, a host type that a script may hold
// behind a pointer and no other way: what a pointer leads to may be the host's
// own, and *p = v would overwrite it for the whole process. A script that cannot
// have the value cannot write it, whichever way generic code goes about it.
func (c *checker) handles() diag.Rejections {
	var rs diag.Rejections
	for _, tv := range c.result.Info.Types {
		if c.handle(tv.Type) != nil {
			rs = c.handleValues()
			break
		}
	}
	for id, inst := range c.result.Info.Instances {
		for t := range inst.TypeArgs.Types() {
			if h := c.handleWithin(t, 0); h != nil {
				rs = append(rs, c.handleValue(id, h))
			}
		}
	}
	return rs
}

// handleValues refuses the expressions and types that are handles.
func (c *checker) handleValues() diag.Rejections {
	var rs diag.Rejections
	seen := map[ast.Node]bool{} // behind a pointer, or reported with what is around it
	ast.Inspect(c.parsed.File, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		tv := c.result.Info.Types[x]
		if star, ok := x.(*ast.StarExpr); ok && tv.IsType() {
			behind := star.X
			for paren, ok := behind.(*ast.ParenExpr); ok; paren, ok = behind.(*ast.ParenExpr) {
				seen[behind], behind = true, paren.X
			}
			seen[behind] = true
		}
		if h := c.handle(tv.Type); h != nil && (tv.IsValue() || tv.IsType()) && !seen[x] {
			rs = append(rs, c.handleValue(x, h))
			return false
		}
		if sel, ok := x.(*ast.SelectorExpr); ok {
			seen[sel.Sel] = true // reported as the selector
		}
		return true
	})
	return rs
}

func (c *checker) handleValue(x ast.Expr, h *types.TypeName) *diag.Rejection {
	name := typename.Of(h)
	return c.reject(diag.HandleValue, x, name,
		"scripts hold "+withArticle(name)+" behind a pointer only: its value cannot be made, copied or overwritten",
		"use *"+name+" and the functions that return one")
}

// handle is the name of t if that is a handle, or nil.
func (c *checker) handle(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && c.isHost(n.Obj()) && c.universe.Handle(n.Obj()) {
		return n.Obj()
	}
	return nil
}

// handleWithin is the handle that a value of type t holds, not only points to.
func (c *checker) handleWithin(t types.Type, depth int) *types.TypeName {
	if h := c.handle(t); h != nil || depth > maxHandleDepth {
		return h
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return c.handleWithin(u.Elem(), depth+1)
	case *types.Array:
		return c.handleWithin(u.Elem(), depth+1)
	case *types.Chan:
		return c.handleWithin(u.Elem(), depth+1)
	case *types.Map:
		if h := c.handleWithin(u.Key(), depth+1); h != nil {
			return h
		}
		return c.handleWithin(u.Elem(), depth+1)
	}
	return nil
}

// maxHandleDepth bounds how far type arguments are searched. The types of a
// script cannot hold a handle deeper down: their own declarations are refused.
const maxHandleDepth = 8
