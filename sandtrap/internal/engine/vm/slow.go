package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// slow does an instruction that the loop could not: a check failed, or an
// operand is of an unusual kind.
func (m *machine) slow(in ir.Ins) {
	t := m.t
	a, b, d := int(in.A), int(in.B), int(in.D)
	switch in.Op {
	case ir.OpFarLd:
		m.room(max(window, d+window))
		m.view()
		m.copyCell(a, d, ir.Mask(in.B))
	case ir.OpFarSt:
		m.room(max(window, d+window))
		m.view()
		m.copyCell(d, a, ir.Mask(in.B))
	case ir.OpShl, ir.OpShr, ir.OpUshr:
		throwf("negative shift amount")
	case ir.OpDiv, ir.OpRem, ir.OpUdiv, ir.OpUrem:
		throwf("integer divide by zero")
	case ir.OpSeq:
		m.I[a] = ir.BoolBits(m.sameText(m.S[b], m.S[in.C]))
	case ir.OpSne:
		m.I[a] = ir.BoolBits(!m.sameText(m.S[b], m.S[in.C]))
	case ir.OpSlt:
		m.I[a] = ir.BoolBits(m.lessText(m.S[b], m.S[in.C]))
	case ir.OpSle:
		m.I[a] = ir.BoolBits(!m.lessText(m.S[in.C], m.S[b]))
	case ir.OpPadd:
		throwNil()
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
		throwIndex(m.I[in.C], len(m.S[b]), m.spot()&ir.UnsignedIndex != 0)
	case ir.OpCall:
		fn := m.p.FuncAt(d)
		m.push(fn, a+b<<8, t.pc)
	case ir.OpCallC:
		m.slowCallC(a+b<<8, d)
	case ir.OpCallM:
		m.slowCallM(a+b<<8, int(in.C), d)
	default:
		m.slowIndex(in)
	}
}

func (m *machine) copyCell(d, s int, k ir.Mask) {
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

func (m *machine) slowAccess(in ir.Ins) {
	if m.R[in.B] == nil {
		throwNil()
	}
	a, k := int(in.A), int(m.I[in.B])+int(in.D)
	o := memOf(m.R[in.B])
	if p, ok := placeAt(o, k); ok {
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

// doHostField is the address of a field of a host struct.
func doHostField(m *machine, x *ir.SlowOp) {
	if m.R[x.B] == nil {
		throwNil()
	}
	field := reflect.ValueOf(m.R[x.B]).Elem().Field(int(x.N))
	pointTo(m, x.T, field.Addr(), &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

// doHostFieldValue is a field of a host struct that is no variable.
func doHostFieldValue(m *machine, x *ir.SlowOp) {
	fromHost(m, hostDeref(x.U, m.R[x.B]).Field(int(x.N)), x.T, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

// slowIndex does what the loop left of slice access.
func (m *machine) slowIndex(in ir.Ins) {
	if f := ir.Ops[in.Op].Format; f != ir.Loads && f != ir.Stores && f != ir.Modifies && in.Op != ir.OpXp {
		panic("vm: no slow way for an instruction")
	}
	r, i := m.R[in.B], m.I[in.C]
	if uint64(i) >= uint64(m.I[in.B]) {
		s := m.spot()
		if r == nil && s&ir.BehindPointer != 0 {
			throwNil()
		}
		throwIndex(i, int(m.I[in.B]), s&ir.UnsignedIndex != 0)
	}
	if r == nil {
		throwNil()
	}
	o, k := memOf(r), int(i)+int(m.I[int(in.B)+1]>>32)
	if ir.Ops[in.Op].Format == ir.Modifies {
		m.modify(in, o, k)
		return
	}
	if h, ok := o.(*hostVals); ok { // moved ones too
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
func (m *machine) hostElem(h *hostVals, k int, in ir.Ins) {
	switch {
	case in.Op == ir.OpXp && h.t.Agg: // the instruction after it goes through the reference
		m.R[in.A], m.I[in.A] = h, int64(k*h.t.W())
	case in.Op == ir.OpXp:
		pointTo(m, h.t, h.v.Index(k).Addr(), &ir.Obj{I: m.I, S: m.S, R: m.R}, int(in.A))
	default:
		m.hostAccess(h.elem(k), int(in.A), ir.Ops[in.Op].Format == ir.Loads)
	}
}

func (m *machine) slowCallC(shift, at int) {
	t := m.t
	m.room(shift + window)
	m.view()
	c, ok := m.R[shift+at].(*ir.Closure)
	if !ok || c == nil {
		throwNil()
	}
	if c.Fn != nil {
		m.push(c.Fn, shift, t.pc)
		return
	}
	args := &ir.Obj{I: m.I[shift:], S: m.S[shift:], R: m.R[shift:]}
	res := m.callHostClosure(c, args)
	m.view()
	rawCopy(res.t.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, shift, res.o, 0)
}

type hostResult struct {
	t *ir.Type
	o *ir.Obj
}

func (m *machine) slowCallM(shift, r, id int) {
	t := m.t
	v := m.R[r]
	if v == nil {
		throwNil()
	}
	f, ok := v.(*Iface)
	if !ok {
		c := m.hostMethod(v, id)
		args := &ir.Obj{I: m.I[shift+1:], S: m.S[shift+1:], R: m.R[shift+1:]}
		res := m.callHostClosure(c, args)
		m.view()
		rawCopy(res.t.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, shift, res.o, 0)
		return
	}
	fn := m.funcEntry(f.T.Entries[id])
	m.push(fn, shift, t.pc)
	m.I[0], m.S[0], m.R[0] = f.I, f.S, f.R
}

func doNilCheck(m *machine, x *ir.SlowOp) {
	if m.R[x.A] == nil {
		throwNil()
	}
}

// setPtr writes a pointer to an aggregate: to an array it is a slice of all.
func (m *machine) setPtr(a int, t *ir.Type, v any) {
	m.R[a], m.I[a] = v, 0
	if t.Kind == reflect.Array {
		m.I[a], m.I[a+1] = int64(t.N), int64(t.N)
	}
}

func doNew(m *machine, x *ir.SlowOp) {
	if x.T.Agg {
		if x.T.Kind == reflect.Array && x.T.Elem.W() > 0 { // it may be that of a make
			m.checkLen("len", int64(x.T.N), x.T.Elem)
		}
		m.alloc(ir.ValueBytes(x.T))
		m.setPtr(x.A, x.T, m.aggFor(x.T))
		return
	}
	m.alloc(ir.ValueBytes(x.T))
	m.R[x.A], m.I[x.A] = follow(m, ir.NewObj(x.T.W(), x.T.Banks, 1)), 0
}

func doGlobalAgg(m *machine, x *ir.SlowOp) {
	m.setPtr(x.A, x.T, aggAt(x.T, m.globals, int(x.N)))
}

// doFieldAgg makes the address of an aggregate from that of its cell.
func doFieldAgg(m *machine, x *ir.SlowOp) {
	if m.R[x.B] == nil {
		throwNil()
	}
	m.setPtr(x.A, x.T, aggAt(x.T, memOf(m.R[x.B]), int(m.I[x.B])))
}

// doLoadAgg loads a value that is, or contains, an aggregate.
func doLoadAgg(m *machine, x *ir.SlowOp) {
	r := m.R[x.B]
	if r == nil {
		throwNil()
	}
	if x.T.Agg {
		m.R[x.A] = m.copyOf(x.T, r, m.ptrOff(x.T, x.B))
		return
	}
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	o, k := memOf(r), int(m.I[x.B])
	if p, ok := placeAt(o, k); ok {
		p.load(w, x.A)
		return
	}
	for i, c := range x.T.Cells {
		if c.Agg != nil {
			w.R[x.A+i] = m.copyOf(c.Agg, o.LdR(k+i), 0)
			continue
		}
		loadCell(w, x.A+i, o, k+i, c.M)
	}
}

func loadCell(w *ir.Obj, a int, o ir.Mem, k int, c ir.Mask) {
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

// ptrOff is the offset of a pointer to an aggregate.
func (m *machine) ptrOff(t *ir.Type, r int) int {
	if t.Kind == reflect.Array {
		return int(m.I[r+1] >> 32)
	}
	return int(m.I[r])
}

func doStoreAgg(m *machine, x *ir.SlowOp) {
	r := m.R[x.B]
	if r == nil {
		throwNil()
	}
	if x.T.Agg {
		v := m.R[x.A]
		if v == nil {
			v = newAgg(x.T)
		}
		if x.T.Kind == ir.KindHost && !x.Ok {
			m.mustReplace(r, false)
		}
		m.moveAgg(x.T, r, m.ptrOff(x.T, x.B), v, 0)
		return
	}
	copyValue(x.T, memOf(r), int(m.I[x.B]), &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
}

func doField(m *machine, x *ir.SlowOp) {
	f := x.T.Fields[x.N]
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	if x.T.Agg {
		rawCopy(f.Typ.Cells, w, x.A, asObj(x.T, m.R[x.B]), f.Off)
		return
	}
	rawCopy(f.Typ.Cells, w, x.A, w, x.B+f.Off)
}

func doIndexArray(m *machine, x *ir.SlowOp) {
	i := m.I[x.C]
	if uint64(i) >= uint64(x.T.N) {
		throwIndex(i, x.T.N, ir.IsUnsigned(x.U))
	}
	v := m.R[x.B]
	if v == nil {
		v = newAgg(x.T)
	}
	rawCopy(x.T.Elem.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A, elemCells(x.T.Elem, v, int(i)), 0)
}

func doUnpack(m *machine, x *ir.SlowOp) {
	m.room(x.A + window)
	m.view()
	if o, ok := m.R[x.B].(*ir.Obj); ok {
		rawCopy(x.T.Cells, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A, o, 0)
	}
}

func doEqual(m *machine, x *ir.SlowOp) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	m.I[x.A] = ir.BoolBits(equalCells(m.keys(), x.T, w, x.B, w, x.C) == x.Ok)
}

func doClosure(m *machine, x *ir.SlowOp) {
	n := 0
	for _, t := range x.Types {
		n += t.W()
	}
	m.alloc(ir.ObjBytes + ir.ObjectBytes(n, ir.BankP, 1))
	caps := ir.NewObj(n, ir.BankI|ir.BankR|ir.BankS, 1)
	if n > 0 {
		hasS := false
		for _, t := range x.Types {
			for _, c := range t.Cells {
				hasS = hasS || c.M&ir.BankS != 0
			}
		}
		if !hasS {
			caps = ir.NewObj(n, ir.BankP, 1)
		}
	}
	at := 0
	for i, t := range x.Types {
		rawCopy(t.Cells, caps, at, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[i])
		at += t.W()
	}
	m.R[x.A] = follow(m, &ir.Closure{Fn: x.Fn, Caps: caps})
}
