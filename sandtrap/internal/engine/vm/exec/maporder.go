package exec

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// CompareCells compares two values of type t as fmt does the keys of maps.
func (m *Machine) CompareCells(t *ir.Type, a Bank, i int, b Bank, j int) int {
	switch {
	case t.Kind == reflect.String:
		return strings.Compare(a.S[i], b.S[j])
	case ir.IsFloat(t):
		return cmp.Compare(ir.BitsFloat(a.I[i]), ir.BitsFloat(b.I[j]))
	case ir.IsComplex(t):
		return cmp.Or(cmp.Compare(ir.BitsFloat(a.I[i]), ir.BitsFloat(b.I[j])), cmp.Compare(ir.BitsFloat(a.I[i+1]), ir.BitsFloat(b.I[j+1])))
	case ir.IsUnsigned(t):
		return cmp.Compare(uint64(a.I[i]), uint64(b.I[j]))
	case ir.IsInteger(t) || t.Kind == reflect.Bool:
		return cmp.Compare(a.I[i], b.I[j])
	case t.Kind == reflect.Pointer || t.Kind == reflect.Chan:
		return cmp.Compare(m.PointsTo(t, a, i), m.PointsTo(t, b, j))
	case t.Kind == reflect.Interface:
		return m.orderIfaces(a.R[i], b.R[j])
	case t.Kind == ir.KindHost:
		return m.Host.Order(HostDeref(t, a.R[i]), HostDeref(t, b.R[j]))
	case t.Kind == reflect.Array:
		return m.orderElems(t, a.R[i], b.R[j])
	case t.Agg:
		return m.orderFields(t, AsObj(t, a.R[i]), 0, AsObj(t, b.R[j]), 0)
	}
	return m.orderFields(t, a, i, b, j)
}

func (m *Machine) orderFields(t *ir.Type, a Bank, i int, b Bank, j int) int {
	for _, f := range t.Fields {
		if c := m.CompareCells(f.Typ, a, i+f.Off, b, j+f.Off); c != 0 {
			return c
		}
	}
	return 0
}

// orderElems compares arrays; of one that is all zero there may be none.
func (m *Machine) orderElems(t *ir.Type, a, b any) int {
	if a == nil {
		a = NewAgg(t)
	}
	if b == nil {
		b = NewAgg(t)
	}
	for i := range t.N {
		m.Poll()
		if c := m.CompareCells(t.Elem, ElemCells1(t.Elem, a, i), 0, ElemCells1(t.Elem, b, i), 0); c != 0 {
			return c
		}
	}
	return 0
}

// orderIfaces puts nil first, then one type after the other, in the order in which the
// linker laid them out: that is known of those of the host, others are left as they came.
func (m *Machine) orderIfaces(a, b any) int {
	x, y := DynType(m.P, a), DynType(m.P, b)
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return -1
	case y == nil:
		return 1
	case x != y && x.Host != nil && y.Host != nil:
		return cmp.Compare(reflect.ValueOf(x.Host).Pointer(), reflect.ValueOf(y.Host).Pointer())
	case x != y:
		return 0
	}
	o := ir.NewObj(2*max(1, x.W()), ir.BankI|ir.BankS|ir.BankR, 1)
	Unbox(m, a, x, o, 0)
	Unbox(m, b, x, o, x.W())
	return m.CompareCells(x, o, 0, o, x.W())
}
