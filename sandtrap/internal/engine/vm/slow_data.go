package vm

import (
	"go/token"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func doConcat(m *machine, x *ir.SlowOp) {
	b, c := m.S[x.B], m.S[x.C]
	if b == "" || c == "" {
		m.S[x.A] = b + c
		return
	}
	m.S[x.A] = m.concat(b, c)
}

func doComplexOp(m *machine, x *ir.SlowOp) {
	a, b := m.cplx(x.B), m.cplx(x.C)
	var c complex128
	switch token.Token(x.N) {
	case token.ADD:
		c = a + b
	case token.SUB:
		c = a - b
	case token.MUL:
		c = a * b
	case token.QUO:
		c = a / b
	}
	if x.T.Kind == reflect.Complex64 {
		c = complex128(complex64(c))
	}
	m.setCplx(x.A, c)
}

func doIntToString(m *machine, x *ir.SlowOp) {
	i := m.I[x.B]
	r := rune(i)
	if int64(r) != i || ir.IsUnsigned(x.U) && i < 0 {
		r = utf8.RuneError
	}
	m.S[x.A] = string(r)
}

func doSliceToString(m *machine, x *ir.SlowOp) {
	n, off := int(m.I[x.B]), int(m.I[x.B+1]>>32)
	switch o := m.R[x.B].(type) {
	case nil:
		m.S[x.A] = ""
	case *Num[uint8]:
		m.S[x.A] = m.textOf(o.V[off : off+n])
	case *Num[int32]:
		m.S[x.A] = m.textOfRunes(o.V[off : off+n])
	case *hostVals: // of a named type
		m.charge(ir.Allocated(int64(n) * utf8.UTFMax))
		m.S[x.A] = o.text(off, n)
	default:
		panic("vm: string of an unexpected slice")
	}
}

func doStringToSlice(m *machine, x *ir.SlowOp) {
	var v any
	n := 0
	m.checkLen("len", int64(len(m.S[x.B])), x.T.Elem)
	m.alloc(ir.StoreBytes(x.T.Elem, int64(len(m.S[x.B]))))
	if x.T.Elem.Kind == reflect.Uint8 {
		b := m.bytesOf(m.S[x.B])
		v, n = &Num[uint8]{b}, len(b)
	} else {
		r := m.runesOf(m.S[x.B])
		v, n = &Num[int32]{r}, len(r)
	}
	m.setSlice(x.A, m.followAny(v), 0, n, n)
}

// setSlice writes a slice header: R the store, I the length, I+1 offset and
// capacity. Only of an array whose elements have no size can there be more of them than there is
// room for: then nothing is at any offset.
func (m *machine) setSlice(a int, store any, off, n, c int) {
	off, c = min(off, maxElems), min(c, maxElems)
	m.R[a], m.I[a], m.I[a+1] = store, int64(n), int64(off)<<32|int64(c)
}

func (m *machine) sliceAt(a int) (store any, off, n, c int) {
	h := m.I[a+1]
	return m.R[a], int(h >> 32), int(m.I[a]), int(h & 0xffffffff)
}

// maxElems is how many elements a slice can have: a header has 32 bits for its offset, and as many
// for its capacity.
const maxElems = 1<<31 - 1

func doMakeSlice(m *machine, x *ir.SlowOp) {
	n, c := m.I[x.B], m.I[x.C]
	m.checkLen("len", n, x.T)
	m.checkLen("cap", c, x.T)
	if c < n {
		throwf("makeslice: cap out of range")
	}
	m.alloc(ir.StoreBytes(x.T, c))
	m.setSlice(x.A, m.storeFor(x.T, int(c)), 0, int(n), int(c))
}

// checkLen refuses a length, or capacity, that there cannot be.
func (m *machine) checkLen(what string, n int64, elem *ir.Type) {
	m.refuseHuge(n, elem)
	if n < 0 || n > maxElems {
		throwf("makeslice: %s out of range", what)
	}
}

func doSliceString(m *machine, x *ir.SlowOp) {
	s := m.S[x.B]
	lo, _ := m.bound(x, 0, 0)
	hi, given := m.bound(x, 1, len(s))
	if given && (hi < 0 || hi > int64(len(s))) {
		throwf("slice bounds out of range [:%s]%s", m.boundText(x, 1, hi), lengthPart(hi, len(s)))
	}
	if lo < 0 {
		throwf("slice bounds out of range [%s:]", m.boundText(x, 0, lo))
	}
	if lo > hi {
		throwf("slice bounds out of range [%s:%s]", m.boundText(x, 0, lo), m.boundText(x, 1, hi))
	}
	m.S[x.A] = s[lo:hi]
}

func doSlice(m *machine, x *ir.SlowOp) {
	store, off, n, c := m.sliceAt(x.B)
	array := x.T.Kind == reflect.Pointer
	if array && store == nil {
		throwNil()
	}
	what := "capacity"
	if array {
		what = "length"
		c = n
	}
	lo, _ := m.bound(x, 0, 0)
	hi, hiGiven := m.bound(x, 1, n)
	mx, mxGiven := m.bound(x, 2, c)
	if x.S == "makeslice" && (hi < 0 || hi > int64(c)) {
		throwf("makeslice: %s out of range", map[bool]string{true: "len", false: "cap"}[hi < 0])
	}
	part := func(i int64) string {
		if i < 0 {
			return ""
		}
		return " with " + what + " " + strconv.Itoa(c)
	}
	switch {
	case mxGiven && (mx < 0 || mx > int64(c)):
		throwf("slice bounds out of range [::%s]%s", m.boundText(x, 2, mx), part(mx))
	case mxGiven && (hi < 0 || hi > mx):
		if hi < 0 {
			throwf("slice bounds out of range [:%s:]", m.boundText(x, 1, hi))
		}
		throwf("slice bounds out of range [:%s:%s]", m.boundText(x, 1, hi), m.boundText(x, 2, mx))
	case hiGiven && !mxGiven && (hi < 0 || hi > int64(c)):
		throwf("slice bounds out of range [:%s]%s", m.boundText(x, 1, hi), part(hi))
	case lo < 0 || lo > hi:
		if lo < 0 {
			throwf("slice bounds out of range [%s:%s]", m.boundText(x, 0, lo), map[bool]string{true: ":"}[mxGiven])
		}
		if mxGiven {
			throwf("slice bounds out of range [%s:%s:]", m.boundText(x, 0, lo), m.boundText(x, 1, hi))
		}
		throwf("slice bounds out of range [%s:%s]", m.boundText(x, 0, lo), m.boundText(x, 1, hi))
	}
	m.setSlice(x.A, store, off+int(lo), int(hi-lo), int(mx-lo))
}

func doSliceToArray(m *machine, x *ir.SlowOp) {
	store, off, n, _ := m.sliceAt(x.B)
	if int64(n) < x.N {
		throwf("cannot convert slice with length %d to array or pointer to array with length %d", n, x.N)
	}
	m.setSlice(x.A, store, off, int(x.N), int(x.N))
}

func doSliceToArrayValue(m *machine, x *ir.SlowOp) {
	store, off, n, _ := m.sliceAt(x.B)
	if n < x.T.N {
		throwf("cannot convert slice with length %d to array or pointer to array with length %d", n, x.T.N)
	}
	m.alloc(ir.AggBytes(x.T))
	v := m.aggFor(x.T)
	m.moveElems(x.T.Elem, v, 0, store, off, x.T.N)
	m.R[x.A] = v
}

// doAppend is append(s, t...): go/ssa always gives a slice, or a string.
func doAppend(m *machine, x *ir.SlowOp) {
	store, off, n, c := m.sliceAt(x.Regs[0])
	elem := x.T.Elem
	k := 0
	if x.Types[1].Kind == reflect.String {
		k = len(m.S[x.Regs[1]])
	} else {
		k = int(m.I[x.Regs[1]])
	}
	if k == 0 {
		m.setSlice(x.A, store, off, n, c)
		return
	}
	if n+k > c || n+k < 0 {
		store, c = m.grownTo(n+k, int(x.N), elem, store, off, n, c)
		off = 0
	}
	if x.Types[1].Kind == reflect.String {
		m.moveText(store, off+n, m.S[x.Regs[1]])
	} else {
		src, soff, _, _ := m.sliceAt(x.Regs[1])
		m.moveElems(elem, store, off+n, src, soff, k)
	}
	m.setSlice(x.A, store, off, n+k, c)
}

// grownTo gives a new store for need elements, with the n that were in the old one, and
// its capacity. room is what the frame has for its first elements.
func (m *machine) grownTo(need, room int, elem *ir.Type, store any, off, n, c int) (any, int) {
	if n == 0 && need <= room {
		c = room
	} else {
		c = m.capacity(elem, c, need)
	}
	m.alloc(ir.StoreBytes(elem, int64(c)))
	to := m.storeFor(elem, c)
	if store != nil {
		m.moveElems(elem, to, 0, store, off, n)
	}
	return to, c
}

// slowGrow makes room for append where there is none.
func (m *machine) slowGrow(a, b, idx, d int) {
	elem, k, room := m.p.Refs[d>>4], d&15, 0
	if framed, ok := elem.(ir.FrameElem); ok {
		elem, room = framed.Type, framed.Room
	}
	store, off, n, c := m.sliceAt(b)
	if n+k > c || n+k < 0 {
		store, c = m.grownTo(n+k, room, elem.(*ir.Type), store, off, n, c)
		off = 0
	}
	m.setSlice(a, store, off, n+k, c)
	m.I[idx] = int64(n)
}

func doCopy(m *machine, x *ir.SlowOp) {
	store, off, n, _ := m.sliceAt(x.Regs[0])
	k := 0
	if x.Types[1].Kind == reflect.String {
		s := m.S[x.Regs[1]]
		if k = min(n, len(s)); k > 0 {
			m.moveText(store, off, s[:k])
		}
	} else {
		src, soff, sn, _ := m.sliceAt(x.Regs[1])
		if k = min(n, sn); k > 0 {
			m.moveElems(x.Types[0].Elem, store, off, src, soff, k)
		}
	}
	if x.T.W() > 0 && x.T.Kind == reflect.Int {
		m.I[x.A] = int64(k)
	}
}
