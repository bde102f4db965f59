package vm

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// instr compiles one instruction.
func (f *fn) instr(i ssa.Instruction) {
	f.temp = 0
	if i.Pos().IsValid() {
		f.cur = i.Pos()
	}
	if v, ok := i.(ssa.Value); ok {
		if a, isAlloc := v.(*ssa.Alloc); isAlloc && f.isPromoted(a) {
			f.zeroTo(f.regOf(a), f.elemOf(a).cells)
			return
		}
		if f.lazy(v) || f.fused(v) {
			return
		}
	}
	switch i := i.(type) {
	case *ssa.DebugRef, *ssa.Phi:
	case *ssa.Alloc:
		f.ext(&ext{do: DoNew, a: f.val(i), t: f.elemOf(i)})
	case *ssa.BinOp:
		f.binop(i)
	case *ssa.UnOp:
		f.unop(i)
	case *ssa.Call:
		f.call(i)
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
		f.ext(&ext{do: DoSliceToArray, a: f.val(i), b: f.val(i.X), n: n})
	case *ssa.Return:
		f.ret(i)
	case *ssa.RunDefers:
		f.ext(&ext{do: DoRunDefers})
	case *ssa.Panic:
		if !f.rangePanic(i) {
			f.ext(&ext{do: DoPanic, a: f.val(i.X)})
		}
	case *ssa.Send:
		f.ext(&ext{do: DoSend, a: f.val(i.Chan), b: f.val(i.X), t: f.typ(i.X)})
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
		f.ext(&ext{do: DoMakeChan, a: f.val(i), b: f.val(i.Size), t: f.types.of(i.Type()), u: f.typ(i.Size)})
	case *ssa.MakeSlice:
		f.ext(&ext{do: DoMakeSlice, a: f.val(i), b: f.val(i.Len), c: f.val(i.Cap), t: f.typ(i).elem, u: f.typ(i.Len), types: []*Type{f.typ(i.Cap)}})
	case *ssa.MakeMap:
		f.ext(&ext{do: DoMakeMap, a: f.val(i), t: f.typ(i)})
	case *ssa.Range:
		f.ext(&ext{do: DoRange, a: f.val(i), b: f.val(i.X), t: f.typ(i.X)})
	case *ssa.Next:
		f.next(i)
	case *ssa.FieldAddr:
		f.fieldAddr(i)
	case *ssa.Field:
		t := f.typ(i.X)
		if t.kind == kindHost {
			f.ext(&ext{do: DoHostFieldValue, a: f.val(i), b: f.val(i.X), t: f.typ(i), u: t, n: f.hostField(t, i.Field)})
			return
		}
		f.ext(&ext{do: DoField, a: f.val(i), b: f.val(i.X), t: t, n: int64(i.Field)})
	case *ssa.IndexAddr:
		f.indexAddr(i)
	case *ssa.Index:
		f.indexValue(i)
	case *ssa.Lookup:
		f.lookup(i)
	case *ssa.MapUpdate:
		f.ext(&ext{do: DoMapUpdate, a: f.val(i.Map), b: f.val(i.Key), c: f.val(i.Value), t: f.typ(i.Map)})
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
	if a.kind == inReg && t.w() > 0 {
		f.moveTo(a.r, i.Val)
		return
	}
	src := f.val(i.Val)
	if t.kind == kindHost {
		f.ext(&ext{do: DoStoreAgg, a: src, b: f.ptrReg(a), t: t, ok: f.isOwn(i.Addr)})
		return
	}
	f.store(a, src, t)
}

// isOwn reports the address of a variable of the script's, or of a field of a struct that is no type of the
// host's.
func (f *fn) isOwn(v ssa.Value) bool {
	if x, ok := v.(*ssa.FieldAddr); ok {
		return f.elemOf(x.X).kind != kindHost
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
	if st := f.elemOf(i.X); st.kind == kindHost {
		f.ext(&ext{do: DoHostField, a: dst, b: f.val(i.X), n: f.hostField(st, i.Field), t: e})
		return
	}
	a := f.fieldOf(i)
	if e.agg {
		f.ext(&ext{do: DoFieldAgg, a: dst, b: f.ptrReg(a), t: e})
		return
	}
	f.pointerTo(dst, a)
}

// hostField is the index in the host's struct of a field that the universe shows as
// field k: those that are hidden have no place there.
func (f *fn) hostField(st *Type, k int) int64 {
	name := st.t.Underlying().(*types.Struct).Field(k).Name()
	field, ok := st.mem.FieldByName(name)
	if !ok || len(field.Index) != 1 || !field.IsExported() {
		f.fail("field %s of %s is not for scripts", name, st.str)
	}
	return int64(field.Index[0])
}

func (f *fn) indexAddr(i *ssa.IndexAddr) {
	e := f.elemOf(i)
	a := addr{kind: atSlice, r: f.use(i.X, 1), idx: f.use(i.Index, 2), elem: e, spot: f.indexSpot(i.X, i.Index)}
	dst := f.val(i)
	f.pointerTo(dst, a)
	if e.agg {
		f.ext(&ext{do: DoFieldAgg, a: dst, b: dst, t: e})
	}
}

func (f *fn) indexValue(i *ssa.Index) {
	xt := f.typ(i.X)
	if xt.kind == reflect.String {
		f.indexString(i, i.X, i.Index)
		return
	}
	if xt.kind != reflect.Array {
		f.fail("index of %s", xt.str)
	}
	f.ext(&ext{do: DoIndexArray, a: f.val(i), b: f.val(i.X), c: f.val(i.Index), t: xt, u: f.typ(i.Index)})
}

// indexString is the byte of s at index, for v.
func (f *fn) indexString(v, s, index ssa.Value) {
	x, idx := f.use(s, 1), f.use(index, 2)
	d, done := f.outReg(f.val(v), cellI)
	f.emitIndex(f.unsigned(index, unsignedIndex), opSidx, d, x, idx, 0)
	done()
}

func (f *fn) next(i *ssa.Next) {
	t := f.typ(i)
	f.ext(&ext{do: DoNext, a: f.val(i), b: f.val(i.Iter), t: t, ok: i.IsString})
}

func (f *fn) makeInterface(i *ssa.MakeInterface) {
	t := f.typ(i.X)
	if it := f.typ(i).host; it != nil && !t.native && len(*i.Referrers()) > 0 && !f.loader.machine.shows(f.wrappers, it) && !f.standard(i.Type()) {
		f.refuse(usedAt(i), "show a "+t.str+" to the host as "+f.typ(i).str+", whose methods cannot be made while a program runs",
			"ask for a wrapper of that interface in the policy, or use a function or an interface of the standard library")
	}
	f.needMethods(t)
	f.ext(&ext{do: DoMakeIface, a: f.val(i), b: f.val(i.X), t: t})
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
	t := f.types.of(i.AssertedType)
	if !i.CommaOk && t == f.typ(i.X) && f.methodValue(i) {
		f.ext(&ext{do: DoNilCheck, a: f.use(i.X, 1)}) // of a method value
		f.moveTo(f.val(i), i.X)
		return
	}
	x := &ext{do: DoTypeAssert, a: f.val(i), b: f.val(i.X), t: t, u: f.typ(i.X), ok: i.CommaOk}
	if t.kind == reflect.Interface {
		x.do = DoIfaceAssert
		it := i.AssertedType.Underlying().(*types.Interface)
		for k := range it.NumMethods() {
			f.methodID(it.Method(k))
			x.regs = append(x.regs, f.methodID(it.Method(k)))
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
	fn.valued = true
	x := &ext{do: DoClosure, a: f.val(i), fn: fn, t: f.typ(i)}
	for _, b := range i.Bindings {
		if v := f.copied(b); v != nil {
			b = v
		}
		t := f.typ(b)
		r := 0
		if t.w() > 0 {
			r = f.val(b)
		}
		x.regs = append(x.regs, r)
		x.types = append(x.types, t)
	}
	f.ext(x)
}

// wholeSlice are the registers of the bounds of s[:]: none.
var wholeSlice = []int{-1, -1, -1}

func (f *fn) slice(i *ssa.Slice) {
	x := &ext{do: DoSlice, a: f.val(i), b: f.val(i.X), t: f.typ(i.X), regs: wholeSlice}
	for k, v := range [...]ssa.Value{i.Low, i.High, i.Max} {
		if v != nil {
			if x.types == nil {
				x.regs, x.types = slices.Clone(wholeSlice), make([]*Type, len(wholeSlice))
			}
			x.regs[k], x.types[k] = f.val(v), f.typ(v)
		}
	}
	if a, ok := i.X.(*ssa.Alloc); ok {
		x.s = a.Comment
	}
	if x.t.kind == reflect.String {
		x.do = DoSliceString
	}
	f.ext(x)
}

func (f *fn) unop(i *ssa.UnOp) {
	t := f.typ(i)
	dst := 0
	if t.w() > 0 {
		dst = f.val(i)
	}
	switch i.Op {
	case token.MUL:
		if v, ok := f.isCopied(i); ok {
			f.moveTo(dst, v)
			return
		}
		f.load(dst, f.addrOf(i.X), t)
		f.endRange(i)
		return
	case token.ARROW:
		f.ext(&ext{do: DoRecv, a: dst, b: f.val(i.X), t: f.typ(i.X).elem, ok: i.CommaOk})
		return
	}
	if isComplex(t) {
		f.ext(&ext{do: DoComplexNeg, a: dst, b: f.val(i.X)})
		return
	}
	x := f.use(i.X, 1)
	d, done := f.outReg(dst, t.cells)
	switch i.Op {
	case token.NOT:
		f.emit(opLnot, d, x, 0, 0)
	case token.SUB:
		if isFloat(t) {
			f.emit(opFneg, d, x, 0, 0)
		} else {
			f.emit(opNeg, d, x, 0, 0)
			f.wrap(d, t)
		}
	case token.XOR:
		f.emit(opNot, d, x, 0, 0)
		f.wrap(d, t)
	default:
		f.fail("unary %s", i.Op)
	}
	done()
}
