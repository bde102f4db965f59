package compile

import (
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// An addr is where a load or store goes.
type addr struct {
	kind int
	r    int // register, or that of the pointer or slice
	idx  int
	off  int
	elem *ir.Type // of the slice
	spot ir.Spot
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
		if !f.elemOf(x).Agg && f.loader.part == nil {
			return addr{kind: inGlobal, off: f.globalOff(x)}
		}
	case *ssa.FieldAddr:
		if f.lazy(x) {
			return f.fieldOf(x)
		}
	case *ssa.IndexAddr:
		if row, ok := f.rowOf(x); ok {
			return addr{kind: inRow, r: f.use(row.X, 1), idx: f.use(row.Index, 2), col: f.use(x.Index, 0), elem: f.elemOf(x), spot: f.unsigned(row.Index, ir.UnsignedRowIndex) | f.unsigned(x.Index, ir.UnsignedIndex)}
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
	if st.Agg {
		a = addr{kind: atPtr, r: f.use(x.X, 1)}
	} else {
		a = f.addrOf(x.X)
	}
	off := st.Fields[x.Field].Off
	if a.kind == inReg {
		a.r += off
	} else {
		a.off += off
	}
	return a
}

var bankOps = map[ir.Mask][4]ir.Op{ // load, store, global load, global store
	ir.BankI: {ir.OpLd, ir.OpSt, ir.OpGLd, ir.OpGSt},
	ir.BankS: {ir.OpLdS, ir.OpStS, ir.OpGLdS, ir.OpGStS},
	ir.BankR: {ir.OpLdR, ir.OpStR, ir.OpGLdR, ir.OpGStR},
	ir.BankP: {ir.OpLdP, ir.OpStP, ir.OpGLdP, ir.OpGStP},

	mSlice: {ir.OpLdSl, ir.OpStSl, ir.OpGLdSl, ir.OpGStSl},
}

// mSlice stands for the two cells of a slice, beside the masks of single cells.
const mSlice ir.Mask = 1 << 7

var sliceOps = map[ir.Mask][2]ir.Op{ir.BankI: {ir.OpXo, ir.OpYo}, ir.BankS: {ir.OpXoS, ir.OpYoS}, ir.BankR: {ir.OpXoR, ir.OpYoR}, ir.BankP: {ir.OpXoP, ir.OpYoP}, mSlice: {ir.OpXoSl, ir.OpYoSl}}

var nativeOps = map[reflect.Kind][2]ir.Op{
	reflect.Int: {ir.OpXInt, ir.OpYInt}, reflect.Uint8: {ir.OpXU8, ir.OpYU8}, reflect.Float64: {ir.OpXF64, ir.OpYF64},
	reflect.String: {ir.OpXStr, ir.OpYStr}, reflect.Bool: {ir.OpXBool, ir.OpYBool}, reflect.Int32: {ir.OpXI32, ir.OpYI32},
}

// load puts the value of type t at a into dst.
func (f *fn) load(dst int, a addr, t *ir.Type) {
	if t.W() == 0 {
		if a.kind == atPtr {
			f.ext(&ir.SlowOp{Do: ir.DoNilCheck, A: a.r})
		}
		return
	}
	if a.kind == inReg {
		f.move(dst, a.r, t.Cells)
		return
	}
	if !t.Plain() {
		f.ext(&ir.SlowOp{Do: ir.DoLoadAgg, A: dst, B: f.ptrReg(a), T: t})
		return
	}
	d, done := f.outReg(dst, t.Cells)
	f.accesses(0, d, a, t) // next to each other: the first may do them all
	done()
}

func (f *fn) store(a addr, src int, t *ir.Type) {
	if t.W() == 0 {
		if a.kind == atPtr {
			f.ext(&ir.SlowOp{Do: ir.DoNilCheck, A: a.r})
		}
		return
	}
	if a.kind == inReg {
		f.move(a.r, src, t.Cells)
		return
	}
	if !t.Plain() {
		f.ext(&ir.SlowOp{Do: ir.DoStoreAgg, A: src, B: f.ptrReg(a), T: t})
		return
	}
	f.accesses(1, f.in(src, t.Cells, 0), a, t)
}

// accesses loads (dir 0) or stores (dir 1) all cells of a value of type t.
func (f *fn) accesses(dir, r int, a addr, t *ir.Type) {
	for k := 0; k < t.W(); k++ {
		if t.SliceAt(k) {
			f.access(dir, r+k, a, k, mSlice)
			k++
			continue
		}
		f.access(dir, r+k, a, k, t.Cells[k].M)
	}
}

// access is one load (dir 0) or store (dir 1) of cell k at a.
func (f *fn) access(dir, r int, a addr, k int, m ir.Mask) {
	switch a.kind {
	case inGlobal:
		f.emit(bankOps[m][2+dir], r, 0, 0, a.off+k)
	case atPtr:
		f.emit(bankOps[m][dir], r, a.r, 0, a.off+k)
	case inRow:
		f.emitIndex(a.spot, rowOps[a.elem.Kind], r, a.r, a.idx, a.col)
	case atSlice:
		if ir.IsNative(a.elem) {
			ops, ok := nativeOps[a.elem.Kind]
			if !ok {
				ops = [2]ir.Op{ir.OpXAny, ir.OpYAny}
			}
			f.emitIndex(a.spot, ops[dir], r, a.r, a.idx, 0)
			return
		}
		f.emitIndex(a.spot, sliceOps[m][dir], r, a.r, a.idx, a.elem.W()|(a.off+k)<<16)
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
	d, done := f.outReg(dst, ir.CellP)
	switch a.kind {
	case inGlobal:
		f.emit(ir.OpGAddr, d, 0, 0, a.off)
	case atPtr:
		f.emit(ir.OpPadd, d, a.r, 0, a.off)
	case atSlice:
		stride := a.elem.W()
		if ir.IsNative(a.elem) {
			stride = 1
		}
		f.emitIndex(a.spot, ir.OpXp, d, a.r, a.idx, stride|a.off<<16)
	}
	done()
}
