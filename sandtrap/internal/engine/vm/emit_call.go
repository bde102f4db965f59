package vm

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// args puts arguments where the callee's window has its parameters and gives
// the number of cells.
func (f *fn) args(at int, vs []ssa.Value) int {
	n := 0
	for _, v := range vs {
		if w := f.typ(v).w(); w > 0 {
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
	if rt.w() > 0 {
		dst = f.val(i)
	}
	if values := f.listed[i]; values != nil {
		f.appendListed(i, values)
		return
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.builtinCall(b, c, dst, rt)
		if b.Name() == "append" {
			f.lastExt.n = int64(f.frameElems(i))
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
	f.reach = max(f.reach, rt.w())
	f.move(dst, f.top, rt.cells)
}

// plainCall calls script code; results are at f.top.
func (f *fn) plainCall(c *ssa.CallCommon) {
	lo, hi := f.top&0xff, f.top>>8
	switch {
	case c.IsInvoke():
		f.args(f.top+1, c.Args)
		r := f.use(c.Value, 1)
		at := f.emit(opCallM, 0, 0, r, f.methodID(c.Method))
		f.code[at].A, f.code[at].B = uint8(lo), uint8(hi)
	default:
		if fn, ok := c.Value.(*ssa.Function); ok {
			f.args(f.top, c.Args)
			at := f.emit(opCall, lo, hi, 0, f.funcOf(fn).idx)
			f.calls = append(f.calls, callFix{f.out.idx, at})
			return
		}
		n := f.args(f.top, c.Args)
		f.moveTo(f.top+n, c.Value)
		f.emit(opCallC, lo, hi, 0, n)
	}
}

type callFix struct{ fn, at int }

func (f *fn) hostCall(fn *ssa.Function, c *ssa.CallCommon, dst int) {
	x := f.hostExt(fn)
	x.a = dst
	x.regs, x.types = make([]int, 0, len(c.Args)), make([]*Type, 0, len(c.Args))
	for i, a := range c.Args {
		t := f.typ(a)
		r := 0
		if t.w() > 0 {
			r = f.val(a)
		}
		x.regs = append(x.regs, r)
		x.types = append(x.types, t)
		if p, ok := a.(*ssa.MakeInterface); ok && isVariable(p.X) && i < 32 {
			x.vars |= 1 << i
		}
	}
	if x.op != 0 && !far(dst, 1) && !far(x.regs[0], 1) {
		f.lastExt = x
		f.emit(x.op, dst, x.regs[0], 0, f.putExt(x))
		return
	}
	if x.d == 0 {
		f.ext(x)
		return
	}
	x.a = f.top // perhaps a call of script code
	f.ext(x)
	f.move(dst, f.top, x.t.cells)
}

// closureOf is a function as a value.
func (f *fn) closureOf(fn *ssa.Function) any {
	to := f.funcOf(fn)
	to.valued = true
	return f.closureRef(to)
}

// laterCall describes a call that go or defer makes later.
func (f *fn) laterCall(c *ssa.CallCommon) *ext {
	x := &ext{a: f.top}
	if c.IsInvoke() {
		x.n = int64(1 + f.args(f.top+1, c.Args))
		x.b, x.c, x.ok = f.val(c.Value), f.methodID(c.Method), true
		return x
	}
	switch v := c.Value.(type) {
	case *ssa.Function:
		x.fn = f.funcOf(v)
		x.n = int64(f.args(f.top, c.Args))
		return x
	case *ssa.Builtin:
		var ts []*Type
		for _, a := range c.Args {
			ts = append(ts, f.typ(a))
		}
		x.fn = f.builtinStub(v, ts)
		x.n = int64(f.args(f.top, c.Args))
		return x
	}
	n := f.args(f.top, c.Args)
	f.moveTo(f.top+n, c.Value)
	x.n, x.d = int64(n)+1, 1
	return x
}

func (f *fn) deferCall(i *ssa.Defer) {
	x := f.laterCall(&i.Call)
	x.do, x.e = DoDefer, -1
	if i.DeferStack != nil {
		x.e = f.val(i.DeferStack)
	}
	f.ext(x)
}

func (f *fn) goCall(i *ssa.Go) {
	x := f.laterCall(&i.Call)
	x.do = DoGo
	f.ext(x)
}

// builtinCall compiles a call of a builtin function.
func (f *fn) builtinCall(b *ssa.Builtin, c *ssa.CallCommon, dst int, rt *Type) {
	var rs []int
	var ts []*Type
	for _, a := range c.Args {
		t := f.typ(a)
		r := 0
		if t.w() > 0 {
			r = f.val(a)
		}
		rs, ts = append(rs, r), append(ts, t)
	}
	f.builtin(b.Name(), dst, rt, rs, ts)
}

var builtinDo = map[string]Do{
	"append": DoAppend, "copy": DoCopy, "delete": DoDelete, "clear": DoClear, "close": DoClose, "panic": DoPanicArg,
	"print": DoPrint, "println": DoPrintln, "recover": DoRecover, "complex": DoComplex, "real": DoReal, "imag": DoImag,
	"min": DoMin, "max": DoMax, "ssa:wrapnilchk": DoWrapNil, "ssa:deferstack": DoDeferStack,
}

func (f *fn) builtin(name string, dst int, rt *Type, rs []int, ts []*Type) {
	if name == "len" || name == "cap" {
		f.lenCap(name, dst, rs[0], ts[0])
		return
	}
	do, ok := builtinDo[name]
	if !ok {
		f.fail("builtin %s", name)
	}
	f.ext(&ext{do: do, a: dst, t: rt, regs: rs, types: ts})
}

func (f *fn) lenCap(name string, dst, r int, t *Type) {
	switch t.kind {
	case reflect.String:
		x := f.in(r, cellS, 1)
		d, done := f.outReg(dst, cellI)
		f.emit(opSlen, d, x, 0, 0)
		done()
	case reflect.Slice:
		if name == "len" {
			f.move(dst, r, cellI)
			return
		}
		x := f.in(r+1, cellI, 1)
		d, done := f.outReg(dst, cellI)
		f.emit(opZx32, d, x, 0, 0)
		done()
	case reflect.Array:
		f.intTo(dst, int64(t.n))
	case reflect.Pointer:
		f.intTo(dst, int64(t.elem.n))
	case reflect.Map:
		f.ext(&ext{do: DoLenMap, a: dst, b: r})
	case reflect.Chan:
		f.ext(&ext{do: DoLenChan, a: dst, b: r, ok: name == "cap"})
	default:
		f.fail("%s of %s", name, t.str)
	}
}

// builtinStub is a builtin as a function, for go and defer.
func (f *fn) builtinStub(b *ssa.Builtin, ts []*Type) *Func {
	out := f.newFunc(b.Name(), f.types.of(types.NewTuple()))
	out.wrapper = true
	f.stubs = append(f.stubs, func() {
		g := f.stub(out, ts)
		var rs []int
		n := 0
		for _, t := range ts {
			rs = append(rs, n)
			n += t.w()
		}
		if b.Name() == "recover" {
			g.emit(opRet, 0, 0, 0, 0)
			g.finish()
			return
		}
		g.builtin(b.Name(), past(n, 2), f.types.of(types.Universe.Lookup("any").Type()), rs, ts)
		g.emit(opRet, 0, 0, 0, 0)
		g.finish()
	})
	return out
}

// stub starts a function that has no SSA form.
func (c *compiler) stub(out *Func, params []*Type) *fn {
	n := 0
	for _, t := range params {
		n += t.w()
	}
	g := &fn{compiler: c, out: out, nfixed: n, facts: map[ssa.Value]*fact{}}
	out.params = n
	g.limit()
	g.top = past(n+24, 1)
	out.nregs = g.top
	return g
}

// convert compiles T(x).
func (f *fn) convert(i ssa.Value, xv ssa.Value) {
	t, x := f.typ(i), f.typ(xv)
	dst := f.val(i)
	number := func(t *Type) bool { return isInteger(t) || isFloat(t) }
	if !number(t) || !number(x) {
		f.convertOther(i, xv, t, x, dst)
		return
	}
	s := f.use(xv, 1)
	d, done := f.outReg(dst, cellI)
	defer done()
	switch {
	case isInteger(t) && isInteger(x):
		if op, ok := wrapOps[t.kind]; ok {
			f.emit(op, d, s, 0, 0)
		} else {
			f.emit(opMovI, d, s, 0, 0)
		}
	case isInteger(t):
		if t.kind == reflect.Uint64 || t.kind == reflect.Uint || t.kind == reflect.Uintptr {
			f.ext(&ext{do: DoF2U, a: d, b: s})
			return
		}
		switch t.kind {
		case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16: // what does not fit becomes what the compiler makes of it
			f.emit(opF2I32, d, s, 0, 0)
		default:
			f.emit(opF2I, d, s, 0, 0)
		}
		f.wrap(d, t)
	case isInteger(x):
		if isUnsigned(x) {
			f.emit(opU2F, d, s, 0, 0)
		} else {
			f.emit(opI2F, d, s, 0, 0)
		}
		if t.kind == reflect.Float32 {
			f.ext(&ext{do: DoI2F32, a: d, b: s, ok: isUnsigned(x)})
		}
	default:
		if t.kind == reflect.Float32 {
			f.emit(opFr32, d, s, 0, 0)
		} else {
			f.emit(opMovI, d, s, 0, 0)
		}
	}
}

func (f *fn) convertOther(i, xv ssa.Value, t, x *Type, dst int) {
	e := &ext{a: dst, b: f.val(xv), t: t, u: x}
	switch {
	case t.kind == reflect.String && isInteger(x):
		e.do = DoIntToString
	case t.kind == reflect.String && x.kind == reflect.Slice:
		e.do = DoSliceToString
	case t.kind == reflect.Slice && x.kind == reflect.String:
		e.do = DoStringToSlice
	case isComplex(t) && isComplex(x):
		e.do = DoComplexConv
	case t.kind == x.kind || x.kind == reflect.UnsafePointer || t.kind == reflect.UnsafePointer:
		f.moveTo(dst, xv)
		return
	case x.kind == reflect.Slice && t.kind == reflect.Array:
		e.do = DoSliceToArrayValue
	default:
		f.fail("conversion of %s to %s", x.str, t.str)
	}
	f.ext(e)
}
