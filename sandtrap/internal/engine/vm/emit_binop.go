package vm

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

var wrapOps = map[reflect.Kind]Op{
	reflect.Int8: opSx8, reflect.Int16: opSx16, reflect.Int32: opSx32,
	reflect.Uint8: opZx8, reflect.Uint16: opZx16, reflect.Uint32: opZx32,
}

// wrap brings an integer back into the range of its type.
func (f *fn) wrap(r int, t *Type) {
	if op, ok := wrapOps[t.kind]; ok {
		f.emit(op, r, r, 0, 0)
	}
}

var intOps = map[token.Token]Op{
	token.ADD: opAdd, token.SUB: opSub, token.MUL: opMul, token.AND: opAnd, token.OR: opOr,
	token.XOR: opXor, token.AND_NOT: opAndN, token.QUO: opDiv, token.REM: opRem, token.SHL: opShl, token.SHR: opShr,
}

var floatOps = map[token.Token]Op{token.ADD: opFadd, token.SUB: opFsub, token.MUL: opFmul, token.QUO: opFdiv}

func (f *fn) binop(i *ssa.BinOp) {
	switch i.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.compare(i)
		return
	}
	t, dst := f.typ(i), f.val(i)
	switch {
	case t.kind == reflect.String:
		f.ext(&ext{do: DoConcat, a: dst, b: f.val(i.X), c: f.val(i.Y)})
		return
	case isComplex(t):
		f.ext(&ext{do: DoComplexOp, a: dst, b: f.val(i.X), c: f.val(i.Y), n: int64(i.Op), t: t})
		return
	}
	d, done := f.outReg(dst, t.cells)
	defer done()
	if isFloat(t) {
		f.floatOp(i, d)
		if t.kind == reflect.Float32 {
			f.emit(opFr32, d, d, 0, 0)
		}
		return
	}
	if f.immediate(i, d, t) {
		return
	}
	op := intOps[i.Op]
	switch i.Op {
	case token.QUO, token.REM, token.SHR:
		if isUnsigned(t) {
			op = map[Op]Op{opDiv: opUdiv, opRem: opUrem, opShr: opUshr}[op]
		}
	}
	x, y := f.use(i.X, 1), f.use(i.Y, 2)
	if op == opShl || op == opShr || op == opUshr {
		f.emit(op, d, x, y, int(b2i(!isUnsigned(f.typ(i.Y)))))
	} else {
		f.emit(op, d, x, y, 0)
	}
	f.wrap(d, t)
}

// immediate compiles an operation with a small constant operand.
func (f *fn) immediate(i *ssa.BinOp, d int, t *Type) bool {
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
	var op Op
	switch i.Op {
	case token.ADD:
		op = opAddI
	case token.SUB:
		op, n = opAddI, -n
	case token.MUL:
		op = opMulI
	case token.AND:
		op = opAndI
	case token.SHL:
		op = opShlI
	case token.SHR:
		op = opShrI
		if isUnsigned(t) {
			op = opUshrI
		}
	default:
		return false
	}
	if op == opShlI || op == opShrI || op == opUshrI {
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
	if t.kind == reflect.Interface != (f.typ(i.Y).kind == reflect.Interface) {
		f.fail("mixed comparison %s", i)
	}
	single := t.w() == 1 && !t.agg
	d, done := f.outReg(dst, cellI)
	defer done()
	switch {
	case t.kind == reflect.Slice, single && (isNilConst(i.X) || isNilConst(i.Y)) && t.cells[0].m&mR != 0:
		x := i.X
		if isNilConst(x) {
			x = i.Y
		}
		f.emit(opNilR, d, f.use(x, 1), 0, 0)
		if i.Op == token.NEQ {
			f.emit(opLnot, d, d, 0, 0)
		}
	case single && t.cells[0].m == mI && t.kind != reflect.Struct:
		f.compareCell(i, d, t, [6]Op{opEq, opNe, opLt, opLe, opUlt, opUle}, [4]Op{opFeq, opFne, opFlt, opFle})
	case t.kind == reflect.String:
		f.compareCell(i, d, t, [6]Op{opSeq, opSne, opSlt, opSle, opSlt, opSle}, [4]Op{})
	default:
		x, y := 0, 0
		if t.w() > 0 {
			x, y = f.val(i.X), f.val(i.Y)
		}
		f.ext(&ext{do: DoEqual, a: d, b: x, c: y, t: t, ok: i.Op == token.EQL})
	}
}

func (f *fn) compareCell(i *ssa.BinOp, d int, t *Type, ops [6]Op, fops [4]Op) {
	op, swap := compareOp(i.Op, t, ops, fops)
	x, y := f.use(i.X, 1), f.use(i.Y, 2)
	if swap {
		x, y = y, x
	}
	f.emit(op, d, x, y, 0)
}

// compareOp picks the operation, with operands swapped for > and >=.
func compareOp(tok token.Token, t *Type, ops [6]Op, fops [4]Op) (Op, bool) {
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
	if isFloat(t) {
		return fops[k], swap
	}
	if isUnsigned(t) && k >= 2 {
		k += 2
	}
	return ops[k], swap
}
