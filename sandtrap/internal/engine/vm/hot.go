package vm

// window is what an instruction's bytes can name.
const window = 256

// hot is the loop over instructions. It makes no ordinary call: what needs one,
// and every check that fails, leaves the loop with t.pc after the instruction,
// and the caller does that instruction the long way. So keep it: one call here
// costs every instruction its registers.
func hot(t *task, code []Ins, g *Obj) {
	pc := t.pc
	I := (*[window]int64)(t.I[t.base:])
	S := (*[window]string)(t.S[t.base:])
	R := (*[window]any)(t.R[t.base:])
	for {
		in := code[pc]
		pc++
		switch in.Op {
		case opMovI:
			I[in.A] = I[in.B]
		case opMovS:
			S[in.A] = S[in.B]
		case opMovR:
			R[in.A] = R[in.B]
		case opMovP:
			I[in.A] = I[in.B]
			R[in.A] = R[in.B]
		case opMovSl:
			I[in.A], I[in.A+1] = I[in.B], I[in.B+1]
			R[in.A] = R[in.B]
		case opLdI:
			I[in.A] = int64(in.D)
		case opLdKI:
			I[in.A] = t.prog.ints[in.D]
		case opLdKS:
			S[in.A] = t.prog.strs[in.D]
		case opLdKR:
			R[in.A] = t.prog.refs[in.D]
		case opCapI:
			c, ok := R[in.B].(*Closure)
			if !ok {
				t.pc = pc
				return
			}
			m := mask(in.C)
			if m&mI != 0 {
				I[in.A] = c.caps.I[in.D]
			}
			if m&mR != 0 {
				R[in.A] = c.caps.R[in.D]
			}
			if m&mS != 0 {
				S[in.A] = c.caps.S[in.D]
			}
		case opNil:
			I[in.A] = 0
			R[in.A] = nil
		case opAdd:
			I[in.A] = I[in.B] + I[in.C]
		case opSub:
			I[in.A] = I[in.B] - I[in.C]
		case opMul:
			I[in.A] = I[in.B] * I[in.C]
		case opAnd:
			I[in.A] = I[in.B] & I[in.C]
		case opOr:
			I[in.A] = I[in.B] | I[in.C]
		case opXor:
			I[in.A] = I[in.B] ^ I[in.C]
		case opAndN:
			I[in.A] = I[in.B] &^ I[in.C]
		case opShl:
			n := I[in.C]
			if n < 0 && in.D != 0 {
				t.pc = pc
				return
			}
			I[in.A] = I[in.B] << uint64(n)
		case opShr:
			n := I[in.C]
			if n < 0 && in.D != 0 {
				t.pc = pc
				return
			}
			I[in.A] = I[in.B] >> uint64(n)
		case opUshr:
			n := I[in.C]
			if n < 0 && in.D != 0 {
				t.pc = pc
				return
			}
			I[in.A] = int64(uint64(I[in.B]) >> uint64(n))
		case opDiv:
			n := I[in.C]
			if n == 0 {
				t.pc = pc
				return
			}
			I[in.A] = I[in.B] / n
		case opRem:
			n := I[in.C]
			if n == 0 {
				t.pc = pc
				return
			}
			I[in.A] = I[in.B] % n
		case opUdiv:
			n := I[in.C]
			if n == 0 {
				t.pc = pc
				return
			}
			I[in.A] = int64(uint64(I[in.B]) / uint64(n))
		case opUrem:
			n := I[in.C]
			if n == 0 {
				t.pc = pc
				return
			}
			I[in.A] = int64(uint64(I[in.B]) % uint64(n))
		case opAddI:
			I[in.A] = I[in.B] + int64(in.D)
		case opMulI:
			I[in.A] = I[in.B] * int64(in.D)
		case opAndI:
			I[in.A] = I[in.B] & int64(in.D)
		case opShlI:
			I[in.A] = I[in.B] << uint32(in.D)
		case opShrI:
			I[in.A] = I[in.B] >> uint32(in.D)
		case opUshrI:
			I[in.A] = int64(uint64(I[in.B]) >> uint32(in.D))
		case opNeg:
			I[in.A] = -I[in.B]
		case opNot:
			I[in.A] = ^I[in.B]
		case opLnot:
			I[in.A] = I[in.B] ^ 1
		case opSx8:
			I[in.A] = int64(int8(I[in.B]))
		case opSx16:
			I[in.A] = int64(int16(I[in.B]))
		case opSx32:
			I[in.A] = int64(int32(I[in.B]))
		case opZx8:
			I[in.A] = int64(uint8(I[in.B]))
		case opZx16:
			I[in.A] = int64(uint16(I[in.B]))
		case opZx32:
			I[in.A] = int64(uint32(I[in.B]))
		case opFadd:
			I[in.A] = f2i(i2f(I[in.B]) + i2f(I[in.C]))
		case opFsub:
			I[in.A] = f2i(i2f(I[in.B]) - i2f(I[in.C]))
		case opFmul:
			I[in.A] = f2i(i2f(I[in.B]) * i2f(I[in.C]))
		case opFdiv:
			I[in.A] = f2i(i2f(I[in.B]) / i2f(I[in.C]))
		case opFneg:
			I[in.A] = f2i(-i2f(I[in.B]))
		case opFr32:
			I[in.A] = f2i(float64(float32(i2f(I[in.B]))))
		case opI2F:
			I[in.A] = f2i(float64(I[in.B]))
		case opU2F:
			I[in.A] = f2i(float64(uint64(I[in.B])))
		case opF2I:
			I[in.A] = int64(i2f(I[in.B]))
		case opEq:
			v := int64(0)
			if I[in.B] == I[in.C] {
				v = 1
			}
			I[in.A] = v
		case opNe:
			v := int64(0)
			if I[in.B] != I[in.C] {
				v = 1
			}
			I[in.A] = v
		case opLt:
			v := int64(0)
			if I[in.B] < I[in.C] {
				v = 1
			}
			I[in.A] = v
		case opLe:
			v := int64(0)
			if I[in.B] <= I[in.C] {
				v = 1
			}
			I[in.A] = v
		case opUlt:
			v := int64(0)
			if uint64(I[in.B]) < uint64(I[in.C]) {
				v = 1
			}
			I[in.A] = v
		case opUle:
			v := int64(0)
			if uint64(I[in.B]) <= uint64(I[in.C]) {
				v = 1
			}
			I[in.A] = v
		case opFeq:
			v := int64(0)
			if i2f(I[in.B]) == i2f(I[in.C]) {
				v = 1
			}
			I[in.A] = v
		case opFne:
			v := int64(0)
			if i2f(I[in.B]) != i2f(I[in.C]) {
				v = 1
			}
			I[in.A] = v
		case opFlt:
			v := int64(0)
			if i2f(I[in.B]) < i2f(I[in.C]) {
				v = 1
			}
			I[in.A] = v
		case opFle:
			v := int64(0)
			if i2f(I[in.B]) <= i2f(I[in.C]) {
				v = 1
			}
			I[in.A] = v
		case opSlen:
			I[in.A] = int64(len(S[in.B]))
		case opNilR:
			v := int64(0)
			if R[in.B] == nil {
				v = 1
			}
			I[in.A] = v
		case opJmp:
			pc = int(in.D)
		case opJt:
			if I[in.A] != 0 {
				pc = int(in.D)
			}
		case opJf:
			if I[in.A] == 0 {
				pc = int(in.D)
			}
		case opJeq:
			if I[in.A] == I[in.B] {
				pc = int(in.D)
			}
		case opJne:
			if I[in.A] != I[in.B] {
				pc = int(in.D)
			}
		case opJlt:
			if I[in.A] < I[in.B] {
				pc = int(in.D)
			}
		case opJle:
			if I[in.A] <= I[in.B] {
				pc = int(in.D)
			}
		case opJult:
			if uint64(I[in.A]) < uint64(I[in.B]) {
				pc = int(in.D)
			}
		case opJule:
			if uint64(I[in.A]) <= uint64(I[in.B]) {
				pc = int(in.D)
			}
		case opJflt:
			if i2f(I[in.A]) < i2f(I[in.B]) {
				pc = int(in.D)
			}
		case opJfle:
			if i2f(I[in.A]) <= i2f(I[in.B]) {
				pc = int(in.D)
			}
		case opJnflt:
			if !(i2f(I[in.A]) < i2f(I[in.B])) {
				pc = int(in.D)
			}
		case opJnfle:
			if !(i2f(I[in.A]) <= i2f(I[in.B])) {
				pc = int(in.D)
			}
		case opJeqI:
			if I[in.A] == int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
			}
		case opJneI:
			if I[in.A] != int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
			}
		case opJltI:
			if I[in.A] < int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
			}
		case opJleI:
			if I[in.A] <= int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
			}
		case opJgtI:
			if I[in.A] > int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
			}
		case opJgeI:
			if I[in.A] >= int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
			}
		case opJnil:
			if R[in.A] == nil {
				pc = int(in.D)
			}
		case opJnn:
			if R[in.A] != nil {
				pc = int(in.D)
			}
		case opLoop:
			pc = int(in.D)
			t.ticks--
			if t.ticks < 0 {
				t.pc = pc
				t.ticked = true
				return
			}
		case opLjeq:
			if I[in.A] == I[in.B] {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjne:
			if I[in.A] != I[in.B] {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjlt:
			if I[in.A] < I[in.B] {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjle:
			if I[in.A] <= I[in.B] {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjeqI:
			if I[in.A] == int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjneI:
			if I[in.A] != int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjltI:
			if I[in.A] < int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjleI:
			if I[in.A] <= int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjgtI:
			if I[in.A] > int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
				t.ticks--
				if t.ticks < 0 {
					t.pc = pc
					t.ticked = true
					return
				}
			}
		case opLjgeI:
			if I[in.A] >= int64(int16(uint16(in.B)|uint16(in.C)<<8)) {
				pc = int(in.D)
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
		case opLd:
			o, ok := R[in.B].(*Obj)
			k := int(I[in.B]) + int(in.D)
			if !ok || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			I[in.A] = o.I[k]
		case opSt:
			o, ok := R[in.B].(*Obj)
			k := int(I[in.B]) + int(in.D)
			if !ok || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			o.I[k] = I[in.A]
		case opGLd:
			I[in.A] = g.I[in.D]
		case opGSt:
			g.I[in.D] = I[in.A]
		case opLdS:
			o, ok := R[in.B].(*Obj)
			k := int(I[in.B]) + int(in.D)
			if !ok || uint(k) >= uint(len(o.S)) {
				t.pc = pc
				return
			}
			S[in.A] = o.S[k]
		case opStS:
			o, ok := R[in.B].(*Obj)
			k := int(I[in.B]) + int(in.D)
			if !ok || uint(k) >= uint(len(o.S)) {
				t.pc = pc
				return
			}
			o.S[k] = S[in.A]
		case opGLdS:
			S[in.A] = g.S[in.D]
		case opGStS:
			g.S[in.D] = S[in.A]
		case opLdR:
			o, ok := R[in.B].(*Obj)
			k := int(I[in.B]) + int(in.D)
			if !ok || uint(k) >= uint(len(o.R)) {
				t.pc = pc
				return
			}
			R[in.A] = o.R[k]
		case opStR:
			o, ok := R[in.B].(*Obj)
			k := int(I[in.B]) + int(in.D)
			if !ok || uint(k) >= uint(len(o.R)) {
				t.pc = pc
				return
			}
			o.R[k] = R[in.A]
		case opGLdR:
			R[in.A] = g.R[in.D]
		case opGStR:
			g.R[in.D] = R[in.A]
		case opLdP:
			o, ok := R[in.B].(*Obj)
			k := int(I[in.B]) + int(in.D)
			if !ok || uint(k) >= uint(len(o.R)) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			R[in.A] = o.R[k]
			I[in.A] = o.I[k]
		case opStP:
			o, ok := R[in.B].(*Obj)
			k := int(I[in.B]) + int(in.D)
			if !ok || uint(k) >= uint(len(o.R)) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			o.R[k] = R[in.A]
			o.I[k] = I[in.A]
		case opGLdP:
			R[in.A] = g.R[in.D]
			I[in.A] = g.I[in.D]
		case opGStP:
			g.R[in.D] = R[in.A]
			g.I[in.D] = I[in.A]
		case opGAddr:
			R[in.A] = g
			I[in.A] = int64(in.D)
		case opPadd:
			if R[in.B] == nil {
				t.pc = pc
				return
			}
			R[in.A] = R[in.B]
			I[in.A] = I[in.B] + int64(in.D)
		case opXInt:
			o, ok := R[in.B].(*Num[int])
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			I[in.A] = int64(o.V[k])
		case opYInt:
			o, ok := R[in.B].(*Num[int])
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = int(I[in.A])
		case opXU8:
			o, ok := R[in.B].(*Num[uint8])
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			I[in.A] = int64(o.V[k])
		case opYU8:
			o, ok := R[in.B].(*Num[uint8])
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = uint8(I[in.A])
		case opXF64:
			o, ok := R[in.B].(*Flt[float64])
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			I[in.A] = f2i(o.V[k])
		case opYF64:
			o, ok := R[in.B].(*Flt[float64])
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = i2f(I[in.A])
		case opXStr:
			o, ok := R[in.B].(*Strs)
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			S[in.A] = o.V[k]
		case opYStr:
			o, ok := R[in.B].(*Strs)
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = S[in.A]
		case opXI32:
			o, ok := R[in.B].(*Num[int32])
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			I[in.A] = int64(o.V[k])
		case opYI32:
			o, ok := R[in.B].(*Num[int32])
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = int32(I[in.A])
		case opXBool:
			o, ok := R[in.B].(*Bools)
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			v := int64(0)
			if o.V[k] {
				v = 1
			}
			I[in.A] = v
		case opYBool:
			o, ok := R[in.B].(*Bools)
			n := I[in.C]
			k := int(n) + int(I[in.B+1]>>32)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.V)) {
				t.pc = pc
				return
			}
			o.V[k] = I[in.A] != 0
		case opXo:
			o, ok := R[in.B].(*Obj)
			n := I[in.C]
			k := (int(n)+int(I[in.B+1]>>32))*int(in.D&0xffff) + int(in.D>>16)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			I[in.A] = o.I[k]
		case opYo:
			o, ok := R[in.B].(*Obj)
			n := I[in.C]
			k := (int(n)+int(I[in.B+1]>>32))*int(in.D&0xffff) + int(in.D>>16)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			o.I[k] = I[in.A]
		case opXoS:
			o, ok := R[in.B].(*Obj)
			n := I[in.C]
			k := (int(n)+int(I[in.B+1]>>32))*int(in.D&0xffff) + int(in.D>>16)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.S)) {
				t.pc = pc
				return
			}
			S[in.A] = o.S[k]
		case opYoS:
			o, ok := R[in.B].(*Obj)
			n := I[in.C]
			k := (int(n)+int(I[in.B+1]>>32))*int(in.D&0xffff) + int(in.D>>16)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.S)) {
				t.pc = pc
				return
			}
			o.S[k] = S[in.A]
		case opXoR:
			o, ok := R[in.B].(*Obj)
			n := I[in.C]
			k := (int(n)+int(I[in.B+1]>>32))*int(in.D&0xffff) + int(in.D>>16)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.R)) {
				t.pc = pc
				return
			}
			R[in.A] = o.R[k]
		case opYoR:
			o, ok := R[in.B].(*Obj)
			n := I[in.C]
			k := (int(n)+int(I[in.B+1]>>32))*int(in.D&0xffff) + int(in.D>>16)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.R)) {
				t.pc = pc
				return
			}
			o.R[k] = R[in.A]
		case opXoP:
			o, ok := R[in.B].(*Obj)
			n := I[in.C]
			k := (int(n)+int(I[in.B+1]>>32))*int(in.D&0xffff) + int(in.D>>16)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.R)) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			R[in.A] = o.R[k]
			I[in.A] = o.I[k]
		case opYoP:
			o, ok := R[in.B].(*Obj)
			n := I[in.C]
			k := (int(n)+int(I[in.B+1]>>32))*int(in.D&0xffff) + int(in.D>>16)
			if !ok || uint64(n) >= uint64(I[in.B]) || uint(k) >= uint(len(o.R)) || uint(k) >= uint(len(o.I)) {
				t.pc = pc
				return
			}
			o.R[k] = R[in.A]
			o.I[k] = I[in.A]
		case opXp:
			n := I[in.C]
			if uint64(n) >= uint64(I[in.B]) {
				t.pc = pc
				return
			}
			k := (n+I[in.B+1]>>32)*int64(in.D&0xffff) + int64(in.D>>16)
			R[in.A] = R[in.B]
			I[in.A] = k
		case opSidx:
			s := S[in.B]
			n := I[in.C]
			if uint64(n) >= uint64(len(s)) {
				t.pc = pc
				return
			}
			I[in.A] = int64(s[n])
		case opCall:
			nb := t.base + int(in.A) + int(in.B)<<8
			if nb+window > len(t.I) || t.fp+1 >= len(t.frames) {
				t.pc = pc
				return
			}
			t.fp++
			t.frames[t.fp] = frame{int32(pc), int32(t.base)}
			t.base = nb
			pc = int(in.D)
			I = (*[window]int64)(t.I[t.base:])
			S = (*[window]string)(t.S[t.base:])
			R = (*[window]any)(t.R[t.base:])
		case opCallC:
			w := int(in.A) + int(in.B)<<8
			nb := t.base + w
			if nb+window > len(t.I) || t.fp+1 >= len(t.frames) {
				t.pc = pc
				return
			}
			c, ok := t.R[nb+int(in.D)].(*Closure)
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
			nb := t.base + int(in.A) + int(in.B)<<8
			f, ok := R[in.C].(*Iface)
			if !ok || nb+window > len(t.I) || t.fp+1 >= len(t.frames) || int(in.D) >= len(f.T.entries) {
				t.pc = pc
				return
			}
			t.fp++
			t.frames[t.fp] = frame{int32(pc), int32(t.base)}
			t.base = nb
			pc = int(f.T.entries[in.D])
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
			I[0] = I[in.A]
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
