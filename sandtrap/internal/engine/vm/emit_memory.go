package vm

import (
	"reflect"

	"golang.org/x/tools/go/ssa"
)

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

// load puts the value of type t at a into dst.
func (f *fn) load(dst int, a addr, t *Type) {
	if t.w() == 0 {
		if a.kind == atPtr {
			f.ext(&ext{do: DoNilCheck, a: a.r})
		}
		return
	}
	if a.kind == inReg {
		f.move(dst, a.r, t.cells)
		return
	}
	if !t.plain() {
		f.ext(&ext{do: DoLoadAgg, a: dst, b: f.ptrReg(a), t: t})
		return
	}
	d, done := f.outReg(dst, t.cells)
	f.accesses(0, d, a, t) // next to each other: the first may do them all
	done()
}

func (f *fn) store(a addr, src int, t *Type) {
	if t.w() == 0 {
		if a.kind == atPtr {
			f.ext(&ext{do: DoNilCheck, a: a.r})
		}
		return
	}
	if a.kind == inReg {
		f.move(a.r, src, t.cells)
		return
	}
	if !t.plain() {
		f.ext(&ext{do: DoStoreAgg, a: src, b: f.ptrReg(a), t: t})
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
