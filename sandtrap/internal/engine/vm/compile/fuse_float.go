package compile

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Arithmetic with floats comes in rows: fields are loaded for one operation, and products are made to
// be added. So the second operand of an operation may be a field, or a product.

// fuseOperand joins x op *p, and x ± y * z.
func (f *fn) fuseOperand(b *ssa.BinOp, before []ssa.Instruction) {
	if f.typ(b).Kind != reflect.Float64 {
		return
	}
	switch y := b.Y.(type) {
	case *ssa.UnOp:
		if loadOps[b.Op] == 0 || y.Op != token.MUL || onlyUser(y) != b || f.lazy(y) || !f.behindPointer(y.X) {
			return
		}
		if _, ok := f.lastBut(before, y); ok {
			f.fact(y).lazy = 1
		}
	case *ssa.BinOp:
		f.fuseProduct(b, before)
	}
}

// fuseProduct joins b, an addition or subtraction of what comes before, with a product.
func (f *fn) fuseProduct(b *ssa.BinOp, before []ssa.Instruction) {
	y, ok := b.Y.(*ssa.BinOp)
	if !ok || productOps[b.Op] == 0 || y.Op != token.MUL || f.typ(b).Kind != reflect.Float64 || onlyUser(y) != b || f.isField(y.Y) {
		return
	}
	if _, ok := f.lastBut(before, y); ok {
		f.fact(y).lazy = 1
	}
}

// What has a field, or a product, for its second operand.
var (
	loadOps    = map[token.Token]ir.Op{token.ADD: ir.OpFaddL, token.SUB: ir.OpFsubL, token.MUL: ir.OpFmulL}
	productOps = map[token.Token]ir.Op{token.ADD: ir.OpFmadd, token.SUB: ir.OpFmsub}
)

// behindPointer reports memory that a pointer in a register leads to.
func (f *fn) behindPointer(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Alloc:
		return !f.isPromoted(x)
	case *ssa.Global:
		return f.elemOf(x).Agg
	case *ssa.FieldAddr:
		return !f.lazy(x) || f.elemOf(x.X).Agg || f.behindPointer(x.X)
	case *ssa.IndexAddr:
		return !f.lazy(x)
	}
	return true
}

// isField reports the second operand of an operation that loads it.
func (f *fn) isField(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok || u.Op != token.MUL || !f.lazy(u) {
		return false
	}
	_, copied := f.isCopied(u)
	return !copied
}

// productIn is the second operand of an operation that multiplies first, or nil.
func (f *fn) productIn(v ssa.Value) *ssa.BinOp {
	if p, ok := v.(*ssa.BinOp); ok && f.lazy(p) {
		return p
	}
	return nil
}

// floatOp compiles an operation with floats.
func (f *fn) floatOp(i *ssa.BinOp, d int) {
	if p := f.productIn(i.Y); p != nil {
		f.emit(productOps[i.Op], d, f.use(i.X, 0), f.use(p.X, 1), f.use(p.Y, 2))
		return
	}
	if !f.isField(i.Y) {
		f.emit(floatOps[i.Op], d, f.use(i.X, 1), f.use(i.Y, 2), 0)
		return
	}
	address := i.Y.(*ssa.UnOp).X
	if address.Pos().IsValid() { // which is what can fail
		f.cur = address.Pos()
	}
	x := f.use(i.X, 2)
	a := f.addrOf(address)
	f.emit(loadOps[i.Op], d, x, a.r, a.off)
}
