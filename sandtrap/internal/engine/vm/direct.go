package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

//go:generate go test -run TestAdapters -update

// doDirect calls the bound value of a gate by its adapter, if there is one.
func doDirect(m *machine, x *ir.SlowOp) {
	b := &m.bindings[x.N]
	if b.call == 0 {
		b.fn = m.seam.Bind[x.N].Interface()
		if b.call = adapterFor(b.fn); b.call == 0 {
			b.call = noAdapter
		}
	}
	if !m.adapted(x, b) {
		doGate(m, x)
	}
}

// adapted calls b by its adapter. It reports false, and has not called it, if it has none, or if an
// argument is not in memory as the host has it.
func (m *machine) adapted(x *ir.SlowOp, b *bound) bool {
	if b.call == noAdapter {
		return false
	}
	m.departs(x)
	if adapt(m, x, b.fn, b.call) {
		return true
	}
	m.atHost = false
	return false
}

// bindLeaf gives the bound value of a gate, which is of type F, for a call right after, with texts of so many
// bytes; returns ends that. A leaf is a function of one or two numbers, booleans or texts that gives
// another one, or a method that builds a text. None can call back, so the window stays where it is,
// and a stop is noticed at the next instruction of this kind. A value of another type is called here.
func bindLeaf[F any](m *machine, x *ir.SlowOp, given int) (f F, ok bool) {
	if f, ok = m.bindings[x.N].fn.(F); !ok || given > givenFree || len(m.loans) > 0 {
		if f, ok = prepared[F](m, x); !ok {
			return f, false
		}
	}
	n := m.live.hosts
	m.seam.before, m.live.ahead.base, m.atHost = n, n, true
	return f, true
}

// prepared is bindLeaf for the first time, and with more than the usual to do.
func prepared[F any](m *machine, x *ir.SlowOp) (f F, ok bool) {
	v := m.seam.Bind[x.N].Interface()
	if f, ok = v.(F); !ok {
		doGate(m, x)
		return f, false
	}
	m.bindings[x.N].fn = v
	m.toHostSide()
	m.given(x)
	return f, true
}

// departs comes right before another function of the host's is called, arrives after it.
func (m *machine) departs(x *ir.SlowOp) {
	m.crossing = crossing{sharing: x.Shares}
	m.entering()
	m.given(x)
	m.atHost = true
}

// arrives reports that the results are to be put in their registers: the run has not been stopped.
//
//go:noinline
func (m *machine) arrives() bool {
	m.atHost = false
	if m.stop != nil {
		m.toScriptSide()
		return false // without a panic: the loop sees it
	}
	m.ended()
	m.view()
	return true
}

// The arguments and results of adapters that are no leaves: calls, since they have less code.

//go:noinline
func (m *machine) numberArg(x *ir.SlowOp, k int) int64 { return m.I[x.Regs[k]] }

//go:noinline
func (m *machine) textArg(x *ir.SlowOp, k int) string { return m.S[x.Regs[k]] }

//go:noinline
func (m *machine) refArg(x *ir.SlowOp, k int) any { return m.R[x.Regs[k]] }

func (m *machine) complexArg(x *ir.SlowOp, k int) complex128 {
	r := x.Regs[k]
	return complex(ir.BitsFloat(m.I[r]), ir.BitsFloat(m.I[r+1]))
}

//go:noinline
func (m *machine) setNumber(k int, v int64) { m.I[k] = v }

//go:noinline
func (m *machine) setText(k int, s string) { m.S[k] = m.textMade(s) }

func (m *machine) setComplex(k int, c complex128) {
	m.I[k], m.I[k+1] = ir.FloatBits(real(c)), ir.FloatBits(imag(c))
}

// numbersArg is argument k, a slice of numbers. Of memory that the run may not write to there is a
// copy to be made, which is not done here.
func numbersArg[T ir.Integer](m *machine, x *ir.SlowOp, k int) ([]T, bool) {
	switch o := m.R[x.Regs[k]].(type) {
	case nil:
		return nil, true
	case *ir.Num[T]:
		return stretchOf(m, x.Regs[k], o.V), true
	}
	return nil, false
}

func floatsArg[T float32 | float64](m *machine, x *ir.SlowOp, k int) ([]T, bool) {
	switch o := m.R[x.Regs[k]].(type) {
	case nil:
		return nil, true
	case *ir.Flt[T]:
		return stretchOf(m, x.Regs[k], o.V), true
	}
	return nil, false
}

func stringsArg(m *machine, x *ir.SlowOp, k int) ([]string, bool) {
	switch o := m.R[x.Regs[k]].(type) {
	case nil:
		return nil, true
	case *ir.Strs:
		return stretchOf(m, x.Regs[k], o.V), true
	}
	return nil, false
}

// stretchOf is the slice of the elements v of a store that register r and the next have.
func stretchOf[T any](m *machine, r int, v []T) []T {
	n, off, c := int(m.I[r]), int(m.I[r+1]>>32), int(m.I[r+1]&0xffffffff)
	return v[off : off+n : off+c]
}

// valueArg is argument k, a reflect.Value of the script's.
func (m *machine) valueArg(x *ir.SlowOp, k int) (*rvalue, bool) {
	v, ok := m.R[x.Regs[k]].(*reflect.Value)
	if !ok {
		return nil, false
	}
	m.copying(valueType)
	return rvalueIn(*v), true
}

// errorArg is argument k, an error; not one that a value of the script may be.
func (m *machine) errorArg(x *ir.SlowOp, k int) (error, bool) {
	if m.R[x.Regs[k]] == nil && x.Types[k].Kind == reflect.Interface {
		return nil, true
	}
	return nil, false
}

// anyArg is argument k, of type any, as the host is to have it; not one that may lend it variables.
func (m *machine) anyArg(x *ir.SlowOp, k int) (any, bool) {
	v := m.R[x.Regs[k]]
	f, ok := v.(*Iface)
	switch {
	case x.Shares || x.Types[k].Kind != reflect.Interface:
		return nil, false
	case ok && (goesAsCopy(f.T) || m.goes(f.T) && !inOneCell(f.T.Kind)):
		return nil, false
	}
	return m.export(v), true
}

// anyResult puts a value that the host has, or has made, in register k.
func (m *machine) anyResult(k int, v any) {
	m.chargeMade(anyBytes(v))
	m.R[k] = ifaceFromHost(m, v)
}

// pointerResult puts a pointer to a struct of the host's in register k.
func pointerResult[T any](m *machine, k int, p *T) {
	m.I[k], m.R[k] = 0, nil
	if p == nil {
		m.chargeMade(ifaceBytes)
		return
	}
	m.chargeMade(max(ifaceBytes, int64(reflect.TypeFor[T]().Size())))
	m.R[k] = p
}

// errorResult puts an error that the host has made in register k.
func (m *machine) errorResult(k int, err error) {
	if err != nil {
		m.chargeMade(errorHeld(err))
	}
	m.setError(k, err)
}

// typeResult puts a type in register k.
func (m *machine) typeResult(k int, t reflect.Type) {
	m.R[k] = nil
	if t != nil {
		m.chargeMade(ifaceBytes)
		m.R[k] = shownType(m, t)
	}
}

// otherResult puts result i in registers from k on.
func (m *machine) otherResult(x *ir.SlowOp, i, k int, res any) {
	v := reflect.ValueOf(res)
	m.chargeMade(madeBytes(v))
	fromHost(m, v, x.T.Fields[i].Typ, &ir.Obj{I: m.I, S: m.S, R: m.R}, k)
}

// copyingFrom pays for a copy of what p, a pointer to a struct of the host's, leads to.
func (m *machine) copyingFrom(p any) { m.copying(reflect.TypeOf(p).Elem()) }
