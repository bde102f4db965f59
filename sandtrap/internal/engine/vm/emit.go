package vm

import (
	"go/constant"
	"reflect"

	"golang.org/x/tools/go/ssa"
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

var (
	cellI = []cell{{m: mI}}
	cellS = []cell{{m: mS}}
	cellR = []cell{{m: mR}}
	cellP = []cell{{m: mP}}
)

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

// val gives the register of v, computing constants into a temporary.
func (f *fn) val(v ssa.Value) int {
	switch v := v.(type) {
	case *ssa.Alloc:
		if f.isPromoted(v) {
			return f.regOf(v)
		}
	case *ssa.UnOp:
		if x, ok := f.isCopied(v); ok && f.lazy(v) {
			return f.val(x)
		}
	case *ssa.Extract:
		return f.val(v.Tuple) + f.typ(v.Tuple).fields[v.Index].off
	case *ssa.Call:
		if f.lazy(v) {
			return f.val(v.Call.Args[0]) // the length of a slice
		}
	case *ssa.ChangeType:
		return f.val(v.X)
	case *ssa.ChangeInterface:
		return f.val(v.X)
	case *ssa.Field:
		if f.lazy(v) {
			return f.val(v.X) + f.typ(v.X).fields[v.Field].off
		}
	}
	if c, ok := v.(*ssa.Const); ok {
		if r, ok := f.hoistedReg(c); ok {
			return r
		}
	}
	if isConstLike(v) {
		r := f.newTemp(f.typ(v).w())
		f.moveTo(r, v)
		return r
	}
	if f.typ(v).w() == 0 {
		return 0
	}
	r, ok := f.reg(v)
	if !ok {
		f.fail("internal: no register for %s = %s (%T)", v.Name(), v, v)
	}
	return r
}

// hoistedReg finds a constant that is kept in a register.
func (f *fn) hoistedReg(c *ssa.Const) (int, bool) {
	if len(f.hoisted) == 0 || c.Value == nil {
		return 0, false
	}
	t := f.typ(c)
	if !isFloat(t) && !isInteger(t) {
		return 0, false
	}
	i, _, _, _ := constBits(c.Value, t)
	r, ok := f.hoisted[hoistKey{i}]
	return r, ok
}

// use is val with far cells brought near.
func (f *fn) use(v ssa.Value, n int) int { return f.in(f.val(v), f.typ(v).cells, n) }

// moveTo puts v into the cells from dst on.
func (f *fn) moveTo(dst int, v ssa.Value) {
	t := f.typ(v)
	switch v := v.(type) {
	case *ssa.Const:
		f.constTo(dst, v, t)
		return
	case *ssa.ChangeType:
		if isConstLike(v) && !sameForm(t, f.typ(v.X)) {
			f.zeroTo(dst, t.cells)
			return
		}
		if isConstLike(v) {
			f.moveTo(dst, v.X)
			return
		}
	case *ssa.Function:
		f.refTo(dst, f.closureOf(v))
		return
	case *ssa.Global:
		f.globalAddr(dst, v)
		return
	}
	f.move(dst, f.val(v), t.cells)
}

func (f *fn) refTo(dst int, r any) {
	d, done := f.outReg(dst, cellR)
	f.emit(opLdKR, d, 0, 0, f.putRef(r))
	done()
}

func (f *fn) intTo(dst int, i int64) {
	d, done := f.outReg(dst, cellI)
	if int64(int32(i)) == i {
		f.emit(opLdI, d, 0, 0, int(i))
	} else {
		f.emit(opLdKI, d, 0, 0, f.putInt(i))
	}
	done()
}

func (f *fn) zeroTo(dst int, cs []cell) {
	for k, c := range cs {
		if c.m&mR != 0 {
			d, done := f.outReg(dst+k, []cell{{m: c.m & mP}})
			f.emit(opNil, d, 0, 0, 0)
			done()
		} else if c.m&mI != 0 {
			f.intTo(dst+k, 0)
		}
		if c.m&mS != 0 {
			f.strTo(dst+k, "")
		}
	}
}

func (f *fn) strTo(dst int, s string) {
	d, done := f.outReg(dst, cellS)
	f.emit(opLdKS, d, 0, 0, f.putStr(s))
	done()
}

func (f *fn) constTo(dst int, c *ssa.Const, t *Type) {
	if c.Value == nil {
		f.zeroTo(dst, t.cells)
		return
	}
	if t.kind == reflect.Interface {
		f.fail("constant of interface type %s", c)
	}
	i, s, re, im := constBits(c.Value, t)
	switch t.kind {
	case reflect.String:
		f.strTo(dst, s)
	case reflect.Complex64, reflect.Complex128:
		f.intTo(dst, f2i(re))
		f.intTo(dst+1, f2i(im))
	default:
		f.intTo(dst, i)
	}
}

// constBits is the value of a constant in the form its type has in a cell.
func constBits(v constant.Value, t *Type) (i int64, s string, re, im float64) {
	switch t.kind {
	case reflect.Bool:
		return b2i(constant.BoolVal(v)), "", 0, 0
	case reflect.String:
		if v.Kind() == constant.Int {
			n, _ := constant.Int64Val(v)
			return 0, string(rune(n)), 0, 0
		}
		return 0, constant.StringVal(v), 0, 0
	case reflect.Float32:
		x, _ := constant.Float32Val(constant.ToFloat(v))
		return f2i(float64(x)), "", 0, 0
	case reflect.Float64:
		x, _ := constant.Float64Val(constant.ToFloat(v))
		return f2i(x), "", 0, 0
	case reflect.Complex64:
		v = constant.ToComplex(v)
		a, _ := constant.Float32Val(constant.Real(v))
		b, _ := constant.Float32Val(constant.Imag(v))
		return 0, "", float64(a), float64(b)
	case reflect.Complex128:
		v = constant.ToComplex(v)
		re, _ = constant.Float64Val(constant.Real(v))
		im, _ = constant.Float64Val(constant.Imag(v))
		return 0, "", re, im
	}
	v = constant.ToInt(v)
	if x, ok := constant.Int64Val(v); ok {
		return x, "", 0, 0
	}
	u, _ := constant.Uint64Val(v)
	return int64(u), "", 0, 0
}

// intConst gives the value of a small integer constant.
func (f *fn) intConst(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil && f.typ(v).cells == nil {
		return 0, false
	}
	t := f.typ(v)
	if t.w() != 1 || t.cells[0].m != mI || t.kind == reflect.Float32 || t.kind == reflect.Float64 {
		return 0, false
	}
	if c.Value == nil {
		return 0, true
	}
	i, _, _, _ := constBits(c.Value, t)
	return i, true
}

func (f *fn) globalAddr(dst int, g *ssa.Global) {
	if f.loader.part != nil {
		f.partGlobal(dst, f.loader.part.global(f.compiler, g))
		return
	}
	off := f.globalOff(g)
	e := f.elemOf(g)
	if e.agg {
		f.ext(&ext{do: doGlobalAgg, a: dst, n: int64(off), t: e})
		return
	}
	d, done := f.outReg(dst, cellP)
	f.emit(opGAddr, d, 0, 0, off)
	done()
}

// An addr is where a load or store goes.
type addr struct {
	kind int
	r    int // register, or that of the pointer or slice
	idx  int
	off  int
	elem *Type // of the slice
	spot spot
	col  int // register of the index in a row
}

const (
	inReg = iota
	inGlobal
	atPtr
	atSlice
	inRow // an element of a slice that is an element of a slice
)

func (f *fn) addrOf(v ssa.Value) addr {
	switch x := v.(type) {
	case *ssa.Alloc:
		if f.isPromoted(x) {
			return addr{kind: inReg, r: f.regOf(x)}
		}
	case *ssa.Global:
		if !f.elemOf(x).agg && f.loader.part == nil {
			return addr{kind: inGlobal, off: f.globalOff(x)}
		}
	case *ssa.FieldAddr:
		if f.lazy(x) {
			return f.fieldOf(x)
		}
	case *ssa.IndexAddr:
		if row, ok := f.rowOf(x); ok {
			return addr{kind: inRow, r: f.use(row.X, 1), idx: f.use(row.Index, 2), col: f.use(x.Index, 0), elem: f.elemOf(x), spot: f.unsigned(row.Index, unsignedRowIndex) | f.unsigned(x.Index, unsignedIndex)}
		}
		if f.lazy(x) {
			return addr{kind: atSlice, r: f.use(x.X, 1), idx: f.use(x.Index, 2), elem: f.elemOf(x), spot: f.indexSpot(x.X, x.Index)}
		}
	}
	return addr{kind: atPtr, r: f.use(v, 1)}
}

// fieldOf is the address of a field, before any step through a reference.
func (f *fn) fieldOf(x *ssa.FieldAddr) addr {
	st := f.elemOf(x.X)
	var a addr
	if st.agg {
		a = addr{kind: atPtr, r: f.use(x.X, 1)}
	} else {
		a = f.addrOf(x.X)
	}
	off := st.fields[x.Field].off
	if a.kind == inReg {
		a.r += off
	} else {
		a.off += off
	}
	return a
}

var bankOps = map[mask][4]Op{ // load, store, global load, global store
	mI: {opLd, opSt, opGLd, opGSt},
	mS: {opLdS, opStS, opGLdS, opGStS},
	mR: {opLdR, opStR, opGLdR, opGStR},
	mP: {opLdP, opStP, opGLdP, opGStP},

	mSlice: {opLdSl, opStSl, opGLdSl, opGStSl},
}

// mSlice stands for the two cells of a slice, beside the masks of single cells.
const mSlice mask = 1 << 7

var sliceOps = map[mask][2]Op{mI: {opXo, opYo}, mS: {opXoS, opYoS}, mR: {opXoR, opYoR}, mP: {opXoP, opYoP}, mSlice: {opXoSl, opYoSl}}

var nativeOps = map[reflect.Kind][2]Op{
	reflect.Int: {opXInt, opYInt}, reflect.Uint8: {opXU8, opYU8}, reflect.Float64: {opXF64, opYF64},
	reflect.String: {opXStr, opYStr}, reflect.Bool: {opXBool, opYBool}, reflect.Int32: {opXI32, opYI32},
}

// isNative reports an element type that has a store of its own.
func isNative(t *Type) bool {
	return t.w() == 1 && !t.agg && (t.cells[0].m == mI && t.kind != reflect.Struct || t.kind == reflect.String)
}

// load puts the value of type t at a into dst.
func (f *fn) load(dst int, a addr, t *Type) {
	if t.w() == 0 {
		if a.kind == atPtr {
			f.ext(&ext{do: doNilCheck, a: a.r})
		}
		return
	}
	if a.kind == inReg {
		f.move(dst, a.r, t.cells)
		return
	}
	if !t.plain() {
		f.ext(&ext{do: doLoadAgg, a: dst, b: f.ptrReg(a), t: t})
		return
	}
	d, done := f.outReg(dst, t.cells)
	f.accesses(0, d, a, t) // next to each other: the first may do them all
	done()
}

func (f *fn) store(a addr, src int, t *Type) {
	if t.w() == 0 {
		if a.kind == atPtr {
			f.ext(&ext{do: doNilCheck, a: a.r})
		}
		return
	}
	if a.kind == inReg {
		f.move(a.r, src, t.cells)
		return
	}
	if !t.plain() {
		f.ext(&ext{do: doStoreAgg, a: src, b: f.ptrReg(a), t: t})
		return
	}
	f.accesses(1, f.in(src, t.cells, 0), a, t)
}

// accesses loads (dir 0) or stores (dir 1) all cells of a value of type t.
func (f *fn) accesses(dir, r int, a addr, t *Type) {
	for k := 0; k < t.w(); k++ {
		if t.sliceAt(k) {
			f.access(dir, r+k, a, k, mSlice)
			k++
			continue
		}
		f.access(dir, r+k, a, k, t.cells[k].m)
	}
}

// sliceAt reports two cells that one instruction moves.
func (t *Type) sliceAt(k int) bool {
	return k+1 < t.w() && t.cells[k].m == mP && t.cells[k+1].m == mI
}

// moves is the number of instructions that load or store a value of type t.
func (t *Type) moves() int {
	n := t.w()
	for k := 0; k < t.w(); k++ {
		if t.sliceAt(k) {
			n--
			k++
		}
	}
	return n
}

// access is one load (dir 0) or store (dir 1) of cell k at a.
func (f *fn) access(dir, r int, a addr, k int, m mask) {
	switch a.kind {
	case inGlobal:
		f.emit(bankOps[m][2+dir], r, 0, 0, a.off+k)
	case atPtr:
		f.emit(bankOps[m][dir], r, a.r, 0, a.off+k)
	case inRow:
		f.emitIndex(a.spot, rowOps[a.elem.kind], r, a.r, a.idx, a.col)
	case atSlice:
		if isNative(a.elem) {
			ops, ok := nativeOps[a.elem.kind]
			if !ok {
				ops = [2]Op{opXAny, opYAny}
			}
			f.emitIndex(a.spot, ops[dir], r, a.r, a.idx, 0)
			return
		}
		f.emitIndex(a.spot, sliceOps[m][dir], r, a.r, a.idx, a.elem.w()|(a.off+k)<<16)
	}
}

// ptrReg makes a pointer of a that is not inReg.
func (f *fn) ptrReg(a addr) int {
	if a.kind == atPtr && a.off == 0 {
		return a.r
	}
	r := f.newTemp(1)
	f.pointerTo(r, a)
	return r
}

func (f *fn) pointerTo(dst int, a addr) {
	d, done := f.outReg(dst, cellP)
	switch a.kind {
	case inGlobal:
		f.emit(opGAddr, d, 0, 0, a.off)
	case atPtr:
		f.emit(opPadd, d, a.r, 0, a.off)
	case atSlice:
		stride := a.elem.w()
		if isNative(a.elem) {
			stride = 1
		}
		f.emitIndex(a.spot, opXp, d, a.r, a.idx, stride|a.off<<16)
	}
	done()
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

func isFloat(t *Type) bool { return t.kind == reflect.Float32 || t.kind == reflect.Float64 }
func isComplex(t *Type) bool {
	return t.kind == reflect.Complex64 || t.kind == reflect.Complex128
}
func isUnsigned(t *Type) bool { return t.kind >= reflect.Uint && t.kind <= reflect.Uintptr }
func isInteger(t *Type) bool  { return t.kind >= reflect.Int && t.kind <= reflect.Uintptr }
