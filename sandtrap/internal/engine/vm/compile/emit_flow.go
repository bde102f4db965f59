package compile

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
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
			if f.typ(phi).W() > 0 {
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
		f.jump(ir.OpLoop, 0, 0, 0, to)
		return
	}
	if f.next1(b) != to {
		f.jump(ir.OpJmp, 0, 0, 0, to)
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
			if t := f.typ(i); !f.fused(i) && !ir.IsInteger(t) && !ir.IsFloat(t) {
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
	if !ok || !f.fused(cmp) || !ir.IsInteger(f.typ(cmp.X)) {
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
func (f *fn) branchPeek(cmp *ssa.BinOp) (op ir.Op, a, b, c int) {
	n, temp := len(f.Code), f.temp
	op, a, b, c = f.branchOp(cmp, false)
	f.Code, f.Pos, f.temp = f.Code[:n], f.Pos[:n], temp
	return op, a, b, c
}

// fuseIncrement joins the step of a loop, if that is the last instruction, with
// its test l of register a.
func (f *fn) fuseIncrement(l ir.Op, a, b, c int, yes *ssa.BasicBlock) bool {
	k := len(f.Code) - 1
	if k < f.starts[len(f.starts)-1] {
		return false
	}
	in := f.Code[k]
	if in.Op != ir.OpAddI || int(in.A) != a || in.A != in.B {
		return false
	}
	switch {
	case l == ir.OpLjlt && a != b && in.D >= 1 && in.D <= 255:
		l, c = ir.OpLinc, int(in.D)
	case l == ir.OpLjltI && in.D == 1:
		l = ir.OpLincI
	default:
		return false
	}
	f.Code, f.Pos = f.Code[:k], f.Pos[:k]
	f.jump(l, a, b, c, yes)
	return true
}

var loopOps = map[ir.Op]ir.Op{
	ir.OpJeq: ir.OpLjeq, ir.OpJne: ir.OpLjne, ir.OpJlt: ir.OpLjlt, ir.OpJle: ir.OpLjle, ir.OpJeqI: ir.OpLjeqI, ir.OpJneI: ir.OpLjneI,
	ir.OpJltI: ir.OpLjltI, ir.OpJleI: ir.OpLjleI, ir.OpJgtI: ir.OpLjgtI, ir.OpJgeI: ir.OpLjgeI,
}

var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// branchOp gives the jump taken when cmp, negated if not, holds.
func (f *fn) branchOp(cmp *ssa.BinOp, not bool) (op ir.Op, a, b, c int) {
	t := f.typ(cmp.X)
	tok := cmp.Op
	if t.Cells[0].M&ir.BankR != 0 {
		x := cmp.X
		if isNilConst(x) {
			x = cmp.Y
		}
		op = ir.OpJnil
		if (tok == token.NEQ) != not {
			op = ir.OpJnn
		}
		return op, f.use(x, 1), 0, 0
	}
	if ir.IsFloat(t) {
		return f.floatBranch(cmp, not)
	}
	if not {
		tok = negated[tok]
	}
	if !ir.IsUnsigned(t) || tok == token.EQL || tok == token.NEQ {
		if n, ok := f.intConst(cmp.Y); ok && n == int64(int16(n)) {
			op = map[token.Token]ir.Op{token.EQL: ir.OpJeqI, token.NEQ: ir.OpJneI, token.LSS: ir.OpJltI, token.LEQ: ir.OpJleI,
				token.GTR: ir.OpJgtI, token.GEQ: ir.OpJgeI}[tok]
			return op, f.use(cmp.X, 1), int(uint8(n)), int(uint8(n >> 8))
		}
	}
	op, swap := compareOp(tok, t, [6]ir.Op{ir.OpJeq, ir.OpJne, ir.OpJlt, ir.OpJle, ir.OpJult, ir.OpJule}, [4]ir.Op{})
	x, y := f.use(cmp.X, 1), f.use(cmp.Y, 2)
	if swap {
		x, y = y, x
	}
	return op, x, y, 0
}

// floatBranch keeps NaN right: the negation of < is not >=.
func (f *fn) floatBranch(cmp *ssa.BinOp, not bool) (op ir.Op, a, b, c int) {
	x, y := f.use(cmp.X, 1), f.use(cmp.Y, 2)
	if cmp.Op == token.GTR || cmp.Op == token.GEQ {
		x, y = y, x
	}
	switch cmp.Op {
	case token.LSS, token.GTR:
		op = ir.OpJflt
		if not {
			op = ir.OpJnflt
		}
	case token.LEQ, token.GEQ:
		op = ir.OpJfle
		if not {
			op = ir.OpJnfle
		}
	default:
		t := f.newTemp(1)
		d, done := f.outReg(t, ir.CellI)
		f.emit(ir.OpFeq, d, x, y, 0)
		done()
		op = ir.OpJt
		if (cmp.Op == token.NEQ) != not {
			op = ir.OpJf
		}
		return op, f.in(t, ir.CellI, 1), 0, 0
	}
	return op, x, y, 0
}

// branch compiles the If at the end of a block.
func (f *fn) branch(i *ssa.If) {
	b := i.Block()
	yes, no := b.Succs[0], b.Succs[1]
	my, mn := f.phiMoves(b, yes), f.phiMoves(b, no)
	direct := func(to *ssa.BasicBlock, ms []pmove) bool { return len(ms) == 0 && !f.back(b, to) }
	cond := func(not bool) (ir.Op, int, int, int) {
		if cmp, ok := i.Cond.(*ssa.BinOp); ok && f.fused(cmp) {
			return f.branchOp(cmp, not)
		}
		if not {
			return ir.OpJf, f.use(i.Cond, 1), 0, 0
		}
		return ir.OpJt, f.use(i.Cond, 1), 0, 0
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
		f.Code[at].D = int32(-2 - len(f.Code)) // a place in this function, patched in link
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
		f.jump(ir.OpLoop, 0, 0, 0, to)
		return
	}
	f.jump(ir.OpJmp, 0, 0, 0, to)
}

// ret moves the results to the start of the window and returns.
func (f *fn) ret(i *ssa.Return) {
	if f.late {
		f.runLateDefers(i)
	}
	if len(i.Results) == 1 && !isConstLike(i.Results[0]) {
		t := f.typ(i.Results[0])
		if t.W() == 1 && t.Cells[0].M == ir.BankI {
			if r := f.val(i.Results[0]); !far(r, 1) {
				f.emit(ir.OpRetI, r, 0, 0, 0)
				return
			}
		}
	}
	var ms []pmove
	off := 0
	for _, r := range i.Results {
		ms = f.addMoves(ms, off, r)
		off += f.typ(r).W()
	}
	f.parallel(ms)
	f.emit(ir.OpRet, 0, 0, 0, 0)
}

func (f *fn) selectInstr(i *ssa.Select) {
	x := &ir.SlowOp{Do: ir.DoSelect, A: f.val(i), Ok: i.Blocking}
	tt := f.typ(i)
	k := 2
	for _, s := range i.States {
		c := ir.SelectCase{Ch: f.val(s.Chan), Elem: f.typ(s.Chan).Elem, Dst: -1}
		if s.Send != nil {
			c.Send = true
			if c.Elem.W() > 0 {
				c.Val = f.val(s.Send)
			}
		} else {
			c.Dst = x.A + tt.Fields[k].Off
			k++
		}
		x.Sel = append(x.Sel, c)
	}
	f.ext(x)
}
