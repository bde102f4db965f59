package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Registers from nearMax up cannot be named by an instruction's bytes. They are
// reached by far moves through the scratch cells, which start there.
const (
	nearMax     = 208
	scratchSize = 12
	scratchEnd  = nearMax + 4*scratchSize
)

// past is where a row of w cells can be that was to be at r: not in the scratch cells.
func past(r, w int) int {
	if r < scratchEnd && r+w > nearMax {
		return scratchEnd
	}
	return r
}

func (f *fn) emit(op ir.Op, a, b, c int, d int) int {
	f.Code = append(f.Code, ir.Ins{Op: op, A: f.near(a), B: f.near(b), C: f.near(c), D: int32(d)})
	f.Pos = append(f.Pos, ir.Spot(f.cur))
	return len(f.Code) - 1
}

func (f *fn) near(r int) uint8 {
	if r < 0 || r > 255 {
		f.fail("internal: register %d out of reach", r)
	}
	return uint8(r)
}

// far reports whether cells r.. need far moves.
func far(r, w int) bool { return r+w > nearMax }

// in makes sure the cells r..r+len(cs) can be named, loading far ones into
// scratch area n.
func (f *fn) in(r int, cs []ir.Cell, n int) int {
	if !far(r, len(cs)) {
		return r
	}
	s := nearMax + n*scratchSize
	for k, c := range cs {
		f.emit(ir.OpFarLd, s+k, int(c.M), 0, r+k)
	}
	return s
}

// outReg gives where to compute what belongs at r; done moves it there.
func (f *fn) outReg(r int, cs []ir.Cell) (int, func()) {
	if !far(r, len(cs)) {
		return r, func() {}
	}
	s := nearMax + 3*scratchSize
	return s, func() {
		for k, c := range cs {
			f.emit(ir.OpFarSt, s+k, int(c.M), 0, r+k)
		}
	}
}

// ext adds a slow instruction.
func (f *fn) ext(x *ir.SlowOp) {
	f.lastExt = x
	f.emit(ir.OpStop, 0, 0, 0, f.putExt(x))
}

// newTemp reserves w cells until the next instruction.
func (f *fn) newTemp(w int) int {
	r := past(f.nfixed+f.temp, w)
	f.temp = r + w - f.nfixed
	f.maxTemp = max(f.maxTemp, f.temp)
	return r
}

func (f *fn) jump(op ir.Op, a, b, c int, to *ssa.BasicBlock) {
	at := f.emit(op, a, b, c, 0)
	f.fixups = append(f.fixups, fixup{at, to.Index})
}

// move copies cells between registers.
func (f *fn) move(dst, src int, cs []ir.Cell) {
	if dst == src {
		return
	}
	if len(cs) == 2 && cs[0].M == ir.BankP && cs[1].M == ir.BankI && !far(dst, 2) && !far(src, 2) {
		f.emit(ir.OpMovSl, dst, src, 0, 0)
		return
	}
	order := func(k int) int { return k }
	if dst > src {
		order = func(k int) int { return len(cs) - 1 - k }
	}
	for k := range cs {
		k = order(k)
		c := cs[k : k+1]
		s := f.in(src+k, c, 0)
		d, done := f.outReg(dst+k, c)
		f.moveCell(d, s, c[0].M)
		done()
	}
}

func (f *fn) moveCell(d, s int, m ir.Mask) {
	switch {
	case m == ir.BankP:
		f.emit(ir.OpMovP, d, s, 0, 0)
	case m == ir.BankI:
		f.emit(ir.OpMovI, d, s, 0, 0)
	case m == ir.BankS:
		f.emit(ir.OpMovS, d, s, 0, 0)
	case m == ir.BankR:
		f.emit(ir.OpMovR, d, s, 0, 0)
	}
}

// A pmove is one cell of a parallel move.
type pmove struct {
	dst int
	src int // -1: v is a constant
	m   ir.Mask
	v   ssa.Value
}

// parallel does moves that must look simultaneous.
func (f *fn) parallel(ms []pmove) {
	var todo []pmove
	var consts []pmove
	for _, m := range ms {
		if m.src < 0 {
			consts = append(consts, m)
		} else if m.src != m.dst {
			todo = append(todo, m)
		}
	}
	for len(todo) > 0 {
		done := false
		for i, m := range todo {
			if !f.blocked(m, todo, i) {
				f.move(m.dst, m.src, []ir.Cell{{M: m.m}})
				todo = append(todo[:i], todo[i+1:]...)
				done = true
				break
			}
		}
		if done {
			continue
		}
		t := f.newTemp(1)
		m := &todo[0]
		f.move(t, m.src, []ir.Cell{{M: m.m}})
		m.src = t
	}
	for _, m := range consts {
		f.moveTo(m.dst, m.v)
	}
}

// blocked reports that a later move still reads what m would overwrite.
func (f *fn) blocked(m pmove, all []pmove, self int) bool {
	for i, o := range all {
		if i != self && o.src == m.dst && o.m&m.m != 0 {
			return true
		}
	}
	return false
}

// addMoves appends the cells of dst = v.
func (f *fn) addMoves(ms []pmove, dst int, v ssa.Value) []pmove {
	t := f.typ(v)
	if isConstLike(v) {
		if t.W() == 0 {
			return ms
		}
		return append(ms, pmove{dst: dst, src: -1, v: v})
	}
	src := 0
	if t.W() > 0 {
		src = f.val(v)
	}
	if src == dst {
		return ms
	}
	for k, c := range t.Cells {
		ms = append(ms, pmove{dst: dst + k, src: src + k, m: c.M})
	}
	return ms
}
