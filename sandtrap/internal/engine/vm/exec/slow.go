package exec

import (
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// slow does an instruction that the loop could not: a check failed, or an
// operand is of an unusual kind.
func (m *Machine) slow(in ir.Ins) {
	t := m.T
	a, b, d := int(in.A), int(in.B), int(in.D)
	switch in.Op {
	case ir.OpFarLd:
		m.Room(max(Window, d+Window))
		m.View()
		m.copyCell(a, d, ir.Mask(in.B))
	case ir.OpFarSt:
		m.Room(max(Window, d+Window))
		m.View()
		m.copyCell(d, a, ir.Mask(in.B))
	case ir.OpShl, ir.OpShr, ir.OpUshr:
		Throwf("negative shift amount")
	case ir.OpDiv, ir.OpRem, ir.OpUdiv, ir.OpUrem:
		Throwf("integer divide by zero")
	case ir.OpSeq:
		m.I[a] = ir.BoolBits(m.SameText(m.S[b], m.S[in.C]))
	case ir.OpSne:
		m.I[a] = ir.BoolBits(!m.SameText(m.S[b], m.S[in.C]))
	case ir.OpSlt:
		m.I[a] = ir.BoolBits(m.LessText(m.S[b], m.S[in.C]))
	case ir.OpSle:
		m.I[a] = ir.BoolBits(!m.LessText(m.S[in.C], m.S[b]))
	case ir.OpPadd:
		ThrowNil()
	case ir.OpLd, ir.OpLdS, ir.OpLdR, ir.OpLdP, ir.OpLdSl, ir.OpSt, ir.OpStS, ir.OpStR, ir.OpStP, ir.OpStSl:
		m.slowAccess(in)
	case ir.OpAddM, ir.OpSubM, ir.OpFaddM, ir.OpFsubM, ir.OpFmaddM, ir.OpFmsubM, ir.OpIncM:
		m.slowModify(in)
	case ir.OpFaddL, ir.OpFsubL, ir.OpFmulL:
		m.slowOperand(in)
	case ir.OpSqrt:
		m.slowSqrt(d)
	case ir.OpXXInt, ir.OpXXF64:
		m.slowRow(in)
	case ir.OpGrow:
		m.slowGrow(a, b, int(in.C), d)
	case ir.OpSidx:
		ThrowIndex(m.I[in.C], len(m.S[b]), m.spot()&ir.UnsignedIndex != 0)
	case ir.OpCall:
		fn := m.P.FuncAt(d)
		m.Push(fn, a+b<<8, t.Pc)
	case ir.OpCallC:
		m.slowCallC(a+b<<8, d)
	case ir.OpCallM:
		m.slowCallM(a+b<<8, int(in.C), d)
	default:
		m.slowIndex(in)
	}
}

func (m *Machine) copyCell(d, s int, k ir.Mask) {
	if k&ir.BankI != 0 {
		m.I[d] = m.I[s]
	}
	if k&ir.BankS != 0 {
		m.S[d] = m.S[s]
	}
	if k&ir.BankR != 0 {
		m.R[d] = m.R[s]
	}
}

func (m *Machine) slowAccess(in ir.Ins) {
	if m.R[in.B] == nil {
		ThrowNil()
	}
	a, k := int(in.A), int(m.I[in.B])+int(in.D)
	o := MemOf(m.R[in.B])
	if p, ok := PlaceAt(o, k); ok {
		m.hostAccess(p, a, ir.Ops[in.Op].Format == ir.Loads)
		return
	}
	switch in.Op {
	case ir.OpLd:
		m.I[a] = o.LdI(k)
	case ir.OpLdS:
		m.S[a] = o.LdS(k)
	case ir.OpLdR:
		m.R[a] = o.LdR(k)
	case ir.OpLdP:
		m.R[a], m.I[a] = o.LdR(k), o.LdI(k)
	case ir.OpSt:
		o.StI(k, m.I[a])
	case ir.OpStS:
		o.StS(k, m.S[a])
	case ir.OpStR:
		o.StR(k, m.R[a])
	case ir.OpStP:
		o.StR(k, m.R[a])
		o.StI(k, m.I[a])
	default:
		panic("vm: access of unexpected shape")
	}
}

// slowIndex does what the loop left of slice access.
func (m *Machine) slowIndex(in ir.Ins) {
	if f := ir.Ops[in.Op].Format; f != ir.Loads && f != ir.Stores && f != ir.Modifies && in.Op != ir.OpXp {
		panic("vm: no slow way for an instruction")
	}
	r, i := m.R[in.B], m.I[in.C]
	if uint64(i) >= uint64(m.I[in.B]) {
		s := m.spot()
		if r == nil && s&ir.BehindPointer != 0 {
			ThrowNil()
		}
		ThrowIndex(i, int(m.I[in.B]), s&ir.UnsignedIndex != 0)
	}
	if r == nil {
		ThrowNil()
	}
	o, k := MemOf(r), int(i)+int(m.I[int(in.B)+1]>>32)
	if ir.Ops[in.Op].Format == ir.Modifies {
		m.modify(in, o, k)
		return
	}
	if h, ok := o.(*HostVals); ok { // moved ones too
		m.hostElem(h, k, in)
		return
	}
	switch in.Op {
	case ir.OpXInt, ir.OpXU8, ir.OpXF64, ir.OpXBool, ir.OpXI32, ir.OpXAny:
		m.I[in.A] = o.LdI(k)
	case ir.OpXStr:
		m.S[in.A] = o.LdS(k)
	case ir.OpYInt, ir.OpYU8, ir.OpYF64, ir.OpYBool, ir.OpYI32, ir.OpYAny:
		o.StI(k, m.I[in.A])
	case ir.OpYStr:
		o.StS(k, m.S[in.A])
	default:
		panic("vm: element access of unexpected shape")
	}
}

// hostElem is access to element k of a store that the host holds.
func (m *Machine) hostElem(h *HostVals, k int, in ir.Ins) {
	switch {
	case in.Op == ir.OpXp && h.T.Agg: // the instruction after it goes through the reference
		m.R[in.A], m.I[in.A] = h, int64(k*h.T.W())
	case in.Op == ir.OpXp:
		PointTo(m, h.T, h.V.Index(k).Addr(), &ir.Obj{I: m.I, S: m.S, R: m.R}, int(in.A))
	default:
		m.hostAccess(h.elem(k), int(in.A), ir.Ops[in.Op].Format == ir.Loads)
	}
}

func (m *Machine) slowCallC(shift, at int) {
	t := m.T
	m.Room(shift + Window)
	m.View()
	c, ok := m.R[shift+at].(*ir.Closure)
	if !ok || c == nil {
		ThrowNil()
	}
	if c.Fn != nil {
		m.Push(c.Fn, shift, t.Pc)
		return
	}
	args := &ir.Obj{I: m.I[shift:], S: m.S[shift:], R: m.R[shift:]}
	res := m.CallHostClosure(c, args)
	m.View()
	RawCopy(res.T.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, shift, res.O, 0)
}

type hostResult struct {
	T *ir.Type
	O *ir.Obj
}

func (m *Machine) slowCallM(shift, r, id int) {
	t := m.T
	v := m.R[r]
	if v == nil {
		ThrowNil()
	}
	f, ok := v.(*Iface)
	if !ok {
		c := m.hostMethod(v, id)
		args := &ir.Obj{I: m.I[shift+1:], S: m.S[shift+1:], R: m.R[shift+1:]}
		res := m.CallHostClosure(c, args)
		m.View()
		RawCopy(res.T.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, shift, res.O, 0)
		return
	}
	fn := m.FuncEntry(f.T.Entries[id])
	m.Push(fn, shift, t.Pc)
	m.I[0], m.S[0], m.R[0] = f.I, f.S, f.R
}

// SetPtr writes a pointer to an aggregate: to an array it is a slice of all.
func (m *Machine) SetPtr(a int, t *ir.Type, v any) {
	m.R[a], m.I[a] = v, 0
	if t.Kind == reflect.Array {
		m.I[a], m.I[a+1] = int64(t.N), int64(t.N)
	}
}

func LoadCell(w *ir.Obj, a int, o ir.Mem, k int, c ir.Mask) {
	if c&ir.BankI != 0 {
		w.I[a] = o.LdI(k)
	}
	if c&ir.BankS != 0 {
		w.S[a] = o.LdS(k)
	}
	if c&ir.BankR != 0 {
		w.R[a] = o.LdR(k)
	}
}

// slowModify does what the loop left of *p op= y.
func (m *Machine) slowModify(in ir.Ins) {
	if m.R[in.B] == nil {
		ThrowNil()
	}
	m.modify(in, MemOf(m.R[in.B]), int(m.I[in.B])+int(in.D))
}

// modify does op= on a number in memory.
func (m *Machine) modify(in ir.Ins, o ir.Mem, k int) {
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
func (m *Machine) slowRow(in ir.Ins) {
	a, i := int(in.B), m.I[in.C]
	if uint64(i) >= uint64(m.I[a]) {
		ThrowIndex(i, int(m.I[a]), m.spot()&ir.UnsignedRowIndex != 0)
	}
	row, k := &ir.Obj{}, int(i)+int(m.I[a+1]>>32)
	switch o := MemOf(m.R[a]).(type) {
	case *ir.Obj:
		row = ir.Sub(o, 2*k)
	case *HostVals: // moved ones too
		row = o.elem(k).cells()
	default:
		panic("vm: rows of unexpected shape")
	}
	j := m.I[uint8(in.D)]
	if uint64(j) >= uint64(row.I[0]) {
		ThrowIndex(j, int(row.I[0]), m.spot()&ir.UnsignedIndex != 0)
	}
	m.I[in.A] = MemOf(row.R[0]).LdI(int(j) + int(row.I[1]>>32))
}

// slowOperand does what the loop left of x op *p.
func (m *Machine) slowOperand(in ir.Ins) {
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
func (m *Machine) slowSqrt(ext int) {
	x := m.P.Exts[ext]
	Does[x.Do](m, x)
	m.T.sqrt = m.Host.Bind[x.N].Pointer() == sqrt
}

var sqrt = reflect.ValueOf(math.Sqrt).Pointer()
