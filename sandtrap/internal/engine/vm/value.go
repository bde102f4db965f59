package vm

import "reflect"

// Iface is a value of a script type inside an interface. One-cell values are in
// the fields themselves, others in an object of their own.
type Iface struct {
	T *Type
	I int64
	S string
	R any
}

// bank is a row of cells: a window of registers, or an object.
type bank = *Obj

func sub(b bank, k int) *Obj {
	o := &Obj{}
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
func rawCopy(cs []cell, d bank, di int, s bank, si int) {
	for k, c := range cs {
		if c.m&mI != 0 {
			d.I[di+k] = s.I[si+k]
		}
		if c.m&mS != 0 {
			d.S[di+k] = s.S[si+k]
		}
		if c.m&mR != 0 {
			d.R[di+k] = s.R[si+k]
		}
	}
}

func snapshot(t *Type, s bank, si int) *Obj {
	banks := mask(0)
	for _, c := range t.cells {
		banks |= c.m
	}
	o := newObj(t.w(), banks, 1)
	rawCopy(t.cells, o, 0, s, si)
	return o
}

// box makes the interface value of the cells at k.
func box(m *machine, t *Type, b bank, k int) any {
	if t.native {
		if v := boxCommon(t, b, k); v != nil {
			return v
		}
		return toHost(m, t, b, k, t.host).Interface()
	}
	if t.kind == reflect.Interface {
		return b.R[k]
	}
	f := &Iface{T: t}
	if t.w() != 1 {
		f.R = snapshot(t, b, k)
		return f
	}
	switch c := t.cells[0]; {
	case c.m == mI:
		f.I = b.I[k]
	case c.m == mS:
		f.S = b.S[k]
	case c.m == mR:
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
func boxCommon(t *Type, b bank, k int) any {
	switch t.host {
	case hostInt:
		return int(b.I[k])
	case hostString:
		return b.S[k]
	case hostBool:
		return b.I[k] != 0
	case hostFloat64:
		return i2f(b.I[k])
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
		b.I[k] = b2i(v)
	case float64:
		b.I[k] = f2i(v)
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
func unbox(m *machine, v any, t *Type, b bank, k int) {
	f, ok := v.(*Iface)
	if !ok {
		if !unboxCommon(v, b, k) {
			fromHost(m, reflect.ValueOf(v), t, b, k)
		}
		return
	}
	if t.w() != 1 {
		rawCopy(t.cells, b, k, f.R.(*Obj), 0)
		return
	}
	c := t.cells[0].m
	if c&mI != 0 {
		b.I[k] = f.I
	}
	if c&mS != 0 {
		b.S[k] = f.S
	}
	if c&mR != 0 {
		b.R[k] = f.R
	}
}

func zeroCells(t *Type, b bank, k int) {
	for i, c := range t.cells {
		if c.m&mI != 0 {
			b.I[k+i] = 0
		}
		if c.m&mS != 0 {
			b.S[k+i] = ""
		}
		if c.m&mR != 0 {
			b.R[k+i] = nil
		}
	}
}

func asObj(t *Type, v any) *Obj {
	if v == nil {
		return newAgg(t).(*Obj)
	}
	return v.(*Obj)
}

func hostDeref(t *Type, v any) reflect.Value {
	if v == nil {
		return reflect.Zero(t.mem)
	}
	return reflect.ValueOf(v).Elem()
}

// elemCells gives element i of a store as cells.
func elemCells(t *Type, store any, i int) *Obj {
	switch o := store.(type) {
	case *Obj:
		if to := movedTo(o); to != nil {
			return to.elem(i).cells()
		}
		return sub(o, i*t.w())
	case *hostVals:
		return o.elem(i).cells()
	}
	banks := t.cells[0].m
	o := newObj(1, banks, 1)
	m := memOf(store)
	if banks&mI != 0 {
		o.I[0] = m.ldI(i)
	} else {
		o.S[0] = m.ldS(i)
	}
	return o
}

func ifaceCells(f *Iface) *Obj {
	if f.T.w() != 1 {
		return f.R.(*Obj)
	}
	return &Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}
}

// dynName is the name of the type of what an interface holds.
func (m *machine) dynName(v any) string {
	if f, ok := v.(*Iface); ok {
		return f.T.str
	}
	if g, ok := v.(goNamed); ok {
		return g.goName()
	}
	return m.seam.TypeName(v)
}

// dynType is the dynamic type of a non-nil interface value.
func (p *Program) dynType(v any) *Type {
	if f, ok := v.(*Iface); ok {
		return f.T
	}
	return p.hostType(reflect.TypeOf(v))
}
