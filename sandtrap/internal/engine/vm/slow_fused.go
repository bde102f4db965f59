package vm

import (
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// slowModify does what the loop left of *p op= y.
func (m *machine) slowModify(in ir.Ins) {
	if m.R[in.B] == nil {
		throwNil()
	}
	m.modify(in, memOf(m.R[in.B]), int(m.I[in.B])+int(in.D))
}

// modify does op= on a number in memory.
func (m *machine) modify(in ir.Ins, o ir.Mem, k int) {
	x, y := o.LdI(k), m.I[in.A]
	switch in.Op {
	case ir.OpAddM, ir.OpYAdd, ir.OpYoAdd:
		x += y
	case ir.OpSubM, ir.OpYSub, ir.OpYoSub:
		x -= y
	case ir.OpFaddM, ir.OpYFadd, ir.OpYoFadd:
		x = ir.FloatBits(ir.BitsFloat(x) + ir.BitsFloat(y))
	case ir.OpFsubM, ir.OpYFsub, ir.OpYoFsub:
		x = ir.FloatBits(ir.BitsFloat(x) - ir.BitsFloat(y))
	case ir.OpFmaddM:
		x = ir.FloatBits(ir.BitsFloat(x) + float64(ir.BitsFloat(y)*ir.BitsFloat(m.I[in.C])))
	case ir.OpFmsubM:
		x = ir.FloatBits(ir.BitsFloat(x) - float64(ir.BitsFloat(y)*ir.BitsFloat(m.I[in.C])))
	case ir.OpIncM, ir.OpYInc, ir.OpYoInc:
		x += int64(in.A) - 128
	default:
		panic("vm: change of memory of unexpected shape")
	}
	o.StI(k, x)
}

// slowRow does what the loop left of s[i][j].
func (m *machine) slowRow(in ir.Ins) {
	a, i := int(in.B), m.I[in.C]
	if uint64(i) >= uint64(m.I[a]) {
		throwIndex(i, int(m.I[a]), m.spot()&ir.UnsignedRowIndex != 0)
	}
	row, k := &ir.Obj{}, int(i)+int(m.I[a+1]>>32)
	switch o := memOf(m.R[a]).(type) {
	case *ir.Obj:
		row = sub(o, 2*k)
	case *hostVals: // moved ones too
		row = o.elem(k).cells()
	default:
		panic("vm: rows of unexpected shape")
	}
	j := m.I[uint8(in.D)]
	if uint64(j) >= uint64(row.I[0]) {
		throwIndex(j, int(row.I[0]), m.spot()&ir.UnsignedIndex != 0)
	}
	m.I[in.A] = memOf(row.R[0]).LdI(int(j) + int(row.I[1]>>32))
}

// slowOperand does what the loop left of x op *p.
func (m *machine) slowOperand(in ir.Ins) {
	x := ir.BitsFloat(m.I[in.B]) // before the load, which may be to the same register
	m.slowAccess(ir.Ins{Op: ir.OpLd, A: in.A, B: in.C, D: in.D})
	y := ir.BitsFloat(m.I[in.A])
	switch in.Op {
	case ir.OpFaddL:
		x += y
	case ir.OpFsubL:
		x -= y
	default:
		x *= y
	}
	m.I[in.A] = ir.FloatBits(x)
}

// slowSqrt calls what math.Sqrt is bound to. If that is the function itself, with nothing around it,
// the loop does the next ones.
func (m *machine) slowSqrt(ext int) {
	x := m.p.Exts[ext]
	does[x.Do](m, x)
	m.t.sqrt = m.seam.Bind[x.N].Pointer() == sqrt
}

var sqrt = reflect.ValueOf(math.Sqrt).Pointer()
