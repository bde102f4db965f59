package vm

import "reflect"

func doF2U(m *machine, x *ext) { m.I[x.a] = int64(uint64(i2f(m.I[x.b]))) }

func doI2F32(m *machine, x *ext) {
	if x.ok {
		m.I[x.a] = f2i(float64(float32(uint64(m.I[x.b]))))
		return
	}
	m.I[x.a] = f2i(float64(float32(m.I[x.b])))
}

func (m *machine) cplx(r int) complex128 { return complex(i2f(m.I[r]), i2f(m.I[r+1])) }

func (m *machine) setCplx(r int, c complex128) { m.I[r], m.I[r+1] = f2i(real(c)), f2i(imag(c)) }

func doComplex(m *machine, x *ext) {
	m.I[x.a], m.I[x.a+1] = m.I[x.regs[0]], m.I[x.regs[1]]
}

func doReal(m *machine, x *ext) { m.I[x.a] = m.I[x.regs[0]] }
func doImag(m *machine, x *ext) { m.I[x.a] = m.I[x.regs[0]+1] }

func doComplexNeg(m *machine, x *ext) { m.setCplx(x.a, -m.cplx(x.b)) }

func doComplexConv(m *machine, x *ext) {
	c := m.cplx(x.b)
	if x.t.kind == reflect.Complex64 {
		c = complex128(complex64(c))
	}
	m.setCplx(x.a, c)
}

func doMin(m *machine, x *ext) { m.minMax(x, true) }
func doMax(m *machine, x *ext) { m.minMax(x, false) }

func (m *machine) minMax(x *ext, least bool) {
	t, best := x.types[0], x.regs[0]
	for _, r := range x.regs[1:] {
		if t.kind == reflect.String {
			if least && m.lessText(m.S[r], m.S[best]) || !least && m.lessText(m.S[best], m.S[r]) {
				best = r
			}
			continue
		}
		if m.lessCell(t, r, best) == least && m.I[r] != m.I[best] {
			best = r
		}
	}
	if isFloat(t) {
		f := i2f(m.I[x.regs[0]])
		for _, r := range x.regs[1:] {
			if least {
				f = min(f, i2f(m.I[r]))
			} else {
				f = max(f, i2f(m.I[r]))
			}
		}
		m.I[x.a] = f2i(f)
		return
	}
	if t.kind == reflect.String {
		m.S[x.a] = m.S[best]
		return
	}
	m.I[x.a] = m.I[best]
}

func (m *machine) lessCell(t *Type, a, b int) bool {
	if isUnsigned(t) {
		return uint64(m.I[a]) < uint64(m.I[b])
	}
	return m.I[a] < m.I[b]
}
