package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
)

// Some operands are not read when their statement acts, but copied when their turn
// comes: those that the compiler hands to the run time by their address.

// part rewrites the operand of e at p.
func (o *orderer) part(e ast.Expr, p *ast.Expr) ast.Expr {
	x := o.rewrite(*p)
	if o.Info.Types[x].Value != nil || !o.holdable(x) || !o.copied(e, p, x) {
		return x
	}
	return o.hold(x)
}

// copied reports that x, the operand of e at p, is copied.
func (o *orderer) copied(e ast.Expr, p *ast.Expr, x ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SliceExpr: // a bound is known before the next one is looked at
		_, name := ast.Unparen(x).(*ast.Ident)
		return p != &e.X && !name
	case *ast.IndexExpr:
		m, ok := o.Info.TypeOf(e.X).Underlying().(*types.Map)
		return ok && p == &e.Index && o.keyCopied(m.Key(), x)
	case *ast.CallExpr:
		return p != &e.Fun && o.boxed(x, o.paramAt(e, p))
	case *ast.CompositeLit:
		return o.boxed(x, o.elementAt(e, p))
	}
	return false
}

// compared rewrites the operands of a comparison. Structs and arrays are copied when both
// sides are known.
func (o *orderer) compared(e *ast.BinaryExpr) {
	e.X, e.Y = o.rewrite(e.X), o.rewrite(e.Y)
	for _, p := range []*ast.Expr{&e.X, &e.Y} {
		switch o.Info.TypeOf(*p).Underlying().(type) {
		case *types.Struct, *types.Array:
			if !o.Info.Types[*p].Addressable() && o.holdable(*p) {
				*p = o.hold(*p)
			}
		}
	}
}

// keyCopied reports that the key x of a map with keys of type t is copied. Numbers of
// a word and strings are passed as they are.
func (o *orderer) keyCopied(t types.Type, x ast.Expr) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch checkcost.Layouts.Sizeof(u) {
		case 4, 8:
			if u.Info()&types.IsInteger != 0 {
				return false
			}
		case 16:
			if u.Info()&types.IsString != 0 {
				return false
			}
		}
	case *types.Pointer, *types.Chan:
		return false
	case *types.Interface:
		if !types.IsInterface(o.Info.TypeOf(x)) {
			return true
		}
	}
	return !o.Info.Types[x].Addressable()
}

// paramAt is the type of the parameter, or conversion, that the argument at p is for.
func (o *orderer) paramAt(e *ast.CallExpr, p *ast.Expr) types.Type {
	t := o.Info.TypeOf(e.Fun)
	if o.Info.Types[e.Fun].IsType() {
		return t
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || o.Info.Types[e.Fun].IsBuiltin() {
		return nil
	}
	for i := range e.Args {
		if p != &e.Args[i] {
			continue
		}
		last := sig.Params().Len() - 1
		if sig.Variadic() && i >= last && e.Ellipsis == token.NoPos {
			if s, ok := sig.Params().At(last).Type().Underlying().(*types.Slice); ok {
				return s.Elem()
			}
			return nil
		}
		if i <= last {
			return sig.Params().At(i).Type()
		}
	}
	return nil
}

// elementAt is the type of what the part of the literal e at p is for.
func (o *orderer) elementAt(e *ast.CompositeLit, p *ast.Expr) types.Type {
	t := o.Info.TypeOf(e).Underlying()
	if ptr := pointee(t); ptr != nil {
		t = ptr.Underlying()
	}
	switch t := t.(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Struct:
		for i, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok && p == &kv.Value {
				return o.Info.Uses[kv.Key.(*ast.Ident)].Type()
			} else if p == &e.Elts[i] {
				return t.Field(i).Type()
			}
		}
	}
	return nil
}

// boxed reports that x becomes an interface value of type t, and by its address.
func (o *orderer) boxed(x ast.Expr, t types.Type) bool {
	tv := o.Info.Types[x]
	if t == nil || tv.IsNil() || tv.Addressable() || types.IsInterface(tv.Type) || check.MentionsTypeParam(tv.Type, t) || !types.IsInterface(t) {
		return false
	}
	if oneWord(tv.Type) {
		return false
	}
	switch u := tv.Type.Underlying().(type) {
	case *types.Slice:
		return false
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return false
		}
	}
	size := checkcost.Layouts.Sizeof(tv.Type)
	return size != 2 && size != 4 && size != 8 || size != checkcost.Layouts.Alignof(tv.Type) || hasPointers(tv.Type)
}

// hasPointers reports a type with pointers in it.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return hasPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}
