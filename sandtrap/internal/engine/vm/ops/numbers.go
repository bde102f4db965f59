package ops

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func F2U(m *exec.Machine, x *ir.SlowOp) { m.I[x.A] = int64(uint64(ir.BitsFloat(m.I[x.B]))) }

func I2F32(m *exec.Machine, x *ir.SlowOp) {
	if x.Ok {
		m.I[x.A] = ir.FloatBits(float64(float32(uint64(m.I[x.B]))))
		return
	}
	m.I[x.A] = ir.FloatBits(float64(float32(m.I[x.B])))
}

func Complex(m *exec.Machine, x *ir.SlowOp) {
	m.I[x.A], m.I[x.A+1] = m.I[x.Regs[0]], m.I[x.Regs[1]]
}

func Real(m *exec.Machine, x *ir.SlowOp) { m.I[x.A] = m.I[x.Regs[0]] }
func Imag(m *exec.Machine, x *ir.SlowOp) { m.I[x.A] = m.I[x.Regs[0]+1] }

func ComplexNeg(m *exec.Machine, x *ir.SlowOp) { m.SetCplx(x.A, -m.Cplx(x.B)) }

func ComplexConv(m *exec.Machine, x *ir.SlowOp) {
	c := m.Cplx(x.B)
	if x.T.Kind == reflect.Complex64 {
		c = complex128(complex64(c))
	}
	m.SetCplx(x.A, c)
}

func Min(m *exec.Machine, x *ir.SlowOp) { minMax(m, x, true) }
func Max(m *exec.Machine, x *ir.SlowOp) { minMax(m, x, false) }

func minMax(m *exec.Machine, x *ir.SlowOp, least bool) {
	t, best := x.Types[0], x.Regs[0]
	for _, r := range x.Regs[1:] {
		if t.Kind == reflect.String {
			if least && m.LessText(m.S[r], m.S[best]) || !least && m.LessText(m.S[best], m.S[r]) {
				best = r
			}
			continue
		}
		if lessCell(m, t, r, best) == least && m.I[r] != m.I[best] {
			best = r
		}
	}
	if ir.IsFloat(t) {
		f := ir.BitsFloat(m.I[x.Regs[0]])
		for _, r := range x.Regs[1:] {
			if least {
				f = min(f, ir.BitsFloat(m.I[r]))
			} else {
				f = max(f, ir.BitsFloat(m.I[r]))
			}
		}
		m.I[x.A] = ir.FloatBits(f)
		return
	}
	if t.Kind == reflect.String {
		m.S[x.A] = m.S[best]
		return
	}
	m.I[x.A] = m.I[best]
}

func lessCell(m *exec.Machine, t *ir.Type, a, b int) bool {
	if ir.IsUnsigned(t) {
		return uint64(m.I[a]) < uint64(m.I[b])
	}
	return m.I[a] < m.I[b]
}
