package vm

import (
	"reflect"
	"sort"
)

// cellSorter sorts with functions of the script.
type cellSorter struct {
	n    int
	less func(i, j int) bool
	swap func(i, j int)
}

func (s cellSorter) Len() int           { return s.n }
func (s cellSorter) Less(i, j int) bool { return s.less(i, j) }
func (s cellSorter) Swap(i, j int)      { s.swap(i, j) }

// pairFunc is a script function of two ints as the host calls it.
func (m *machine) pairFunc(v any) func(i, j int) *Obj {
	c, _ := v.(*Closure)
	if c == nil {
		throwNil()
	}
	if c.fn == nil {
		call, ok := c.host.Interface().(func(i, j int) bool)
		if !ok {
			panic("vm: sorting with a function of the host of an unexpected type")
		}
		return func(i, j int) *Obj { return &Obj{I: []int64{b2i(call(i, j))}} }
	}
	args := &Obj{I: make([]int64, 2)}
	res := &Obj{I: make([]int64, c.fn.rw)}
	return func(i, j int) *Obj {
		args.I[0], args.I[1] = int64(i), int64(j)
		m.callInto(c.fn, c, args, 2, res)
		return res
	}
}

func (m *machine) sorted(stable bool, s cellSorter) {
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

// doSortBy is the sorting of the library: n, stable, less, swap.
func doSortBy(m *machine, x *ext) {
	less, swap := m.pairFunc(m.R[x.regs[2]]), m.pairFunc(m.R[x.regs[3]])
	m.sorted(m.I[x.regs[1]] != 0, cellSorter{int(m.I[x.regs[0]]),
		func(i, j int) bool { return less(i, j).I[0] != 0 }, func(i, j int) { swap(i, j) }})
}

// sliceIn finds the slice in an interface value.
func (m *machine) sliceIn(v any) (elem *Type, store any, off, n int) {
	if v == nil {
		throwPlain("reflect: call of Swapper on zero Value")
	}
	t := m.p.dynType(v)
	if t == nil || t.kind != reflect.Slice {
		throwPlain("reflect: call of Swapper on %s Value", dynName(m.p, v))
	}
	o := newObj(t.w(), mI|mS|mR, 1)
	unbox(v, t, o, 0)
	return t.elem, o.R[0], int(o.I[1] >> 32), int(o.I[0])
}

// doSortSlice is sort.Slice and SliceStable.
func doSortSlice(m *machine, x *ext) {
	elem, store, off, n := m.sliceIn(m.R[x.regs[0]])
	less := m.pairFunc(m.R[x.regs[1]])
	tmp := newStore(elem, 1)
	m.sorted(x.s == "sort.SliceStable", cellSorter{n,
		func(i, j int) bool { return less(i, j).I[0] != 0 },
		func(i, j int) {
			storeCopy(elem, tmp, 0, store, off+i, 1)
			storeCopy(elem, store, off+i, store, off+j, 1)
			storeCopy(elem, store, off+j, tmp, 0, 1)
		}})
}

func doSliceIsSorted(m *machine, x *ext) {
	_, _, _, n := m.sliceIn(m.R[x.regs[0]])
	less := m.pairFunc(m.R[x.regs[1]])
	ok := true
	m.entering()
	m.guarded(func() {
		for i := n - 1; i > 0 && ok; i-- {
			ok = less(i, i-1).I[0] == 0
		}
	})
	m.ended()
	m.view()
	m.I[x.a] = b2i(ok)
}
