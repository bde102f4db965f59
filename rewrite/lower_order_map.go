package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// mapLiteral orders the entries of a map literal, which come one by one. In each, calls come before
// what is read beside them.
func (o *orderer) mapLiteral(e *ast.CompositeLit) {
	probe := &orderer{lowerer: o.lowerer}
	o.parts(e, func(p *ast.Expr) { probe.scan(*p) })
	if !probe.seen {
		return
	}
	m := o.Info.TypeOf(e).Underlying().(*types.Map)
	for _, elt := range e.Elts {
		kv := elt.(*ast.KeyValueExpr)
		if o.static(kv, m) {
			continue
		}
		kv.Key = o.rewrite(kv.Key)
		if o.keyCopied(m.Key(), kv.Key) {
			kv.Key = o.pin(kv.Key)
		}
		kv.Value = o.rewrite(kv.Value)
		kv.Key, kv.Value = o.pin(kv.Key), o.pin(kv.Value)
	}
}

// constantsFirst puts the entries of constants before the others, as the compiler does: one of these may have the
// same key.
func (l *lowerer) constantsFirst(e *ast.CompositeLit, m *types.Map) {
	o := &orderer{lowerer: l}
	variable := func(elt ast.Expr) bool { return l.Info.Types[elt.(*ast.KeyValueExpr).Key].Value == nil }
	if !slices.ContainsFunc(e.Elts, variable) { // keys are all different
		return
	}
	var first, rest []ast.Expr
	for _, elt := range e.Elts {
		if o.static(elt.(*ast.KeyValueExpr), m) {
			first = append(first, elt)
		} else {
			rest = append(rest, elt)
		}
	}
	e.Elts = append(first, rest...)
}

func (o *orderer) static(kv *ast.KeyValueExpr, m *types.Map) bool {
	return o.ready(kv.Key, m.Key()) && o.ready(kv.Value, m.Elem())
}

// ready reports a value of type t that is there without being made, as interface values, slices, maps and what
// pointers point to are.
func (o *orderer) ready(e ast.Expr, t types.Type) bool {
	tv := o.Info.Types[e]
	if tv.IsNil() {
		return true
	}
	if t == nil || types.IsInterface(t) {
		return false
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return tv.Value != nil
	}
	switch tv.Type.Underlying().(type) {
	case *types.Struct, *types.Array:
		ready := true
		o.parts(lit, func(p *ast.Expr) { ready = ready && o.ready(*p, o.elementAt(lit, p)) })
		return ready
	}
	return false
}

// fixed reports a value that is made of constants.
func (o *orderer) fixed(e ast.Expr) bool {
	tv := o.Info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return true
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || o.early(lit) {
		return false
	}
	fixed := true
	o.parts(lit, func(p *ast.Expr) { fixed = fixed && o.fixed(*p) })
	return fixed
}

// pin keeps e as it is now. Of a literal whose type is written around it, that is all it
// is made of.
func (o *orderer) pin(e ast.Expr) ast.Expr {
	if id, ok := e.(*ast.Ident); o.fixed(e) || ok && strings.HasPrefix(id.Name, abi.Prefix) {
		return e
	}
	if o.holdable(e) {
		return o.hold(e)
	}
	o.parts(e, func(p *ast.Expr) { *p = o.pin(*p) })
	return e
}
