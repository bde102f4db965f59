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
		typed(m, x, func(f func(string) string) { m.text(x.a, f(m.S[x.regs[0]])) })
	},
	"func(string) bool": func(m *machine, x *ext) {
		typed(m, x, func(f func(string) bool) { m.I[x.a] = b2i(f(m.S[x.regs[0]])) })
	},
	"func(string) int": func(m *machine, x *ext) {
		typed(m, x, func(f func(string) int) { m.I[x.a] = int64(f(m.S[x.regs[0]])) })
	},
	"func(string, string) bool": func(m *machine, x *ext) {
		typed(m, x, func(f func(string, string) bool) { m.I[x.a] = b2i(f(m.S[x.regs[0]], m.S[x.regs[1]])) })
	},
	"func(string, string) int": func(m *machine, x *ext) {
		typed(m, x, func(f func(string, string) int) { m.I[x.a] = int64(f(m.S[x.regs[0]], m.S[x.regs[1]])) })
	},
	"func(string, string) string": func(m *machine, x *ext) {
		typed(m, x, func(f func(string, string) string) { m.text(x.a, f(m.S[x.regs[0]], m.S[x.regs[1]])) })
	},
	"func(string, int) string": func(m *machine, x *ext) {
		typed(m, x, func(f func(string, int) string) { m.text(x.a, f(m.S[x.regs[0]], int(m.I[x.regs[1]]))) })
	},
	"func(int) int": func(m *machine, x *ext) {
		typed(m, x, func(f func(int) int) { m.I[x.a] = int64(f(int(m.I[x.regs[0]]))) })
	},
	"func(int, int) int": func(m *machine, x *ext) {
		typed(m, x, func(f func(int, int) int) { m.I[x.a] = int64(f(int(m.I[x.regs[0]]), int(m.I[x.regs[1]]))) })
	},
	"func(int) string": func(m *machine, x *ext) {
		typed(m, x, func(f func(int) string) { m.text(x.a, f(int(m.I[x.regs[0]]))) })
	},
	"func(float64) float64": func(m *machine, x *ext) {
		typed(m, x, func(f func(float64) float64) { m.I[x.a] = f2i(f(i2f(m.I[x.regs[0]]))) })
	},
	"func(float64, float64) float64": func(m *machine, x *ext) {
		typed(m, x, func(f func(float64, float64) float64) {
			m.I[x.a] = f2i(f(i2f(m.I[x.regs[0]]), i2f(m.I[x.regs[1]])))
		})
	},
	"func(rune) bool": func(m *machine, x *ext) {
		typed(m, x, func(f func(rune) bool) { m.I[x.a] = b2i(f(rune(m.I[x.regs[0]]))) })
	},
	"func(rune) rune": func(m *machine, x *ext) {
		typed(m, x, func(f func(rune) rune) { m.I[x.a] = int64(f(rune(m.I[x.regs[0]]))) })
	},
}

// typed calls the bound value, which is of type F: none of these can call back, so
// the window stays where it is.
func typed[F any](m *machine, x *ext, call func(F)) {
	f, ok := m.seam.Bind[x.n].Interface().(F)
	if !ok {
		doGate(m, x)
		return
	}
	m.entering()
	m.given(x)
	m.guarded(func() { call(f) })
	m.ended()
}

// text is a string result.
func (m *machine) text(a int, s string) {
	m.chargeMade(allocated(int64(len(s))))
	m.S[a] = s
}
