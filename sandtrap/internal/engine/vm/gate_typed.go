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

// hasText reports a parameter of which the host may look at every byte.
func hasText(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		switch t := v.Type().Underlying().(type) {
		case *types.Slice:
			return true
		case *types.Basic:
			if t.Info()&types.IsString != 0 {
				return true
			}
		}
	}
	return false
}

var typedGates = map[string]func(*machine, *ext){
	"func(string) string": func(m *machine, x *ext) {
		if f, ok := direct[func(string) string](m, x); ok {
			m.text(x.a, f(m.S[x.regs[0]]))
		}
	},
	"func(string) bool": func(m *machine, x *ext) {
		if f, ok := direct[func(string) bool](m, x); ok {
			m.number(x.a, b2i(f(m.S[x.regs[0]])))
		}
	},
	"func(string) int": func(m *machine, x *ext) {
		if f, ok := direct[func(string) int](m, x); ok {
			m.number(x.a, int64(f(m.S[x.regs[0]])))
		}
	},
	"func(string, string) bool": func(m *machine, x *ext) {
		if f, ok := direct[func(string, string) bool](m, x); ok {
			m.number(x.a, b2i(f(m.S[x.regs[0]], m.S[x.regs[1]])))
		}
	},
	"func(string, string) int": func(m *machine, x *ext) {
		if f, ok := direct[func(string, string) int](m, x); ok {
			m.number(x.a, int64(f(m.S[x.regs[0]], m.S[x.regs[1]])))
		}
	},
	"func(string, string) string": func(m *machine, x *ext) {
		if f, ok := direct[func(string, string) string](m, x); ok {
			m.text(x.a, f(m.S[x.regs[0]], m.S[x.regs[1]]))
		}
	},
	"func(string, int) string": func(m *machine, x *ext) {
		if f, ok := direct[func(string, int) string](m, x); ok {
			m.text(x.a, f(m.S[x.regs[0]], int(m.I[x.regs[1]])))
		}
	},
	"func(int) int": func(m *machine, x *ext) {
		if f, ok := direct[func(int) int](m, x); ok {
			m.number(x.a, int64(f(int(m.I[x.regs[0]]))))
		}
	},
	"func(int, int) int": func(m *machine, x *ext) {
		if f, ok := direct[func(int, int) int](m, x); ok {
			m.number(x.a, int64(f(int(m.I[x.regs[0]]), int(m.I[x.regs[1]]))))
		}
	},
	"func(int) string": func(m *machine, x *ext) {
		if f, ok := direct[func(int) string](m, x); ok {
			m.text(x.a, f(int(m.I[x.regs[0]])))
		}
	},
	"func(float64) float64": func(m *machine, x *ext) {
		if f, ok := direct[func(float64) float64](m, x); ok {
			m.number(x.a, f2i(f(i2f(m.I[x.regs[0]]))))
		}
	},
	"func(float64, float64) float64": func(m *machine, x *ext) {
		if f, ok := direct[func(float64, float64) float64](m, x); ok {
			m.number(x.a, f2i(f(i2f(m.I[x.regs[0]]), i2f(m.I[x.regs[1]]))))
		}
	},
	"func(rune) bool": func(m *machine, x *ext) {
		if f, ok := direct[func(rune) bool](m, x); ok {
			m.number(x.a, b2i(f(rune(m.I[x.regs[0]]))))
		}
	},
	"func(rune) rune": func(m *machine, x *ext) {
		if f, ok := direct[func(rune) rune](m, x); ok {
			m.number(x.a, int64(f(rune(m.I[x.regs[0]]))))
		}
	},
}

// direct gives the bound value of a gate, which is of type F, for a call right after:
// number, text and the like end it. None of these can call back, so the window stays
// where it is. A value of another type is called by reflection here.
func direct[F any](m *machine, x *ext) (f F, ok bool) {
	if f, ok = m.binding(x).(F); !ok {
		doGate(m, x)
		return f, false
	}
	m.seam.before = m.seam.live.hosts
	if len(m.loans) > 0 {
		m.toHostSide()
	}
	if x.c != 0 {
		m.given(x)
	}
	m.atHost = true
	return f, true
}

// binding is what the gate of x is bound to.
func (m *machine) binding(x *ext) any {
	s := m.seam
	if s.bound == nil {
		s.bound = make([]any, len(s.Bind))
	}
	if s.bound[x.n] == nil {
		s.bound[x.n] = s.Bind[x.n].Interface()
	}
	return s.bound[x.n]
}

// back comes after a direct call. A stop is noticed at the next instruction of this kind.
func (m *machine) back() {
	m.atHost = false
	if len(m.loans) > 0 {
		m.toScriptSide()
	}
}

// number is the result of a direct call.
func (m *machine) number(a int, v int64) {
	m.back()
	m.I[a] = v
}

// text is a string result.
func (m *machine) text(a int, s string) {
	m.back()
	m.chargeMade(allocated(int64(len(s))))
	m.S[a] = s
}
