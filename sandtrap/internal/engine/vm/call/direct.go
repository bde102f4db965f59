package call

import (
	"image/color"
	"reflect"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/wrap"
)

//go:generate go test -run TestAdapters -update

// Direct calls the bound value of a gate by its adapter, if there is one.
func Direct(m *exec.Machine, x *ir.SlowOp) {
	b := &m.Bindings[x.N]
	if b.Call == 0 {
		b.Fn = m.Host.Bind[x.N].Interface()
		if b.Call = adapterFor(b.Fn); b.Call == 0 {
			b.Call = fieldOf(m.P.Gates.List[x.N], reflect.TypeOf(b.Fn))
		}
	}
	if b.Call < exec.NoAdapter && atField(m, x, exec.NoAdapter-1-b.Call) || adapted(m, x, b) {
		return
	}
	exec.Gate(m, x)
}

// fieldOf stands for the field of a struct that a gate gives a pointer to: it is below NoAdapter, which is for all other
// gates.
func fieldOf(b rewrite.Binding, gate reflect.Type) int {
	if b.Kind == abi.BindField && b.Pointer && gate.In(0).Elem().Kind() == reflect.Struct {
		if field, ok := gate.In(0).Elem().FieldByName(b.Name); ok && len(field.Index) == 1 {
			return exec.NoAdapter - 1 - field.Index[0]
		}
	}
	return exec.NoAdapter
}

// atField finds a field without a call by reflection, which would take five times as long. It reports false, and has
// done nothing, where that panics, or where the struct is not in memory as the host has it.
func atField(m *exec.Machine, x *ir.SlowOp, n int) bool {
	v := reflect.ValueOf(m.R[x.Regs[0]])
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type() != m.Host.Bind[x.N].Type().In(0) {
		return false
	}
	departs(m, x)
	place := v.Elem().Field(n).Addr()
	if arrives(m) {
		m.ChargeMade(exec.MadeBytes(place))
		exec.FromHost(m, place, x.T.Fields[0].Typ, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A)
	}
	return true
}

// adapted calls b by its adapter. It reports false, and has not called it, if it has none, or if an
// argument is not in memory as the host has it.
func adapted(m *exec.Machine, x *ir.SlowOp, b *exec.Bound) bool {
	if b.Call <= exec.NoAdapter {
		return false
	}
	departs(m, x)
	if adapt(m, x, b.Fn, b.Call) {
		return true
	}
	m.AtHost = false
	return false
}

// bindLeaf gives the bound value of a gate, which is of type F, for a call right after, with texts of so many
// bytes; returns ends that. A leaf is a function of one or two numbers, booleans or texts that gives
// another one, or a method that builds a text. None can call back, so the window stays where it is,
// and a stop is noticed at the next instruction of this kind. A value of another type is called here.
func bindLeaf[F any](m *exec.Machine, x *ir.SlowOp, given int) (f F, ok bool) {
	if f, ok = m.Bindings[x.N].Fn.(F); !ok || given > exec.GivenFree || len(m.Shared) > 0 {
		v := m.Host.Bind[x.N].Interface()
		if f, ok = v.(F); !ok {
			exec.Gate(m, x)
			return f, false
		}
		prepare(m, x, v)
	}
	n := m.Live.Hosts
	m.Host.Before, m.Live.Ahead.Base, m.AtHost = n, n, true
	return f, true
}

// prepare does for bindLeaf what is done the first time, and with more than the usual to do.
//
//go:noinline
func prepare(m *exec.Machine, x *ir.SlowOp, fn any) {
	m.Bindings[x.N].Fn = fn
	m.ToHostSide()
	m.Given(x)
}

// departs comes right before another function of the host's is called, arrives after it.
func departs(m *exec.Machine, x *ir.SlowOp) {
	m.Crossing = exec.Crossing{Sharing: x.Shares}
	m.Entering()
	m.Given(x)
	m.AtHost = true
}

// arrives reports that the results are to be put in their registers: the run has not been stopped.
//
//go:noinline
func arrives(m *exec.Machine) bool {
	m.AtHost = false
	if m.Stop != nil {
		m.ToScriptSide()
		return false // without a panic: the loop sees it
	}
	m.Ended()
	m.View()
	return true
}

// The arguments and results of adapters that are no leaves: calls, since they have less code.

//go:noinline
func numberArg(m *exec.Machine, x *ir.SlowOp, k int) int64 { return m.I[x.Regs[k]] }

//go:noinline
func textArg(m *exec.Machine, x *ir.SlowOp, k int) string { return m.S[x.Regs[k]] }

//go:noinline
func refArg(m *exec.Machine, x *ir.SlowOp, k int) any { return m.R[x.Regs[k]] }

func complexArg(m *exec.Machine, x *ir.SlowOp, k int) complex128 {
	r := x.Regs[k]
	return complex(ir.BitsFloat(m.I[r]), ir.BitsFloat(m.I[r+1]))
}

//go:noinline
func setNumber(m *exec.Machine, k int, v int64) { m.I[k] = v }

//go:noinline
func setText(m *exec.Machine, k int, s string) { m.S[k] = m.TextMade(s) }

func setComplex(m *exec.Machine, k int, c complex128) {
	m.I[k], m.I[k+1] = ir.FloatBits(real(c)), ir.FloatBits(imag(c))
}

// numbersArg is argument k, a slice of numbers. Of memory that the run may not write to there is a
// copy to be made, which is not done here.
func numbersArg[T ir.Integer](m *exec.Machine, x *ir.SlowOp, k int) ([]T, bool) {
	switch o := m.R[x.Regs[k]].(type) {
	case nil:
		return nil, true
	case *ir.Num[T]:
		return stretchOf(m, x.Regs[k], o.V), true
	}
	return nil, false
}

func floatsArg[T float32 | float64](m *exec.Machine, x *ir.SlowOp, k int) ([]T, bool) {
	switch o := m.R[x.Regs[k]].(type) {
	case nil:
		return nil, true
	case *ir.Flt[T]:
		return stretchOf(m, x.Regs[k], o.V), true
	}
	return nil, false
}

func stringsArg(m *exec.Machine, x *ir.SlowOp, k int) ([]string, bool) {
	switch o := m.R[x.Regs[k]].(type) {
	case nil:
		return nil, true
	case *ir.Strs:
		return stretchOf(m, x.Regs[k], o.V), true
	}
	return nil, false
}

// stretchOf is the slice of the elements v of a store that register r and the next have.
func stretchOf[T any](m *exec.Machine, r int, v []T) []T {
	n, off, c := int(m.I[r]), int(m.I[r+1]>>32), int(m.I[r+1]&0xffffffff)
	return v[off : off+n : off+c]
}

// valueBytes is how large a reflect.Value is.
const valueBytes = 24

// valueArg is argument k, a reflect.Value of the script's.
func valueArg(m *exec.Machine, x *ir.SlowOp, k int) (*mirror.Rvalue, bool) {
	v, ok := m.R[x.Regs[k]].(*reflect.Value)
	if !ok {
		return nil, false
	}
	m.Charge(valueBytes)
	return mirror.RvalueIn(*v), true
}

// errorArg is argument k, an error; not one that a value of the script may be.
func errorArg(m *exec.Machine, x *ir.SlowOp, k int) (error, bool) {
	if m.R[x.Regs[k]] == nil && x.Types[k].Kind == reflect.Interface {
		return nil, true
	}
	return nil, false
}

// anyArg is argument k, of type any, as the host is to have it; not one that may lend it variables.
func anyArg(m *exec.Machine, x *ir.SlowOp, k int) (any, bool) {
	v := m.R[x.Regs[k]]
	f, ok := v.(*exec.Iface)
	switch {
	case x.Shares || x.Types[k].Kind != reflect.Interface:
		return nil, false
	case ok && (wrap.GoesAsCopy(f.T) || wrap.Goes(m, f.T) && !ir.InOneCell(f.T.Kind)):
		return nil, false
	}
	return m.Export(v), true
}

// colorArg is argument k, of type color.Color, if it holds a color of the library's that is no pointer.
func colorArg(m *exec.Machine, x *ir.SlowOp, k int) (color.Color, bool) {
	if x.Types[k].Kind != reflect.Interface {
		return nil, false
	}
	switch c := m.R[x.Regs[k]].(type) {
	case color.RGBA:
		return c, true
	case color.NRGBA:
		return c, true
	case color.Gray:
		return c, true
	case color.Gray16:
		return c, true
	case color.RGBA64:
		return c, true
	}
	return nil, false
}

// anyResult puts a value that the host has, or has made, in register k.
func anyResult(m *exec.Machine, k int, v any) {
	m.ChargeMade(exec.AnyBytes(v))
	m.R[k] = exec.IfaceFromHost(m, v)
}

// pointerResult puts a pointer to a struct of the host's in register k.
func pointerResult[T any](m *exec.Machine, k int, p *T) {
	m.I[k], m.R[k] = 0, nil
	if p == nil {
		m.ChargeMade(exec.IfaceBytes)
		return
	}
	m.ChargeMade(max(exec.IfaceBytes, int64(reflect.TypeFor[T]().Size())))
	m.R[k] = p
}

// errorResult puts an error that the host has made in register k.
func errorResult(m *exec.Machine, k int, err error) {
	if err != nil {
		m.ChargeMade(exec.ErrorHeld(err))
	}
	m.SetError(k, err)
}

// typeResult puts a type in register k.
func typeResult(m *exec.Machine, k int, t reflect.Type) {
	m.R[k] = nil
	if t != nil {
		m.ChargeMade(exec.IfaceBytes)
		m.R[k] = mirror.ShownType(m, t)
	}
}

// otherResult puts result i in registers from k on.
func otherResult(m *exec.Machine, x *ir.SlowOp, i, k int, res any) {
	v := reflect.ValueOf(res)
	m.ChargeMade(exec.MadeBytes(v))
	exec.FromHost(m, v, x.T.Fields[i].Typ, &ir.Obj{I: m.I, S: m.S, R: m.R}, k)
}
