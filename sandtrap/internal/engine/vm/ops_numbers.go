package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func doF2U(m *machine, x *ir.SlowOp) { m.I[x.A] = int64(uint64(ir.BitsFloat(m.I[x.B]))) }

func doI2F32(m *machine, x *ir.SlowOp) {
	if x.Ok {
		m.I[x.A] = ir.FloatBits(float64(float32(uint64(m.I[x.B]))))
		return
	}
	m.I[x.A] = ir.FloatBits(float64(float32(m.I[x.B])))
}

func doComplex(m *machine, x *ir.SlowOp) {
	m.I[x.A], m.I[x.A+1] = m.I[x.Regs[0]], m.I[x.Regs[1]]
}

func doReal(m *machine, x *ir.SlowOp) { m.I[x.A] = m.I[x.Regs[0]] }
func doImag(m *machine, x *ir.SlowOp) { m.I[x.A] = m.I[x.Regs[0]+1] }

func doComplexNeg(m *machine, x *ir.SlowOp) { m.setCplx(x.A, -m.cplx(x.B)) }

func doComplexConv(m *machine, x *ir.SlowOp) {
	c := m.cplx(x.B)
	if x.T.Kind == reflect.Complex64 {
		c = complex128(complex64(c))
	}
	m.setCplx(x.A, c)
}

func doMin(m *machine, x *ir.SlowOp) { m.minMax(x, true) }
func doMax(m *machine, x *ir.SlowOp) { m.minMax(x, false) }

func (m *machine) minMax(x *ir.SlowOp, least bool) {
	t, best := x.Types[0], x.Regs[0]
	for _, r := range x.Regs[1:] {
		if t.Kind == reflect.String {
			if least && m.lessText(m.S[r], m.S[best]) || !least && m.lessText(m.S[best], m.S[r]) {
				best = r
			}
			continue
		}
		if m.lessCell(t, r, best) == least && m.I[r] != m.I[best] {
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

func (m *machine) lessCell(t *ir.Type, a, b int) bool {
	if ir.IsUnsigned(t) {
		return uint64(m.I[a]) < uint64(m.I[b])
	}
	return m.I[a] < m.I[b]
}
