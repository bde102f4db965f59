package rewrite

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// mapLiteral orders the entries of a map literal as the compiler does: those of
// constants are there first, the others follow one by one. In each, calls come before
// what is read beside them.
func (o *orderer) mapLiteral(e *ast.CompositeLit) {
	probe := &orderer{lowerer: o.lowerer}
	o.parts(e, func(p *ast.Expr) { probe.scan(*p) })
	if !probe.seen {
		return
	}
	key := o.Info.TypeOf(e).Underlying().(*types.Map).Key()
	var fixed, rest []ast.Expr
	for _, elt := range e.Elts {
		kv := elt.(*ast.KeyValueExpr)
		if o.fixed(kv.Key) && o.fixed(kv.Value) {
			fixed = append(fixed, kv)
			continue
		}
		rest = append(rest, kv)
		kv.Key = o.rewrite(kv.Key)
		if o.keyCopied(key, kv.Key) {
			kv.Key = o.pin(kv.Key)
		}
		kv.Value = o.rewrite(kv.Value)
		kv.Key, kv.Value = o.pin(kv.Key), o.pin(kv.Value)
	}
	e.Elts = append(fixed, rest...)
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
