package vm

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// phiMoves are the moves on the edge from b to succ.
func (f *fn) phiMoves(b, succ *ssa.BasicBlock) []pmove {
	var ms []pmove
	for pi, p := range succ.Preds {
		if p != b {
			continue
		}
		for _, i := range succ.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			if f.typ(phi).w() > 0 {
				ms = f.addMoves(ms, f.regOf(phi), phi.Edges[pi])
			}
		}
		break
	}
	return ms
}

func (f *fn) next1(b *ssa.BasicBlock) *ssa.BasicBlock {
	if k := b.Index + 1; k < len(f.blocks) {
		return f.blocks[k]
	}
	return nil
}

func (f *fn) back(b, to *ssa.BasicBlock) bool { return to.Index <= b.Index }

// jumpTo ends block b with a jump to its only successor.
func (f *fn) jumpTo(b, to *ssa.BasicBlock) {
	f.parallel(f.phiMoves(b, to))
	if f.back(b, to) {
		if f.rotate(b, to) {
			return
		}
		f.jump(opLoop, 0, 0, 0, to)
		return
	}
	if f.next1(b) != to {
		f.jump(opJmp, 0, 0, 0, to)
	}
}

// rotate puts the test of a loop at its end, b, as well: header h is nothing but
// phis and a branch with a fused comparison.
func (f *fn) rotate(b, h *ssa.BasicBlock) bool {
	var cond *ssa.If
	for _, i := range h.Instrs {
		switch i := i.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.BinOp:
			if t := f.typ(i); !f.fused(i) && !isInteger(t) && !isFloat(t) {
				return false
			}
		case *ssa.Call:
			if !f.lazy(i) {
				return false
			}
		case *ssa.If:
			cond = i
		default:
			return false
		}
	}
	if cond == nil {
		return false
	}
	cmp, ok := cond.Cond.(*ssa.BinOp)
	if !ok || !f.fused(cmp) || !isInteger(f.typ(cmp.X)) {
		return false
	}
	yes, no := h.Succs[0], h.Succs[1]
	if len(f.phiMoves(h, yes)) > 0 || len(f.phiMoves(h, no)) > 0 {
		return false
	}
	if op, _, _, _ := f.branchPeek(cmp); loopOps[op] == 0 {
		return false
	}
	for _, i := range h.Instrs {
		if b, ok := i.(*ssa.BinOp); ok && !f.fused(b) {
			f.instr(b)
		}
	}
	op, x, y, z := f.branchOp(cmp, false)
	l, ok := loopOps[op]
	if !ok {
		return false
	}
	if !f.fuseIncrement(l, x, y, z, yes) {
		f.jump(l, x, y, z, yes)
	}
	f.edgeJump(b, no, nil)
	return true
}

// branchPeek is branchOp without leaving code behind.
func (f *fn) branchPeek(cmp *ssa.BinOp) (op Op, a, b, c int) {
	n, temp := len(f.code), f.temp
	op, a, b, c = f.branchOp(cmp, false)
	f.code, f.pos, f.temp = f.code[:n], f.pos[:n], temp
	return op, a, b, c
}

// fuseIncrement joins the step of a loop, if that is the last instruction, with
// its test l of register a.
func (f *fn) fuseIncrement(l Op, a, b, c int, yes *ssa.BasicBlock) bool {
	k := len(f.code) - 1
	if k < f.starts[len(f.starts)-1] {
		return false
	}
	in := f.code[k]
	if in.Op != opAddI || int(in.A) != a || in.A != in.B {
		return false
	}
	switch {
	case l == opLjlt && a != b && in.D >= 1 && in.D <= 255:
		l, c = opLinc, int(in.D)
	case l == opLjltI && in.D == 1:
		l = opLincI
	default:
		return false
	}
	f.code, f.pos = f.code[:k], f.pos[:k]
	f.jump(l, a, b, c, yes)
	return true
}

var loopOps = map[Op]Op{
	opJeq: opLjeq, opJne: opLjne, opJlt: opLjlt, opJle: opLjle, opJeqI: opLjeqI, opJneI: opLjneI,
	opJltI: opLjltI, opJleI: opLjleI, opJgtI: opLjgtI, opJgeI: opLjgeI,
}

var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// branchOp gives the jump taken when cmp, negated if not, holds.
func (f *fn) branchOp(cmp *ssa.BinOp, not bool) (op Op, a, b, c int) {
	t := f.typ(cmp.X)
	tok := cmp.Op
	if t.cells[0].m&mR != 0 {
		x := cmp.X
		if isNilConst(x) {
			x = cmp.Y
		}
		op = opJnil
		if (tok == token.NEQ) != not {
			op = opJnn
		}
		return op, f.use(x, 1), 0, 0
	}
	if isFloat(t) {
		return f.floatBranch(cmp, not)
	}
	if not {
		tok = negated[tok]
	}
	if !isUnsigned(t) || tok == token.EQL || tok == token.NEQ {
		if n, ok := f.intConst(cmp.Y); ok && n == int64(int16(n)) {
			op = map[token.Token]Op{token.EQL: opJeqI, token.NEQ: opJneI, token.LSS: opJltI, token.LEQ: opJleI,
				token.GTR: opJgtI, token.GEQ: opJgeI}[tok]
			return op, f.use(cmp.X, 1), int(uint8(n)), int(uint8(n >> 8))
		}
	}
	op, swap := compareOp(tok, t, [6]Op{opJeq, opJne, opJlt, opJle, opJult, opJule}, [4]Op{})
	x, y := f.use(cmp.X, 1), f.use(cmp.Y, 2)
	if swap {
		x, y = y, x
	}
	return op, x, y, 0
}

// floatBranch keeps NaN right: the negation of < is not >=.
func (f *fn) floatBranch(cmp *ssa.BinOp, not bool) (op Op, a, b, c int) {
	x, y := f.use(cmp.X, 1), f.use(cmp.Y, 2)
	if cmp.Op == token.GTR || cmp.Op == token.GEQ {
		x, y = y, x
	}
	switch cmp.Op {
	case token.LSS, token.GTR:
		op = opJflt
		if not {
			op = opJnflt
		}
	case token.LEQ, token.GEQ:
		op = opJfle
		if not {
			op = opJnfle
		}
	default:
		t := f.newTemp(1)
		d, done := f.outReg(t, cellI)
		f.emit(opFeq, d, x, y, 0)
		done()
		op = opJt
		if (cmp.Op == token.NEQ) != not {
			op = opJf
		}
		return op, f.in(t, cellI, 1), 0, 0
	}
	return op, x, y, 0
}

// branch compiles the If at the end of a block.
func (f *fn) branch(i *ssa.If) {
	b := i.Block()
	yes, no := b.Succs[0], b.Succs[1]
	my, mn := f.phiMoves(b, yes), f.phiMoves(b, no)
	direct := func(to *ssa.BasicBlock, ms []pmove) bool { return len(ms) == 0 && !f.back(b, to) }
	cond := func(not bool) (Op, int, int, int) {
		if cmp, ok := i.Cond.(*ssa.BinOp); ok && f.fused(cmp) {
			return f.branchOp(cmp, not)
		}
		if not {
			return opJf, f.use(i.Cond, 1), 0, 0
		}
		return opJt, f.use(i.Cond, 1), 0, 0
	}
	switch {
	case direct(yes, my) && f.next1(b) != yes:
		op, x, y, z := cond(false)
		f.jump(op, x, y, z, yes)
		f.edge(b, no, mn)
	case direct(no, mn):
		op, x, y, z := cond(true)
		f.jump(op, x, y, z, no)
		f.edge(b, yes, my)
	default:
		op, x, y, z := cond(true)
		at := f.emit(op, x, y, z, 0)
		f.edgeJump(b, yes, my)
		f.code[at].D = int32(-2 - len(f.code)) // a place in this function, patched in link
		f.edge(b, no, mn)
	}
}

// edge does the moves to a successor and goes there, or falls through.
func (f *fn) edge(b, to *ssa.BasicBlock, ms []pmove) {
	if len(ms) == 0 && f.next1(b) == to {
		return
	}
	if f.next1(b) == to {
		f.parallel(ms)
		return
	}
	f.edgeJump(b, to, ms)
}

func (f *fn) edgeJump(b, to *ssa.BasicBlock, ms []pmove) {
	f.parallel(ms)
	if f.back(b, to) {
		f.jump(opLoop, 0, 0, 0, to)
		return
	}
	f.jump(opJmp, 0, 0, 0, to)
}

// ret moves the results to the start of the window and returns.
func (f *fn) ret(i *ssa.Return) {
	if f.late {
		f.runLateDefers(i)
	}
	if len(i.Results) == 1 && !isConstLike(i.Results[0]) {
		t := f.typ(i.Results[0])
		if t.w() == 1 && t.cells[0].m == mI {
			if r := f.val(i.Results[0]); !far(r, 1) {
				f.emit(opRetI, r, 0, 0, 0)
				return
			}
		}
	}
	var ms []pmove
	off := 0
	for _, r := range i.Results {
		ms = f.addMoves(ms, off, r)
		off += f.typ(r).w()
	}
	f.parallel(ms)
	f.emit(opRet, 0, 0, 0, 0)
}

func (f *fn) selectInstr(i *ssa.Select) {
	x := &ext{do: DoSelect, a: f.val(i), ok: i.Blocking}
	tt := f.typ(i)
	k := 2
	for _, s := range i.States {
		c := selCase{ch: f.val(s.Chan), elem: f.typ(s.Chan).elem, dst: -1}
		if s.Send != nil {
			c.send = true
			if c.elem.w() > 0 {
				c.val = f.val(s.Send)
			}
		} else {
			c.dst = x.a + tt.fields[k].off
			k++
		}
		x.sel = append(x.sel, c)
	}
	f.ext(x)
}
