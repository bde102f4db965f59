package vm

import "golang.org/x/tools/go/ssa"

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

func (f *fn) emit(op Op, a, b, c int, d int) int {
	f.code = append(f.code, Ins{op, f.near(a), f.near(b), f.near(c), int32(d)})
	f.pos = append(f.pos, spot(f.cur))
	return len(f.code) - 1
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
func (f *fn) in(r int, cs []cell, n int) int {
	if !far(r, len(cs)) {
		return r
	}
	s := nearMax + n*scratchSize
	for k, c := range cs {
		f.emit(opFarLd, s+k, int(c.m), 0, r+k)
	}
	return s
}

// outReg gives where to compute what belongs at r; done moves it there.
func (f *fn) outReg(r int, cs []cell) (int, func()) {
	if !far(r, len(cs)) {
		return r, func() {}
	}
	s := nearMax + 3*scratchSize
	return s, func() {
		for k, c := range cs {
			f.emit(opFarSt, s+k, int(c.m), 0, r+k)
		}
	}
}

// ext adds a slow instruction.
func (f *fn) ext(x *ext) {
	f.lastExt = x
	f.emit(opStop, 0, 0, 0, f.putExt(x))
}

// newTemp reserves w cells until the next instruction.
func (f *fn) newTemp(w int) int {
	r := past(f.nfixed+f.temp, w)
	f.temp = r + w - f.nfixed
	f.maxTemp = max(f.maxTemp, f.temp)
	return r
}

func (f *fn) jump(op Op, a, b, c int, to *ssa.BasicBlock) {
	at := f.emit(op, a, b, c, 0)
	f.fixups = append(f.fixups, fixup{at, to.Index})
}

// move copies cells between registers.
func (f *fn) move(dst, src int, cs []cell) {
	if dst == src {
		return
	}
	if len(cs) == 2 && cs[0].m == mP && cs[1].m == mI && !far(dst, 2) && !far(src, 2) {
		f.emit(opMovSl, dst, src, 0, 0)
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
		f.moveCell(d, s, c[0].m)
		done()
	}
}

func (f *fn) moveCell(d, s int, m mask) {
	switch {
	case m == mP:
		f.emit(opMovP, d, s, 0, 0)
	case m == mI:
		f.emit(opMovI, d, s, 0, 0)
	case m == mS:
		f.emit(opMovS, d, s, 0, 0)
	case m == mR:
		f.emit(opMovR, d, s, 0, 0)
	}
}

// A pmove is one cell of a parallel move.
type pmove struct {
	dst int
	src int // -1: v is a constant
	m   mask
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
				f.move(m.dst, m.src, []cell{{m: m.m}})
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
		f.move(t, m.src, []cell{{m: m.m}})
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
		if t.w() == 0 {
			return ms
		}
		return append(ms, pmove{dst: dst, src: -1, v: v})
	}
	src := 0
	if t.w() > 0 {
		src = f.val(v)
	}
	if src == dst {
		return ms
	}
	for k, c := range t.cells {
		ms = append(ms, pmove{dst: dst + k, src: src + k, m: c.m})
	}
	return ms
}
