package vm

import (
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// Ins is one instruction. What A, B, C and D mean is said with each Op.
type Ins struct {
	Op      Op
	A, B, C uint8
	D       int32
}

// word is the form the loop takes apart by shifts: faster than fields, which
// the compiler reads back from the stack.
func (i Ins) word() uint64 {
	return uint64(i.Op) | uint64(i.A)<<8 | uint64(i.B)<<16 | uint64(i.C)<<24 | uint64(uint32(i.D))<<32
}

// Op is an operation. The loop in hot.go does them; where its quick way does not
// apply (a failed check, an unusual operand) it leaves the instruction to
// slow.go.
type Op uint8

// Operands: I[A] = I[B] + I[C] unless a comment says otherwise.
const (
	opStop Op = iota // leaves the loop: what to do is ext[D]
	opMovI           // I[A] = I[B]
	opMovS
	opMovR
	opMovP  // I and R
	opMovSl // a slice: R[A], I[A], I[A+1]
	opLdI   // I[A] = D
	opLdKI  // I[A] = ints[D]
	opLdKS  // S[A] = strs[D]
	opLdKR  // R[A] = refs[D]
	opNil   // R[A] = nil, I[A] = 0
	opFarLd // cells near A.. = cells at window offset D; B masks, C width
	opFarSt

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
	opAddI // I[A] = I[B] + D
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
	opFneg
	opFr32
	opI2F
	opU2F
	opF2I

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
	opSlen // I[A] = len(S[B])
	opNilR // I[A] = R[B] == nil
	opPeq  // I[A] = pointers B and C equal

	opJmp // to D
	opJt  // if I[A]
	opJf
	opJeq // if I[A] == I[B]
	opJne
	opJlt
	opJle
	opJult
	opJule
	opJflt
	opJfle
	opJnflt // not <
	opJnfle
	opJeqI // if I[A] == imm16 of B, C
	opJneI
	opJltI
	opJleI
	opJgtI
	opJgeI
	opJnil // if R[A] == nil
	opJnn
	// The same with a tick: the way back in a loop.
	opLoop
	opLjeq
	opLjne
	opLjlt
	opLjle
	opLinc // I[A] += C; if I[A] < I[B]
	opLjeqI
	opLjneI
	opLjltI
	opLjleI
	opLjgtI
	opLjgeI

	opLd  // I[A] = *(pointer B + D)
	opLdS // the same for the other banks
	opLdR
	opLdP
	opSt // *(pointer B + D) = I[A]
	opStS
	opStR
	opStP
	opGLd // I[A] = global D
	opGLdS
	opGLdR
	opGLdP
	opGSt
	opGStS
	opGStR
	opGStP
	opGAddr // pointer A = address of global D
	opPadd  // pointer A = pointer B + D, which is not nil

	opXInt // I[A] = slice B [I[C]], elements held natively
	opXU8
	opXF64
	opXStr
	opXBool
	opXI32
	opXAny // any other native store; D is no part of it
	opYInt // slice B [I[C]] = I[A]
	opYU8
	opYF64
	opYStr
	opYBool
	opYI32
	opYAny
	opXo // cells: A = slice B [I[C]] at stride and field offset of D
	opXoS
	opXoR
	opXoP
	opYo
	opYoS
	opYoR
	opYoP
	opXp   // pointer A = &slice B [I[C]], stride and offset in D
	opSidx // I[A] = S[B][I[C]]
	opSslice

	opCall  // entry D, window shift A|B<<8
	opCallC // closure R[A|B<<8 + D]: the window shift is A|B<<8
	opCallM // method D of interface R[C], window shift A|B<<8
	opRet
	opRetI // I[0] = I[A] first
	opCapI // cell A = captured cell D of closure R[B]; C masks
	opTick
	numOps
)

// ext is what an instruction that leaves the loop needs: any number of
// registers, types and names.
type ext struct {
	do      func(m *machine, x *ext)
	a, b, c int
	d, e    int
	t, u    *Type
	n       int64
	s       string
	regs    []int
	types   []*Type
	fn      *Func
	ok      bool
	sel     []selCase
}

type selCase struct {
	send bool
	ch   int
	val  int
	elem *Type
	dst  int
}

// Func is a compiled function.
type Func struct {
	idx     int
	name    string
	entry   int
	end     int
	nregs   int
	params  int   // cells of receiver and parameters
	in      *Type // parameters without the receiver, of what interfaces call
	results *Type
	rw      int
	recover int // pc to go on at after a recovered panic, or -1
	ssa     *ssa.Function
	wrapper bool
}

// Program is compiled code: immutable, for any number of runs at once.
type Program struct {
	fset    *token.FileSet
	code    []Ins
	words   []uint64 // code as the loop reads it
	pos     []token.Pos
	funcs   []*Func
	ints    []int64
	strs    []string
	refs    []any
	exts    []*ext
	types   *typeTable
	byHost  map[reflect.Type]*Type
	midx    map[string]int
	mids    []*types.Func // methods, by id
	midSigs []*Type
	globals int   // cells
	stretch int64 // ticks that are surely over in a fraction of a millisecond
	init    *Func
	main    *Func
	vars    []variable // top-level variables that a run reports
	gates   *gateTable
}
