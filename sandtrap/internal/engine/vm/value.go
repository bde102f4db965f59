package vm

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

// bank is a row of cells: a window of registers, or an object.
type bank = *ir.Obj

func sub(b bank, k int) *ir.Obj {
	o := &ir.Obj{}
	if len(b.I) > k {
		o.I = b.I[k:]
	}
	if len(b.S) > k {
		o.S = b.S[k:]
	}
	if len(b.R) > k {
		o.R = b.R[k:]
	}
	return o
}

// rawCopy copies cells without copying what they refer to: for values in
// registers, which never change in place.
func rawCopy(cs []ir.Cell, d bank, di int, s bank, si int) {
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

func snapshot(t *ir.Type, s bank, si int) *ir.Obj {
	banks := ir.Mask(0)
	for _, c := range t.Cells {
		banks |= c.M
	}
	o := ir.NewObj(t.W(), banks, 1)
	rawCopy(t.Cells, o, 0, s, si)
	return o
}

// box makes the interface value of the cells at k.
func box(m *machine, t *ir.Type, b bank, k int) any {
	if t.Native {
		if v := boxCommon(t, b, k); v != nil {
			return v
		}
		return toHost(m, t, b, k, t.Host).Interface()
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
func boxCommon(t *ir.Type, b bank, k int) any {
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
func unboxCommon(v any, b bank, k int) bool {
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

// unbox puts the content of an interface value, whose dynamic type is t, into
// cells.
func unbox(m *machine, v any, t *ir.Type, b bank, k int) {
	f, ok := v.(*Iface)
	if !ok {
		if !unboxCommon(v, b, k) {
			fromHost(m, reflect.ValueOf(v), t, b, k)
		}
		return
	}
	if t.W() != 1 {
		rawCopy(t.Cells, b, k, f.R.(*ir.Obj), 0)
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

func zeroCells(t *ir.Type, b bank, k int) {
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

func asObj(t *ir.Type, v any) *ir.Obj {
	if v == nil {
		return newAgg(t).(*ir.Obj)
	}
	return v.(*ir.Obj)
}

func hostDeref(t *ir.Type, v any) reflect.Value {
	if v == nil {
		return reflect.Zero(t.Mem)
	}
	return reflect.ValueOf(v).Elem()
}

// elemCells gives element i of a store as cells.
func elemCells(t *ir.Type, store any, i int) *ir.Obj {
	switch o := store.(type) {
	case *ir.Obj:
		if to := movedTo(o); to != nil {
			return to.elem(i).cells()
		}
		return sub(o, i*t.W())
	case *hostVals:
		return o.elem(i).cells()
	}
	banks := t.Cells[0].M
	o := ir.NewObj(1, banks, 1)
	m := memOf(store)
	if banks&ir.BankI != 0 {
		o.I[0] = m.LdI(i)
	} else {
		o.S[0] = m.LdS(i)
	}
	return o
}

func ifaceCells(f *Iface) *ir.Obj {
	if f.T.W() != 1 {
		return f.R.(*ir.Obj)
	}
	return &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}
}

// dynName is the name of the type of what an interface holds.
func (m *machine) dynName(v any) string {
	if f, ok := v.(*Iface); ok {
		return f.T.Str
	}
	if g, ok := v.(goNamed); ok {
		return g.goName()
	}
	return m.seam.TypeName(v)
}

// dynType is the dynamic type of a non-nil interface value.
func dynType(p *ir.Program, v any) *ir.Type {
	if f, ok := v.(*Iface); ok {
		return f.T
	}
	return p.HostType(reflect.TypeOf(v))
}

func elemCells1(t *ir.Type, store any, i int) *ir.Obj {
	if t.W() == 0 {
		return &ir.Obj{}
	}
	return elemCells(t, store, i)
}

func (m *machine) cplx(r int) complex128 {
	return complex(ir.BitsFloat(m.I[r]), ir.BitsFloat(m.I[r+1]))
}

func (m *machine) setCplx(r int, c complex128) {
	m.I[r], m.I[r+1] = ir.FloatBits(real(c)), ir.FloatBits(imag(c))
}
