package vm

import (
	"math"
	"reflect"
)

// slowModify does what the loop left of *p op= y.
func (m *machine) slowModify(in Ins) {
	if m.R[in.B] == nil {
		throwNil()
	}
	m.modify(in, memOf(m.R[in.B]), int(m.I[in.B])+int(in.D))
}

// modify does op= on a number in memory.
func (m *machine) modify(in Ins, o mem, k int) {
	x, y := o.ldI(k), m.I[in.A]
	switch in.Op {
	case opAddM, opYAdd, opYoAdd:
		x += y
	case opSubM, opYSub, opYoSub:
		x -= y
	case opFaddM, opYFadd, opYoFadd:
		x = f2i(i2f(x) + i2f(y))
	case opFsubM, opYFsub, opYoFsub:
		x = f2i(i2f(x) - i2f(y))
	case opFmaddM:
		x = f2i(i2f(x) + float64(i2f(y)*i2f(m.I[in.C])))
	case opFmsubM:
		x = f2i(i2f(x) - float64(i2f(y)*i2f(m.I[in.C])))
	case opIncM, opYInc, opYoInc:
		x += int64(in.A) - 128
	default:
		panic("vm: change of memory of unexpected shape")
	}
	o.stI(k, x)
}

// slowRow does what the loop left of s[i][j].
func (m *machine) slowRow(in Ins) {
	a, i := int(in.B), m.I[in.C]
	if uint64(i) >= uint64(m.I[a]) {
		throwIndex(i, int(m.I[a]), m.spot()&unsignedRowIndex != 0)
	}
	row, k := &Obj{}, int(i)+int(m.I[a+1]>>32)
	switch o := memOf(m.R[a]).(type) {
	case *Obj:
		row = sub(o, 2*k)
	case *hostVals: // moved ones too
		row = o.elem(k).cells()
	default:
		panic("vm: rows of unexpected shape")
	}
	j := m.I[uint8(in.D)]
	if uint64(j) >= uint64(row.I[0]) {
		throwIndex(j, int(row.I[0]), m.spot()&unsignedIndex != 0)
	}
	m.I[in.A] = memOf(row.R[0]).ldI(int(j) + int(row.I[1]>>32))
}

// slowOperand does what the loop left of x op *p.
func (m *machine) slowOperand(in Ins) {
	x := i2f(m.I[in.B]) // before the load, which may be to the same register
	m.slowAccess(Ins{Op: opLd, A: in.A, B: in.C, D: in.D})
	y := i2f(m.I[in.A])
	switch in.Op {
	case opFaddL:
		x += y
	case opFsubL:
		x -= y
	default:
		x *= y
	}
	m.I[in.A] = f2i(x)
}

// slowSqrt calls what math.Sqrt is bound to. If that is the function itself, with nothing around it,
// the loop does the next ones.
func (m *machine) slowSqrt(ext int) {
	x := m.p.exts[ext]
	does[x.do](m, x)
	m.t.sqrt = m.seam.Bind[x.n].Pointer() == sqrt
}

var sqrt = reflect.ValueOf(math.Sqrt).Pointer()
