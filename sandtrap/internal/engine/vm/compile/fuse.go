package compile

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// A value is fused when it has no code of its own because the instruction that uses
// it, its only user, does what it would have done.

// onlyUser is the instruction that alone uses v, or nil.
func onlyUser(v ssa.Value) ssa.Instruction {
	var user ssa.Instruction
	for _, r := range *v.Referrers() {
		if _, ok := r.(*ssa.DebugRef); ok {
			continue
		}
		if user != nil {
			return nil
		}
		user = r
	}
	return user
}

// isPure reports an instruction that changes nothing and cannot fail.
func (f *fn) isPure(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.DebugRef, *ssa.Phi:
		return true
	case *ssa.BinOp:
		switch i.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
			return f.typ(i).Kind != reflect.String && !f.isField(i.Y)
		}
	case *ssa.Convert:
		return isNumber(f.typ(i)) && isNumber(f.typ(i.X))
	case *ssa.Call:
		return f.lazy(i)
	case ssa.Value:
		return f.lazy(i)
	}
	return false
}

func isNumber(t *ir.Type) bool { return ir.IsInteger(t) || ir.IsFloat(t) }

// fuse finds the values that are fused, before anything else is asked about them.
func (f *fn) fuse() {
	for _, b := range f.blocks {
		for k, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				f.fuseStore(i, b.Instrs[:k])
			case *ssa.UnOp:
				f.fuseRow(i, b.Instrs[:k])
			case *ssa.BinOp:
				f.fuseOperand(i, b.Instrs[:k])
			case *ssa.Call:
				f.fuseAppend(i)
			}
		}
	}
}

// maxApart is how far apart instructions may be that become one.
const maxApart = 8

// lastBut gives what comes before a if that is the last of is but for what could make
// no difference to it.
func (f *fn) lastBut(is []ssa.Instruction, a ssa.Instruction) ([]ssa.Instruction, bool) {
	for k := len(is) - 1; k >= max(0, len(is)-maxApart); k-- {
		if is[k] == a {
			return is[:k], true
		}
		if !f.isPure(is[k]) {
			break
		}
	}
	return nil, false
}

// fuseRow joins the load of an element with that of its row, a slice in a slice.
func (f *fn) fuseRow(load *ssa.UnOp, before []ssa.Instruction) {
	col, ok := load.X.(*ssa.IndexAddr)
	if !ok || load.Op != token.MUL || rowOps[f.elemOf(col).Kind] == 0 || onlyUser(col) != load || !f.lazy(col) {
		return
	}
	u, ok := col.X.(*ssa.UnOp)
	if !ok || u.Op != token.MUL || f.typ(u).Kind != reflect.Slice || onlyUser(u) != col {
		return
	}
	row, ok := u.X.(*ssa.IndexAddr)
	if !ok || f.typ(row.X).Kind != reflect.Slice || !f.lazy(row) {
		return
	}
	if _, ok := f.lastBut(before, u); ok {
		f.fact(u).lazy = 1
	}
}

// rowOf is the address of the row that x is in, if that is not loaded by itself.
func (f *fn) rowOf(x *ssa.IndexAddr) (*ssa.IndexAddr, bool) {
	u, ok := x.X.(*ssa.UnOp)
	if !ok || !f.lazy(u) {
		return nil, false
	}
	row, ok := u.X.(*ssa.IndexAddr)
	return row, ok
}

var rowOps = map[reflect.Kind]ir.Op{reflect.Int: ir.OpXXInt, reflect.Float64: ir.OpXXF64}

// wholeCell are the numbers that fill a cell: after an operation nothing is cut off.
var wholeCell = kinds.Of(reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Float64)

// fuseStore joins *a = *a op y.
func (f *fn) fuseStore(s *ssa.Store, before []ssa.Instruction) {
	b, ok := s.Val.(*ssa.BinOp)
	if !ok || b.Op != token.ADD && b.Op != token.SUB || onlyUser(b) != s {
		return
	}
	u, ok := b.X.(*ssa.UnOp)
	if !ok || u.Op != token.MUL || !sameAddr(u.X, s.Addr) || onlyUser(u) != b {
		return
	}
	if !wholeCell.Has(f.typ(b).Kind) {
		return
	}
	field := f.isField(b.Y) // which b cannot load if it is part of the store
	if field {
		f.fact(b.Y).lazy = -1
	}
	if before, ok = f.lastBut(before, b); ok {
		before, ok = f.lastBut(before, u)
	}
	switch {
	case ok && f.modifiable(s.Addr, f.typ(b).Kind) && (f.productIn(b.Y) == nil || f.behindPointer(s.Addr)):
		f.fact(b).lazy, f.fact(u).lazy = 1, 1
		if f.behindPointer(s.Addr) {
			f.fuseProduct(b, before)
		}
	case field:
		f.fact(b.Y).lazy = 1
	}
}

// modifies gives the operation that is part of s.
func (f *fn) modifies(s *ssa.Store) (*ssa.BinOp, bool) {
	b, ok := s.Val.(*ssa.BinOp)
	return b, ok && f.lazy(b)
}

// sameAddr reports addresses of the same place: go/ssa makes those of fields and
// elements anew for each use.
func sameAddr(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch x := a.(type) {
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.X == y.X && x.Field == y.Field
	case *ssa.IndexAddr:
		y, ok := b.(*ssa.IndexAddr)
		return ok && x.X == y.X && x.Index == y.Index
	}
	return false
}

// modifiable reports memory that there are instructions for.
func (f *fn) modifiable(v ssa.Value, k reflect.Kind) bool {
	switch x := v.(type) {
	case *ssa.Alloc:
		return !f.isPromoted(x)
	case *ssa.Global:
		return !isFloatKind(k) || f.loader.part != nil
	case *ssa.FieldAddr:
		return !f.lazy(x) || f.modifiableField(x)
	case *ssa.IndexAddr:
		if f.lazy(x) && ir.IsNative(f.elemOf(x)) {
			return k == reflect.Int || k == reflect.Float64
		}
	}
	return true
}

func isFloatKind(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }

// modifiableField reports a field of an object, not one of a variable in registers or
// a global one.
func (f *fn) modifiableField(x *ssa.FieldAddr) bool {
	if f.elemOf(x.X).Agg {
		return true
	}
	switch y := x.X.(type) {
	case *ssa.Alloc:
		return !f.isPromoted(y)
	case *ssa.Global:
		return f.loader.part != nil
	case *ssa.FieldAddr:
		return !f.lazy(y) || f.modifiableField(y)
	}
	return true
}

// modify compiles a modifying store.
func (f *fn) modify(s *ssa.Store, b *ssa.BinOp) {
	a, t := f.addrOf(s.Addr), f.typ(b)
	if p := f.productIn(b.Y); p != nil {
		op := ir.OpFmaddM
		if b.Op == token.SUB {
			op = ir.OpFmsubM
		}
		f.emit(op, f.use(p.X, 0), a.r, f.use(p.Y, 2), a.off)
		return
	}
	n, small := f.intConst(b.Y)
	if b.Op == token.SUB {
		n = -n
	}
	if small && n >= -128 && n < 128 {
		f.modifyAt(a, incOps, int(n)+128)
		return
	}
	ops := addOps
	switch {
	case ir.IsFloat(t) && b.Op == token.ADD:
		ops = faddOps
	case ir.IsFloat(t):
		ops = fsubOps
	case b.Op == token.SUB:
		ops = subOps
	}
	f.modifyAt(a, ops, f.use(b.Y, 0))
}

// What modifies memory, by where it is: behind a pointer, a global variable, an element
// held natively, a cell of an element.
var (
	incOps  = [4]ir.Op{ir.OpIncM, ir.OpGInc, ir.OpYInc, ir.OpYoInc}
	addOps  = [4]ir.Op{ir.OpAddM, ir.OpGAdd, ir.OpYAdd, ir.OpYoAdd}
	subOps  = [4]ir.Op{ir.OpSubM, ir.OpGSub, ir.OpYSub, ir.OpYoSub}
	faddOps = [4]ir.Op{ir.OpFaddM, 0, ir.OpYFadd, ir.OpYoFadd}
	fsubOps = [4]ir.Op{ir.OpFsubM, 0, ir.OpYFsub, ir.OpYoFsub}
)

func (f *fn) modifyAt(a addr, ops [4]ir.Op, y int) {
	switch {
	case a.kind == inGlobal:
		f.emit(ops[1], y, 0, 0, a.off)
	case a.kind == atPtr:
		f.emit(ops[0], y, a.r, 0, a.off)
	case ir.IsNative(a.elem):
		f.emitIndex(a.spot, ops[2], y, a.r, a.idx, 0)
	default:
		f.emitIndex(a.spot, ops[3], y, a.r, a.idx, a.elem.W()|a.off<<16)
	}
}
