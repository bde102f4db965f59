package vm

import (
	"cmp"
	"reflect"
	"sort"
	"strings"
)

// sortedRows gives the rows in the order fmt prints maps.
func (m *machine) sortedRows(h *Map) []int {
	var rows []int
	for r := range h.rows {
		if h.alive[r] {
			rows = append(rows, r)
		}
	}
	w := h.t.key.w()
	sort.SliceStable(rows, func(i, j int) bool {
		m.look()
		return m.compareCells(h.t.key, h.keys, rows[i]*w, h.keys, rows[j]*w) < 0
	})
	return rows
}

// compareCells compares two values of type t as fmt does the keys of maps.
func (m *machine) compareCells(t *Type, a bank, i int, b bank, j int) int {
	switch {
	case t.kind == reflect.String:
		return strings.Compare(a.S[i], b.S[j])
	case isFloat(t):
		return cmp.Compare(i2f(a.I[i]), i2f(b.I[j]))
	case isComplex(t):
		return cmp.Or(cmp.Compare(i2f(a.I[i]), i2f(b.I[j])), cmp.Compare(i2f(a.I[i+1]), i2f(b.I[j+1])))
	case isUnsigned(t):
		return cmp.Compare(uint64(a.I[i]), uint64(b.I[j]))
	case isInteger(t) || t.kind == reflect.Bool:
		return cmp.Compare(a.I[i], b.I[j])
	case t.kind == reflect.Pointer || t.kind == reflect.Chan:
		return cmp.Compare(m.pointsTo(t, a, i), m.pointsTo(t, b, j))
	case t.kind == reflect.Interface:
		return m.orderIfaces(a.R[i], b.R[j])
	case t.kind == kindHost:
		return m.seam.Order(hostDeref(t, a.R[i]), hostDeref(t, b.R[j]))
	case t.kind == reflect.Array:
		return m.orderElems(t, a.R[i], b.R[j])
	case t.agg:
		return m.orderFields(t, asObj(t, a.R[i]), 0, asObj(t, b.R[j]), 0)
	}
	return m.orderFields(t, a, i, b, j)
}

func (m *machine) orderFields(t *Type, a bank, i int, b bank, j int) int {
	for _, f := range t.fields {
		if c := m.compareCells(f.typ, a, i+f.off, b, j+f.off); c != 0 {
			return c
		}
	}
	return 0
}

// orderElems compares arrays; of one that is all zero there may be none.
func (m *machine) orderElems(t *Type, a, b any) int {
	if a == nil {
		a = newAgg(t)
	}
	if b == nil {
		b = newAgg(t)
	}
	for i := range t.n {
		m.look()
		if c := m.compareCells(t.elem, elemCells1(t.elem, a, i), 0, elemCells1(t.elem, b, i), 0); c != 0 {
			return c
		}
	}
	return 0
}

// orderIfaces puts nil first, then one type after the other, in the order in which the
// linker laid them out: that is known of those of the host, others are left as they came.
func (m *machine) orderIfaces(a, b any) int {
	x, y := m.p.dynType(a), m.p.dynType(b)
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return -1
	case y == nil:
		return 1
	case x != y && x.host != nil && y.host != nil:
		return cmp.Compare(reflect.ValueOf(x.host).Pointer(), reflect.ValueOf(y.host).Pointer())
	case x != y:
		return 0
	}
	o := newObj(2*max(1, x.w()), mI|mS|mR, 1)
	unbox(m, a, x, o, 0)
	unbox(m, b, x, o, x.w())
	return m.compareCells(x, o, 0, o, x.w())
}
