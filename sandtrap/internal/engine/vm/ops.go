package vm

import "encoding/binary"

// Op is an operation. What each does is said in the table below; the loop in hot.go
// does it, and where its quick way does not apply (a failed check, an unusual
// operand) it leaves the instruction to slow.go.
type Op uint8

const (
	opStop Op = iota
	opFarLd
	opFarSt

	opMovI
	opMovS
	opMovR
	opMovP
	opMovSl
	opLdI
	opLdKI
	opLdKS
	opLdKR
	opNil
	opCapI
	opCapSl

	opAdd
	opSub
	opMul
	opAnd
	opOr
	opXor
	opAndN
	opShl
	opShr
	opUshr
	opDiv
	opRem
	opUdiv
	opUrem
	opAddI
	opMulI
	opAndI
	opShlI
	opShrI
	opUshrI
	opNeg
	opNot
	opLnot
	opSx8
	opSx16
	opSx32
	opZx8
	opZx16
	opZx32

	opFadd
	opFsub
	opFmul
	opFdiv
	opFmadd
	opFmsub
	opSqrt
	opFneg
	opFr32
	opI2F
	opU2F
	opF2I
	opF2I32

	opEq
	opNe
	opLt
	opLe
	opUlt
	opUle
	opFeq
	opFne
	opFlt
	opFle
	opSeq
	opSne
	opSlt
	opSle
	opSlen
	opNilR

	opJmp
	opJt
	opJf
	opJeq
	opJne
	opJlt
	opJle
	opJult
	opJule
	opJflt
	opJfle
	opJnflt
	opJnfle
	opJeqI
	opJneI
	opJltI
	opJleI
	opJgtI
	opJgeI
	opJnil
	opJnn

	opLoop
	opLjeq
	opLjne
	opLjlt
	opLjle
	opLjeqI
	opLjneI
	opLjltI
	opLjleI
	opLjgtI
	opLjgeI
	opLinc
	opLincI

	opLd
	opSt
	opGLd
	opGSt
	opLdS
	opStS
	opGLdS
	opGStS
	opLdR
	opStR
	opGLdR
	opGStR
	opLdP
	opStP
	opLdSl
	opStSl
	opGLdP
	opGStP
	opGLdSl
	opGStSl
	opGAdd
	opGSub
	opGInc
	opGAddr
	opPadd
	opAddM
	opSubM
	opFaddM
	opFsubM
	opFmaddM
	opFmsubM
	opFaddL
	opFsubL
	opFmulL
	opIncM

	opXInt
	opYInt
	opXU8
	opYU8
	opXF64
	opYF64
	opXStr
	opYStr
	opXBool
	opYBool
	opXI32
	opYI32
	opXAny
	opYAny
	opYAdd
	opYSub
	opYFadd
	opYFsub
	opYInc
	opXXInt
	opXXF64
	opXo
	opYo
	opXoS
	opYoS
	opXoR
	opYoR
	opXoP
	opYoP
	opXoSl
	opYoSl
	opYoAdd
	opYoSub
	opYoFadd
	opYoFsub
	opYoInc
	opXp
	opGrow
	opSidx

	opCall
	opCallC
	opCallM
	opRet
	opRetI

	// The last one, so that the loop's switch spans all bytes.
	opTick Op = 255
)

// A format says what the loop finds in the last operands.
type format uint8

const (
	plain    format = iota // D is not negative
	loads                  // the same, and memory is read
	stores                 // the same, and memory is written
	modifies               // the same, and memory is read and written
	imm                    // D may be negative
	jump                   // D is a place in the code
	jump16                 // and B and C are one number of 16 bits with a sign
	call                   // D is the entry of a function
)

// ops is the instruction set: what an instruction does with its operands A, B, C of
// 8 bits and D of 32.
var ops = [256]struct {
	name   string
	format format
	does   string
}{
	opStop:  {"stop", plain, "ext D"},
	opFarLd: {"farld", plain, "near cell A = far cell D, banks B"},
	opFarSt: {"farst", plain, "far cell D = near cell A, banks B"},

	// Moves.
	opMovI:  {"movi", plain, "I[A] = I[B]"},
	opMovS:  {"movs", plain, "S[A] = S[B]"},
	opMovR:  {"movr", plain, "R[A] = R[B]"},
	opMovP:  {"movp", plain, "I[A], R[A] = I[B], R[B]"},
	opMovSl: {"movsl", plain, "slice A = slice B"},
	opLdI:   {"ldi", imm, "I[A] = D"},
	opLdKI:  {"ldki", plain, "I[A] = ints[D]"},
	opLdKS:  {"ldks", plain, "S[A] = strs[D]"},
	opLdKR:  {"ldkr", plain, "R[A] = refs[D]"},
	opNil:   {"nil", plain, "I[A], R[A] = 0, nil"},
	opCapI:  {"capi", plain, "cell A = captured cell D of closure R[B], banks C"},
	opCapSl: {"capsl", plain, "slice A = captured cells D of closure R[B]"},

	// Integers.
	opAdd:   {"add", plain, "I[A] = I[B] + I[C]"},
	opSub:   {"sub", plain, "I[A] = I[B] - I[C]"},
	opMul:   {"mul", plain, "I[A] = I[B] * I[C]"},
	opAnd:   {"and", plain, "I[A] = I[B] & I[C]"},
	opOr:    {"or", plain, "I[A] = I[B] | I[C]"},
	opXor:   {"xor", plain, "I[A] = I[B] ^ I[C]"},
	opAndN:  {"andn", plain, "I[A] = I[B] &^ I[C]"},
	opShl:   {"shl", plain, "I[A] = I[B] << I[C], which is signed if D"},
	opShr:   {"shr", plain, "I[A] = I[B] >> I[C], which is signed if D"},
	opUshr:  {"ushr", plain, "I[A] = I[B] >>> I[C], which is signed if D"},
	opDiv:   {"div", plain, "I[A] = I[B] / I[C]"},
	opRem:   {"rem", plain, "I[A] = I[B] % I[C]"},
	opUdiv:  {"udiv", plain, "I[A] = I[B] / I[C], unsigned"},
	opUrem:  {"urem", plain, "I[A] = I[B] % I[C], unsigned"},
	opAddI:  {"addi", imm, "I[A] = I[B] + D"},
	opMulI:  {"muli", imm, "I[A] = I[B] * D"},
	opAndI:  {"andi", imm, "I[A] = I[B] & D"},
	opShlI:  {"shli", plain, "I[A] = I[B] << D"},
	opShrI:  {"shri", plain, "I[A] = I[B] >> D"},
	opUshrI: {"ushri", plain, "I[A] = I[B] >>> D"},
	opNeg:   {"neg", plain, "I[A] = -I[B]"},
	opNot:   {"not", plain, "I[A] = ^I[B]"},
	opLnot:  {"lnot", plain, "I[A] = !I[B]"},
	opSx8:   {"sx8", plain, "I[A] = int8(I[B])"},
	opSx16:  {"sx16", plain, "I[A] = int16(I[B])"},
	opSx32:  {"sx32", plain, "I[A] = int32(I[B])"},
	opZx8:   {"zx8", plain, "I[A] = uint8(I[B])"},
	opZx16:  {"zx16", plain, "I[A] = uint16(I[B])"},
	opZx32:  {"zx32", plain, "I[A] = uint32(I[B])"},

	// Floating point: a number cell holds the bits of a float64.
	opFadd:  {"fadd", plain, "I[A] = I[B] + I[C], float"},
	opFsub:  {"fsub", plain, "I[A] = I[B] - I[C], float"},
	opFmul:  {"fmul", plain, "I[A] = I[B] * I[C], float"},
	opFdiv:  {"fdiv", plain, "I[A] = I[B] / I[C], float"},
	opFmadd: {"fmadd", plain, "I[A] = I[B] + I[C] * I[D], float"},
	opFmsub: {"fmsub", plain, "I[A] = I[B] - I[C] * I[D], float"},
	opSqrt:  {"sqrt", plain, "I[A] = square root of I[B], float; ext D unless that is known to be it"},
	opFneg:  {"fneg", plain, "I[A] = -I[B], float"},
	opFr32:  {"fr32", plain, "I[A] = float32(I[B])"},
	opI2F:   {"i2f", plain, "I[A] = float64(I[B]), from int"},
	opU2F:   {"u2f", plain, "I[A] = float64(I[B]), from uint"},
	opF2I:   {"f2i", plain, "I[A] = int(I[B]), from float"},
	opF2I32: {"f2i32", plain, "I[A] = int32(I[B]), from float"},

	// Comparisons as values.
	opEq:   {"eq", plain, "I[A] = I[B] == I[C]"},
	opNe:   {"ne", plain, "I[A] = I[B] != I[C]"},
	opLt:   {"lt", plain, "I[A] = I[B] < I[C]"},
	opLe:   {"le", plain, "I[A] = I[B] <= I[C]"},
	opUlt:  {"ult", plain, "I[A] = I[B] < I[C], unsigned"},
	opUle:  {"ule", plain, "I[A] = I[B] <= I[C], unsigned"},
	opFeq:  {"feq", plain, "I[A] = I[B] == I[C], float"},
	opFne:  {"fne", plain, "I[A] = I[B] != I[C], float"},
	opFlt:  {"flt", plain, "I[A] = I[B] < I[C], float"},
	opFle:  {"fle", plain, "I[A] = I[B] <= I[C], float"},
	opSeq:  {"seq", plain, "I[A] = S[B] == S[C]"},
	opSne:  {"sne", plain, "I[A] = S[B] != S[C]"},
	opSlt:  {"slt", plain, "I[A] = S[B] < S[C]"},
	opSle:  {"sle", plain, "I[A] = S[B] <= S[C]"},
	opSlen: {"slen", plain, "I[A] = len(S[B])"},
	opNilR: {"nilr", plain, "I[A] = R[B] == nil"},

	// Jumps ahead.
	opJmp:   {"jmp", jump, "goto D"},
	opJt:    {"jt", jump, "if I[A] goto D"},
	opJf:    {"jf", jump, "if !I[A] goto D"},
	opJeq:   {"jeq", jump, "if I[A] == I[B] goto D"},
	opJne:   {"jne", jump, "if I[A] != I[B] goto D"},
	opJlt:   {"jlt", jump, "if I[A] < I[B] goto D"},
	opJle:   {"jle", jump, "if I[A] <= I[B] goto D"},
	opJult:  {"jult", jump, "if I[A] < I[B] goto D, unsigned"},
	opJule:  {"jule", jump, "if I[A] <= I[B] goto D, unsigned"},
	opJflt:  {"jflt", jump, "if I[A] < I[B] goto D, float"},
	opJfle:  {"jfle", jump, "if I[A] <= I[B] goto D, float"},
	opJnflt: {"jnflt", jump, "if !(I[A] < I[B]) goto D, float"},
	opJnfle: {"jnfle", jump, "if !(I[A] <= I[B]) goto D, float"},
	opJeqI:  {"jeqi", jump16, "if I[A] == BC goto D"},
	opJneI:  {"jnei", jump16, "if I[A] != BC goto D"},
	opJltI:  {"jlti", jump16, "if I[A] < BC goto D"},
	opJleI:  {"jlei", jump16, "if I[A] <= BC goto D"},
	opJgtI:  {"jgti", jump16, "if I[A] > BC goto D"},
	opJgeI:  {"jgei", jump16, "if I[A] >= BC goto D"},
	opJnil:  {"jnil", jump, "if R[A] == nil goto D"},
	opJnn:   {"jnn", jump, "if R[A] != nil goto D"},

	// Jumps back, each with a tick.
	opLoop:  {"loop", jump, "tick, goto D"},
	opLjeq:  {"ljeq", jump, "if I[A] == I[B] tick, goto D"},
	opLjne:  {"ljne", jump, "if I[A] != I[B] tick, goto D"},
	opLjlt:  {"ljlt", jump, "if I[A] < I[B] tick, goto D"},
	opLjle:  {"ljle", jump, "if I[A] <= I[B] tick, goto D"},
	opLjeqI: {"ljeqi", jump16, "if I[A] == BC tick, goto D"},
	opLjneI: {"ljnei", jump16, "if I[A] != BC tick, goto D"},
	opLjltI: {"ljlti", jump16, "if I[A] < BC tick, goto D"},
	opLjleI: {"ljlei", jump16, "if I[A] <= BC tick, goto D"},
	opLjgtI: {"ljgti", jump16, "if I[A] > BC tick, goto D"},
	opLjgeI: {"ljgei", jump16, "if I[A] >= BC tick, goto D"},
	opLinc:  {"linc", jump, "I[A] += C; if I[A] < I[B] tick, goto D"},
	opLincI: {"linci", jump16, "I[A]++; if I[A] < BC tick, goto D"},

	// Memory: a pointer p is R[p] the object and I[p] the cell in it.
	opLd:     {"ld", loads, "I[A] = *(pointer B + D)"},
	opSt:     {"st", stores, "*(pointer B + D) = I[A]"},
	opGLd:    {"gld", plain, "I[A] = global D"},
	opGSt:    {"gst", plain, "global D = I[A]"},
	opLdS:    {"lds", loads, "S[A] = *(pointer B + D)"},
	opStS:    {"sts", stores, "*(pointer B + D) = S[A]"},
	opGLdS:   {"glds", plain, "S[A] = global D"},
	opGStS:   {"gsts", plain, "global D = S[A]"},
	opLdR:    {"ldr", loads, "R[A] = *(pointer B + D)"},
	opStR:    {"str", stores, "*(pointer B + D) = R[A]"},
	opGLdR:   {"gldr", plain, "R[A] = global D"},
	opGStR:   {"gstr", plain, "global D = R[A]"},
	opLdP:    {"ldp", loads, "I[A], R[A] = *(pointer B + D)"},
	opStP:    {"stp", stores, "*(pointer B + D) = I[A], R[A]"},
	opLdSl:   {"ldsl", loads, "slice A = *(pointer B + D)"},
	opStSl:   {"stsl", stores, "*(pointer B + D) = slice A"},
	opGLdP:   {"gldp", plain, "I[A], R[A] = global D"},
	opGStP:   {"gstp", plain, "global D = I[A], R[A]"},
	opGLdSl:  {"gldsl", plain, "slice A = global D"},
	opGStSl:  {"gstsl", plain, "global D = slice A"},
	opGAdd:   {"gadd", plain, "global D += I[A]"},
	opGSub:   {"gsub", plain, "global D -= I[A]"},
	opGInc:   {"ginc", plain, "global D += A - 128"},
	opGAddr:  {"gaddr", plain, "pointer A = address of global D"},
	opPadd:   {"padd", plain, "pointer A = pointer B + D, which is not nil"},
	opAddM:   {"addm", modifies, "*(pointer B + D) += I[A]"},
	opSubM:   {"subm", modifies, "*(pointer B + D) -= I[A]"},
	opFaddM:  {"faddm", modifies, "*(pointer B + D) += I[A], float"},
	opFsubM:  {"fsubm", modifies, "*(pointer B + D) -= I[A], float"},
	opFmaddM: {"fmaddm", modifies, "*(pointer B + D) += I[A] * I[C], float"},
	opFmsubM: {"fmsubm", modifies, "*(pointer B + D) -= I[A] * I[C], float"},
	opFaddL:  {"faddl", loads, "I[A] = I[B] + *(pointer C + D), float"},
	opFsubL:  {"fsubl", loads, "I[A] = I[B] - *(pointer C + D), float"},
	opFmulL:  {"fmull", loads, "I[A] = I[B] * *(pointer C + D), float"},
	opIncM:   {"incm", modifies, "*(pointer B + D) += A - 128"},

	// Elements: a slice s is R[s] the store, I[s] the length, I[s+1] offset and capacity.
	opXInt:   {"xint", loads, "I[A] = slice B [I[C]] of int"},
	opYInt:   {"yint", stores, "slice B [I[C]] of int = I[A]"},
	opXU8:    {"xu8", loads, "I[A] = slice B [I[C]] of uint8"},
	opYU8:    {"yu8", stores, "slice B [I[C]] of uint8 = I[A]"},
	opXF64:   {"xf64", loads, "I[A] = slice B [I[C]] of float64"},
	opYF64:   {"yf64", stores, "slice B [I[C]] of float64 = I[A]"},
	opXStr:   {"xstr", loads, "S[A] = slice B [I[C]] of string"},
	opYStr:   {"ystr", stores, "slice B [I[C]] of string = S[A]"},
	opXBool:  {"xbool", loads, "I[A] = slice B [I[C]] of bool"},
	opYBool:  {"ybool", stores, "slice B [I[C]] of bool = I[A]"},
	opXI32:   {"xi32", loads, "I[A] = slice B [I[C]] of int32"},
	opYI32:   {"yi32", stores, "slice B [I[C]] of int32 = I[A]"},
	opXAny:   {"xany", loads, "I[A] = slice B [I[C]] of any other number"},
	opYAny:   {"yany", stores, "slice B [I[C]] of any other number = I[A]"},
	opYAdd:   {"yadd", modifies, "slice B [I[C]] of int += I[A]"},
	opYSub:   {"ysub", modifies, "slice B [I[C]] of int -= I[A]"},
	opYFadd:  {"yfadd", modifies, "slice B [I[C]] of float64 += I[A]"},
	opYFsub:  {"yfsub", modifies, "slice B [I[C]] of float64 -= I[A]"},
	opYInc:   {"yinc", modifies, "slice B [I[C]] of int += A - 128"},
	opXXInt:  {"xxint", plain, "I[A] = slice B [I[C]] [I[D]] of int"},
	opXXF64:  {"xxf64", plain, "I[A] = slice B [I[C]] [I[D]] of float64"},
	opXo:     {"xo", loads, "I[A] = cell of slice B [I[C]], stride and offset D"},
	opYo:     {"yo", stores, "cell of slice B [I[C]], stride and offset D = I[A]"},
	opXoS:    {"xos", loads, "S[A] = cell of slice B [I[C]], stride and offset D"},
	opYoS:    {"yos", stores, "cell of slice B [I[C]], stride and offset D = S[A]"},
	opXoR:    {"xor", loads, "R[A] = cell of slice B [I[C]], stride and offset D"},
	opYoR:    {"yor", stores, "cell of slice B [I[C]], stride and offset D = R[A]"},
	opXoP:    {"xop", loads, "I[A], R[A] = cell of slice B [I[C]], stride and offset D"},
	opYoP:    {"yop", stores, "cell of slice B [I[C]], stride and offset D = I[A], R[A]"},
	opXoSl:   {"xosl", loads, "slice A = cell of slice B [I[C]], stride and offset D"},
	opYoSl:   {"yosl", stores, "cell of slice B [I[C]], stride and offset D = slice A"},
	opYoAdd:  {"yoadd", modifies, "cell of slice B [I[C]], stride and offset D, += I[A]"},
	opYoSub:  {"yosub", modifies, "cell of slice B [I[C]], stride and offset D, -= I[A]"},
	opYoFadd: {"yofadd", modifies, "cell of slice B [I[C]], stride and offset D, += I[A], float"},
	opYoFsub: {"yofsub", modifies, "cell of slice B [I[C]], stride and offset D, -= I[A], float"},
	opYoInc:  {"yoinc", modifies, "cell of slice B [I[C]], stride and offset D, += A - 128"},
	opXp:     {"xp", plain, "pointer A = &slice B [I[C]], stride and offset D"},
	opGrow:   {"grow", plain, "slice A = slice B and D&15 more, elements of type refs D>>4, I[C] = len(slice B)"},
	opSidx:   {"sidx", plain, "I[A] = S[B][I[C]]"},

	// Calls: AB is how far the window moves.
	opCall:  {"call", call, "call D, window AB"},
	opCallC: {"callc", plain, "call closure R[AB + D], window AB"},
	opCallM: {"callm", plain, "call method D of interface R[C], window AB"},
	opRet:   {"ret", plain, "return"},
	opRetI:  {"reti", plain, "I[B] = I[A]; return"},

	opTick: {"tick", plain, "tick"},
}

// Ins is one instruction.
type Ins struct {
	Op      Op
	A, B, C uint8
	D       int32
}

// bytes appends the instruction in the form the loop reads. A place to jump to is a
// byte offset, and one instruction early: the loop steps on after each. What may be
// negative is biased, because on amd64 a load that extends the sign takes no index.
func (i Ins) bytes(to []byte) []byte {
	bc, d := uint16(i.B)|uint16(i.C)<<8, uint32(i.D)
	switch ops[i.Op].format {
	case imm:
		d += bias
	case jump16:
		bc += bias16
		d = (d - 1) * wordSize
	case jump:
		d = (d - 1) * wordSize
	case call:
		d *= wordSize
	}
	to = append(to, byte(i.Op), i.A, byte(bc), byte(bc>>8))
	return binary.LittleEndian.AppendUint32(to, d)
}

// A word is an instruction as the loop reads it. Each method is one load.
type word [wordSize]byte

const (
	wordSize = 8
	bias     = 1 << 31
	bias16   = 1 << 15
)

func (w *word) op() Op    { return Op(w[0]) }
func (w *word) a() uint8  { return w[1] }
func (w *word) b() uint8  { return w[2] }
func (w *word) c() uint8  { return w[3] }
func (w *word) ab() int   { return int(uint16(w[1]) | uint16(w[2])<<8) }
func (w *word) bc() int64 { return int64(uint16(w[2])|uint16(w[3])<<8) - bias16 }

// lo | hi is D. It is not one method, because that would be too much to be inlined
// into so large a function as the loop.
func (w *word) lo() uint32 { return uint32(w[4]) | uint32(w[5])<<8 }
func (w *word) hi() uint32 { return uint32(w[6])<<16 | uint32(w[7])<<24 }

// off is the upper half of D alone.
func (w *word) off() uint64 { return uint64(uint16(w[6]) | uint16(w[7])<<8) }

func isJump(op Op) bool { return ops[op].format == jump || ops[op].format == jump16 }
