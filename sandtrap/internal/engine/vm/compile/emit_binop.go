package compile

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

var wrapOps = map[reflect.Kind]ir.Op{
	reflect.Int8: ir.OpSx8, reflect.Int16: ir.OpSx16, reflect.Int32: ir.OpSx32,
	reflect.Uint8: ir.OpZx8, reflect.Uint16: ir.OpZx16, reflect.Uint32: ir.OpZx32,
}

// wrap brings an integer back into the range of its type.
func (f *fn) wrap(r int, t *ir.Type) {
	if op, ok := wrapOps[t.Kind]; ok {
		f.emit(op, r, r, 0, 0)
	}
}

var intOps = map[token.Token]ir.Op{
	token.ADD: ir.OpAdd, token.SUB: ir.OpSub, token.MUL: ir.OpMul, token.AND: ir.OpAnd, token.OR: ir.OpOr,
	token.XOR: ir.OpXor, token.AND_NOT: ir.OpAndN, token.QUO: ir.OpDiv, token.REM: ir.OpRem, token.SHL: ir.OpShl, token.SHR: ir.OpShr,
}

var floatOps = map[token.Token]ir.Op{token.ADD: ir.OpFadd, token.SUB: ir.OpFsub, token.MUL: ir.OpFmul, token.QUO: ir.OpFdiv}

func (f *fn) binop(i *ssa.BinOp) {
	switch i.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.compare(i)
		return
	}
	t, dst := f.typ(i), f.val(i)
	switch {
	case t.Kind == reflect.String:
		f.ext(&ir.SlowOp{Do: ir.DoConcat, A: dst, B: f.val(i.X), C: f.val(i.Y)})
		return
	case ir.IsComplex(t):
		f.ext(&ir.SlowOp{Do: ir.DoComplexOp, A: dst, B: f.val(i.X), C: f.val(i.Y), N: int64(i.Op), T: t})
		return
	}
	d, done := f.outReg(dst, t.Cells)
	defer done()
	if ir.IsFloat(t) {
		f.floatOp(i, d)
		if t.Kind == reflect.Float32 {
			f.emit(ir.OpFr32, d, d, 0, 0)
		}
		return
	}
	if f.immediate(i, d, t) {
		return
	}
	op := intOps[i.Op]
	switch i.Op {
	case token.QUO, token.REM, token.SHR:
		if ir.IsUnsigned(t) {
			op = map[ir.Op]ir.Op{ir.OpDiv: ir.OpUdiv, ir.OpRem: ir.OpUrem, ir.OpShr: ir.OpUshr}[op]
		}
	}
	x, y := f.use(i.X, 1), f.use(i.Y, 2)
	if op == ir.OpShl || op == ir.OpShr || op == ir.OpUshr {
		f.emit(op, d, x, y, int(ir.BoolBits(!ir.IsUnsigned(f.typ(i.Y)))))
	} else {
		f.emit(op, d, x, y, 0)
	}
	f.wrap(d, t)
}

// immediate compiles an operation with a small constant operand.
func (f *fn) immediate(i *ssa.BinOp, d int, t *ir.Type) bool {
	x, y := i.X, i.Y
	n, ok := f.intConst(y)
	if !ok && (i.Op == token.ADD || i.Op == token.MUL || i.Op == token.AND) {
		if n, ok = f.intConst(x); ok {
			x = y
		}
	}
	if !ok || n != int64(int32(n)) || n == -1<<31 {
		return false
	}
	var op ir.Op
	switch i.Op {
	case token.ADD:
		op = ir.OpAddI
	case token.SUB:
		op, n = ir.OpAddI, -n
	case token.MUL:
		op = ir.OpMulI
	case token.AND:
		op = ir.OpAndI
	case token.SHL:
		op = ir.OpShlI
	case token.SHR:
		op = ir.OpShrI
		if ir.IsUnsigned(t) {
			op = ir.OpUshrI
		}
	default:
		return false
	}
	if op == ir.OpShlI || op == ir.OpShrI || op == ir.OpUshrI {
		if n < 0 {
			return false
		}
		n = min(n, 64)
	}
	f.emit(op, d, f.use(x, 1), 0, int(n))
	f.wrap(d, t)
	return true
}

// compare computes a comparison as a value.
func (f *fn) compare(i *ssa.BinOp) {
	t, dst := f.typ(i.X), f.val(i)
	if t.Kind == reflect.Interface != (f.typ(i.Y).Kind == reflect.Interface) {
		f.fail("mixed comparison %s", i)
	}
	single := t.W() == 1 && !t.Agg
	d, done := f.outReg(dst, ir.CellI)
	defer done()
	switch {
	case t.Kind == reflect.Slice, single && (isNilConst(i.X) || isNilConst(i.Y)) && t.Cells[0].M&ir.BankR != 0:
		x := i.X
		if isNilConst(x) {
			x = i.Y
		}
		f.emit(ir.OpNilR, d, f.use(x, 1), 0, 0)
		if i.Op == token.NEQ {
			f.emit(ir.OpLnot, d, d, 0, 0)
		}
	case single && t.Cells[0].M == ir.BankI && t.Kind != reflect.Struct:
		f.compareCell(i, d, t, [6]ir.Op{ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpUlt, ir.OpUle}, [4]ir.Op{ir.OpFeq, ir.OpFne, ir.OpFlt, ir.OpFle})
	case t.Kind == reflect.String:
		f.compareCell(i, d, t, [6]ir.Op{ir.OpSeq, ir.OpSne, ir.OpSlt, ir.OpSle, ir.OpSlt, ir.OpSle}, [4]ir.Op{})
	default:
		x, y := 0, 0
		if t.W() > 0 {
			x, y = f.val(i.X), f.val(i.Y)
		}
		f.ext(&ir.SlowOp{Do: ir.DoEqual, A: d, B: x, C: y, T: t, Ok: i.Op == token.EQL})
	}
}

func (f *fn) compareCell(i *ssa.BinOp, d int, t *ir.Type, ops [6]ir.Op, fops [4]ir.Op) {
	op, swap := compareOp(i.Op, t, ops, fops)
	x, y := f.use(i.X, 1), f.use(i.Y, 2)
	if swap {
		x, y = y, x
	}
	f.emit(op, d, x, y, 0)
}

// compareOp picks the operation, with operands swapped for > and >=.
func compareOp(tok token.Token, t *ir.Type, ops [6]ir.Op, fops [4]ir.Op) (ir.Op, bool) {
	swap := tok == token.GTR || tok == token.GEQ
	k := 0
	switch tok {
	case token.NEQ:
		k = 1
	case token.LSS, token.GTR:
		k = 2
	case token.LEQ, token.GEQ:
		k = 3
	}
	if ir.IsFloat(t) {
		return fops[k], swap
	}
	if ir.IsUnsigned(t) && k >= 2 {
		k += 2
	}
	return ops[k], swap
}
