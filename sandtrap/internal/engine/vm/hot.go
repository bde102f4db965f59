package vm

// window is what an instruction's bytes can name.
const window = 256

// hot is the loop over instructions. It makes no ordinary call: what needs one,
// and every check that fails, leaves the loop with t.pc after the instruction,
// and the caller does that instruction the long way. So keep it: one call here
// costs every instruction its registers.
func hot(t *task, code []uint64, g *Obj) {
	pc := t.pc
	I := (*[window]int64)(t.I[t.base:])
	S := (*[window]string)(t.S[t.base:])
	R := (*[window]any)(t.R[t.base:])
	for {
		in := code[pc]
		pc++
		switch Op(uint8(in)) {
		case opMovI:
			I[uint8(in>>8)] = I[uint8(in>>16)]
		case opMovS:
			S[uint8(in>>8)] = S[uint8(in>>16)]
		case opMovR:
			R[uint8(in>>8)] = R[uint8(in>>16)]
		case opMovP:
			I[uint8(in>>8)] = I[uint8(in>>16)]
			R[uint8(in>>8)] = R[uint8(in>>16)]
		case opMovSl:
			I[uint8(in>>8)], I[uint8(in>>8)+1] = I[uint8(in>>16)], I[uint8(in>>16)+1]
			R[uint8(in>>8)] = R[uint8(in>>16)]
		case opLdI:
			I[uint8(in>>8)] = int64(int32(in >> 32))
		case opLdKI:
			I[uint8(in>>8)] = t.prog.ints[int32(in>>32)]
		case opLdKS:
			S[uint8(in>>8)] = t.prog.strs[int32(in>>32)]
		case opLdKR:
			R[uint8(in>>8)] = t.prog.refs[int32(in>>32)]
		case opCapI:
			c, ok := R[uint8(in>>16)].(*Closure)
			if !ok {
				t.pc = pc
				return
			}
			m := mask(uint8(in >> 24))
			if m&mI != 0 {
				I[uint8(in>>8)] = c.caps.I[int32(in>>32)]
			}
			if m&mR != 0 {
				R[uint8(in>>8)] = c.caps.R[int32(in>>32)]
			}
			if m&mS != 0 {
				S[uint8(in>>8)] = c.caps.S[int32(in>>32)]
			}
		case opNil:
			I[uint8(in>>8)] = 0
			R[uint8(in>>8)] = nil
		case opAdd:
			I[uint8(in>>8)] = I[uint8(in>>16)] + I[uint8(in>>24)]
		case opSub:
			I[uint8(in>>8)] = I[uint8(in>>16)] - I[uint8(in>>24)]
		case opMul:
			I[uint8(in>>8)] = I[uint8(in>>16)] * I[uint8(in>>24)]
		case opAnd:
			I[uint8(in>>8)] = I[uint8(in>>16)] & I[uint8(in>>24)]
		case opOr:
			I[uint8(in>>8)] = I[uint8(in>>16)] | I[uint8(in>>24)]
		case opXor:
			I[uint8(in>>8)] = I[uint8(in>>16)] ^ I[uint8(in>>24)]
		case opAndN:
			I[uint8(in>>8)] = I[uint8(in>>16)] &^ I[uint8(in>>24)]
		case opShl:
			n := I[uint8(in>>24)]
			if n < 0 && int32(in>>32) != 0 {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = I[uint8(in>>16)] << uint64(n)
		case opShr:
			n := I[uint8(in>>24)]
			if n < 0 && int32(in>>32) != 0 {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = I[uint8(in>>16)] >> uint64(n)
		case opUshr:
			n := I[uint8(in>>24)]
			if n < 0 && int32(in>>32) != 0 {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = int64(uint64(I[uint8(in>>16)]) >> uint64(n))
		case opDiv:
			n := I[uint8(in>>24)]
			if n == 0 {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = I[uint8(in>>16)] / n
		case opRem:
			n := I[uint8(in>>24)]
			if n == 0 {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = I[uint8(in>>16)] % n
		case opUdiv:
			n := I[uint8(in>>24)]
			if n == 0 {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = int64(uint64(I[uint8(in>>16)]) / uint64(n))
		case opUrem:
			n := I[uint8(in>>24)]
			if n == 0 {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = int64(uint64(I[uint8(in>>16)]) % uint64(n))
		case opAddI:
			I[uint8(in>>8)] = I[uint8(in>>16)] + int64(int32(in>>32))
		case opMulI:
			I[uint8(in>>8)] = I[uint8(in>>16)] * int64(int32(in>>32))
		case opAndI:
			I[uint8(in>>8)] = I[uint8(in>>16)] & int64(int32(in>>32))
		case opShlI:
			I[uint8(in>>8)] = I[uint8(in>>16)] << uint32(int32(in>>32))
		case opShrI:
			I[uint8(in>>8)] = I[uint8(in>>16)] >> uint32(int32(in>>32))
		case opUshrI:
			I[uint8(in>>8)] = int64(uint64(I[uint8(in>>16)]) >> uint32(int32(in>>32)))
		case opNeg:
			I[uint8(in>>8)] = -I[uint8(in>>16)]
		case opNot:
			I[uint8(in>>8)] = ^I[uint8(in>>16)]
		case opLnot:
			I[uint8(in>>8)] = I[uint8(in>>16)] ^ 1
		case opSx8:
			I[uint8(in>>8)] = int64(int8(I[uint8(in>>16)]))
		case opSx16:
			I[uint8(in>>8)] = int64(int16(I[uint8(in>>16)]))
		case opSx32:
			I[uint8(in>>8)] = int64(int32(I[uint8(in>>16)]))
		case opZx8:
			I[uint8(in>>8)] = int64(uint8(I[uint8(in>>16)]))
		case opZx16:
			I[uint8(in>>8)] = int64(uint16(I[uint8(in>>16)]))
		case opZx32:
			I[uint8(in>>8)] = int64(uint32(I[uint8(in>>16)]))
		case opFadd:
			I[uint8(in>>8)] = f2i(i2f(I[uint8(in>>16)]) + i2f(I[uint8(in>>24)]))
		case opFsub:
			I[uint8(in>>8)] = f2i(i2f(I[uint8(in>>16)]) - i2f(I[uint8(in>>24)]))
		case opFmul:
			I[uint8(in>>8)] = f2i(i2f(I[uint8(in>>16)]) * i2f(I[uint8(in>>24)]))
		case opFdiv:
			I[uint8(in>>8)] = f2i(i2f(I[uint8(in>>16)]) / i2f(I[uint8(in>>24)]))
		case opFneg:
			I[uint8(in>>8)] = f2i(-i2f(I[uint8(in>>16)]))
		case opFr32:
			I[uint8(in>>8)] = f2i(float64(float32(i2f(I[uint8(in>>16)]))))
		case opI2F:
			I[uint8(in>>8)] = f2i(float64(I[uint8(in>>16)]))
		case opU2F:
			I[uint8(in>>8)] = f2i(float64(uint64(I[uint8(in>>16)])))
		case opF2I:
			I[uint8(in>>8)] = int64(i2f(I[uint8(in>>16)]))
		case opEq:
			v := int64(0)
			if I[uint8(in>>16)] == I[uint8(in>>24)] {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opNe:
			v := int64(0)
			if I[uint8(in>>16)] != I[uint8(in>>24)] {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opLt:
			v := int64(0)
			if I[uint8(in>>16)] < I[uint8(in>>24)] {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opLe:
			v := int64(0)
			if I[uint8(in>>16)] <= I[uint8(in>>24)] {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opUlt:
			v := int64(0)
			if uint64(I[uint8(in>>16)]) < uint64(I[uint8(in>>24)]) {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opUle:
			v := int64(0)
			if uint64(I[uint8(in>>16)]) <= uint64(I[uint8(in>>24)]) {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opFeq:
			v := int64(0)
			if i2f(I[uint8(in>>16)]) == i2f(I[uint8(in>>24)]) {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opFne:
			v := int64(0)
			if i2f(I[uint8(in>>16)]) != i2f(I[uint8(in>>24)]) {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opFlt:
			v := int64(0)
			if i2f(I[uint8(in>>16)]) < i2f(I[uint8(in>>24)]) {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opFle:
			v := int64(0)
			if i2f(I[uint8(in>>16)]) <= i2f(I[uint8(in>>24)]) {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opSlen:
			I[uint8(in>>8)] = int64(len(S[uint8(in>>16)]))
		case opNilR:
			v := int64(0)
			if R[uint8(in>>16)] == nil {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opJmp:
			pc = int(int32(in >> 32))
		case opJt:
			if I[uint8(in>>8)] != 0 {
				pc = int(int32(in >> 32))
			}
		case opJf:
			if I[uint8(in>>8)] == 0 {
				pc = int(int32(in >> 32))
			}
		case opJeq:
			if I[uint8(in>>8)] == I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
			}
		case opJne:
			if I[uint8(in>>8)] != I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
			}
		case opJlt:
			if I[uint8(in>>8)] < I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
			}
		case opJle:
			if I[uint8(in>>8)] <= I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
			}
		case opJult:
			if uint64(I[uint8(in>>8)]) < uint64(I[uint8(in>>16)]) {
				pc = int(int32(in >> 32))
			}
		case opJule:
			if uint64(I[uint8(in>>8)]) <= uint64(I[uint8(in>>16)]) {
				pc = int(int32(in >> 32))
			}
		case opJflt:
			if i2f(I[uint8(in>>8)]) < i2f(I[uint8(in>>16)]) {
				pc = int(int32(in >> 32))
			}
		case opJfle:
			if i2f(I[uint8(in>>8)]) <= i2f(I[uint8(in>>16)]) {
				pc = int(int32(in >> 32))
			}
		case opJnflt:
			if !(i2f(I[uint8(in>>8)]) < i2f(I[uint8(in>>16)])) {
				pc = int(int32(in >> 32))
			}
		case opJnfle:
			if !(i2f(I[uint8(in>>8)]) <= i2f(I[uint8(in>>16)])) {
				pc = int(int32(in >> 32))
			}
		case opJeqI:
			if I[uint8(in>>8)] == int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
			}
		case opJneI:
			if I[uint8(in>>8)] != int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
			}
		case opJltI:
			if I[uint8(in>>8)] < int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
			}
		case opJleI:
			if I[uint8(in>>8)] <= int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
			}
		case opJgtI:
			if I[uint8(in>>8)] > int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
			}
		case opJgeI:
			if I[uint8(in>>8)] >= int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
			}
		case opJnil:
			if R[uint8(in>>8)] == nil {
				pc = int(int32(in >> 32))
			}
		case opJnn:
			if R[uint8(in>>8)] != nil {
				pc = int(int32(in >> 32))
			}
		case opLoop:
			pc = int(int32(in >> 32))
			t.ticks--
			if t.ticks < 0 {
				t.pc = pc
				t.ticked = true
				return
			}
		case opLjeq:
			if I[uint8(in>>8)] == I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjne:
			if I[uint8(in>>8)] != I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjlt:
			if I[uint8(in>>8)] < I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjle:
			if I[uint8(in>>8)] <= I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjeqI:
			if I[uint8(in>>8)] == int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjneI:
			if I[uint8(in>>8)] != int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjltI:
			if I[uint8(in>>8)] < int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjleI:
			if I[uint8(in>>8)] <= int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjgtI:
			if I[uint8(in>>8)] > int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjgeI:
			if I[uint8(in>>8)] >= int64(int16(uint16(uint8(in>>16))|uint16(uint8(in>>24))<<8)) {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opTick:
			t.ticks--
			if t.ticks < 0 {
				t.pc = pc
				t.ticked = true
				return
			}
		case opLinc:
			n := I[uint8(in>>8)] + int64(uint8(in>>24))
			I[uint8(in>>8)] = n
			if n < I[uint8(in>>16)] {
				pc = int(int32(in >> 32))
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLd:
			o, ok := R[uint8(in>>16)].(*Obj)
			k := int(I[uint8(in>>16)]) + int(int32(in>>32))
			if !ok || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = o.I[k]
		case opSt:
			o, ok := R[uint8(in>>16)].(*Obj)
			k := int(I[uint8(in>>16)]) + int(int32(in>>32))
			if !ok || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			o.I[k] = I[uint8(in>>8)]
		case opGLd:
			I[uint8(in>>8)] = g.I[int32(in>>32)]
		case opGSt:
			g.I[int32(in>>32)] = I[uint8(in>>8)]
		case opLdS:
			o, ok := R[uint8(in>>16)].(*Obj)
			k := int(I[uint8(in>>16)]) + int(int32(in>>32))
			if !ok || uint(k) >= uint(len(o.S)) {
				t.pc = pc
				return
			}
			S[uint8(in>>8)] = o.S[k]
		case opStS:
			o, ok := R[uint8(in>>16)].(*Obj)
			k := int(I[uint8(in>>16)]) + int(int32(in>>32))
			if !ok || uint(k) >= uint(len(o.S)) {
				t.pc = pc
				return
			}
			o.S[k] = S[uint8(in>>8)]
		case opGLdS:
			S[uint8(in>>8)] = g.S[int32(in>>32)]
		case opGStS:
			g.S[int32(in>>32)] = S[uint8(in>>8)]
		case opLdR:
			o, ok := R[uint8(in>>16)].(*Obj)
			k := int(I[uint8(in>>16)]) + int(int32(in>>32))
			if !ok || uint(k) >= uint(len(o.R)) {
				t.pc = pc
				return
			}
			R[uint8(in>>8)] = o.R[k]
		case opStR:
			o, ok := R[uint8(in>>16)].(*Obj)
			k := int(I[uint8(in>>16)]) + int(int32(in>>32))
			if !ok || uint(k) >= uint(len(o.R)) {
				t.pc = pc
				return
			}
			o.R[k] = R[uint8(in>>8)]
		case opGLdR:
			R[uint8(in>>8)] = g.R[int32(in>>32)]
		case opGStR:
			g.R[int32(in>>32)] = R[uint8(in>>8)]
		case opLdP:
			o, ok := R[uint8(in>>16)].(*Obj)
			k := int(I[uint8(in>>16)]) + int(int32(in>>32))
			if !ok || uint(k) >= uint(len(o.R)) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			R[uint8(in>>8)] = o.R[k]
			I[uint8(in>>8)] = o.I[k]
		case opStP:
			o, ok := R[uint8(in>>16)].(*Obj)
			k := int(I[uint8(in>>16)]) + int(int32(in>>32))
			if !ok || uint(k) >= uint(len(o.R)) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			o.R[k] = R[uint8(in>>8)]
			o.I[k] = I[uint8(in>>8)]
		case opGLdP:
			R[uint8(in>>8)] = g.R[int32(in>>32)]
			I[uint8(in>>8)] = g.I[int32(in>>32)]
		case opGStP:
			g.R[int32(in>>32)] = R[uint8(in>>8)]
			g.I[int32(in>>32)] = I[uint8(in>>8)]
		case opGAddr:
			R[uint8(in>>8)] = g
			I[uint8(in>>8)] = int64(int32(in >> 32))
		case opPadd:
			if R[uint8(in>>16)] == nil {
				t.pc = pc
				return
			}
			R[uint8(in>>8)] = R[uint8(in>>16)]
			I[uint8(in>>8)] = I[uint8(in>>16)] + int64(int32(in>>32))
		case opXInt:
			o, ok := R[uint8(in>>16)].(*Num[int])
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = int64(o.V[k])
		case opYInt:
			o, ok := R[uint8(in>>16)].(*Num[int])
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = int(I[uint8(in>>8)])
		case opXU8:
			o, ok := R[uint8(in>>16)].(*Num[uint8])
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = int64(o.V[k])
		case opYU8:
			o, ok := R[uint8(in>>16)].(*Num[uint8])
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = uint8(I[uint8(in>>8)])
		case opXF64:
			o, ok := R[uint8(in>>16)].(*Flt[float64])
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = f2i(o.V[k])
		case opYF64:
			o, ok := R[uint8(in>>16)].(*Flt[float64])
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = i2f(I[uint8(in>>8)])
		case opXStr:
			o, ok := R[uint8(in>>16)].(*Strs)
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			S[uint8(in>>8)] = o.V[k]
		case opYStr:
			o, ok := R[uint8(in>>16)].(*Strs)
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = S[uint8(in>>8)]
		case opXI32:
			o, ok := R[uint8(in>>16)].(*Num[int32])
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = int64(o.V[k])
		case opYI32:
			o, ok := R[uint8(in>>16)].(*Num[int32])
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = int32(I[uint8(in>>8)])
		case opXBool:
			o, ok := R[uint8(in>>16)].(*Bools)
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			v := int64(0)
			if o.V[k] {
				v = 1
			}
			I[uint8(in>>8)] = v
		case opYBool:
			o, ok := R[uint8(in>>16)].(*Bools)
			n := I[uint8(in>>24)]
			k := int(n) + int(I[uint8(in>>16)+1]>>32)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = I[uint8(in>>8)] != 0
		case opXo:
			o, ok := R[uint8(in>>16)].(*Obj)
			n := I[uint8(in>>24)]
			k := (int(n)+int(I[uint8(in>>16)+1]>>32))*int(int32(in>>32)&0xffff) + int(int32(in>>32)>>16)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = o.I[k]
		case opYo:
			o, ok := R[uint8(in>>16)].(*Obj)
			n := I[uint8(in>>24)]
			k := (int(n)+int(I[uint8(in>>16)+1]>>32))*int(int32(in>>32)&0xffff) + int(int32(in>>32)>>16)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			o.I[k] = I[uint8(in>>8)]
		case opXoS:
			o, ok := R[uint8(in>>16)].(*Obj)
			n := I[uint8(in>>24)]
			k := (int(n)+int(I[uint8(in>>16)+1]>>32))*int(int32(in>>32)&0xffff) + int(int32(in>>32)>>16)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.S)) {
				t.pc = pc
				return
			}
			S[uint8(in>>8)] = o.S[k]
		case opYoS:
			o, ok := R[uint8(in>>16)].(*Obj)
			n := I[uint8(in>>24)]
			k := (int(n)+int(I[uint8(in>>16)+1]>>32))*int(int32(in>>32)&0xffff) + int(int32(in>>32)>>16)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.S)) {
				t.pc = pc
				return
			}
			o.S[k] = S[uint8(in>>8)]
		case opXoR:
			o, ok := R[uint8(in>>16)].(*Obj)
			n := I[uint8(in>>24)]
			k := (int(n)+int(I[uint8(in>>16)+1]>>32))*int(int32(in>>32)&0xffff) + int(int32(in>>32)>>16)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.R)) {
				t.pc = pc
				return
			}
			R[uint8(in>>8)] = o.R[k]
		case opYoR:
			o, ok := R[uint8(in>>16)].(*Obj)
			n := I[uint8(in>>24)]
			k := (int(n)+int(I[uint8(in>>16)+1]>>32))*int(int32(in>>32)&0xffff) + int(int32(in>>32)>>16)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.R)) {
				t.pc = pc
				return
			}
			o.R[k] = R[uint8(in>>8)]
		case opXoP:
			o, ok := R[uint8(in>>16)].(*Obj)
			n := I[uint8(in>>24)]
			k := (int(n)+int(I[uint8(in>>16)+1]>>32))*int(int32(in>>32)&0xffff) + int(int32(in>>32)>>16)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.R)) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			R[uint8(in>>8)] = o.R[k]
			I[uint8(in>>8)] = o.I[k]
		case opYoP:
			o, ok := R[uint8(in>>16)].(*Obj)
			n := I[uint8(in>>24)]
			k := (int(n)+int(I[uint8(in>>16)+1]>>32))*int(int32(in>>32)&0xffff) + int(int32(in>>32)>>16)
			if !ok || uint64(n) >= uint64(I[uint8(in>>16)]) || uint(k) >= uint(len(o.R)) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			o.R[k] = R[uint8(in>>8)]
			o.I[k] = I[uint8(in>>8)]
		case opXp:
			n := I[uint8(in>>24)]
			if uint64(n) >= uint64(I[uint8(in>>16)]) {
				t.pc = pc
				return
			}
			k := (n+I[uint8(in>>16)+1]>>32)*int64(int32(in>>32)&0xffff) + int64(int32(in>>32)>>16)
			R[uint8(in>>8)] = R[uint8(in>>16)]
			I[uint8(in>>8)] = k
		case opSidx:
			s := S[uint8(in>>16)]
			n := I[uint8(in>>24)]
			if uint64(n) >= uint64(len(s)) {
				t.pc = pc
				return
			}
			I[uint8(in>>8)] = int64(s[n])
		case opCall:
			nb := t.base + int(uint8(in>>8)) + int(uint8(in>>16))<<8
			if nb+window > len(t.I) || t.fp+1 >= len(t.frames) {
				t.pc = pc
				return
			}
			t.fp++
			t.frames[t.fp] = frame{int32(pc), int32(t.base)}
			t.base = nb
			pc = int(int32(in >> 32))
			I = (*[window]int64)(t.I[t.base:])
			S = (*[window]string)(t.S[t.base:])
			R = (*[window]any)(t.R[t.base:])
		case opCallC:
			w := int(uint8(in>>8)) + int(uint8(in>>16))<<8
			nb := t.base + w
			if nb+window > len(t.I) || t.fp+1 >= len(t.frames) {
				t.pc = pc
				return
			}
			c, ok := t.R[nb+int(int32(in>>32))].(*Closure)
			if !ok || c.fn == nil {
				t.pc = pc
				return
			}
			t.fp++
			t.frames[t.fp] = frame{int32(pc), int32(t.base)}
			t.base = nb
			pc = c.fn.entry
			I = (*[window]int64)(t.I[t.base:])
			S = (*[window]string)(t.S[t.base:])
			R = (*[window]any)(t.R[t.base:])
		case opCallM:
			nb := t.base + int(uint8(in>>8)) + int(uint8(in>>16))<<8
			f, ok := R[uint8(in>>24)].(*Iface)
			if !ok || nb+window > len(t.I) || t.fp+1 >= len(t.frames) || int(int32(in>>32)) >= len(f.T.entries) {
				t.pc = pc
				return
			}
			t.fp++
			t.frames[t.fp] = frame{int32(pc), int32(t.base)}
			t.base = nb
			pc = int(f.T.entries[int32(in>>32)])
			I = (*[window]int64)(t.I[t.base:])
			S = (*[window]string)(t.S[t.base:])
			R = (*[window]any)(t.R[t.base:])
			I[0], S[0], R[0] = f.I, f.S, f.R
		case opRet:
			fr := t.frames[t.fp]
			t.fp--
			pc = int(fr.pc)
			t.base = int(fr.base)
			I = (*[window]int64)(t.I[t.base:])
			S = (*[window]string)(t.S[t.base:])
			R = (*[window]any)(t.R[t.base:])
		case opRetI:
			I[0] = I[uint8(in>>8)]
			fr := t.frames[t.fp]
			t.fp--
			pc = int(fr.pc)
			t.base = int(fr.base)
			I = (*[window]int64)(t.I[t.base:])
			S = (*[window]string)(t.S[t.base:])
			R = (*[window]any)(t.R[t.base:])
		default:
			t.pc = pc
			return
		}
	}
}
