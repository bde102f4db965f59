package ir

import "encoding/binary"

// Op is an operation. What each does is said in the table below; the loop in hot.go
// does it, and where its quick way does not apply (a failed check, an unusual
// operand) it leaves the instruction to slow.go.
type Op uint8

const (
	OpStop Op = iota
	OpFarLd
	OpFarSt

	OpMovI
	OpMovS
	OpMovR
	OpMovP
	OpMovSl
	OpLdI
	OpLdKI
	OpLdKS
	OpLdKR
	OpNil
	OpCapI
	OpCapSl

	OpAdd
	OpSub
	OpMul
	OpAnd
	OpOr
	OpXor
	OpAndN
	OpShl
	OpShr
	OpUshr
	OpDiv
	OpRem
	OpUdiv
	OpUrem
	OpAddI
	OpMulI
	OpAndI
	OpShlI
	OpShrI
	OpUshrI
	OpNeg
	OpNot
	OpLnot
	OpSx8
	OpSx16
	OpSx32
	OpZx8
	OpZx16
	OpZx32

	OpFadd
	OpFsub
	OpFmul
	OpFdiv
	OpFmadd
	OpFmsub
	OpSqrt
	OpFneg
	OpFr32
	OpI2F
	OpU2F
	OpF2I
	OpF2I32

	OpEq
	OpNe
	OpLt
	OpLe
	OpUlt
	OpUle
	OpFeq
	OpFne
	OpFlt
	OpFle
	OpSeq
	OpSne
	OpSlt
	OpSle
	OpSlen
	OpNilR

	OpJmp
	OpJt
	OpJf
	OpJeq
	OpJne
	OpJlt
	OpJle
	OpJult
	OpJule
	OpJflt
	OpJfle
	OpJnflt
	OpJnfle
	OpJeqI
	OpJneI
	OpJltI
	OpJleI
	OpJgtI
	OpJgeI
	OpJnil
	OpJnn

	OpLoop
	OpLjeq
	OpLjne
	OpLjlt
	OpLjle
	OpLjeqI
	OpLjneI
	OpLjltI
	OpLjleI
	OpLjgtI
	OpLjgeI
	OpLinc
	OpLincI

	OpLd
	OpSt
	OpGLd
	OpGSt
	OpLdS
	OpStS
	OpGLdS
	OpGStS
	OpLdR
	OpStR
	OpGLdR
	OpGStR
	OpLdP
	OpStP
	OpLdSl
	OpStSl
	OpGLdP
	OpGStP
	OpGLdSl
	OpGStSl
	OpGAdd
	OpGSub
	OpGInc
	OpGAddr
	OpPadd
	OpAddM
	OpSubM
	OpFaddM
	OpFsubM
	OpFmaddM
	OpFmsubM
	OpFaddL
	OpFsubL
	OpFmulL
	OpIncM

	OpXInt
	OpYInt
	OpXU8
	OpYU8
	OpXF64
	OpYF64
	OpXStr
	OpYStr
	OpXBool
	OpYBool
	OpXI32
	OpYI32
	OpXAny
	OpYAny
	OpYAdd
	OpYSub
	OpYFadd
	OpYFsub
	OpYInc
	OpXXInt
	OpXXF64
	OpXo
	OpYo
	OpXoS
	OpYoS
	OpXoR
	OpYoR
	OpXoP
	OpYoP
	OpXoSl
	OpYoSl
	OpYoAdd
	OpYoSub
	OpYoFadd
	OpYoFsub
	OpYoInc
	OpXp
	OpGrow
	OpSidx

	OpCall
	OpCallC
	OpCallM
	OpRet
	OpRetI

	// The last one, so that the loop's switch spans all bytes.
	OpTick Op = 255
)

// A format says what the loop finds in the last operands.
type format uint8

const (
	plain    format = iota // D is not negative
	Loads                  // the same, and memory is read
	Stores                 // the same, and memory is written
	Modifies               // the same, and memory is read and written
	imm                    // D may be negative
	jump                   // D is a place in the code
	jump16                 // and B and C are one number of 16 bits with a sign
	call                   // D is the entry of a function
)

// Ops is the instruction set: what an instruction does with its operands A, B, C of
// 8 bits and D of 32.
var Ops = [256]struct {
	name   string
	Format format
	does   string
}{
	OpStop:  {"stop", plain, "ext D"},
	OpFarLd: {"farld", plain, "near cell A = far cell D, banks B"},
	OpFarSt: {"farst", plain, "far cell D = near cell A, banks B"},

	// Moves.
	OpMovI:  {"movi", plain, "I[A] = I[B]"},
	OpMovS:  {"movs", plain, "S[A] = S[B]"},
	OpMovR:  {"movr", plain, "R[A] = R[B]"},
	OpMovP:  {"movp", plain, "I[A], R[A] = I[B], R[B]"},
	OpMovSl: {"movsl", plain, "slice A = slice B"},
	OpLdI:   {"ldi", imm, "I[A] = D"},
	OpLdKI:  {"ldki", plain, "I[A] = ints[D]"},
	OpLdKS:  {"ldks", plain, "S[A] = strs[D]"},
	OpLdKR:  {"ldkr", plain, "R[A] = refs[D]"},
	OpNil:   {"nil", plain, "I[A], R[A] = 0, nil"},
	OpCapI:  {"capi", plain, "cell A = captured cell D of closure R[B], banks C"},
	OpCapSl: {"capsl", plain, "slice A = captured cells D of closure R[B]"},

	// Integers.
	OpAdd:   {"add", plain, "I[A] = I[B] + I[C]"},
	OpSub:   {"sub", plain, "I[A] = I[B] - I[C]"},
	OpMul:   {"mul", plain, "I[A] = I[B] * I[C]"},
	OpAnd:   {"and", plain, "I[A] = I[B] & I[C]"},
	OpOr:    {"or", plain, "I[A] = I[B] | I[C]"},
	OpXor:   {"xor", plain, "I[A] = I[B] ^ I[C]"},
	OpAndN:  {"andn", plain, "I[A] = I[B] &^ I[C]"},
	OpShl:   {"shl", plain, "I[A] = I[B] << I[C], which is signed if D"},
	OpShr:   {"shr", plain, "I[A] = I[B] >> I[C], which is signed if D"},
	OpUshr:  {"ushr", plain, "I[A] = I[B] >>> I[C], which is signed if D"},
	OpDiv:   {"div", plain, "I[A] = I[B] / I[C]"},
	OpRem:   {"rem", plain, "I[A] = I[B] % I[C]"},
	OpUdiv:  {"udiv", plain, "I[A] = I[B] / I[C], unsigned"},
	OpUrem:  {"urem", plain, "I[A] = I[B] % I[C], unsigned"},
	OpAddI:  {"addi", imm, "I[A] = I[B] + D"},
	OpMulI:  {"muli", imm, "I[A] = I[B] * D"},
	OpAndI:  {"andi", imm, "I[A] = I[B] & D"},
	OpShlI:  {"shli", plain, "I[A] = I[B] << D"},
	OpShrI:  {"shri", plain, "I[A] = I[B] >> D"},
	OpUshrI: {"ushri", plain, "I[A] = I[B] >>> D"},
	OpNeg:   {"neg", plain, "I[A] = -I[B]"},
	OpNot:   {"not", plain, "I[A] = ^I[B]"},
	OpLnot:  {"lnot", plain, "I[A] = !I[B]"},
	OpSx8:   {"sx8", plain, "I[A] = int8(I[B])"},
	OpSx16:  {"sx16", plain, "I[A] = int16(I[B])"},
	OpSx32:  {"sx32", plain, "I[A] = int32(I[B])"},
	OpZx8:   {"zx8", plain, "I[A] = uint8(I[B])"},
	OpZx16:  {"zx16", plain, "I[A] = uint16(I[B])"},
	OpZx32:  {"zx32", plain, "I[A] = uint32(I[B])"},

	// Floating point: a number cell holds the bits of a float64.
	OpFadd:  {"fadd", plain, "I[A] = I[B] + I[C], float"},
	OpFsub:  {"fsub", plain, "I[A] = I[B] - I[C], float"},
	OpFmul:  {"fmul", plain, "I[A] = I[B] * I[C], float"},
	OpFdiv:  {"fdiv", plain, "I[A] = I[B] / I[C], float"},
	OpFmadd: {"fmadd", plain, "I[A] = I[B] + I[C] * I[D], float"},
	OpFmsub: {"fmsub", plain, "I[A] = I[B] - I[C] * I[D], float"},
	OpSqrt:  {"sqrt", plain, "I[A] = square root of I[B], float; ext D unless that is known to be it"},
	OpFneg:  {"fneg", plain, "I[A] = -I[B], float"},
	OpFr32:  {"fr32", plain, "I[A] = float32(I[B])"},
	OpI2F:   {"i2f", plain, "I[A] = float64(I[B]), from int"},
	OpU2F:   {"u2f", plain, "I[A] = float64(I[B]), from uint"},
	OpF2I:   {"f2i", plain, "I[A] = int(I[B]), from float"},
	OpF2I32: {"f2i32", plain, "I[A] = int32(I[B]), from float"},

	// Comparisons as values.
	OpEq:   {"eq", plain, "I[A] = I[B] == I[C]"},
	OpNe:   {"ne", plain, "I[A] = I[B] != I[C]"},
	OpLt:   {"lt", plain, "I[A] = I[B] < I[C]"},
	OpLe:   {"le", plain, "I[A] = I[B] <= I[C]"},
	OpUlt:  {"ult", plain, "I[A] = I[B] < I[C], unsigned"},
	OpUle:  {"ule", plain, "I[A] = I[B] <= I[C], unsigned"},
	OpFeq:  {"feq", plain, "I[A] = I[B] == I[C], float"},
	OpFne:  {"fne", plain, "I[A] = I[B] != I[C], float"},
	OpFlt:  {"flt", plain, "I[A] = I[B] < I[C], float"},
	OpFle:  {"fle", plain, "I[A] = I[B] <= I[C], float"},
	OpSeq:  {"seq", plain, "I[A] = S[B] == S[C]"},
	OpSne:  {"sne", plain, "I[A] = S[B] != S[C]"},
	OpSlt:  {"slt", plain, "I[A] = S[B] < S[C]"},
	OpSle:  {"sle", plain, "I[A] = S[B] <= S[C]"},
	OpSlen: {"slen", plain, "I[A] = len(S[B])"},
	OpNilR: {"nilr", plain, "I[A] = R[B] == nil"},

	// Jumps ahead.
	OpJmp:   {"jmp", jump, "goto D"},
	OpJt:    {"jt", jump, "if I[A] goto D"},
	OpJf:    {"jf", jump, "if !I[A] goto D"},
	OpJeq:   {"jeq", jump, "if I[A] == I[B] goto D"},
	OpJne:   {"jne", jump, "if I[A] != I[B] goto D"},
	OpJlt:   {"jlt", jump, "if I[A] < I[B] goto D"},
	OpJle:   {"jle", jump, "if I[A] <= I[B] goto D"},
	OpJult:  {"jult", jump, "if I[A] < I[B] goto D, unsigned"},
	OpJule:  {"jule", jump, "if I[A] <= I[B] goto D, unsigned"},
	OpJflt:  {"jflt", jump, "if I[A] < I[B] goto D, float"},
	OpJfle:  {"jfle", jump, "if I[A] <= I[B] goto D, float"},
	OpJnflt: {"jnflt", jump, "if !(I[A] < I[B]) goto D, float"},
	OpJnfle: {"jnfle", jump, "if !(I[A] <= I[B]) goto D, float"},
	OpJeqI:  {"jeqi", jump16, "if I[A] == BC goto D"},
	OpJneI:  {"jnei", jump16, "if I[A] != BC goto D"},
	OpJltI:  {"jlti", jump16, "if I[A] < BC goto D"},
	OpJleI:  {"jlei", jump16, "if I[A] <= BC goto D"},
	OpJgtI:  {"jgti", jump16, "if I[A] > BC goto D"},
	OpJgeI:  {"jgei", jump16, "if I[A] >= BC goto D"},
	OpJnil:  {"jnil", jump, "if R[A] == nil goto D"},
	OpJnn:   {"jnn", jump, "if R[A] != nil goto D"},

	// Jumps back, each with a tick.
	OpLoop:  {"loop", jump, "tick, goto D"},
	OpLjeq:  {"ljeq", jump, "if I[A] == I[B] tick, goto D"},
	OpLjne:  {"ljne", jump, "if I[A] != I[B] tick, goto D"},
	OpLjlt:  {"ljlt", jump, "if I[A] < I[B] tick, goto D"},
	OpLjle:  {"ljle", jump, "if I[A] <= I[B] tick, goto D"},
	OpLjeqI: {"ljeqi", jump16, "if I[A] == BC tick, goto D"},
	OpLjneI: {"ljnei", jump16, "if I[A] != BC tick, goto D"},
	OpLjltI: {"ljlti", jump16, "if I[A] < BC tick, goto D"},
	OpLjleI: {"ljlei", jump16, "if I[A] <= BC tick, goto D"},
	OpLjgtI: {"ljgti", jump16, "if I[A] > BC tick, goto D"},
	OpLjgeI: {"ljgei", jump16, "if I[A] >= BC tick, goto D"},
	OpLinc:  {"linc", jump, "I[A] += C; if I[A] < I[B] tick, goto D"},
	OpLincI: {"linci", jump16, "I[A]++; if I[A] < BC tick, goto D"},

	// Memory: a pointer p is R[p] the object and I[p] the cell in it.
	OpLd:     {"ld", Loads, "I[A] = *(pointer B + D)"},
	OpSt:     {"st", Stores, "*(pointer B + D) = I[A]"},
	OpGLd:    {"gld", plain, "I[A] = global D"},
	OpGSt:    {"gst", plain, "global D = I[A]"},
	OpLdS:    {"lds", Loads, "S[A] = *(pointer B + D)"},
	OpStS:    {"sts", Stores, "*(pointer B + D) = S[A]"},
	OpGLdS:   {"glds", plain, "S[A] = global D"},
	OpGStS:   {"gsts", plain, "global D = S[A]"},
	OpLdR:    {"ldr", Loads, "R[A] = *(pointer B + D)"},
	OpStR:    {"str", Stores, "*(pointer B + D) = R[A]"},
	OpGLdR:   {"gldr", plain, "R[A] = global D"},
	OpGStR:   {"gstr", plain, "global D = R[A]"},
	OpLdP:    {"ldp", Loads, "I[A], R[A] = *(pointer B + D)"},
	OpStP:    {"stp", Stores, "*(pointer B + D) = I[A], R[A]"},
	OpLdSl:   {"ldsl", Loads, "slice A = *(pointer B + D)"},
	OpStSl:   {"stsl", Stores, "*(pointer B + D) = slice A"},
	OpGLdP:   {"gldp", plain, "I[A], R[A] = global D"},
	OpGStP:   {"gstp", plain, "global D = I[A], R[A]"},
	OpGLdSl:  {"gldsl", plain, "slice A = global D"},
	OpGStSl:  {"gstsl", plain, "global D = slice A"},
	OpGAdd:   {"gadd", plain, "global D += I[A]"},
	OpGSub:   {"gsub", plain, "global D -= I[A]"},
	OpGInc:   {"ginc", plain, "global D += A - 128"},
	OpGAddr:  {"gaddr", plain, "pointer A = address of global D"},
	OpPadd:   {"padd", plain, "pointer A = pointer B + D, which is not nil"},
	OpAddM:   {"addm", Modifies, "*(pointer B + D) += I[A]"},
	OpSubM:   {"subm", Modifies, "*(pointer B + D) -= I[A]"},
	OpFaddM:  {"faddm", Modifies, "*(pointer B + D) += I[A], float"},
	OpFsubM:  {"fsubm", Modifies, "*(pointer B + D) -= I[A], float"},
	OpFmaddM: {"fmaddm", Modifies, "*(pointer B + D) += I[A] * I[C], float"},
	OpFmsubM: {"fmsubm", Modifies, "*(pointer B + D) -= I[A] * I[C], float"},
	OpFaddL:  {"faddl", Loads, "I[A] = I[B] + *(pointer C + D), float"},
	OpFsubL:  {"fsubl", Loads, "I[A] = I[B] - *(pointer C + D), float"},
	OpFmulL:  {"fmull", Loads, "I[A] = I[B] * *(pointer C + D), float"},
	OpIncM:   {"incm", Modifies, "*(pointer B + D) += A - 128"},

	// Elements: a slice s is R[s] the store, I[s] the length, I[s+1] offset and capacity.
	OpXInt:   {"xint", Loads, "I[A] = slice B [I[C]] of int"},
	OpYInt:   {"yint", Stores, "slice B [I[C]] of int = I[A]"},
	OpXU8:    {"xu8", Loads, "I[A] = slice B [I[C]] of uint8"},
	OpYU8:    {"yu8", Stores, "slice B [I[C]] of uint8 = I[A]"},
	OpXF64:   {"xf64", Loads, "I[A] = slice B [I[C]] of float64"},
	OpYF64:   {"yf64", Stores, "slice B [I[C]] of float64 = I[A]"},
	OpXStr:   {"xstr", Loads, "S[A] = slice B [I[C]] of string"},
	OpYStr:   {"ystr", Stores, "slice B [I[C]] of string = S[A]"},
	OpXBool:  {"xbool", Loads, "I[A] = slice B [I[C]] of bool"},
	OpYBool:  {"ybool", Stores, "slice B [I[C]] of bool = I[A]"},
	OpXI32:   {"xi32", Loads, "I[A] = slice B [I[C]] of int32"},
	OpYI32:   {"yi32", Stores, "slice B [I[C]] of int32 = I[A]"},
	OpXAny:   {"xany", Loads, "I[A] = slice B [I[C]] of any other number"},
	OpYAny:   {"yany", Stores, "slice B [I[C]] of any other number = I[A]"},
	OpYAdd:   {"yadd", Modifies, "slice B [I[C]] of int += I[A]"},
	OpYSub:   {"ysub", Modifies, "slice B [I[C]] of int -= I[A]"},
	OpYFadd:  {"yfadd", Modifies, "slice B [I[C]] of float64 += I[A]"},
	OpYFsub:  {"yfsub", Modifies, "slice B [I[C]] of float64 -= I[A]"},
	OpYInc:   {"yinc", Modifies, "slice B [I[C]] of int += A - 128"},
	OpXXInt:  {"xxint", plain, "I[A] = slice B [I[C]] [I[D]] of int"},
	OpXXF64:  {"xxf64", plain, "I[A] = slice B [I[C]] [I[D]] of float64"},
	OpXo:     {"xo", Loads, "I[A] = cell of slice B [I[C]], stride and offset D"},
	OpYo:     {"yo", Stores, "cell of slice B [I[C]], stride and offset D = I[A]"},
	OpXoS:    {"xos", Loads, "S[A] = cell of slice B [I[C]], stride and offset D"},
	OpYoS:    {"yos", Stores, "cell of slice B [I[C]], stride and offset D = S[A]"},
	OpXoR:    {"xor", Loads, "R[A] = cell of slice B [I[C]], stride and offset D"},
	OpYoR:    {"yor", Stores, "cell of slice B [I[C]], stride and offset D = R[A]"},
	OpXoP:    {"xop", Loads, "I[A], R[A] = cell of slice B [I[C]], stride and offset D"},
	OpYoP:    {"yop", Stores, "cell of slice B [I[C]], stride and offset D = I[A], R[A]"},
	OpXoSl:   {"xosl", Loads, "slice A = cell of slice B [I[C]], stride and offset D"},
	OpYoSl:   {"yosl", Stores, "cell of slice B [I[C]], stride and offset D = slice A"},
	OpYoAdd:  {"yoadd", Modifies, "cell of slice B [I[C]], stride and offset D, += I[A]"},
	OpYoSub:  {"yosub", Modifies, "cell of slice B [I[C]], stride and offset D, -= I[A]"},
	OpYoFadd: {"yofadd", Modifies, "cell of slice B [I[C]], stride and offset D, += I[A], float"},
	OpYoFsub: {"yofsub", Modifies, "cell of slice B [I[C]], stride and offset D, -= I[A], float"},
	OpYoInc:  {"yoinc", Modifies, "cell of slice B [I[C]], stride and offset D, += A - 128"},
	OpXp:     {"xp", plain, "pointer A = &slice B [I[C]], stride and offset D"},
	OpGrow:   {"grow", plain, "slice A = slice B and D&15 more, elements of type refs D>>4, I[C] = len(slice B)"},
	OpSidx:   {"sidx", plain, "I[A] = S[B][I[C]]"},

	// Calls: AB is how far the window moves.
	OpCall:  {"call", call, "call D, window AB"},
	OpCallC: {"callc", plain, "call closure R[AB + D], window AB"},
	OpCallM: {"callm", plain, "call method D of interface R[C], window AB"},
	OpRet:   {"ret", plain, "return"},
	OpRetI:  {"reti", plain, "I[B] = I[A]; return"},

	OpTick: {"tick", plain, "tick"},
}

// Ins is one instruction.
type Ins struct {
	Op      Op
	A, B, C uint8
	D       int32
}

// Bytes appends the instruction in the form the loop reads. A place to jump to is a
// byte offset, and one instruction early: the loop steps on after each. What may be
// negative is biased, because on amd64 a load that extends the sign takes no index.
func (i Ins) Bytes(to []byte) []byte {
	bc, d := uint16(i.B)|uint16(i.C)<<8, uint32(i.D)
	switch Ops[i.Op].Format {
	case imm:
		d += Bias
	case jump16:
		bc += bias16
		d = (d - 1) * WordSize
	case jump:
		d = (d - 1) * WordSize
	case call:
		d *= WordSize
	}
	to = append(to, byte(i.Op), i.A, byte(bc), byte(bc>>8))
	return binary.LittleEndian.AppendUint32(to, d)
}

// A Word is an instruction as the loop reads it. Each method is one load.
type Word [WordSize]byte

const (
	WordSize = 8
	Bias     = 1 << 31
	bias16   = 1 << 15
)

func (w *Word) Op() Op    { return Op(w[0]) }
func (w *Word) A() uint8  { return w[1] }
func (w *Word) B() uint8  { return w[2] }
func (w *Word) C() uint8  { return w[3] }
func (w *Word) Ab() int   { return int(uint16(w[1]) | uint16(w[2])<<8) }
func (w *Word) Bc() int64 { return int64(uint16(w[2])|uint16(w[3])<<8) - bias16 }

// Lo | hi is D. It is not one method, because that would be too much to be inlined
// into so large a function as the loop.
func (w *Word) Lo() uint32 { return uint32(w[4]) | uint32(w[5])<<8 }
func (w *Word) Hi() uint32 { return uint32(w[6])<<16 | uint32(w[7])<<24 }

// Off is the upper half of D alone.
func (w *Word) Off() uint64 { return uint64(uint16(w[6]) | uint16(w[7])<<8) }

func IsJump(op Op) bool { return Ops[op].Format == jump || Ops[op].Format == jump16 }
