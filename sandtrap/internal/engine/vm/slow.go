package vm

import "reflect"

// slow does an instruction that the loop could not: a check failed, or an
// operand is of an unusual kind.
func (m *machine) slow(in Ins) {
	t := m.t
	a, b, d := int(in.A), int(in.B), int(in.D)
	switch in.Op {
	case opFarLd:
		m.room(max(window, d+window))
		m.view()
		m.copyCell(a, d, mask(in.B))
	case opFarSt:
		m.room(max(window, d+window))
		m.view()
		m.copyCell(d, a, mask(in.B))
	case opShl, opShr, opUshr:
		throwf("negative shift amount")
	case opDiv, opRem, opUdiv, opUrem:
		throwf("integer divide by zero")
	case opSeq:
		m.I[a] = b2i(m.sameText(m.S[b], m.S[in.C]))
	case opSne:
		m.I[a] = b2i(!m.sameText(m.S[b], m.S[in.C]))
	case opSlt:
		m.I[a] = b2i(m.lessText(m.S[b], m.S[in.C]))
	case opSle:
		m.I[a] = b2i(!m.lessText(m.S[in.C], m.S[b]))
	case opPadd:
		throwNil()
	case opLd, opLdS, opLdR, opLdP, opLdSl, opSt, opStS, opStR, opStP, opStSl:
		m.slowAccess(in)
	case opAddM, opSubM, opFaddM, opFsubM, opFmaddM, opFmsubM, opIncM:
		m.slowModify(in)
	case opFaddL, opFsubL, opFmulL:
		m.slowOperand(in)
	case opSqrt:
		m.slowSqrt(d)
	case opXXInt, opXXF64:
		m.slowRow(in)
	case opGrow:
		m.slowGrow(a, b, int(in.C), d)
	case opSidx:
		throwIndex(m.I[in.C], len(m.S[b]), m.spot()&unsignedIndex != 0)
	case opCall:
		fn := m.p.funcAt(d)
		m.push(fn, a+b<<8, t.pc)
	case opCallC:
		m.slowCallC(a+b<<8, d)
	case opCallM:
		m.slowCallM(a+b<<8, int(in.C), d)
	default:
		m.slowIndex(in)
	}
}

func (m *machine) copyCell(d, s int, k mask) {
	if k&mI != 0 {
		m.I[d] = m.I[s]
	}
	if k&mS != 0 {
		m.S[d] = m.S[s]
	}
	if k&mR != 0 {
		m.R[d] = m.R[s]
	}
}

func (m *machine) slowAccess(in Ins) {
	if m.R[in.B] == nil {
		throwNil()
	}
	a, k := int(in.A), int(m.I[in.B])+int(in.D)
	o := memOf(m.R[in.B])
	if p, ok := placeAt(o, k); ok {
		m.hostAccess(p, a, ops[in.Op].format == loads)
		return
	}
	switch in.Op {
	case opLd:
		m.I[a] = o.ldI(k)
	case opLdS:
		m.S[a] = o.ldS(k)
	case opLdR:
		m.R[a] = o.ldR(k)
	case opLdP:
		m.R[a], m.I[a] = o.ldR(k), o.ldI(k)
	case opSt:
		o.stI(k, m.I[a])
	case opStS:
		o.stS(k, m.S[a])
	case opStR:
		o.stR(k, m.R[a])
	case opStP:
		o.stR(k, m.R[a])
		o.stI(k, m.I[a])
	default:
		panic("vm: access of unexpected shape")
	}
}

// doHostField is the address of a field of a host struct.
func doHostField(m *machine, x *ext) {
	if m.R[x.b] == nil {
		throwNil()
	}
	field := reflect.ValueOf(m.R[x.b]).Elem().Field(int(x.n))
	pointTo(m, x.t, field.Addr(), &Obj{m.I, m.S, m.R}, x.a)
}

// doHostFieldValue is a field of a host struct that is no variable.
func doHostFieldValue(m *machine, x *ext) {
	fromHost(m, hostDeref(x.u, m.R[x.b]).Field(int(x.n)), x.t, &Obj{m.I, m.S, m.R}, x.a)
}

// slowIndex does what the loop left of slice access.
func (m *machine) slowIndex(in Ins) {
	if f := ops[in.Op].format; f != loads && f != stores && f != modifies && in.Op != opXp {
		panic("vm: no slow way for an instruction")
	}
	r, i := m.R[in.B], m.I[in.C]
	if uint64(i) >= uint64(m.I[in.B]) {
		s := m.spot()
		if r == nil && s&behindPointer != 0 {
			throwNil()
		}
		throwIndex(i, int(m.I[in.B]), s&unsignedIndex != 0)
	}
	if r == nil {
		throwNil()
	}
	o, k := memOf(r), int(i)+int(m.I[int(in.B)+1]>>32)
	if ops[in.Op].format == modifies {
		m.modify(in, o, k)
		return
	}
	if h, ok := o.(*hostVals); ok { // moved ones too
		m.hostElem(h, k, in)
		return
	}
	switch in.Op {
	case opXInt, opXU8, opXF64, opXBool, opXI32, opXAny:
		m.I[in.A] = o.ldI(k)
	case opXStr:
		m.S[in.A] = o.ldS(k)
	case opYInt, opYU8, opYF64, opYBool, opYI32, opYAny:
		o.stI(k, m.I[in.A])
	case opYStr:
		o.stS(k, m.S[in.A])
	default:
		panic("vm: element access of unexpected shape")
	}
}

// hostElem is access to element k of a store that the host holds.
func (m *machine) hostElem(h *hostVals, k int, in Ins) {
	switch {
	case in.Op == opXp && h.t.agg: // the instruction after it goes through the reference
		m.R[in.A], m.I[in.A] = h, int64(k*h.t.w())
	case in.Op == opXp:
		pointTo(m, h.t, h.v.Index(k).Addr(), &Obj{m.I, m.S, m.R}, int(in.A))
	default:
		m.hostAccess(h.elem(k), int(in.A), ops[in.Op].format == loads)
	}
}

func (m *machine) slowCallC(shift, at int) {
	t := m.t
	m.room(shift + window)
	m.view()
	c, ok := m.R[shift+at].(*Closure)
	if !ok || c == nil {
		throwNil()
	}
	if c.fn != nil {
		m.push(c.fn, shift, t.pc)
		return
	}
	args := &Obj{I: m.I[shift:], S: m.S[shift:], R: m.R[shift:]}
	res := m.callHostClosure(c, args)
	m.view()
	rawCopy(res.t.cells, &Obj{m.I, m.S, m.R}, shift, res.o, 0)
}

type hostResult struct {
	t *Type
	o *Obj
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
		args := &Obj{I: m.I[shift+1:], S: m.S[shift+1:], R: m.R[shift+1:]}
		res := m.callHostClosure(c, args)
		m.view()
		rawCopy(res.t.cells, &Obj{m.I, m.S, m.R}, shift, res.o, 0)
		return
	}
	fn := m.funcEntry(f.T.entries[id])
	m.push(fn, shift, t.pc)
	m.I[0], m.S[0], m.R[0] = f.I, f.S, f.R
}

func doNilCheck(m *machine, x *ext) {
	if m.R[x.a] == nil {
		throwNil()
	}
}

// setPtr writes a pointer to an aggregate: to an array it is a slice of all.
func (m *machine) setPtr(a int, t *Type, v any) {
	m.R[a], m.I[a] = v, 0
	if t.kind == reflect.Array {
		m.I[a], m.I[a+1] = int64(t.n), int64(t.n)
	}
}

func doNew(m *machine, x *ext) {
	if x.t.agg {
		if x.t.kind == reflect.Array && x.t.elem.w() > 0 { // it may be that of a make
			m.checkLen("len", int64(x.t.n), x.t.elem)
		}
		m.alloc(valueBytes(x.t))
		m.setPtr(x.a, x.t, m.aggFor(x.t))
		return
	}
	m.alloc(valueBytes(x.t))
	m.R[x.a], m.I[x.a] = follow(m, newObj(x.t.w(), x.t.banks, 1)), 0
}

func doGlobalAgg(m *machine, x *ext) {
	m.setPtr(x.a, x.t, aggAt(x.t, m.globals, int(x.n)))
}

// doFieldAgg makes the address of an aggregate from that of its cell.
func doFieldAgg(m *machine, x *ext) {
	if m.R[x.b] == nil {
		throwNil()
	}
	m.setPtr(x.a, x.t, aggAt(x.t, memOf(m.R[x.b]), int(m.I[x.b])))
}

// doLoadAgg loads a value that is, or contains, an aggregate.
func doLoadAgg(m *machine, x *ext) {
	r := m.R[x.b]
	if r == nil {
		throwNil()
	}
	if x.t.agg {
		m.R[x.a] = m.copyOf(x.t, r, m.ptrOff(x.t, x.b))
		return
	}
	w := &Obj{m.I, m.S, m.R}
	o, k := memOf(r), int(m.I[x.b])
	if p, ok := placeAt(o, k); ok {
		p.load(w, x.a)
		return
	}
	for i, c := range x.t.cells {
		if c.agg != nil {
			w.R[x.a+i] = m.copyOf(c.agg, o.ldR(k+i), 0)
			continue
		}
		loadCell(w, x.a+i, o, k+i, c.m)
	}
}

func loadCell(w *Obj, a int, o mem, k int, c mask) {
	if c&mI != 0 {
		w.I[a] = o.ldI(k)
	}
	if c&mS != 0 {
		w.S[a] = o.ldS(k)
	}
	if c&mR != 0 {
		w.R[a] = o.ldR(k)
	}
}

// ptrOff is the offset of a pointer to an aggregate.
func (m *machine) ptrOff(t *Type, r int) int {
	if t.kind == reflect.Array {
		return int(m.I[r+1] >> 32)
	}
	return int(m.I[r])
}

func doStoreAgg(m *machine, x *ext) {
	r := m.R[x.b]
	if r == nil {
		throwNil()
	}
	if x.t.agg {
		v := m.R[x.a]
		if v == nil {
			v = newAgg(x.t)
		}
		if x.t.kind == kindHost && !x.ok {
			m.mustReplace(r, false)
		}
		m.moveAgg(x.t, r, m.ptrOff(x.t, x.b), v, 0)
		return
	}
	copyValue(x.t, memOf(r), int(m.I[x.b]), &Obj{m.I, m.S, m.R}, x.a)
}

func doField(m *machine, x *ext) {
	f := x.t.fields[x.n]
	w := &Obj{m.I, m.S, m.R}
	if x.t.agg {
		rawCopy(f.typ.cells, w, x.a, asObj(x.t, m.R[x.b]), f.off)
		return
	}
	rawCopy(f.typ.cells, w, x.a, w, x.b+f.off)
}

func doIndexArray(m *machine, x *ext) {
	i := m.I[x.c]
	if uint64(i) >= uint64(x.t.n) {
		throwIndex(i, x.t.n, isUnsigned(x.u))
	}
	v := m.R[x.b]
	if v == nil {
		v = newAgg(x.t)
	}
	rawCopy(x.t.elem.cells, &Obj{m.I, m.S, m.R}, x.a, elemCells(x.t.elem, v, int(i)), 0)
}

func doUnpack(m *machine, x *ext) {
	m.room(x.a + window)
	m.view()
	if o, ok := m.R[x.b].(*Obj); ok {
		rawCopy(x.t.cells, &Obj{m.I, m.S, m.R}, x.a, o, 0)
	}
}

func doEqual(m *machine, x *ext) {
	w := &Obj{m.I, m.S, m.R}
	m.I[x.a] = b2i(equalCells(m.keys(), x.t, w, x.b, w, x.c) == x.ok)
}

func doClosure(m *machine, x *ext) {
	n := 0
	for _, t := range x.types {
		n += t.w()
	}
	m.alloc(objBytes + objectBytes(n, mP, 1))
	caps := newObj(n, mI|mR|mS, 1)
	if n > 0 {
		hasS := false
		for _, t := range x.types {
			for _, c := range t.cells {
				hasS = hasS || c.m&mS != 0
			}
		}
		if !hasS {
			caps = newObj(n, mP, 1)
		}
	}
	at := 0
	for i, t := range x.types {
		rawCopy(t.cells, caps, at, &Obj{m.I, m.S, m.R}, x.regs[i])
		at += t.w()
	}
	m.R[x.a] = follow(m, &Closure{fn: x.fn, caps: caps})
}
