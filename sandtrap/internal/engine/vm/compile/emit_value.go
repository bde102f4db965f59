package compile

import (
	"go/constant"
	"reflect"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

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
		return f.val(v.Tuple) + f.typ(v.Tuple).Fields[v.Index].Off
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
			return f.val(v.X) + f.typ(v.X).Fields[v.Field].Off
		}
	}
	if c, ok := v.(*ssa.Const); ok {
		if r, ok := f.hoistedReg(c); ok {
			return r
		}
	}
	if isConstLike(v) {
		r := f.newTemp(f.typ(v).W())
		f.moveTo(r, v)
		return r
	}
	if f.typ(v).W() == 0 {
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
	if !ir.IsFloat(t) && !ir.IsInteger(t) {
		return 0, false
	}
	i, _, _, _ := constBits(c.Value, t)
	r, ok := f.hoisted[hoistKey{i}]
	return r, ok
}

// use is val with far cells brought near.
func (f *fn) use(v ssa.Value, n int) int { return f.in(f.val(v), f.typ(v).Cells, n) }

// moveTo puts v into the cells from dst on.
func (f *fn) moveTo(dst int, v ssa.Value) {
	t := f.typ(v)
	switch v := v.(type) {
	case *ssa.Const:
		f.constTo(dst, v, t)
		return
	case *ssa.ChangeType:
		if isConstLike(v) && !ir.SameForm(t, f.typ(v.X)) {
			f.zeroTo(dst, t.Cells)
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
	f.move(dst, f.val(v), t.Cells)
}

func (f *fn) refTo(dst int, r any) {
	d, done := f.outReg(dst, ir.CellR)
	f.emit(ir.OpLdKR, d, 0, 0, f.putRef(r))
	done()
}

func (f *fn) intTo(dst int, i int64) {
	d, done := f.outReg(dst, ir.CellI)
	if int64(int32(i)) == i {
		f.emit(ir.OpLdI, d, 0, 0, int(i))
	} else {
		f.emit(ir.OpLdKI, d, 0, 0, f.putInt(i))
	}
	done()
}

func (f *fn) zeroTo(dst int, cs []ir.Cell) {
	for k, c := range cs {
		if c.M&ir.BankR != 0 {
			d, done := f.outReg(dst+k, []ir.Cell{{M: c.M & ir.BankP}})
			f.emit(ir.OpNil, d, 0, 0, 0)
			done()
		} else if c.M&ir.BankI != 0 {
			f.intTo(dst+k, 0)
		}
		if c.M&ir.BankS != 0 {
			f.strTo(dst+k, "")
		}
	}
}

func (f *fn) strTo(dst int, s string) {
	d, done := f.outReg(dst, ir.CellS)
	f.emit(ir.OpLdKS, d, 0, 0, f.putStr(s))
	done()
}

func (f *fn) constTo(dst int, c *ssa.Const, t *ir.Type) {
	if c.Value == nil {
		f.zeroTo(dst, t.Cells)
		return
	}
	if t.Kind == reflect.Interface {
		f.fail("constant of interface type %s", c)
	}
	i, s, re, im := constBits(c.Value, t)
	switch t.Kind {
	case reflect.String:
		f.strTo(dst, s)
	case reflect.Complex64, reflect.Complex128:
		f.intTo(dst, ir.FloatBits(re))
		f.intTo(dst+1, ir.FloatBits(im))
	default:
		f.intTo(dst, i)
	}
}

// constBits is the value of a constant in the form its type has in a cell.
func constBits(v constant.Value, t *ir.Type) (i int64, s string, re, im float64) {
	switch k := t.Kind; {
	case k == reflect.Bool:
		return ir.BoolBits(constant.BoolVal(v)), "", 0, 0
	case k == reflect.String:
		if v.Kind() == constant.Int {
			n, _ := constant.Int64Val(v)
			return 0, string(rune(n)), 0, 0
		}
		return 0, constant.StringVal(v), 0, 0
	case kinds.Float.Has(k):
		return ir.FloatBits(constFloat(constant.ToFloat(v), k == reflect.Float32)), "", 0, 0
	case kinds.Complex.Has(k):
		v = constant.ToComplex(v)
		short := k == reflect.Complex64
		return 0, "", constFloat(constant.Real(v), short), constFloat(constant.Imag(v), short)
	}
	v = constant.ToInt(v)
	if x, ok := constant.Int64Val(v); ok {
		return x, "", 0, 0
	}
	u, _ := constant.Uint64Val(v)
	return int64(u), "", 0, 0
}

// constFloat is the value of a constant as a float64, or as a float32 if it is short.
func constFloat(v constant.Value, short bool) float64 {
	if short {
		x, _ := constant.Float32Val(v)
		return float64(x)
	}
	x, _ := constant.Float64Val(v)
	return x
}

// intConst gives the value of a small integer constant.
func (f *fn) intConst(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil && f.typ(v).Cells == nil {
		return 0, false
	}
	t := f.typ(v)
	if t.W() != 1 || t.Cells[0].M != ir.BankI || t.Kind == reflect.Float32 || t.Kind == reflect.Float64 {
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
	if e.Agg {
		f.ext(&ir.SlowOp{Do: ir.DoGlobalAgg, A: dst, N: int64(off), T: e})
		return
	}
	d, done := f.outReg(dst, ir.CellP)
	f.emit(ir.OpGAddr, d, 0, 0, off)
	done()
}
