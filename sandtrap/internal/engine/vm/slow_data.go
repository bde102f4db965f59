package vm

import (
	"go/token"
	"reflect"
	"strconv"
	"unicode/utf8"
)

func doConcat(m *machine, x *ext) {
	b, c := m.S[x.b], m.S[x.c]
	if b == "" || c == "" {
		m.S[x.a] = b + c
		return
	}
	m.S[x.a] = m.concat(b, c)
}

func doComplexOp(m *machine, x *ext) {
	a, b := m.cplx(x.b), m.cplx(x.c)
	var c complex128
	switch token.Token(x.n) {
	case token.ADD:
		c = a + b
	case token.SUB:
		c = a - b
	case token.MUL:
		c = a * b
	case token.QUO:
		c = a / b
	}
	if x.t.kind == reflect.Complex64 {
		c = complex128(complex64(c))
	}
	m.setCplx(x.a, c)
}

func doIntToString(m *machine, x *ext) {
	i := m.I[x.b]
	r := rune(i)
	if int64(r) != i || isUnsigned(x.u) && i < 0 {
		r = utf8.RuneError
	}
	m.S[x.a] = string(r)
}

func doSliceToString(m *machine, x *ext) {
	n, off := int(m.I[x.b]), int(m.I[x.b+1]>>32)
	switch o := m.R[x.b].(type) {
	case nil:
		m.S[x.a] = ""
	case *Num[uint8]:
		m.S[x.a] = m.textOf(o.V[off : off+n])
	case *Num[int32]:
		m.S[x.a] = m.textOfRunes(o.V[off : off+n])
	case *hostVals: // of a named type
		m.charge(allocated(int64(n) * utf8.UTFMax))
		m.S[x.a] = o.text(off, n)
	default:
		panic("vm: string of an unexpected slice")
	}
}

func doStringToSlice(m *machine, x *ext) {
	var v any
	n := 0
	m.checkLen("len", int64(len(m.S[x.b])), x.t.elem)
	m.alloc(storeBytes(x.t.elem, int64(len(m.S[x.b]))))
	if x.t.elem.kind == reflect.Uint8 {
		b := m.bytesOf(m.S[x.b])
		v, n = &Num[uint8]{b}, len(b)
	} else {
		r := m.runesOf(m.S[x.b])
		v, n = &Num[int32]{r}, len(r)
	}
	m.setSlice(x.a, m.followAny(v), 0, n, n)
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

func doMakeSlice(m *machine, x *ext) {
	n, c := m.I[x.b], m.I[x.c]
	m.checkLen("len", n, x.t)
	m.checkLen("cap", c, x.t)
	if c < n {
		throwf("makeslice: cap out of range")
	}
	m.alloc(storeBytes(x.t, c))
	m.setSlice(x.a, m.storeFor(x.t, int(c)), 0, int(n), int(c))
}

// checkLen refuses a length, or capacity, that there cannot be.
func (m *machine) checkLen(what string, n int64, elem *Type) {
	m.refuseHuge(n, elem)
	if n < 0 || n > maxElems {
		throwf("makeslice: %s out of range", what)
	}
}

func doSliceString(m *machine, x *ext) {
	s := m.S[x.b]
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
	m.S[x.a] = s[lo:hi]
}

func doSlice(m *machine, x *ext) {
	store, off, n, c := m.sliceAt(x.b)
	array := x.t.kind == reflect.Pointer
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
	if x.s == "makeslice" && (hi < 0 || hi > int64(c)) {
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
	m.setSlice(x.a, store, off+int(lo), int(hi-lo), int(mx-lo))
}

func doSliceToArray(m *machine, x *ext) {
	store, off, n, _ := m.sliceAt(x.b)
	if int64(n) < x.n {
		throwf("cannot convert slice with length %d to array or pointer to array with length %d", n, x.n)
	}
	m.setSlice(x.a, store, off, int(x.n), int(x.n))
}

func doSliceToArrayValue(m *machine, x *ext) {
	store, off, n, _ := m.sliceAt(x.b)
	if n < x.t.n {
		throwf("cannot convert slice with length %d to array or pointer to array with length %d", n, x.t.n)
	}
	m.alloc(aggBytes(x.t))
	v := m.aggFor(x.t)
	m.moveElems(x.t.elem, v, 0, store, off, x.t.n)
	m.R[x.a] = v
}

// doAppend is append(s, t...): go/ssa always gives a slice, or a string.
func doAppend(m *machine, x *ext) {
	store, off, n, c := m.sliceAt(x.regs[0])
	elem := x.t.elem
	k := 0
	if x.types[1].kind == reflect.String {
		k = len(m.S[x.regs[1]])
	} else {
		k = int(m.I[x.regs[1]])
	}
	if k == 0 {
		m.setSlice(x.a, store, off, n, c)
		return
	}
	if n+k > c || n+k < 0 {
		store, c = m.grownTo(n+k, int(x.n), elem, store, off, n, c)
		off = 0
	}
	if x.types[1].kind == reflect.String {
		m.moveText(store, off+n, m.S[x.regs[1]])
	} else {
		src, soff, _, _ := m.sliceAt(x.regs[1])
		m.moveElems(elem, store, off+n, src, soff, k)
	}
	m.setSlice(x.a, store, off, n+k, c)
}

// grownTo gives a new store for need elements, with the n that were in the old one, and
// its capacity. room is what the frame has for its first elements.
func (m *machine) grownTo(need, room int, elem *Type, store any, off, n, c int) (any, int) {
	if n == 0 && need <= room {
		c = room
	} else {
		c = m.capacity(elem, c, need)
	}
	m.alloc(storeBytes(elem, int64(c)))
	to := m.storeFor(elem, c)
	if store != nil {
		m.moveElems(elem, to, 0, store, off, n)
	}
	return to, c
}

// slowGrow makes room for append where there is none.
func (m *machine) slowGrow(a, b, idx, d int) {
	elem, k, room := m.p.refs[d>>4], d&15, 0
	if framed, ok := elem.(frameElem); ok {
		elem, room = framed.Type, framed.room
	}
	store, off, n, c := m.sliceAt(b)
	if n+k > c || n+k < 0 {
		store, c = m.grownTo(n+k, room, elem.(*Type), store, off, n, c)
		off = 0
	}
	m.setSlice(a, store, off, n+k, c)
	m.I[idx] = int64(n)
}

func doCopy(m *machine, x *ext) {
	store, off, n, _ := m.sliceAt(x.regs[0])
	k := 0
	if x.types[1].kind == reflect.String {
		s := m.S[x.regs[1]]
		if k = min(n, len(s)); k > 0 {
			m.moveText(store, off, s[:k])
		}
	} else {
		src, soff, sn, _ := m.sliceAt(x.regs[1])
		if k = min(n, sn); k > 0 {
			m.moveElems(x.types[0].elem, store, off, src, soff, k)
		}
	}
	if x.t.w() > 0 && x.t.kind == reflect.Int {
		m.I[x.a] = int64(k)
	}
}
