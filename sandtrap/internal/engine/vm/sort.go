package vm

import (
	"reflect"
	"sort"
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
	c, _ := v.(*Closure)
	if c == nil {
		throwNil()
	}
	if c.fn == nil {
		call, ok := c.host.Interface().(func(i, j int) bool)
		if !ok {
			panic("vm: sorting with a function of the host of an unexpected type")
		}
		return &cellSorter{n: n, host: call}
	}
	return &cellSorter{n: n, back: m.newBack(c.fn, c)}
}

// swapper swaps elements of a slice.
func swapper(elem *Type, store any, off, n int) func(i, j int) {
	switch s := store.(type) {
	case *Obj:
		if elem.plain() && movedTo(s) == nil {
			return objSwapper(s, elem.w(), off)
		}
	case *Num[int]:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	case *Flt[float64]:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	case *Strs:
		v := s.V[off : off+n]
		return func(i, j int) { v[i], v[j] = v[j], v[i] }
	}
	tmp := newStore(elem, 1)
	return func(i, j int) {
		storeCopy(elem, tmp, 0, store, off+i, 1)
		storeCopy(elem, store, off+i, store, off+j, 1)
		storeCopy(elem, store, off+j, tmp, 0, 1)
	}
}

func objSwapper(o *Obj, w, off int) func(i, j int) {
	return func(i, j int) {
		i, j = (off+i)*w, (off+j)*w
		if o.I != nil {
			swapCells(o.I, i, j, w)
		}
		if o.S != nil {
			swapCells(o.S, i, j, w)
		}
		if o.R != nil {
			swapCells(o.R, i, j, w)
		}
	}
}

func swapCells[T any](v []T, i, j, w int) {
	for k := range w {
		v[i+k], v[j+k] = v[j+k], v[i+k]
	}
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
func doSortBy(m *machine, x *ext) { m.sortSlice(x, m.I[x.regs[1]] != 0, m.R[x.regs[2]]) }

// sliceIn finds the slice in an interface value.
func (m *machine) sliceIn(v any) (elem *Type, store any, off, n int) {
	if v == nil {
		throwPlain("reflect: call of Swapper on zero Value")
	}
	t := m.p.dynType(v)
	if t == nil || t.kind != reflect.Slice {
		throwPlain("reflect: call of Swapper on %s Value", m.dynName(v))
	}
	o := newObj(t.w(), mI|mS|mR, 1)
	unbox(m, v, t, o, 0)
	return t.elem, o.R[0], int(o.I[1] >> 32), int(o.I[0])
}

// doSortSlice is sort.Slice and SliceStable.
func doSortSlice(m *machine, x *ext) { m.sortSlice(x, x.s == "sort.SliceStable", m.R[x.regs[1]]) }

func (m *machine) sortSlice(x *ext, stable bool, f any) {
	elem, store, off, n := m.sliceIn(m.R[x.regs[0]])
	s := m.sorter(f, n)
	s.swap = swapper(elem, store, off, n)
	m.sorted(stable, s)
}

func doSliceIsSorted(m *machine, x *ext) {
	_, _, _, n := m.sliceIn(m.R[x.regs[0]])
	m.isSorted(x, m.sorter(m.R[x.regs[1]], n))
}

func (m *machine) isSorted(x *ext, s *cellSorter) {
	ok := true
	m.entering()
	m.guarded(func() {
		for i := s.n - 1; i > 0 && ok; i-- {
			ok = !s.Less(i, i-1)
		}
	})
	m.ended()
	m.view()
	m.I[x.a] = b2i(ok)
}

// doSort and kin are sort.Sort, Stable and IsSorted.
func doSort(m *machine, x *ext) {
	m.sortInterface(x, func(s *cellSorter) { m.sorted(false, s) })
}

func doSortStable(m *machine, x *ext) {
	m.sortInterface(x, func(s *cellSorter) { m.sorted(true, s) })
}

func doIsSorted(m *machine, x *ext) {
	m.sortInterface(x, func(s *cellSorter) { m.isSorted(x, s) })
}

// sortInterface has do sort a value of a type of the script, whose methods are called as script code calls them; of
// others the function is the host's.
func (m *machine) sortInterface(x *ext, do func(s *cellSorter)) {
	v, ok := m.R[x.regs[0]].(*Iface)
	if !ok {
		doGate(m, x)
		return
	}
	size := m.callback(m.funcEntry(v.T.entries[x.c]), nil, &Obj{[]int64{v.I}, []string{v.S}, []any{v.R}}, 1)
	m.view()
	swap := m.methodBack(v, x.e)
	do(&cellSorter{n: int(size.I[0]), back: m.methodBack(v, x.d), swap: func(i, j int) { swap.less(i, j) }})
}
