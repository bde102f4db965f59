package vm

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
