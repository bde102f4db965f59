package compile

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func (f *fn) lookup(i *ssa.Lookup) {
	xt := f.typ(i.X)
	if xt.Kind == reflect.String {
		f.indexString(i, i.X, i.Index)
		return
	}
	f.ext(&ir.SlowOp{Do: ir.DoLookup, A: f.val(i), B: f.val(i.X), C: f.val(i.Index), T: xt, Ok: i.CommaOk, Stores: storesBack(i)})
}

// storesBack reports the look into a map that is half of m[k] op= v or m[k] = append(m[k], v).
// The other half has the same place, or stores what append made of what was found. Go
// divides before it stores.
func storesBack(i *ssa.Lookup) bool {
	for _, r := range *i.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp:
			if r.X == i && r.Op != token.QUO && r.Op != token.REM && stored(r, i, i.Pos()) {
				return true
			}
		case *ssa.Call:
			b, ok := r.Call.Value.(*ssa.Builtin)
			if ok && b.Name() == "append" && r.Call.Args[0] == i && stored(r, i, token.NoPos) {
				return true
			}
		}
	}
	return false
}

// stored reports that v, made of what i has found, goes where it was found, in an
// assignment at a place if that is known.
func stored(v ssa.Value, i *ssa.Lookup, at token.Pos) bool {
	for _, r := range *v.Referrers() {
		u, ok := r.(*ssa.MapUpdate)
		if ok && u.Value == v && alike(u.Map, i.X) && alike(u.Key, i.Index) && (at == token.NoPos || u.Pos() == at) {
			return true
		}
	}
	return false
}

// alike reports two values that are one, or read from one variable.
func alike(a, b ssa.Value) bool {
	x, ok1 := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	return a == b || ok1 && ok2 && x.Op == token.MUL && y.Op == token.MUL && x.X == y.X
}
