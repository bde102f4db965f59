package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Iface is a value of a script type inside an interface. One-cell values are in
// the fields themselves, others in an object of their own.
type Iface struct {
	T *ir.Type
	I int64
	S string
	R any
}

// Bank is a row of cells: a window of registers, or an object.
type Bank = *ir.Obj

// RawCopy copies cells without copying what they refer to: for values in
// registers, which never change in place.
func RawCopy(cs []ir.Cell, d Bank, di int, s Bank, si int) {
	for k, c := range cs {
		if c.M&ir.BankI != 0 {
			d.I[di+k] = s.I[si+k]
		}
		if c.M&ir.BankS != 0 {
			d.S[di+k] = s.S[si+k]
		}
		if c.M&ir.BankR != 0 {
			d.R[di+k] = s.R[si+k]
		}
	}
}

func snapshot(t *ir.Type, s Bank, si int) *ir.Obj {
	banks := ir.Mask(0)
	for _, c := range t.Cells {
		banks |= c.M
	}
	o := ir.NewObj(t.W(), banks, 1)
	RawCopy(t.Cells, o, 0, s, si)
	return o
}

// Box makes the interface value of the cells at k.
func Box(m *Machine, t *ir.Type, b Bank, k int) any {
	if t.Native {
		if v := boxCommon(t, b, k); v != nil {
			return v
		}
		return ToHost(m, t, b, k, t.Host).Interface()
	}
	if t.Kind == reflect.Interface {
		return b.R[k]
	}
	f := &Iface{T: t}
	if t.W() != 1 {
		f.R = snapshot(t, b, k)
		return f
	}
	switch c := t.Cells[0]; {
	case c.M == ir.BankI:
		f.I = b.I[k]
	case c.M == ir.BankS:
		f.S = b.S[k]
	case c.M == ir.BankR:
		f.R = b.R[k]
	default:
		f.I, f.R = b.I[k], b.R[k]
	}
	return f
}

var (
	hostBool    = reflect.TypeFor[bool]()
	hostInt     = reflect.TypeFor[int]()
	hostByte    = reflect.TypeFor[byte]()
	hostRune    = reflect.TypeFor[rune]()
	hostFloat64 = reflect.TypeFor[float64]()
	hostString  = reflect.TypeFor[string]()
)

// boxCommon is box without reflection for the types that are met most, nil for others.
func boxCommon(t *ir.Type, b Bank, k int) any {
	switch t.Host {
	case hostInt:
		return int(b.I[k])
	case hostString:
		return b.S[k]
	case hostBool:
		return b.I[k] != 0
	case hostFloat64:
		return ir.BitsFloat(b.I[k])
	case hostByte:
		return byte(b.I[k])
	case hostRune:
		return rune(b.I[k])
	}
	return nil
}

// unboxCommon is unbox for these.
func unboxCommon(v any, b Bank, k int) bool {
	switch v := v.(type) {
	case int:
		b.I[k] = int64(v)
	case string:
		b.S[k] = v
	case bool:
		b.I[k] = ir.BoolBits(v)
	case float64:
		b.I[k] = ir.FloatBits(v)
	case byte:
		b.I[k] = int64(v)
	case rune:
		b.I[k] = int64(v)
	default:
		return false
	}
	return true
}

// Unbox puts the content of an interface value, whose dynamic type is t, into
// cells.
func Unbox(m *Machine, v any, t *ir.Type, b Bank, k int) {
	f, ok := v.(*Iface)
	if !ok {
		if !unboxCommon(v, b, k) {
			FromHost(m, reflect.ValueOf(v), t, b, k)
		}
		return
	}
	if t.W() != 1 {
		RawCopy(t.Cells, b, k, f.R.(*ir.Obj), 0)
		return
	}
	c := t.Cells[0].M
	if c&ir.BankI != 0 {
		b.I[k] = f.I
	}
	if c&ir.BankS != 0 {
		b.S[k] = f.S
	}
	if c&ir.BankR != 0 {
		b.R[k] = f.R
	}
}

func ZeroCells(t *ir.Type, b Bank, k int) {
	for i, c := range t.Cells {
		if c.M&ir.BankI != 0 {
			b.I[k+i] = 0
		}
		if c.M&ir.BankS != 0 {
			b.S[k+i] = ""
		}
		if c.M&ir.BankR != 0 {
			b.R[k+i] = nil
		}
	}
}

func AsObj(t *ir.Type, v any) *ir.Obj {
	if v == nil {
		return NewAgg(t).(*ir.Obj)
	}
	return v.(*ir.Obj)
}

func HostDeref(t *ir.Type, v any) reflect.Value {
	if v == nil {
		return reflect.Zero(t.Mem)
	}
	return reflect.ValueOf(v).Elem()
}

// ElemCells gives element i of a store as cells.
func ElemCells(t *ir.Type, store any, i int) *ir.Obj {
	switch o := store.(type) {
	case *ir.Obj:
		if to := EscapedTo(o); to != nil {
			return to.elem(i).cells()
		}
		return ir.Sub(o, i*t.W())
	case *HostVals:
		return o.elem(i).cells()
	}
	banks := t.Cells[0].M
	o := ir.NewObj(1, banks, 1)
	m := MemOf(store)
	if banks&ir.BankI != 0 {
		o.I[0] = m.LdI(i)
	} else {
		o.S[0] = m.LdS(i)
	}
	return o
}

func IfaceCells(f *Iface) *ir.Obj {
	if f.T.W() != 1 {
		return f.R.(*ir.Obj)
	}
	return &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}
}

// DynName is the name of the type of what an interface holds.
func (m *Machine) DynName(v any) string {
	if f, ok := v.(*Iface); ok {
		return f.T.Str
	}
	if g, ok := v.(GoNamed); ok {
		return g.GoName()
	}
	return m.Host.TypeName(v)
}

// DynType is the dynamic type of a non-nil interface value.
func DynType(p *ir.Program, v any) *ir.Type {
	if f, ok := v.(*Iface); ok {
		return f.T
	}
	return p.HostType(reflect.TypeOf(v))
}

func ElemCells1(t *ir.Type, store any, i int) *ir.Obj {
	if t.W() == 0 {
		return &ir.Obj{}
	}
	return ElemCells(t, store, i)
}

func (m *Machine) Cplx(r int) complex128 {
	return complex(ir.BitsFloat(m.I[r]), ir.BitsFloat(m.I[r+1]))
}

func (m *Machine) SetCplx(r int, c complex128) {
	m.I[r], m.I[r+1] = ir.FloatBits(real(c)), ir.FloatBits(imag(c))
}
