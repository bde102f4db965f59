package vm

import "go/types"

// typedGate is the way of calling a function with a common signature without
// reflection, nil for others.
func typedGate(sig *types.Signature) func(*machine, *ext) {
	if sig.TypeParams().Len() > 0 || sig.Variadic() {
		return nil
	}
	return typedGates[types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic()).String()]
}

func unnamed(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		vars[i] = types.NewParam(0, nil, "", t.At(i).Type())
	}
	return types.NewTuple(vars...)
}

var typedGates = map[string]func(*machine, *ext){
	"func(string) string": func(m *machine, x *ext) {
		if f, ok := direct[func(string) string](m, x, m.size(x, 0)); ok {
			m.string(x.a, f(m.S[x.regs[0]]))
		}
	},
	"func(string) bool": func(m *machine, x *ext) {
		if f, ok := direct[func(string) bool](m, x, m.size(x, 0)); ok {
			m.number(x.a, b2i(f(m.S[x.regs[0]])))
		}
	},
	"func(string) int": func(m *machine, x *ext) {
		if f, ok := direct[func(string) int](m, x, m.size(x, 0)); ok {
			m.number(x.a, int64(f(m.S[x.regs[0]])))
		}
	},
	"func(string, string) bool": func(m *machine, x *ext) {
		if f, ok := direct[func(string, string) bool](m, x, m.size(x, 0)+m.size(x, 1)); ok {
			m.number(x.a, b2i(f(m.S[x.regs[0]], m.S[x.regs[1]])))
		}
	},
	"func(string, string) int": func(m *machine, x *ext) {
		if f, ok := direct[func(string, string) int](m, x, m.size(x, 0)+m.size(x, 1)); ok {
			m.number(x.a, int64(f(m.S[x.regs[0]], m.S[x.regs[1]])))
		}
	},
	"func(string, string) string": func(m *machine, x *ext) {
		if f, ok := direct[func(string, string) string](m, x, m.size(x, 0)+m.size(x, 1)); ok {
			m.string(x.a, f(m.S[x.regs[0]], m.S[x.regs[1]]))
		}
	},
	"func(string, int) string": func(m *machine, x *ext) {
		if f, ok := direct[func(string, int) string](m, x, m.size(x, 0)); ok {
			m.string(x.a, f(m.S[x.regs[0]], int(m.I[x.regs[1]])))
		}
	},
	"func(int) int": func(m *machine, x *ext) {
		if f, ok := direct[func(int) int](m, x, 0); ok {
			m.number(x.a, int64(f(int(m.I[x.regs[0]]))))
		}
	},
	"func(int, int) int": func(m *machine, x *ext) {
		if f, ok := direct[func(int, int) int](m, x, 0); ok {
			m.number(x.a, int64(f(int(m.I[x.regs[0]]), int(m.I[x.regs[1]]))))
		}
	},
	"func(int) string": func(m *machine, x *ext) {
		if f, ok := direct[func(int) string](m, x, 0); ok {
			m.string(x.a, f(int(m.I[x.regs[0]])))
		}
	},
	"func(float64) float64": func(m *machine, x *ext) {
		if f, ok := direct[func(float64) float64](m, x, 0); ok {
			m.number(x.a, f2i(f(i2f(m.I[x.regs[0]]))))
		}
	},
	"func(float64, float64) float64": func(m *machine, x *ext) {
		if f, ok := direct[func(float64, float64) float64](m, x, 0); ok {
			m.number(x.a, f2i(f(i2f(m.I[x.regs[0]]), i2f(m.I[x.regs[1]]))))
		}
	},
	"func(rune) bool": func(m *machine, x *ext) {
		if f, ok := direct[func(rune) bool](m, x, 0); ok {
			m.number(x.a, b2i(f(rune(m.I[x.regs[0]]))))
		}
	},
	"func(rune) rune": func(m *machine, x *ext) {
		if f, ok := direct[func(rune) rune](m, x, 0); ok {
			m.number(x.a, int64(f(rune(m.I[x.regs[0]]))))
		}
	},
}

// size is the length of argument k, a string.
func (m *machine) size(x *ext, k int) int { return len(m.S[x.regs[k]]) }

// direct gives the bound value of a gate, which is of type F, for a call right after with
// so much text: number, text and the like end it. None of these can call back, so the
// window stays where it is. A value of another type is called by reflection here.
func direct[F any](m *machine, x *ext, text int) (f F, ok bool) {
	if f, ok = m.bindings[x.n].(F); !ok || m.lends(text) {
		if f, ok = prepared[F](m, x); !ok {
			return f, false
		}
	}
	m.leaves()
	return f, true
}

// lends reports more than the usual to do before a call with so much text.
func (m *machine) lends(text int) bool { return text > givenFree || len(m.loans) > 0 }

// leaves comes right before a direct call, back after it.
func (m *machine) leaves() {
	n := m.live.hosts
	m.seam.before, m.live.ahead.base, m.atHost = n, n, true
}

// prepared is direct for the first time, and with more than the usual to do.
func prepared[F any](m *machine, x *ext) (f F, ok bool) {
	v := m.seam.Bind[x.n].Interface()
	if f, ok = v.(F); !ok {
		doGate(m, x)
		return f, false
	}
	m.bindings[x.n] = v
	m.toHostSide()
	m.given(x)
	return f, true
}

// back comes after a direct call. A stop is noticed at the next instruction of this kind.
func (m *machine) back() {
	m.atHost = false
	m.live.ahead.base = noCall
	m.toScriptSide()
}

// number is the result of a direct call.
func (m *machine) number(a int, v int64) {
	m.back()
	m.I[a] = v
}

// string is a string result.
func (m *machine) string(a int, s string) {
	m.back()
	m.S[a] = m.textMade(s)
}
