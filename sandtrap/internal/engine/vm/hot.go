package vm

import "math"

// window is what an instruction's bytes can name, and the second cell of a slice
// that is the last of these.
const window = 256 + 1

// hot is the loop over instructions. It makes no ordinary call: what needs one,
// and every check that fails, leaves the loop with t.pc after the instruction,
// and the caller does that instruction the long way. So keep it: one call here
// costs every instruction its registers.
func hot(t *task, code []byte) {
	pc, ticks := uint32(t.pc)*wordSize, t.ticks
run:
	for {
		b := int(uint32(t.base))
		I := (*[window]int64)(t.I[b : b+window : b+window])
		S := (*[window]string)(t.S[b : b+window : b+window])
		R := (*[window]any)(t.R[b : b+window : b+window])
		_, _, _ = I[0], S[0], R[0]
		for ; ; pc += wordSize {
			p := int(pc)
			in := (*word)(code[p : p+wordSize : p+wordSize])
			switch in.op() {
			case opMovI:
				I[in.a()] = I[in.b()]
			case opMovS:
				S[in.a()] = S[in.b()]
			case opMovR:
				R[in.a()] = R[in.b()]
			case opMovP:
				I[in.a()] = I[in.b()]
				R[in.a()] = R[in.b()]
			case opMovSl:
				I[in.a()], I[int(in.a())+1] = I[in.b()], I[int(in.b())+1]
				R[in.a()] = R[in.b()]
			case opLdI:
				I[in.a()] = int64(in.lo()|in.hi()) - bias
			case opLdKI:
				I[in.a()] = t.prog.ints[in.lo()|in.hi()]
			case opLdKS:
				S[in.a()] = t.prog.strs[in.lo()|in.hi()]
			case opLdKR:
				R[in.a()] = t.prog.refs[in.lo()|in.hi()]
			case opCapI:
				c, ok := R[in.b()].(*Closure)
				if !ok {
					break run
				}
				m := mask(in.c())
				if m&mI != 0 {
					I[in.a()] = c.caps.I[in.lo()|in.hi()]
				}
				if m&mR != 0 {
					R[in.a()] = c.caps.R[in.lo()|in.hi()]
				}
				if m&mS != 0 {
					S[in.a()] = c.caps.S[in.lo()|in.hi()]
				}
			case opCapSl:
				c, ok := R[in.b()].(*Closure)
				if !ok {
					break run
				}
				k := in.lo() | in.hi()
				R[in.a()], I[in.a()], I[int(in.a())+1] = c.caps.R[k], c.caps.I[k], c.caps.I[k+1]
			case opNil:
				I[in.a()] = 0
				R[in.a()] = nil
			case opAdd:
				I[in.a()] = I[in.b()] + I[in.c()]
			case opSub:
				I[in.a()] = I[in.b()] - I[in.c()]
			case opMul:
				I[in.a()] = I[in.b()] * I[in.c()]
			case opAnd:
				I[in.a()] = I[in.b()] & I[in.c()]
			case opOr:
				I[in.a()] = I[in.b()] | I[in.c()]
			case opXor:
				I[in.a()] = I[in.b()] ^ I[in.c()]
			case opAndN:
				I[in.a()] = I[in.b()] &^ I[in.c()]
			case opShl:
				n := I[in.c()]
				if n < 0 && in.lo() != 0 {
					break run
				}
				I[in.a()] = I[in.b()] << uint64(n)
			case opShr:
				n := I[in.c()]
				if n < 0 && in.lo() != 0 {
					break run
				}
				I[in.a()] = I[in.b()] >> uint64(n)
			case opUshr:
				n := I[in.c()]
				if n < 0 && in.lo() != 0 {
					break run
				}
				I[in.a()] = int64(uint64(I[in.b()]) >> uint64(n))
			case opDiv:
				n := I[in.c()]
				if n == 0 {
					break run
				}
				I[in.a()] = I[in.b()] / n
			case opRem:
				n := I[in.c()]
				if n == 0 {
					break run
				}
				I[in.a()] = I[in.b()] % n
			case opUdiv:
				n := I[in.c()]
				if n == 0 {
					break run
				}
				I[in.a()] = int64(uint64(I[in.b()]) / uint64(n))
			case opUrem:
				n := I[in.c()]
				if n == 0 {
					break run
				}
				I[in.a()] = int64(uint64(I[in.b()]) % uint64(n))
			case opAddI:
				I[in.a()] = I[in.b()] + (int64(in.lo()|in.hi()) - bias)
			case opMulI:
				I[in.a()] = I[in.b()] * (int64(in.lo()|in.hi()) - bias)
			case opAndI:
				I[in.a()] = I[in.b()] & (int64(in.lo()|in.hi()) - bias)
			case opShlI:
				I[in.a()] = I[in.b()] << (in.lo() | in.hi())
			case opShrI:
				I[in.a()] = I[in.b()] >> (in.lo() | in.hi())
			case opUshrI:
				I[in.a()] = int64(uint64(I[in.b()]) >> (in.lo() | in.hi()))
			case opNeg:
				I[in.a()] = -I[in.b()]
			case opNot:
				I[in.a()] = ^I[in.b()]
			case opLnot:
				I[in.a()] = I[in.b()] ^ 1
			case opSx8:
				I[in.a()] = int64(int8(I[in.b()]))
			case opSx16:
				I[in.a()] = int64(int16(I[in.b()]))
			case opSx32:
				I[in.a()] = int64(int32(I[in.b()]))
			case opZx8:
				I[in.a()] = int64(uint8(I[in.b()]))
			case opZx16:
				I[in.a()] = int64(uint16(I[in.b()]))
			case opZx32:
				I[in.a()] = int64(uint32(I[in.b()]))
			case opFadd:
				I[in.a()] = f2i(i2f(I[in.b()]) + i2f(I[in.c()]))
			case opFsub:
				I[in.a()] = f2i(i2f(I[in.b()]) - i2f(I[in.c()]))
			case opFmul:
				I[in.a()] = f2i(i2f(I[in.b()]) * i2f(I[in.c()]))
			case opFdiv:
				I[in.a()] = f2i(i2f(I[in.b()]) / i2f(I[in.c()]))
			case opFmadd:
				y := float64(i2f(I[in.c()]) * i2f(I[uint8(in.lo())])) // rounded, wherever this runs
				I[in.a()] = f2i(i2f(I[in.b()]) + y)
			case opFmsub:
				y := float64(i2f(I[in.c()]) * i2f(I[uint8(in.lo())]))
				I[in.a()] = f2i(i2f(I[in.b()]) - y)
			case opSqrt:
				if !t.sqrt {
					break run
				}
				I[in.a()] = f2i(math.Sqrt(i2f(I[in.b()])))
			case opFneg:
				I[in.a()] = f2i(-i2f(I[in.b()]))
			case opFr32:
				I[in.a()] = f2i(float64(float32(i2f(I[in.b()]))))
			case opI2F:
				I[in.a()] = f2i(float64(I[in.b()]))
			case opU2F:
				I[in.a()] = f2i(float64(uint64(I[in.b()])))
			case opF2I:
				I[in.a()] = int64(i2f(I[in.b()]))
			case opF2I32:
				I[in.a()] = int64(int32(i2f(I[in.b()])))
			case opEq:
				v := int64(0)
				if I[in.b()] == I[in.c()] {
					v = 1
				}
				I[in.a()] = v
			case opNe:
				v := int64(0)
				if I[in.b()] != I[in.c()] {
					v = 1
				}
				I[in.a()] = v
			case opLt:
				v := int64(0)
				if I[in.b()] < I[in.c()] {
					v = 1
				}
				I[in.a()] = v
			case opLe:
				v := int64(0)
				if I[in.b()] <= I[in.c()] {
					v = 1
				}
				I[in.a()] = v
			case opUlt:
				v := int64(0)
				if uint64(I[in.b()]) < uint64(I[in.c()]) {
					v = 1
				}
				I[in.a()] = v
			case opUle:
				v := int64(0)
				if uint64(I[in.b()]) <= uint64(I[in.c()]) {
					v = 1
				}
				I[in.a()] = v
			case opFeq:
				v := int64(0)
				if i2f(I[in.b()]) == i2f(I[in.c()]) {
					v = 1
				}
				I[in.a()] = v
			case opFne:
				v := int64(0)
				if i2f(I[in.b()]) != i2f(I[in.c()]) {
					v = 1
				}
				I[in.a()] = v
			case opFlt:
				v := int64(0)
				if i2f(I[in.b()]) < i2f(I[in.c()]) {
					v = 1
				}
				I[in.a()] = v
			case opFle:
				v := int64(0)
				if i2f(I[in.b()]) <= i2f(I[in.c()]) {
					v = 1
				}
				I[in.a()] = v
			case opSlen:
				I[in.a()] = int64(len(S[in.b()]))
			case opNilR:
				v := int64(0)
				if R[in.b()] == nil {
					v = 1
				}
				I[in.a()] = v
			case opJmp:
				pc = in.lo() | in.hi()
			case opJt:
				if I[in.a()] != 0 {
					pc = in.lo() | in.hi()
				}
			case opJf:
				if I[in.a()] == 0 {
					pc = in.lo() | in.hi()
				}
			case opJeq:
				if I[in.a()] == I[in.b()] {
					pc = in.lo() | in.hi()
				}
			case opJne:
				if I[in.a()] != I[in.b()] {
					pc = in.lo() | in.hi()
				}
			case opJlt:
				if I[in.a()] < I[in.b()] {
					pc = in.lo() | in.hi()
				}
			case opJle:
				if I[in.a()] <= I[in.b()] {
					pc = in.lo() | in.hi()
				}
			case opJult:
				if uint64(I[in.a()]) < uint64(I[in.b()]) {
					pc = in.lo() | in.hi()
				}
			case opJule:
				if uint64(I[in.a()]) <= uint64(I[in.b()]) {
					pc = in.lo() | in.hi()
				}
			case opJflt:
				if i2f(I[in.a()]) < i2f(I[in.b()]) {
					pc = in.lo() | in.hi()
				}
			case opJfle:
				if i2f(I[in.a()]) <= i2f(I[in.b()]) {
					pc = in.lo() | in.hi()
				}
			case opJnflt:
				if !(i2f(I[in.a()]) < i2f(I[in.b()])) {
					pc = in.lo() | in.hi()
				}
			case opJnfle:
				if !(i2f(I[in.a()]) <= i2f(I[in.b()])) {
					pc = in.lo() | in.hi()
				}
			case opJeqI:
				if I[in.a()] == in.bc() {
					pc = in.lo() | in.hi()
				}
			case opJneI:
				if I[in.a()] != in.bc() {
					pc = in.lo() | in.hi()
				}
			case opJltI:
				if I[in.a()] < in.bc() {
					pc = in.lo() | in.hi()
				}
			case opJleI:
				if I[in.a()] <= in.bc() {
					pc = in.lo() | in.hi()
				}
			case opJgtI:
				if I[in.a()] > in.bc() {
					pc = in.lo() | in.hi()
				}
			case opJgeI:
				if I[in.a()] >= in.bc() {
					pc = in.lo() | in.hi()
				}
			case opJnil:
				if R[in.a()] == nil {
					pc = in.lo() | in.hi()
				}
			case opJnn:
				if R[in.a()] != nil {
					pc = in.lo() | in.hi()
				}
			case opLoop:
				pc = in.lo() | in.hi()
				ticks--
				if ticks < 0 {
					t.ticked = true
					break run
				}
			case opLjeq:
				if I[in.a()] == I[in.b()] {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjne:
				if I[in.a()] != I[in.b()] {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjlt:
				if I[in.a()] < I[in.b()] {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjle:
				if I[in.a()] <= I[in.b()] {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjeqI:
				if I[in.a()] == in.bc() {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjneI:
				if I[in.a()] != in.bc() {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjltI:
				if I[in.a()] < in.bc() {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjleI:
				if I[in.a()] <= in.bc() {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjgtI:
				if I[in.a()] > in.bc() {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLjgeI:
				if I[in.a()] >= in.bc() {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opTick:
				ticks--
				if ticks < 0 {
					t.ticked = true
					break run
				}
			case opLinc:
				n := I[in.a()] + int64(in.c())
				I[in.a()] = n
				if n < I[in.b()] {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLincI:
				n := I[in.a()] + 1
				I[in.a()] = n
				if n < in.bc() {
					pc = in.lo() | in.hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case opLd:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				I[in.a()] = o.I[k]
			case opSt:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] = I[in.a()]
			case opGLd:
				I[in.a()] = t.globals.I[in.lo()|in.hi()]
			case opGSt:
				t.globals.I[in.lo()|in.hi()] = I[in.a()]
			case opLdS:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.S)) {
					break run
				}
				S[in.a()] = o.S[k]
			case opStS:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.S)) {
					break run
				}
				o.S[k] = S[in.a()]
			case opGLdS:
				S[in.a()] = t.globals.S[in.lo()|in.hi()]
			case opGStS:
				t.globals.S[in.lo()|in.hi()] = S[in.a()]
			case opLdR:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.R)) {
					break run
				}
				R[in.a()] = o.R[k]
			case opStR:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.R)) {
					break run
				}
				o.R[k] = R[in.a()]
			case opGLdR:
				R[in.a()] = t.globals.R[in.lo()|in.hi()]
			case opGStR:
				t.globals.R[in.lo()|in.hi()] = R[in.a()]
			case opLdP:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.R)) || k >= uint(len(o.I)) {
					break run
				}
				R[in.a()], I[in.a()] = o.R[k], o.I[k]
			case opStP:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.R)) || k >= uint(len(o.I)) {
					break run
				}
				o.R[k], o.I[k] = R[in.a()], I[in.a()]
			case opLdSl:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.R)) || k+1 >= uint(len(o.I)) {
					break run
				}
				R[in.a()], I[in.a()], I[int(in.a())+1] = o.R[k], o.I[k], o.I[k+1]
			case opStSl:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.R)) || k+1 >= uint(len(o.I)) {
					break run
				}
				o.R[k], o.I[k], o.I[k+1] = R[in.a()], I[in.a()], I[int(in.a())+1]
			case opGLdP:
				R[in.a()] = t.globals.R[in.lo()|in.hi()]
				I[in.a()] = t.globals.I[in.lo()|in.hi()]
			case opGStP:
				t.globals.R[in.lo()|in.hi()] = R[in.a()]
				t.globals.I[in.lo()|in.hi()] = I[in.a()]
			case opGLdSl:
				k := in.lo() | in.hi()
				R[in.a()], I[in.a()], I[int(in.a())+1] = t.globals.R[k], t.globals.I[k], t.globals.I[k+1]
			case opGStSl:
				k := in.lo() | in.hi()
				t.globals.R[k], t.globals.I[k], t.globals.I[k+1] = R[in.a()], I[in.a()], I[int(in.a())+1]
			case opGAdd:
				t.globals.I[in.lo()|in.hi()] += I[in.a()]
			case opGSub:
				t.globals.I[in.lo()|in.hi()] -= I[in.a()]
			case opGInc:
				t.globals.I[in.lo()|in.hi()] += int64(in.a()) - 128
			case opGAddr:
				R[in.a()] = t.globals
				I[in.a()] = int64(in.lo() | in.hi())
			case opPadd:
				if R[in.b()] == nil {
					break run
				}
				R[in.a()] = R[in.b()]
				I[in.a()] = I[in.b()] + int64(in.lo()|in.hi())
			case opAddM:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] += I[in.a()]
			case opSubM:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] -= I[in.a()]
			case opFaddM:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] = f2i(i2f(o.I[k]) + i2f(I[in.a()]))
			case opFsubM:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] = f2i(i2f(o.I[k]) - i2f(I[in.a()]))
			case opFmaddM:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				y := float64(i2f(I[in.a()]) * i2f(I[in.c()]))
				o.I[k] = f2i(i2f(o.I[k]) + y)
			case opFmsubM:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				y := float64(i2f(I[in.a()]) * i2f(I[in.c()]))
				o.I[k] = f2i(i2f(o.I[k]) - y)
			case opFaddL:
				o, ok := R[in.c()].(*Obj)
				k := uint(I[in.c()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				I[in.a()] = f2i(i2f(I[in.b()]) + i2f(o.I[k]))
			case opFsubL:
				o, ok := R[in.c()].(*Obj)
				k := uint(I[in.c()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				I[in.a()] = f2i(i2f(I[in.b()]) - i2f(o.I[k]))
			case opFmulL:
				o, ok := R[in.c()].(*Obj)
				k := uint(I[in.c()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				I[in.a()] = f2i(i2f(I[in.b()]) * i2f(o.I[k]))
			case opIncM:
				o, ok := R[in.b()].(*Obj)
				k := uint(I[in.b()]) + uint(in.lo()|in.hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] += int64(in.a()) - 128
			case opXInt:
				o, ok := R[in.b()].(*Num[int])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				I[in.a()] = int64(o.V[k])
			case opYInt:
				o, ok := R[in.b()].(*Num[int])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = int(I[in.a()])
			case opXU8:
				o, ok := R[in.b()].(*Num[uint8])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				I[in.a()] = int64(o.V[k])
			case opYU8:
				o, ok := R[in.b()].(*Num[uint8])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = uint8(I[in.a()])
			case opXF64:
				o, ok := R[in.b()].(*Flt[float64])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				I[in.a()] = f2i(o.V[k])
			case opYF64:
				o, ok := R[in.b()].(*Flt[float64])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = i2f(I[in.a()])
			case opXStr:
				o, ok := R[in.b()].(*Strs)
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				S[in.a()] = o.V[k]
			case opYStr:
				o, ok := R[in.b()].(*Strs)
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = S[in.a()]
			case opXI32:
				o, ok := R[in.b()].(*Num[int32])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				I[in.a()] = int64(o.V[k])
			case opYI32:
				o, ok := R[in.b()].(*Num[int32])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = int32(I[in.a()])
			case opXBool:
				o, ok := R[in.b()].(*Bools)
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				v := int64(0)
				if o.V[k] {
					v = 1
				}
				I[in.a()] = v
			case opYBool:
				o, ok := R[in.b()].(*Bools)
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = I[in.a()] != 0
			case opYAdd:
				o, ok := R[in.b()].(*Num[int])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] += int(I[in.a()])
			case opYSub:
				o, ok := R[in.b()].(*Num[int])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] -= int(I[in.a()])
			case opYFadd:
				o, ok := R[in.b()].(*Flt[float64])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] += i2f(I[in.a()])
			case opYFsub:
				o, ok := R[in.b()].(*Flt[float64])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] -= i2f(I[in.a()])
			case opYInc:
				o, ok := R[in.b()].(*Num[int])
				n := uint64(I[in.c()])
				k := n + uint64(I[int(in.b())+1])>>32
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] += int(in.a()) - 128
			case opXXInt:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n + uint64(I[int(in.b())+1])>>32) * 2
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.R)) || k+1 >= uint64(len(o.I)) {
					break run
				}
				row, ok := o.R[k].(*Num[int])
				n = uint64(I[uint8(in.lo())])
				j := n + uint64(o.I[k+1])>>32
				if !ok || n >= uint64(o.I[k]) || j >= uint64(len(row.V)) {
					break run
				}
				I[in.a()] = int64(row.V[j])
			case opXXF64:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n + uint64(I[int(in.b())+1])>>32) * 2
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.R)) || k+1 >= uint64(len(o.I)) {
					break run
				}
				row, ok := o.R[k].(*Flt[float64])
				n = uint64(I[uint8(in.lo())])
				j := n + uint64(o.I[k+1])>>32
				if !ok || n >= uint64(o.I[k]) || j >= uint64(len(row.V)) {
					break run
				}
				I[in.a()] = f2i(row.V[j])
			case opXo:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.I)) {
					break run
				}
				I[in.a()] = o.I[k]
			case opYo:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] = I[in.a()]
			case opXoS:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.S)) {
					break run
				}
				S[in.a()] = o.S[k]
			case opYoS:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.S)) {
					break run
				}
				o.S[k] = S[in.a()]
			case opXoR:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.R)) {
					break run
				}
				R[in.a()] = o.R[k]
			case opYoR:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.R)) {
					break run
				}
				o.R[k] = R[in.a()]
			case opXoP:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.R)) || k >= uint64(len(o.I)) {
					break run
				}
				R[in.a()], I[in.a()] = o.R[k], o.I[k]
			case opYoP:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.R)) || k >= uint64(len(o.I)) {
					break run
				}
				o.R[k], o.I[k] = R[in.a()], I[in.a()]
			case opXoSl:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.R)) || k+1 >= uint64(len(o.I)) {
					break run
				}
				R[in.a()], I[in.a()], I[int(in.a())+1] = o.R[k], o.I[k], o.I[k+1]
			case opYoSl:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.R)) || k+1 >= uint64(len(o.I)) {
					break run
				}
				o.R[k], o.I[k], o.I[k+1] = R[in.a()], I[in.a()], I[int(in.a())+1]
			case opYoAdd:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] += I[in.a()]
			case opYoSub:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] -= I[in.a()]
			case opYoFadd:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] = f2i(i2f(o.I[k]) + i2f(I[in.a()]))
			case opYoFsub:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] = f2i(i2f(o.I[k]) - i2f(I[in.a()]))
			case opYoInc:
				o, ok := R[in.b()].(*Obj)
				n := uint64(I[in.c()])
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				if !ok || n >= uint64(I[in.b()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] += int64(in.a()) - 128
			case opXp:
				n := uint64(I[in.c()])
				if n >= uint64(I[in.b()]) {
					break run
				}
				k := (n+uint64(I[int(in.b())+1])>>32)*uint64(in.lo()) + in.off()
				R[in.a()], I[in.a()] = R[in.b()], int64(k)
			case opGrow:
				n, h := I[in.b()], I[int(in.b())+1]
				more := n + int64(in.lo()&15)
				if more > h&0xffffffff {
					break run
				}
				R[in.a()] = R[in.b()]
				I[in.a()], I[int(in.a())+1], I[in.c()] = more, h, n
			case opSidx:
				s := S[in.b()]
				n := I[in.c()]
				if uint64(n) >= uint64(len(s)) {
					break run
				}
				I[in.a()] = int64(s[n])
			case opCall:
				nb := t.base + in.ab()
				if nb+window > len(t.I) || t.fp+1 >= len(t.frames) {
					break run
				}
				t.fp++
				t.frames[t.fp] = frame{int32(pc/wordSize) + 1, int32(t.base)}
				t.base = nb
				pc = in.lo() | in.hi()
				continue run
			case opCallC:
				nb := t.base + in.ab()
				if nb+window > len(t.I) || t.fp+1 >= len(t.frames) {
					break run
				}
				c, ok := t.R[nb+int(in.lo()|in.hi())].(*Closure)
				if !ok || c.fn == nil {
					break run
				}
				t.fp++
				t.frames[t.fp] = frame{int32(pc/wordSize) + 1, int32(t.base)}
				t.base = nb
				pc = uint32(c.fn.entry) * wordSize
				continue run
			case opCallM:
				nb := t.base + in.ab()
				f, ok := R[in.c()].(*Iface)
				if !ok || nb+window > len(t.I) || t.fp+1 >= len(t.frames) || int(in.lo()|in.hi()) >= len(f.T.entries) {
					break run
				}
				t.fp++
				t.frames[t.fp] = frame{int32(pc/wordSize) + 1, int32(t.base)}
				t.base = nb
				pc = uint32(f.T.entries[in.lo()|in.hi()]) * wordSize
				t.I[nb], t.S[nb], t.R[nb] = f.I, f.S, f.R
				continue run
			case opRet:
				fr := t.frames[t.fp]
				t.fp--
				pc = uint32(fr.pc) * wordSize
				t.base = int(fr.base)
				continue run
			case opRetI:
				I[in.b()] = I[in.a()]
				fr := t.frames[t.fp]
				t.fp--
				pc = uint32(fr.pc) * wordSize
				t.base = int(fr.base)
				continue run
			case opStop:
				break run
			default:
				break run
			}
		}
	}
	t.pc, t.ticks = int(pc/wordSize)+1, ticks
}
