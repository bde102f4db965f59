package ops

import (
	"go/token"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func Concat(m *exec.Machine, x *ir.SlowOp) {
	b, c := m.S[x.B], m.S[x.C]
	if b == "" || c == "" {
		m.S[x.A] = b + c
		return
	}
	m.S[x.A] = concat(m, b, c)
}

func ComplexOp(m *exec.Machine, x *ir.SlowOp) {
	a, b := m.Cplx(x.B), m.Cplx(x.C)
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
	m.SetCplx(x.A, c)
}

func IntToString(m *exec.Machine, x *ir.SlowOp) {
	i := m.I[x.B]
	r := rune(i)
	if int64(r) != i || ir.IsUnsigned(x.U) && i < 0 {
		r = utf8.RuneError
	}
	m.S[x.A] = string(r)
}

func SliceToString(m *exec.Machine, x *ir.SlowOp) {
	n, off := int(m.I[x.B]), int(m.I[x.B+1]>>32)
	switch o := m.R[x.B].(type) {
	case nil:
		m.S[x.A] = ""
	case *ir.Num[uint8]:
		m.S[x.A] = textOf(m, o.V[off:off+n])
	case *ir.Num[int32]:
		m.S[x.A] = textOfRunes(m, o.V[off:off+n])
	case *exec.HostVals: // of a named type
		m.Charge(ir.Allocated(int64(n) * utf8.UTFMax))
		m.S[x.A] = o.Text(off, n)
	default:
		panic("vm: string of an unexpected slice")
	}
}

func StringToSlice(m *exec.Machine, x *ir.SlowOp) {
	var v any
	n := 0
	m.CheckLen("len", int64(len(m.S[x.B])), x.T.Elem)
	m.Alloc(ir.StoreBytes(x.T.Elem, int64(len(m.S[x.B]))))
	if x.T.Elem.Kind == reflect.Uint8 {
		b := bytesOf(m, m.S[x.B])
		v, n = &ir.Num[uint8]{V: b}, len(b)
	} else {
		r := runesOf(m, m.S[x.B])
		v, n = &ir.Num[int32]{V: r}, len(r)
	}
	m.SetSlice(x.A, m.FollowAny(v), 0, n, n)
}

func MakeSlice(m *exec.Machine, x *ir.SlowOp) {
	n, c := m.I[x.B], m.I[x.C]
	m.CheckLen("len", n, x.T)
	m.CheckLen("cap", c, x.T)
	if c < n {
		exec.Throwf("makeslice: cap out of range")
	}
	m.Alloc(ir.StoreBytes(x.T, c))
	m.SetSlice(x.A, m.AllocStore(x.T, int(c)), 0, int(n), int(c))
}

func SliceString(m *exec.Machine, x *ir.SlowOp) {
	s := m.S[x.B]
	lo, _ := m.Bound(x, 0, 0)
	hi, given := m.Bound(x, 1, len(s))
	if given && (hi < 0 || hi > int64(len(s))) {
		exec.Throwf("slice bounds out of range [:%s]%s", m.BoundText(x, 1, hi), exec.LengthPart(hi, len(s)))
	}
	if lo < 0 {
		exec.Throwf("slice bounds out of range [%s:]", m.BoundText(x, 0, lo))
	}
	if lo > hi {
		exec.Throwf("slice bounds out of range [%s:%s]", m.BoundText(x, 0, lo), m.BoundText(x, 1, hi))
	}
	m.S[x.A] = s[lo:hi]
}

func Slice(m *exec.Machine, x *ir.SlowOp) {
	store, off, n, c := m.SliceAt(x.B)
	array := x.T.Kind == reflect.Pointer
	if array && store == nil {
		exec.ThrowNil()
	}
	what := "capacity"
	if array {
		what = "length"
		c = n
	}
	lo, _ := m.Bound(x, 0, 0)
	hi, hiGiven := m.Bound(x, 1, n)
	mx, mxGiven := m.Bound(x, 2, c)
	if x.S == "makeslice" && (hi < 0 || hi > int64(c)) {
		exec.Throwf("makeslice: %s out of range", map[bool]string{true: "len", false: "cap"}[hi < 0])
	}
	part := func(i int64) string {
		if i < 0 {
			return ""
		}
		return " with " + what + " " + strconv.Itoa(c)
	}
	switch {
	case mxGiven && (mx < 0 || mx > int64(c)):
		exec.Throwf("slice bounds out of range [::%s]%s", m.BoundText(x, 2, mx), part(mx))
	case mxGiven && (hi < 0 || hi > mx):
		if hi < 0 {
			exec.Throwf("slice bounds out of range [:%s:]", m.BoundText(x, 1, hi))
		}
		exec.Throwf("slice bounds out of range [:%s:%s]", m.BoundText(x, 1, hi), m.BoundText(x, 2, mx))
	case hiGiven && !mxGiven && (hi < 0 || hi > int64(c)):
		exec.Throwf("slice bounds out of range [:%s]%s", m.BoundText(x, 1, hi), part(hi))
	case lo < 0 || lo > hi:
		if lo < 0 {
			exec.Throwf("slice bounds out of range [%s:%s]", m.BoundText(x, 0, lo), map[bool]string{true: ":"}[mxGiven])
		}
		if mxGiven {
			exec.Throwf("slice bounds out of range [%s:%s:]", m.BoundText(x, 0, lo), m.BoundText(x, 1, hi))
		}
		exec.Throwf("slice bounds out of range [%s:%s]", m.BoundText(x, 0, lo), m.BoundText(x, 1, hi))
	}
	m.SetSlice(x.A, store, off+int(lo), int(hi-lo), int(mx-lo))
}

func SliceToArray(m *exec.Machine, x *ir.SlowOp) {
	store, off, n, _ := m.SliceAt(x.B)
	if int64(n) < x.N {
		exec.Throwf("cannot convert slice with length %d to array or pointer to array with length %d", n, x.N)
	}
	m.SetSlice(x.A, store, off, int(x.N), int(x.N))
}

func SliceToArrayValue(m *exec.Machine, x *ir.SlowOp) {
	store, off, n, _ := m.SliceAt(x.B)
	if n < x.T.N {
		exec.Throwf("cannot convert slice with length %d to array or pointer to array with length %d", n, x.T.N)
	}
	m.Alloc(ir.AggBytes(x.T))
	v := m.AllocAgg(x.T)
	m.MoveElems(x.T.Elem, v, 0, store, off, x.T.N)
	m.R[x.A] = v
}

// Append is append(s, t...): go/ssa always gives a slice, or a string.
func Append(m *exec.Machine, x *ir.SlowOp) {
	store, off, n, c := m.SliceAt(x.Regs[0])
	elem := x.T.Elem
	k := 0
	if x.Types[1].Kind == reflect.String {
		k = len(m.S[x.Regs[1]])
	} else {
		k = int(m.I[x.Regs[1]])
	}
	if k == 0 {
		m.SetSlice(x.A, store, off, n, c)
		return
	}
	if n+k > c || n+k < 0 {
		store, c = m.GrownTo(n+k, int(x.N), elem, store, off, n, c)
		off = 0
	}
	if x.Types[1].Kind == reflect.String {
		moveText(m, store, off+n, m.S[x.Regs[1]])
	} else {
		src, soff, _, _ := m.SliceAt(x.Regs[1])
		m.MoveElems(elem, store, off+n, src, soff, k)
	}
	m.SetSlice(x.A, store, off, n+k, c)
}

func Copy(m *exec.Machine, x *ir.SlowOp) {
	store, off, n, _ := m.SliceAt(x.Regs[0])
	k := 0
	if x.Types[1].Kind == reflect.String {
		s := m.S[x.Regs[1]]
		if k = min(n, len(s)); k > 0 {
			moveText(m, store, off, s[:k])
		}
	} else {
		src, soff, sn, _ := m.SliceAt(x.Regs[1])
		if k = min(n, sn); k > 0 {
			m.MoveElems(x.Types[0].Elem, store, off, src, soff, k)
		}
	}
	if x.T.W() > 0 && x.T.Kind == reflect.Int {
		m.I[x.A] = int64(k)
	}
}
