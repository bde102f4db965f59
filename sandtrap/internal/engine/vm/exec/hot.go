package exec

import (
	"math"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Window is what an instruction's bytes can name, and the second cell of a slice
// that is the last of these.
const Window = 256 + 1

// hot is the loop over instructions. It makes no ordinary call: what needs one,
// and every check that fails, leaves the loop with t.pc after the instruction,
// and the caller does that instruction the long way. So keep it: one call here
// costs every instruction its registers.
func hot(t *Task, code []byte) {
	pc, ticks := uint32(t.Pc)*ir.WordSize, t.ticks
run:
	for {
		b := int(uint32(t.Base))
		I := (*[Window]int64)(t.I[b : b+Window : b+Window])
		S := (*[Window]string)(t.S[b : b+Window : b+Window])
		R := (*[Window]any)(t.R[b : b+Window : b+Window])
		_, _, _ = I[0], S[0], R[0]
		for ; ; pc += ir.WordSize {
			p := int(pc)
			in := (*ir.Word)(code[p : p+ir.WordSize : p+ir.WordSize])
			switch in.Op() {
			case ir.OpMovI:
				I[in.A()] = I[in.B()]
			case ir.OpMovS:
				S[in.A()] = S[in.B()]
			case ir.OpMovR:
				R[in.A()] = R[in.B()]
			case ir.OpMovP:
				I[in.A()] = I[in.B()]
				R[in.A()] = R[in.B()]
			case ir.OpMovSl:
				I[in.A()], I[int(in.A())+1] = I[in.B()], I[int(in.B())+1]
				R[in.A()] = R[in.B()]
			case ir.OpLdI:
				I[in.A()] = int64(in.Lo()|in.Hi()) - ir.Bias
			case ir.OpLdKI:
				I[in.A()] = t.prog.Ints[in.Lo()|in.Hi()]
			case ir.OpLdKS:
				S[in.A()] = t.prog.Strs[in.Lo()|in.Hi()]
			case ir.OpLdKR:
				R[in.A()] = t.prog.Refs[in.Lo()|in.Hi()]
			case ir.OpCapI:
				c, ok := R[in.B()].(*ir.Closure)
				if !ok {
					break run
				}
				m := ir.Mask(in.C())
				if m&ir.BankI != 0 {
					I[in.A()] = c.Caps.I[in.Lo()|in.Hi()]
				}
				if m&ir.BankR != 0 {
					R[in.A()] = c.Caps.R[in.Lo()|in.Hi()]
				}
				if m&ir.BankS != 0 {
					S[in.A()] = c.Caps.S[in.Lo()|in.Hi()]
				}
			case ir.OpCapSl:
				c, ok := R[in.B()].(*ir.Closure)
				if !ok {
					break run
				}
				k := in.Lo() | in.Hi()
				R[in.A()], I[in.A()], I[int(in.A())+1] = c.Caps.R[k], c.Caps.I[k], c.Caps.I[k+1]
			case ir.OpNil:
				I[in.A()] = 0
				R[in.A()] = nil
			case ir.OpAdd:
				I[in.A()] = I[in.B()] + I[in.C()]
			case ir.OpSub:
				I[in.A()] = I[in.B()] - I[in.C()]
			case ir.OpMul:
				I[in.A()] = I[in.B()] * I[in.C()]
			case ir.OpAnd:
				I[in.A()] = I[in.B()] & I[in.C()]
			case ir.OpOr:
				I[in.A()] = I[in.B()] | I[in.C()]
			case ir.OpXor:
				I[in.A()] = I[in.B()] ^ I[in.C()]
			case ir.OpAndN:
				I[in.A()] = I[in.B()] &^ I[in.C()]
			case ir.OpShl:
				n := I[in.C()]
				if n < 0 && in.Lo() != 0 {
					break run
				}
				I[in.A()] = I[in.B()] << uint64(n)
			case ir.OpShr:
				n := I[in.C()]
				if n < 0 && in.Lo() != 0 {
					break run
				}
				I[in.A()] = I[in.B()] >> uint64(n)
			case ir.OpUshr:
				n := I[in.C()]
				if n < 0 && in.Lo() != 0 {
					break run
				}
				I[in.A()] = int64(uint64(I[in.B()]) >> uint64(n))
			case ir.OpDiv:
				n := I[in.C()]
				if n == 0 {
					break run
				}
				I[in.A()] = I[in.B()] / n
			case ir.OpRem:
				n := I[in.C()]
				if n == 0 {
					break run
				}
				I[in.A()] = I[in.B()] % n
			case ir.OpUdiv:
				n := I[in.C()]
				if n == 0 {
					break run
				}
				I[in.A()] = int64(uint64(I[in.B()]) / uint64(n))
			case ir.OpUrem:
				n := I[in.C()]
				if n == 0 {
					break run
				}
				I[in.A()] = int64(uint64(I[in.B()]) % uint64(n))
			case ir.OpAddI:
				I[in.A()] = I[in.B()] + (int64(in.Lo()|in.Hi()) - ir.Bias)
			case ir.OpMulI:
				I[in.A()] = I[in.B()] * (int64(in.Lo()|in.Hi()) - ir.Bias)
			case ir.OpAndI:
				I[in.A()] = I[in.B()] & (int64(in.Lo()|in.Hi()) - ir.Bias)
			case ir.OpShlI:
				I[in.A()] = I[in.B()] << (in.Lo() | in.Hi())
			case ir.OpShrI:
				I[in.A()] = I[in.B()] >> (in.Lo() | in.Hi())
			case ir.OpUshrI:
				I[in.A()] = int64(uint64(I[in.B()]) >> (in.Lo() | in.Hi()))
			case ir.OpNeg:
				I[in.A()] = -I[in.B()]
			case ir.OpNot:
				I[in.A()] = ^I[in.B()]
			case ir.OpLnot:
				I[in.A()] = I[in.B()] ^ 1
			case ir.OpSx8:
				I[in.A()] = int64(int8(I[in.B()]))
			case ir.OpSx16:
				I[in.A()] = int64(int16(I[in.B()]))
			case ir.OpSx32:
				I[in.A()] = int64(int32(I[in.B()]))
			case ir.OpZx8:
				I[in.A()] = int64(uint8(I[in.B()]))
			case ir.OpZx16:
				I[in.A()] = int64(uint16(I[in.B()]))
			case ir.OpZx32:
				I[in.A()] = int64(uint32(I[in.B()]))
			case ir.OpFadd:
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) + ir.BitsFloat(I[in.C()]))
			case ir.OpFsub:
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) - ir.BitsFloat(I[in.C()]))
			case ir.OpFmul:
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) * ir.BitsFloat(I[in.C()]))
			case ir.OpFdiv:
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) / ir.BitsFloat(I[in.C()]))
			case ir.OpFmadd:
				y := float64(ir.BitsFloat(I[in.C()]) * ir.BitsFloat(I[uint8(in.Lo())])) // rounded, wherever this runs
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) + y)
			case ir.OpFmsub:
				y := float64(ir.BitsFloat(I[in.C()]) * ir.BitsFloat(I[uint8(in.Lo())]))
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) - y)
			case ir.OpSqrt:
				if !t.sqrt {
					break run
				}
				I[in.A()] = ir.FloatBits(math.Sqrt(ir.BitsFloat(I[in.B()])))
			case ir.OpFneg:
				I[in.A()] = ir.FloatBits(-ir.BitsFloat(I[in.B()]))
			case ir.OpFr32:
				I[in.A()] = ir.FloatBits(float64(float32(ir.BitsFloat(I[in.B()]))))
			case ir.OpI2F:
				I[in.A()] = ir.FloatBits(float64(I[in.B()]))
			case ir.OpU2F:
				I[in.A()] = ir.FloatBits(float64(uint64(I[in.B()])))
			case ir.OpF2I:
				I[in.A()] = int64(ir.BitsFloat(I[in.B()]))
			case ir.OpF2I32:
				I[in.A()] = int64(int32(ir.BitsFloat(I[in.B()])))
			case ir.OpEq:
				v := int64(0)
				if I[in.B()] == I[in.C()] {
					v = 1
				}
				I[in.A()] = v
			case ir.OpNe:
				v := int64(0)
				if I[in.B()] != I[in.C()] {
					v = 1
				}
				I[in.A()] = v
			case ir.OpLt:
				v := int64(0)
				if I[in.B()] < I[in.C()] {
					v = 1
				}
				I[in.A()] = v
			case ir.OpLe:
				v := int64(0)
				if I[in.B()] <= I[in.C()] {
					v = 1
				}
				I[in.A()] = v
			case ir.OpUlt:
				v := int64(0)
				if uint64(I[in.B()]) < uint64(I[in.C()]) {
					v = 1
				}
				I[in.A()] = v
			case ir.OpUle:
				v := int64(0)
				if uint64(I[in.B()]) <= uint64(I[in.C()]) {
					v = 1
				}
				I[in.A()] = v
			case ir.OpFeq:
				v := int64(0)
				if ir.BitsFloat(I[in.B()]) == ir.BitsFloat(I[in.C()]) {
					v = 1
				}
				I[in.A()] = v
			case ir.OpFne:
				v := int64(0)
				if ir.BitsFloat(I[in.B()]) != ir.BitsFloat(I[in.C()]) {
					v = 1
				}
				I[in.A()] = v
			case ir.OpFlt:
				v := int64(0)
				if ir.BitsFloat(I[in.B()]) < ir.BitsFloat(I[in.C()]) {
					v = 1
				}
				I[in.A()] = v
			case ir.OpFle:
				v := int64(0)
				if ir.BitsFloat(I[in.B()]) <= ir.BitsFloat(I[in.C()]) {
					v = 1
				}
				I[in.A()] = v
			case ir.OpSlen:
				I[in.A()] = int64(len(S[in.B()]))
			case ir.OpNilR:
				v := int64(0)
				if R[in.B()] == nil {
					v = 1
				}
				I[in.A()] = v
			case ir.OpJmp:
				pc = in.Lo() | in.Hi()
			case ir.OpJt:
				if I[in.A()] != 0 {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJf:
				if I[in.A()] == 0 {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJeq:
				if I[in.A()] == I[in.B()] {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJne:
				if I[in.A()] != I[in.B()] {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJlt:
				if I[in.A()] < I[in.B()] {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJle:
				if I[in.A()] <= I[in.B()] {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJult:
				if uint64(I[in.A()]) < uint64(I[in.B()]) {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJule:
				if uint64(I[in.A()]) <= uint64(I[in.B()]) {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJflt:
				if ir.BitsFloat(I[in.A()]) < ir.BitsFloat(I[in.B()]) {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJfle:
				if ir.BitsFloat(I[in.A()]) <= ir.BitsFloat(I[in.B()]) {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJnflt:
				if !(ir.BitsFloat(I[in.A()]) < ir.BitsFloat(I[in.B()])) {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJnfle:
				if !(ir.BitsFloat(I[in.A()]) <= ir.BitsFloat(I[in.B()])) {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJeqI:
				if I[in.A()] == in.Bc() {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJneI:
				if I[in.A()] != in.Bc() {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJltI:
				if I[in.A()] < in.Bc() {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJleI:
				if I[in.A()] <= in.Bc() {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJgtI:
				if I[in.A()] > in.Bc() {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJgeI:
				if I[in.A()] >= in.Bc() {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJnil:
				if R[in.A()] == nil {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpJnn:
				if R[in.A()] != nil {
					pc = in.Lo() | in.Hi()
				}
			case ir.OpLoop:
				pc = in.Lo() | in.Hi()
				ticks--
				if ticks < 0 {
					t.ticked = true
					break run
				}
			case ir.OpLjeq:
				if I[in.A()] == I[in.B()] {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjne:
				if I[in.A()] != I[in.B()] {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjlt:
				if I[in.A()] < I[in.B()] {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjle:
				if I[in.A()] <= I[in.B()] {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjeqI:
				if I[in.A()] == in.Bc() {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjneI:
				if I[in.A()] != in.Bc() {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjltI:
				if I[in.A()] < in.Bc() {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjleI:
				if I[in.A()] <= in.Bc() {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjgtI:
				if I[in.A()] > in.Bc() {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLjgeI:
				if I[in.A()] >= in.Bc() {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpTick:
				ticks--
				if ticks < 0 {
					t.ticked = true
					break run
				}
			case ir.OpLinc:
				n := I[in.A()] + int64(in.C())
				I[in.A()] = n
				if n < I[in.B()] {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLincI:
				n := I[in.A()] + 1
				I[in.A()] = n
				if n < in.Bc() {
					pc = in.Lo() | in.Hi()
					ticks--
					if ticks < 0 {
						t.ticked = true
						break run
					}
				}
			case ir.OpLd:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				I[in.A()] = o.I[k]
			case ir.OpSt:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] = I[in.A()]
			case ir.OpGLd:
				I[in.A()] = t.globals.I[in.Lo()|in.Hi()]
			case ir.OpGSt:
				t.globals.I[in.Lo()|in.Hi()] = I[in.A()]
			case ir.OpLdS:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.S)) {
					break run
				}
				S[in.A()] = o.S[k]
			case ir.OpStS:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.S)) {
					break run
				}
				o.S[k] = S[in.A()]
			case ir.OpGLdS:
				S[in.A()] = t.globals.S[in.Lo()|in.Hi()]
			case ir.OpGStS:
				t.globals.S[in.Lo()|in.Hi()] = S[in.A()]
			case ir.OpLdR:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.R)) {
					break run
				}
				R[in.A()] = o.R[k]
			case ir.OpStR:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.R)) {
					break run
				}
				o.R[k] = R[in.A()]
			case ir.OpGLdR:
				R[in.A()] = t.globals.R[in.Lo()|in.Hi()]
			case ir.OpGStR:
				t.globals.R[in.Lo()|in.Hi()] = R[in.A()]
			case ir.OpLdP:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.R)) || k >= uint(len(o.I)) {
					break run
				}
				R[in.A()], I[in.A()] = o.R[k], o.I[k]
			case ir.OpStP:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.R)) || k >= uint(len(o.I)) {
					break run
				}
				o.R[k], o.I[k] = R[in.A()], I[in.A()]
			case ir.OpLdSl:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.R)) || k+1 >= uint(len(o.I)) {
					break run
				}
				R[in.A()], I[in.A()], I[int(in.A())+1] = o.R[k], o.I[k], o.I[k+1]
			case ir.OpStSl:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.R)) || k+1 >= uint(len(o.I)) {
					break run
				}
				o.R[k], o.I[k], o.I[k+1] = R[in.A()], I[in.A()], I[int(in.A())+1]
			case ir.OpGLdP:
				R[in.A()] = t.globals.R[in.Lo()|in.Hi()]
				I[in.A()] = t.globals.I[in.Lo()|in.Hi()]
			case ir.OpGStP:
				t.globals.R[in.Lo()|in.Hi()] = R[in.A()]
				t.globals.I[in.Lo()|in.Hi()] = I[in.A()]
			case ir.OpGLdSl:
				k := in.Lo() | in.Hi()
				R[in.A()], I[in.A()], I[int(in.A())+1] = t.globals.R[k], t.globals.I[k], t.globals.I[k+1]
			case ir.OpGStSl:
				k := in.Lo() | in.Hi()
				t.globals.R[k], t.globals.I[k], t.globals.I[k+1] = R[in.A()], I[in.A()], I[int(in.A())+1]
			case ir.OpGAdd:
				t.globals.I[in.Lo()|in.Hi()] += I[in.A()]
			case ir.OpGSub:
				t.globals.I[in.Lo()|in.Hi()] -= I[in.A()]
			case ir.OpGInc:
				t.globals.I[in.Lo()|in.Hi()] += int64(in.A()) - 128
			case ir.OpGAddr:
				R[in.A()] = t.globals
				I[in.A()] = int64(in.Lo() | in.Hi())
			case ir.OpPadd:
				if R[in.B()] == nil {
					break run
				}
				R[in.A()] = R[in.B()]
				I[in.A()] = I[in.B()] + int64(in.Lo()|in.Hi())
			case ir.OpAddM:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] += I[in.A()]
			case ir.OpSubM:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] -= I[in.A()]
			case ir.OpFaddM:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] = ir.FloatBits(ir.BitsFloat(o.I[k]) + ir.BitsFloat(I[in.A()]))
			case ir.OpFsubM:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] = ir.FloatBits(ir.BitsFloat(o.I[k]) - ir.BitsFloat(I[in.A()]))
			case ir.OpFmaddM:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				y := float64(ir.BitsFloat(I[in.A()]) * ir.BitsFloat(I[in.C()]))
				o.I[k] = ir.FloatBits(ir.BitsFloat(o.I[k]) + y)
			case ir.OpFmsubM:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				y := float64(ir.BitsFloat(I[in.A()]) * ir.BitsFloat(I[in.C()]))
				o.I[k] = ir.FloatBits(ir.BitsFloat(o.I[k]) - y)
			case ir.OpFaddL:
				o, ok := R[in.C()].(*ir.Obj)
				k := uint(I[in.C()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) + ir.BitsFloat(o.I[k]))
			case ir.OpFsubL:
				o, ok := R[in.C()].(*ir.Obj)
				k := uint(I[in.C()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) - ir.BitsFloat(o.I[k]))
			case ir.OpFmulL:
				o, ok := R[in.C()].(*ir.Obj)
				k := uint(I[in.C()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				I[in.A()] = ir.FloatBits(ir.BitsFloat(I[in.B()]) * ir.BitsFloat(o.I[k]))
			case ir.OpIncM:
				o, ok := R[in.B()].(*ir.Obj)
				k := uint(I[in.B()]) + uint(in.Lo()|in.Hi())
				if !ok || k >= uint(len(o.I)) {
					break run
				}
				o.I[k] += int64(in.A()) - 128
			case ir.OpXInt:
				o, ok := R[in.B()].(*ir.Num[int])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				I[in.A()] = int64(o.V[k])
			case ir.OpYInt:
				o, ok := R[in.B()].(*ir.Num[int])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = int(I[in.A()])
			case ir.OpXU8:
				o, ok := R[in.B()].(*ir.Num[uint8])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				I[in.A()] = int64(o.V[k])
			case ir.OpYU8:
				o, ok := R[in.B()].(*ir.Num[uint8])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = uint8(I[in.A()])
			case ir.OpXF64:
				o, ok := R[in.B()].(*ir.Flt[float64])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				I[in.A()] = ir.FloatBits(o.V[k])
			case ir.OpYF64:
				o, ok := R[in.B()].(*ir.Flt[float64])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = ir.BitsFloat(I[in.A()])
			case ir.OpXStr:
				o, ok := R[in.B()].(*ir.Strs)
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				S[in.A()] = o.V[k]
			case ir.OpYStr:
				o, ok := R[in.B()].(*ir.Strs)
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = S[in.A()]
			case ir.OpXI32:
				o, ok := R[in.B()].(*ir.Num[int32])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				I[in.A()] = int64(o.V[k])
			case ir.OpYI32:
				o, ok := R[in.B()].(*ir.Num[int32])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = int32(I[in.A()])
			case ir.OpXBool:
				o, ok := R[in.B()].(*ir.Bools)
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				v := int64(0)
				if o.V[k] {
					v = 1
				}
				I[in.A()] = v
			case ir.OpYBool:
				o, ok := R[in.B()].(*ir.Bools)
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] = I[in.A()] != 0
			case ir.OpYAdd:
				o, ok := R[in.B()].(*ir.Num[int])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] += int(I[in.A()])
			case ir.OpYSub:
				o, ok := R[in.B()].(*ir.Num[int])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] -= int(I[in.A()])
			case ir.OpYFadd:
				o, ok := R[in.B()].(*ir.Flt[float64])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] += ir.BitsFloat(I[in.A()])
			case ir.OpYFsub:
				o, ok := R[in.B()].(*ir.Flt[float64])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] -= ir.BitsFloat(I[in.A()])
			case ir.OpYInc:
				o, ok := R[in.B()].(*ir.Num[int])
				n := uint64(I[in.C()])
				k := n + uint64(I[int(in.B())+1])>>32
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.V)) {
					break run
				}
				o.V[k] += int(in.A()) - 128
			case ir.OpXXInt:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n + uint64(I[int(in.B())+1])>>32) * 2
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.R)) || k+1 >= uint64(len(o.I)) {
					break run
				}
				row, ok := o.R[k].(*ir.Num[int])
				n = uint64(I[uint8(in.Lo())])
				j := n + uint64(o.I[k+1])>>32
				if !ok || n >= uint64(o.I[k]) || j >= uint64(len(row.V)) {
					break run
				}
				I[in.A()] = int64(row.V[j])
			case ir.OpXXF64:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n + uint64(I[int(in.B())+1])>>32) * 2
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.R)) || k+1 >= uint64(len(o.I)) {
					break run
				}
				row, ok := o.R[k].(*ir.Flt[float64])
				n = uint64(I[uint8(in.Lo())])
				j := n + uint64(o.I[k+1])>>32
				if !ok || n >= uint64(o.I[k]) || j >= uint64(len(row.V)) {
					break run
				}
				I[in.A()] = ir.FloatBits(row.V[j])
			case ir.OpXo:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.I)) {
					break run
				}
				I[in.A()] = o.I[k]
			case ir.OpYo:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] = I[in.A()]
			case ir.OpXoS:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.S)) {
					break run
				}
				S[in.A()] = o.S[k]
			case ir.OpYoS:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.S)) {
					break run
				}
				o.S[k] = S[in.A()]
			case ir.OpXoR:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.R)) {
					break run
				}
				R[in.A()] = o.R[k]
			case ir.OpYoR:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.R)) {
					break run
				}
				o.R[k] = R[in.A()]
			case ir.OpXoP:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.R)) || k >= uint64(len(o.I)) {
					break run
				}
				R[in.A()], I[in.A()] = o.R[k], o.I[k]
			case ir.OpYoP:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.R)) || k >= uint64(len(o.I)) {
					break run
				}
				o.R[k], o.I[k] = R[in.A()], I[in.A()]
			case ir.OpXoSl:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.R)) || k+1 >= uint64(len(o.I)) {
					break run
				}
				R[in.A()], I[in.A()], I[int(in.A())+1] = o.R[k], o.I[k], o.I[k+1]
			case ir.OpYoSl:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.R)) || k+1 >= uint64(len(o.I)) {
					break run
				}
				o.R[k], o.I[k], o.I[k+1] = R[in.A()], I[in.A()], I[int(in.A())+1]
			case ir.OpYoAdd:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] += I[in.A()]
			case ir.OpYoSub:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] -= I[in.A()]
			case ir.OpYoFadd:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] = ir.FloatBits(ir.BitsFloat(o.I[k]) + ir.BitsFloat(I[in.A()]))
			case ir.OpYoFsub:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] = ir.FloatBits(ir.BitsFloat(o.I[k]) - ir.BitsFloat(I[in.A()]))
			case ir.OpYoInc:
				o, ok := R[in.B()].(*ir.Obj)
				n := uint64(I[in.C()])
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				if !ok || n >= uint64(I[in.B()]) || k >= uint64(len(o.I)) {
					break run
				}
				o.I[k] += int64(in.A()) - 128
			case ir.OpXp:
				n := uint64(I[in.C()])
				if n >= uint64(I[in.B()]) {
					break run
				}
				k := (n+uint64(I[int(in.B())+1])>>32)*uint64(in.Lo()) + in.Off()
				R[in.A()], I[in.A()] = R[in.B()], int64(k)
			case ir.OpGrow:
				n, h := I[in.B()], I[int(in.B())+1]
				more := n + int64(in.Lo()&15)
				if more > h&0xffffffff {
					break run
				}
				R[in.A()] = R[in.B()]
				I[in.A()], I[int(in.A())+1], I[in.C()] = more, h, n
			case ir.OpSidx:
				s := S[in.B()]
				n := I[in.C()]
				if uint64(n) >= uint64(len(s)) {
					break run
				}
				I[in.A()] = int64(s[n])
			case ir.OpCall:
				nb := t.Base + in.Ab()
				if nb+Window > len(t.I) || t.Fp+1 >= len(t.Frames) {
					break run
				}
				t.Fp++
				t.Frames[t.Fp] = frame{int32(pc/ir.WordSize) + 1, int32(t.Base)}
				t.Base = nb
				pc = in.Lo() | in.Hi()
				continue run
			case ir.OpCallC:
				nb := t.Base + in.Ab()
				if nb+Window > len(t.I) || t.Fp+1 >= len(t.Frames) {
					break run
				}
				c, ok := t.R[nb+int(in.Lo()|in.Hi())].(*ir.Closure)
				if !ok || c.Fn == nil {
					break run
				}
				t.Fp++
				t.Frames[t.Fp] = frame{int32(pc/ir.WordSize) + 1, int32(t.Base)}
				t.Base = nb
				pc = uint32(c.Fn.Entry) * ir.WordSize
				continue run
			case ir.OpCallM:
				nb := t.Base + in.Ab()
				f, ok := R[in.C()].(*Iface)
				if !ok || nb+Window > len(t.I) || t.Fp+1 >= len(t.Frames) || int(in.Lo()|in.Hi()) >= len(f.T.Entries) {
					break run
				}
				t.Fp++
				t.Frames[t.Fp] = frame{int32(pc/ir.WordSize) + 1, int32(t.Base)}
				t.Base = nb
				pc = uint32(f.T.Entries[in.Lo()|in.Hi()]) * ir.WordSize
				t.I[nb], t.S[nb], t.R[nb] = f.I, f.S, f.R
				continue run
			case ir.OpRet:
				fr := t.Frames[t.Fp]
				t.Fp--
				pc = uint32(fr.Pc) * ir.WordSize
				t.Base = int(fr.base)
				continue run
			case ir.OpRetI:
				I[in.B()] = I[in.A()]
				fr := t.Frames[t.Fp]
				t.Fp--
				pc = uint32(fr.Pc) * ir.WordSize
				t.Base = int(fr.base)
				continue run
			case ir.OpStop:
				break run
			default:
				break run
			}
		}
	}
	t.Pc, t.ticks = int(pc/ir.WordSize)+1, ticks
}
