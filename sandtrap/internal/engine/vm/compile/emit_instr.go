package compile

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// instr compiles one instruction.
func (f *fn) instr(i ssa.Instruction) {
	f.temp = 0
	if i.Pos().IsValid() {
		f.cur = i.Pos()
	}
	if v, ok := i.(ssa.Value); ok {
		if a, isAlloc := v.(*ssa.Alloc); isAlloc && f.isPromoted(a) {
			f.zeroTo(f.regOf(a), f.elemOf(a).Cells)
			return
		}
		if f.lazy(v) || f.fused(v) {
			return
		}
	}
	if _, ok := i.(*ssa.Call); !ok && !isLoad(i) {
		f.loads = f.loads[:0]
	}
	switch i := i.(type) {
	case *ssa.DebugRef, *ssa.Phi:
	case *ssa.Alloc:
		f.ext(&ir.SlowOp{Do: ir.DoNew, A: f.val(i), T: f.elemOf(i)})
	case *ssa.BinOp:
		f.binop(i)
	case *ssa.UnOp:
		f.unop(i)
	case *ssa.Call:
		f.call(i)
		f.loads = f.loads[:0]
	case *ssa.ChangeInterface:
		f.moveTo(f.val(i), i.X)
	case *ssa.ChangeType:
		f.changeType(i)
	case *ssa.Convert:
		f.convert(i, i.X)
	case *ssa.MultiConvert:
		f.convert(i, i.X)
	case *ssa.MakeInterface:
		f.makeInterface(i)
	case *ssa.Slice:
		f.slice(i)
	case *ssa.SliceToArrayPointer:
		n := i.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len()
		f.ext(&ir.SlowOp{Do: ir.DoSliceToArray, A: f.val(i), B: f.val(i.X), N: n})
	case *ssa.Return:
		f.ret(i)
	case *ssa.RunDefers:
		f.ext(&ir.SlowOp{Do: ir.DoRunDefers})
	case *ssa.Panic:
		if !f.rangePanic(i) {
			f.ext(&ir.SlowOp{Do: ir.DoPanic, A: f.val(i.X)})
		}
	case *ssa.Send:
		f.ext(&ir.SlowOp{Do: ir.DoSend, A: f.val(i.Chan), B: f.val(i.X), T: f.typ(i.X)})
	case *ssa.Store:
		f.storeInstr(i)
	case *ssa.If:
		f.branch(i)
	case *ssa.Jump:
		f.jumpTo(i.Block(), i.Block().Succs[0])
	case *ssa.Defer:
		f.deferCall(i)
	case *ssa.Go:
		f.goCall(i)
	case *ssa.MakeChan:
		f.ext(&ir.SlowOp{Do: ir.DoMakeChan, A: f.val(i), B: f.val(i.Size), T: f.Types.Of(i.Type()), U: f.typ(i.Size)})
	case *ssa.MakeSlice:
		f.ext(&ir.SlowOp{Do: ir.DoMakeSlice, A: f.val(i), B: f.val(i.Len), C: f.val(i.Cap), T: f.typ(i).Elem, U: f.typ(i.Len), Types: []*ir.Type{f.typ(i.Cap)}})
	case *ssa.MakeMap:
		f.ext(&ir.SlowOp{Do: ir.DoMakeMap, A: f.val(i), T: f.typ(i)})
	case *ssa.Range:
		f.ext(&ir.SlowOp{Do: ir.DoRange, A: f.val(i), B: f.val(i.X), T: f.typ(i.X)})
	case *ssa.Next:
		f.next(i)
	case *ssa.FieldAddr:
		f.fieldAddr(i)
	case *ssa.Field:
		t := f.typ(i.X)
		if t.Kind == ir.KindHost {
			f.ext(&ir.SlowOp{Do: ir.DoHostFieldValue, A: f.val(i), B: f.val(i.X), T: f.typ(i), U: t, N: f.hostField(t, i.Field)})
			return
		}
		f.ext(&ir.SlowOp{Do: ir.DoField, A: f.val(i), B: f.val(i.X), T: t, N: int64(i.Field)})
	case *ssa.IndexAddr:
		f.indexAddr(i)
	case *ssa.Index:
		f.indexValue(i)
	case *ssa.Lookup:
		f.lookup(i)
	case *ssa.MapUpdate:
		f.ext(&ir.SlowOp{Do: ir.DoMapUpdate, A: f.val(i.Map), B: f.val(i.Key), C: f.val(i.Value), T: f.typ(i.Map)})
	case *ssa.TypeAssert:
		f.typeAssert(i)
	case *ssa.MakeClosure:
		f.makeClosure(i)
	case *ssa.Select:
		f.selectInstr(i)
	default:
		f.fail("unknown instruction %T", i)
	}
}

func (f *fn) storeInstr(i *ssa.Store) {
	if f.isUnmade(i) {
		return
	}
	if b, ok := f.modifies(i); ok {
		f.modify(i, b)
		return
	}
	t := f.typ(i.Val)
	a := f.addrOf(i.Addr)
	if a.kind == inReg && t.W() > 0 {
		f.moveTo(a.r, i.Val)
		return
	}
	src := f.val(i.Val)
	if t.Kind == ir.KindHost {
		f.ext(&ir.SlowOp{Do: ir.DoStoreAgg, A: src, B: f.ptrReg(a), T: t, Ok: f.isOwn(i.Addr)})
		return
	}
	f.store(a, src, t)
}

// isOwn reports the address of a variable of the script's, or of a field of a struct that is no type of the
// host's.
func (f *fn) isOwn(v ssa.Value) bool {
	if x, ok := v.(*ssa.FieldAddr); ok {
		return f.elemOf(x.X).Kind != ir.KindHost
	}
	return isVariable(v)
}

// isVariable reports the address of a variable of the script's, and not one that it got by a pointer.
func isVariable(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return true
	}
	return false
}

func (f *fn) fieldAddr(i *ssa.FieldAddr) {
	e := f.elemOf(i)
	dst := f.val(i)
	if st := f.elemOf(i.X); st.Kind == ir.KindHost {
		f.ext(&ir.SlowOp{Do: ir.DoHostField, A: dst, B: f.val(i.X), N: f.hostField(st, i.Field), T: e})
		return
	}
	a := f.fieldOf(i)
	if e.Agg {
		f.ext(&ir.SlowOp{Do: ir.DoFieldAgg, A: dst, B: f.ptrReg(a), T: e})
		return
	}
	f.pointerTo(dst, a)
}

// hostField is the index in the host's struct of a field that the universe shows as
// field k: those that are hidden have no place there.
func (f *fn) hostField(st *ir.Type, k int) int64 {
	name := st.T.Underlying().(*types.Struct).Field(k).Name()
	field, ok := st.Mem.FieldByName(name)
	if !ok || len(field.Index) != 1 || !field.IsExported() {
		f.fail("field %s of %s is not for scripts", name, st.Str)
	}
	return int64(field.Index[0])
}

func (f *fn) indexAddr(i *ssa.IndexAddr) {
	e := f.elemOf(i)
	a := addr{kind: atSlice, r: f.use(i.X, 1), idx: f.use(i.Index, 2), elem: e, spot: f.indexSpot(i.X, i.Index)}
	dst := f.val(i)
	f.pointerTo(dst, a)
	if e.Agg {
		f.ext(&ir.SlowOp{Do: ir.DoFieldAgg, A: dst, B: dst, T: e})
	}
}

func (f *fn) indexValue(i *ssa.Index) {
	xt := f.typ(i.X)
	if xt.Kind == reflect.String {
		f.indexString(i, i.X, i.Index)
		return
	}
	if xt.Kind != reflect.Array {
		f.fail("index of %s", xt.Str)
	}
	f.ext(&ir.SlowOp{Do: ir.DoIndexArray, A: f.val(i), B: f.val(i.X), C: f.val(i.Index), T: xt, U: f.typ(i.Index)})
}

// indexString is the byte of s at index, for v.
func (f *fn) indexString(v, s, index ssa.Value) {
	x, idx := f.use(s, 1), f.use(index, 2)
	d, done := f.outReg(f.val(v), ir.CellI)
	f.emitIndex(f.unsigned(index, ir.UnsignedIndex), ir.OpSidx, d, x, idx, 0)
	done()
}

func (f *fn) next(i *ssa.Next) {
	t := f.typ(i)
	f.ext(&ir.SlowOp{Do: ir.DoNext, A: f.val(i), B: f.val(i.Iter), T: t, Ok: i.IsString})
}

func (f *fn) makeInterface(i *ssa.MakeInterface) {
	t := f.typ(i.X)
	if it := f.typ(i).Host; it != nil && !t.Native && len(*i.Referrers()) > 0 && !f.loader.machine.Shows(f.Wrappers, it) && !f.standard(i.Type()) {
		f.refuse(usedAt(i), "show a "+t.Str+" to the host as "+f.typ(i).Str+", whose methods cannot be made while a program runs",
			"ask for a wrapper of that interface in the policy, or use a function or an interface of the standard library")
	}
	f.needMethods(t)
	f.ext(&ir.SlowOp{Do: ir.DoMakeIface, A: f.val(i), B: f.val(i.X), T: t})
}

// standard reports a type of Go's library. Those of its interfaces that no host
// function asks for in earnest may be used in the script.
func (f *fn) standard(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && slices.ContainsFunc(f.loader.bindings(), func(b rewrite.Binding) bool {
		return b.Standard && b.Path == n.Obj().Pkg().Path()
	})
}

// usedAt is where a conversion is that may not be written down: at what needs it.
func usedAt(i *ssa.MakeInterface) token.Pos {
	for _, r := range *i.Referrers() {
		if !i.Pos().IsValid() && r.Pos().IsValid() {
			return r.Pos()
		}
	}
	return i.Pos()
}

func (f *fn) typeAssert(i *ssa.TypeAssert) {
	t := f.Types.Of(i.AssertedType)
	if !i.CommaOk && t == f.typ(i.X) && f.methodValue(i) {
		f.ext(&ir.SlowOp{Do: ir.DoNilCheck, A: f.use(i.X, 1)}) // of a method value
		f.moveTo(f.val(i), i.X)
		return
	}
	x := &ir.SlowOp{Do: ir.DoTypeAssert, A: f.val(i), B: f.val(i.X), T: t, U: f.typ(i.X), Ok: i.CommaOk}
	if t.Kind == reflect.Interface {
		x.Do = ir.DoIfaceAssert
		it := i.AssertedType.Underlying().(*types.Interface)
		for k := range it.NumMethods() {
			f.methodID(it.Method(k))
			x.Regs = append(x.Regs, f.methodID(it.Method(k)))
		}
	}
	f.ext(x)
}

// methodValue reports the check that comes before the method of an interface is
// taken as a value: nobody uses its result.
func (f *fn) methodValue(i *ssa.TypeAssert) bool {
	for _, r := range *i.Referrers() {
		if _, ok := r.(*ssa.DebugRef); !ok {
			return false
		}
	}
	return true
}

func (f *fn) makeClosure(i *ssa.MakeClosure) {
	fn := f.funcOf(i.Fn.(*ssa.Function))
	fn.Valued = true
	x := &ir.SlowOp{Do: ir.DoClosure, A: f.val(i), Fn: fn, T: f.typ(i)}
	for _, b := range i.Bindings {
		if v := f.copied(b); v != nil {
			b = v
		}
		r, t := f.operand(b)
		x.Regs, x.Types = append(x.Regs, r), append(x.Types, t)
	}
	f.ext(x)
}

// wholeSlice are the registers of the bounds of s[:]: none.
var wholeSlice = []int{-1, -1, -1}

func (f *fn) slice(i *ssa.Slice) {
	x := &ir.SlowOp{Do: ir.DoSlice, A: f.val(i), B: f.val(i.X), T: f.typ(i.X), Regs: wholeSlice}
	for k, v := range [...]ssa.Value{i.Low, i.High, i.Max} {
		if v != nil {
			if x.Types == nil {
				x.Regs, x.Types = slices.Clone(wholeSlice), make([]*ir.Type, len(wholeSlice))
			}
			x.Regs[k], x.Types[k] = f.val(v), f.typ(v)
		}
	}
	if a, ok := i.X.(*ssa.Alloc); ok {
		x.S = a.Comment
	}
	if x.T.Kind == reflect.String {
		x.Do = ir.DoSliceString
	}
	f.ext(x)
}

func (f *fn) unop(i *ssa.UnOp) {
	t := f.typ(i)
	dst := 0
	if t.W() > 0 {
		dst = f.val(i)
	}
	switch i.Op {
	case token.MUL:
		if v, ok := f.isCopied(i); ok {
			f.moveTo(dst, v)
			return
		}
		a := f.addrOf(i.X)
		if f.load(dst, a, t); t.Kind == ir.KindHost && a.kind != inReg {
			f.loads = append(f.loads, hostLoad{i, f.lastExt})
		}
		f.endRange(i)
		return
	case token.ARROW:
		f.ext(&ir.SlowOp{Do: ir.DoRecv, A: dst, B: f.val(i.X), T: f.typ(i.X).Elem, Ok: i.CommaOk})
		return
	}
	if ir.IsComplex(t) {
		f.ext(&ir.SlowOp{Do: ir.DoComplexNeg, A: dst, B: f.val(i.X)})
		return
	}
	x := f.use(i.X, 1)
	d, done := f.outReg(dst, t.Cells)
	switch i.Op {
	case token.NOT:
		f.emit(ir.OpLnot, d, x, 0, 0)
	case token.SUB:
		if ir.IsFloat(t) {
			f.emit(ir.OpFneg, d, x, 0, 0)
		} else {
			f.emit(ir.OpNeg, d, x, 0, 0)
			f.wrap(d, t)
		}
	case token.XOR:
		f.emit(ir.OpNot, d, x, 0, 0)
		f.wrap(d, t)
	default:
		f.fail("unary %s", i.Op)
	}
	done()
}
