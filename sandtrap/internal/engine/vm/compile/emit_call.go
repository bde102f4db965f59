package compile

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// args puts arguments where the callee's window has its parameters and gives
// the number of cells.
func (f *fn) args(at int, vs []ssa.Value) int {
	n := 0
	for _, v := range vs {
		if w := f.typ(v).W(); w > 0 {
			f.moveTo(at+n, v)
			n += w
		}
	}
	f.reach = max(f.reach, at-f.top+n+1) // and a closure
	return n
}

func (f *fn) call(i *ssa.Call) {
	c := &i.Call
	dst := 0
	rt := f.typ(i)
	if rt.W() > 0 {
		dst = f.val(i)
	}
	if values := f.listed[i]; values != nil {
		f.appendListed(i, values)
		return
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.builtinCall(b, c, dst, rt)
		if b.Name() == "append" {
			f.lastExt.N = int64(f.frameElems(i))
		}
		return
	}
	if fn, ok := c.Value.(*ssa.Function); ok && !f.scripted(f.library(fn)) {
		if f.isTick(fn) {
			return
		}
		if isInit(fn) {
			return // the host's packages are initialised
		}
		f.hostCall(fn, c, dst)
		return
	}
	f.plainCall(c)
	f.reach = max(f.reach, rt.W())
	f.move(dst, f.top, rt.Cells)
}

// plainCall calls script code; results are at f.top.
func (f *fn) plainCall(c *ssa.CallCommon) {
	lo, hi := f.top&0xff, f.top>>8
	switch {
	case c.IsInvoke():
		f.args(f.top+1, c.Args)
		r := f.use(c.Value, 1)
		at := f.emit(ir.OpCallM, 0, 0, r, f.methodID(c.Method))
		f.Code[at].A, f.Code[at].B = uint8(lo), uint8(hi)
	default:
		if fn, ok := c.Value.(*ssa.Function); ok {
			f.args(f.top, c.Args)
			at := f.emit(ir.OpCall, lo, hi, 0, f.funcOf(fn).Idx)
			f.calls = append(f.calls, callFix{f.out.Idx, at})
			return
		}
		n := f.args(f.top, c.Args)
		f.moveTo(f.top+n, c.Value)
		f.emit(ir.OpCallC, lo, hi, 0, n)
	}
}

type callFix struct{ fn, at int }

func (f *fn) hostCall(fn *ssa.Function, c *ssa.CallCommon, dst int) {
	x := f.hostExt(fn)
	x.A = dst
	x.Regs, x.Types = make([]int, 0, len(c.Args)), make([]*ir.Type, 0, len(c.Args))
	for i, a := range c.Args {
		r, t := f.operand(a)
		x.Regs, x.Types = append(x.Regs, r), append(x.Types, t)
		if p, ok := a.(*ssa.MakeInterface); ok && isVariable(p.X) && i < 32 {
			x.Vars |= 1 << i
		}
	}
	f.alias(c, x.Do)
	if x.Op != 0 && !far(dst, 1) && !far(x.Regs[0], 1) {
		f.lastExt = x
		f.emit(x.Op, dst, x.Regs[0], 0, f.putExt(x))
		return
	}
	if x.D == 0 {
		f.ext(x)
		return
	}
	x.A = f.top // perhaps a call of script code
	f.ext(x)
	f.move(dst, f.top, x.T.Cells)
}

// A hostLoad is the load of a struct of the host's.
type hostLoad struct {
	v *ssa.UnOp
	x *ir.SlowOp
}

// alias has the call c of do read structs of the host's where they are that were loaded for it alone and right before.
// These calls copy them, as reflection and Go do with each argument, before anything of the script goes on.
func (f *fn) alias(c *ssa.CallCommon, do ir.Do) {
	if do != ir.DoDirect && do != ir.DoReflectMethod {
		return
	}
	for _, l := range f.loads {
		if call, ok := onlyUser(l.v).(*ssa.Call); ok && call.Common() == c {
			l.x.Do = ir.DoLoadAlias
		}
	}
}

// closureOf is a function as a value.
func (f *fn) closureOf(fn *ssa.Function) any {
	to := f.funcOf(fn)
	to.Valued = true
	return f.closureRef(to)
}

// laterCall describes a call that go or defer makes later.
func (f *fn) laterCall(c *ssa.CallCommon) *ir.SlowOp {
	x := &ir.SlowOp{A: f.top}
	if c.IsInvoke() {
		x.N = int64(1 + f.args(f.top+1, c.Args))
		x.B, x.C, x.Ok = f.val(c.Value), f.methodID(c.Method), true
		return x
	}
	switch v := c.Value.(type) {
	case *ssa.Function:
		x.Fn = f.funcOf(v)
		x.N = int64(f.args(f.top, c.Args))
		return x
	case *ssa.Builtin:
		var ts []*ir.Type
		for _, a := range c.Args {
			ts = append(ts, f.typ(a))
		}
		x.Fn = f.builtinStub(v, ts)
		x.N = int64(f.args(f.top, c.Args))
		return x
	}
	n := f.args(f.top, c.Args)
	f.moveTo(f.top+n, c.Value)
	x.N, x.D = int64(n)+1, 1
	return x
}

func (f *fn) deferCall(i *ssa.Defer) {
	x := f.laterCall(&i.Call)
	x.Do, x.E = ir.DoDefer, -1
	if i.DeferStack != nil {
		x.E = f.val(i.DeferStack)
	}
	f.ext(x)
}

func (f *fn) goCall(i *ssa.Go) {
	x := f.laterCall(&i.Call)
	x.Do = ir.DoGo
	f.ext(x)
}

// operand is the register of v, if it takes one, and its type.
func (f *fn) operand(v ssa.Value) (r int, t *ir.Type) {
	if t = f.typ(v); t.W() > 0 {
		r = f.val(v)
	}
	return r, t
}

// builtinCall compiles a call of a builtin function.
func (f *fn) builtinCall(b *ssa.Builtin, c *ssa.CallCommon, dst int, rt *ir.Type) {
	var rs []int
	var ts []*ir.Type
	for _, a := range c.Args {
		r, t := f.operand(a)
		rs, ts = append(rs, r), append(ts, t)
	}
	f.builtin(b.Name(), dst, rt, rs, ts)
}

var builtinDo = map[string]ir.Do{
	"append": ir.DoAppend, "copy": ir.DoCopy, "delete": ir.DoDelete, "clear": ir.DoClear, "close": ir.DoClose, "panic": ir.DoPanicArg,
	"print": ir.DoPrint, "println": ir.DoPrintln, "recover": ir.DoRecover, "complex": ir.DoComplex, "real": ir.DoReal, "imag": ir.DoImag,
	"min": ir.DoMin, "max": ir.DoMax, "ssa:wrapnilchk": ir.DoWrapNil, "ssa:deferstack": ir.DoDeferStack,
}

func (f *fn) builtin(name string, dst int, rt *ir.Type, rs []int, ts []*ir.Type) {
	if name == "len" || name == "cap" {
		f.lenCap(name, dst, rs[0], ts[0])
		return
	}
	do, ok := builtinDo[name]
	if !ok {
		f.fail("builtin %s", name)
	}
	f.ext(&ir.SlowOp{Do: do, A: dst, T: rt, Regs: rs, Types: ts})
}

func (f *fn) lenCap(name string, dst, r int, t *ir.Type) {
	switch t.Kind {
	case reflect.String:
		x := f.in(r, ir.CellS, 1)
		d, done := f.outReg(dst, ir.CellI)
		f.emit(ir.OpSlen, d, x, 0, 0)
		done()
	case reflect.Slice:
		if name == "len" {
			f.move(dst, r, ir.CellI)
			return
		}
		x := f.in(r+1, ir.CellI, 1)
		d, done := f.outReg(dst, ir.CellI)
		f.emit(ir.OpZx32, d, x, 0, 0)
		done()
	case reflect.Array:
		f.intTo(dst, int64(t.N))
	case reflect.Pointer:
		f.intTo(dst, int64(t.Elem.N))
	case reflect.Map:
		f.ext(&ir.SlowOp{Do: ir.DoLenMap, A: dst, B: r})
	case reflect.Chan:
		f.ext(&ir.SlowOp{Do: ir.DoLenChan, A: dst, B: r, Ok: name == "cap"})
	default:
		f.fail("%s of %s", name, t.Str)
	}
}

// builtinStub is a builtin as a function, for go and defer.
func (f *fn) builtinStub(b *ssa.Builtin, ts []*ir.Type) *ir.Func {
	out := f.newFunc(b.Name(), f.Types.Of(types.NewTuple()))
	out.Wrapper = true
	f.stubs = append(f.stubs, func() {
		g := f.stub(out, ts)
		var rs []int
		n := 0
		for _, t := range ts {
			rs = append(rs, n)
			n += t.W()
		}
		if b.Name() == "recover" {
			g.emit(ir.OpRet, 0, 0, 0, 0)
			g.finish()
			return
		}
		g.builtin(b.Name(), past(n, 2), f.Types.Of(types.Universe.Lookup("any").Type()), rs, ts)
		g.emit(ir.OpRet, 0, 0, 0, 0)
		g.finish()
	})
	return out
}

// stub starts a function that has no SSA form.
func (c *compiler) stub(out *ir.Func, params []*ir.Type) *fn {
	n := 0
	for _, t := range params {
		n += t.W()
	}
	g := &fn{compiler: c, out: out, nfixed: n, facts: map[ssa.Value]*fact{}}
	out.Params = n
	g.limit()
	g.top = past(n+24, 1)
	out.Nregs = g.top
	return g
}

// convert compiles T(x).
func (f *fn) convert(i ssa.Value, xv ssa.Value) {
	t, x := f.typ(i), f.typ(xv)
	dst := f.val(i)
	number := func(t *ir.Type) bool { return ir.IsInteger(t) || ir.IsFloat(t) }
	if !number(t) || !number(x) {
		f.convertOther(i, xv, t, x, dst)
		return
	}
	s := f.use(xv, 1)
	d, done := f.outReg(dst, ir.CellI)
	defer done()
	switch {
	case ir.IsInteger(t) && ir.IsInteger(x):
		if op, ok := wrapOps[t.Kind]; ok {
			f.emit(op, d, s, 0, 0)
		} else {
			f.emit(ir.OpMovI, d, s, 0, 0)
		}
	case ir.IsInteger(t):
		if t.Kind == reflect.Uint64 || t.Kind == reflect.Uint || t.Kind == reflect.Uintptr {
			f.ext(&ir.SlowOp{Do: ir.DoF2U, A: d, B: s})
			return
		}
		op := ir.OpF2I
		if kinds.Size(t.Kind) < 4 || t.Kind == reflect.Int32 { // what does not fit becomes what the compiler makes of it
			op = ir.OpF2I32
		}
		f.emit(op, d, s, 0, 0)
		f.wrap(d, t)
	case ir.IsInteger(x):
		if ir.IsUnsigned(x) {
			f.emit(ir.OpU2F, d, s, 0, 0)
		} else {
			f.emit(ir.OpI2F, d, s, 0, 0)
		}
		if t.Kind == reflect.Float32 {
			f.ext(&ir.SlowOp{Do: ir.DoI2F32, A: d, B: s, Ok: ir.IsUnsigned(x)})
		}
	default:
		if t.Kind == reflect.Float32 {
			f.emit(ir.OpFr32, d, s, 0, 0)
		} else {
			f.emit(ir.OpMovI, d, s, 0, 0)
		}
	}
}

func (f *fn) convertOther(i, xv ssa.Value, t, x *ir.Type, dst int) {
	e := &ir.SlowOp{A: dst, B: f.val(xv), T: t, U: x}
	switch {
	case t.Kind == reflect.String && ir.IsInteger(x):
		e.Do = ir.DoIntToString
	case t.Kind == reflect.String && x.Kind == reflect.Slice:
		e.Do = ir.DoSliceToString
	case t.Kind == reflect.Slice && x.Kind == reflect.String:
		e.Do = ir.DoStringToSlice
	case ir.IsComplex(t) && ir.IsComplex(x):
		e.Do = ir.DoComplexConv
	case t.Kind == x.Kind || x.Kind == reflect.UnsafePointer || t.Kind == reflect.UnsafePointer:
		f.moveTo(dst, xv)
		return
	case x.Kind == reflect.Slice && t.Kind == reflect.Array:
		e.Do = ir.DoSliceToArrayValue
	default:
		f.fail("conversion of %s to %s", x.Str, t.Str)
	}
	f.ext(e)
}
