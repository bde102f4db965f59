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
	case *ir.Num[uint8]:
		m.S[x.A] = m.textOf(o.V[off : off+n])
	case *ir.Num[int32]:
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
		v, n = &ir.Num[uint8]{V: b}, len(b)
	} else {
		r := m.runesOf(m.S[x.B])
		v, n = &ir.Num[int32]{V: r}, len(r)
	}
	m.setSlice(x.A, m.followAny(v), 0, n, n)
}

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
