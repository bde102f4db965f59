package vm

import (
	"reflect"
	"sort"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// cellSorter sorts with a function of two ints.
type cellSorter struct {
	n    int
	back *back // the script's function, or
	host func(i, j int) bool
	swap func(i, j int)
}

func (s *cellSorter) Len() int      { return s.n }
func (s *cellSorter) Swap(i, j int) { s.swap(i, j) }

func (s *cellSorter) Less(i, j int) bool {
	if s.back != nil {
		return s.back.less(i, j)
	}
	return s.host(i, j)
}

// sorter is one for n elements with the function v.
func (m *machine) sorter(v any, n int) *cellSorter {
	c, _ := v.(*ir.Closure)
	if c == nil {
		throwNil()
	}
	if c.Fn == nil {
		call, ok := c.Host.Interface().(func(i, j int) bool)
		if !ok {
			panic("vm: sorting with a function of the host of an unexpected type")
		}
		return &cellSorter{n: n, host: call}
	}
	return &cellSorter{n: n, back: m.newBack(c.Fn, c)}
}

func (m *machine) sorted(stable bool, s *cellSorter) {
	m.entering()
	m.guarded(func() {
		if stable {
			sort.Stable(s)
		} else {
			sort.Sort(s)
		}
	})
	m.ended()
	m.view()
}

// doSortBy is the sorting of the library: slice, stable, less.
func doSortBy(m *machine, x *ir.SlowOp) { m.sortSlice(x, m.I[x.Regs[1]] != 0, m.R[x.Regs[2]]) }

// sliceIn finds the slice in an interface value.
func (m *machine) sliceIn(v any) (elem *ir.Type, store any, off, n int) {
	if v == nil {
		throwPlain("reflect: call of Swapper on zero Value")
	}
	t := dynType(m.p, v)
	if t == nil || t.Kind != reflect.Slice {
		throwPlain("reflect: call of Swapper on %s Value", m.dynName(v))
	}
	o := ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	unbox(m, v, t, o, 0)
	return t.Elem, o.R[0], int(o.I[1] >> 32), int(o.I[0])
}

func doSortSlice(m *machine, x *ir.SlowOp) { m.sortSlice(x, false, m.R[x.Regs[1]]) }

func doSortSliceStable(m *machine, x *ir.SlowOp) { m.sortSlice(x, true, m.R[x.Regs[1]]) }

func (m *machine) sortSlice(x *ir.SlowOp, stable bool, f any) {
	elem, store, off, n := m.sliceIn(m.R[x.Regs[0]])
	s := m.sorter(f, n)
	s.swap = swapper(elem, store, off, n)
	m.sorted(stable, s)
}

func doSliceIsSorted(m *machine, x *ir.SlowOp) {
	_, _, _, n := m.sliceIn(m.R[x.Regs[0]])
	m.isSorted(x, m.sorter(m.R[x.Regs[1]], n))
}

func (m *machine) isSorted(x *ir.SlowOp, s *cellSorter) {
	ok := true
	m.entering()
	m.guarded(func() {
		for i := s.n - 1; i > 0 && ok; i-- {
			ok = !s.Less(i, i-1)
		}
	})
	m.ended()
	m.view()
	m.I[x.A] = ir.BoolBits(ok)
}

// doSort and kin are sort.Sort, Stable and IsSorted.
func doSort(m *machine, x *ir.SlowOp) {
	m.sortInterface(x, func(s *cellSorter) { m.sorted(false, s) })
}

func doSortStable(m *machine, x *ir.SlowOp) {
	m.sortInterface(x, func(s *cellSorter) { m.sorted(true, s) })
}

func doIsSorted(m *machine, x *ir.SlowOp) {
	m.sortInterface(x, func(s *cellSorter) { m.isSorted(x, s) })
}

// sortInterface has do sort a value of a type of the script, whose methods are called as script code calls them; of
// others the function is the host's.
func (m *machine) sortInterface(x *ir.SlowOp, do func(s *cellSorter)) {
	v, ok := m.R[x.Regs[0]].(*Iface)
	if !ok {
		doGate(m, x)
		return
	}
	size := m.callback(m.funcEntry(v.T.Entries[x.C]), nil, &ir.Obj{I: []int64{v.I}, S: []string{v.S}, R: []any{v.R}}, 1)
	m.view()
	swap := m.methodBack(v, x.E)
	do(&cellSorter{n: int(size.I[0]), back: m.methodBack(v, x.D), swap: func(i, j int) { swap.less(i, j) }})
}
