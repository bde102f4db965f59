package ops

import (
	"reflect"
	"sort"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// cellSorter sorts with a function of two ints.
type cellSorter struct {
	n    int
	back *exec.Callback // the script's function, or
	host func(i, j int) bool
	swap func(i, j int)
}

func (s *cellSorter) Len() int      { return s.n }
func (s *cellSorter) Swap(i, j int) { s.swap(i, j) }

func (s *cellSorter) Less(i, j int) bool {
	if s.back != nil {
		return s.back.Less(i, j)
	}
	return s.host(i, j)
}

// sorter is one for n elements with the function v.
func sorter(m *exec.Machine, v any, n int) *cellSorter {
	c, _ := v.(*ir.Closure)
	if c == nil {
		exec.ThrowNil()
	}
	if c.Fn == nil {
		call, ok := c.Host.Interface().(func(i, j int) bool)
		if !ok {
			panic("vm: sorting with a function of the host of an unexpected type")
		}
		return &cellSorter{n: n, host: call}
	}
	return &cellSorter{n: n, back: m.NewCallback(c.Fn, c)}
}

func sorted(m *exec.Machine, stable bool, s *cellSorter) {
	m.Entering()
	m.Guarded(func() {
		if stable {
			sort.Stable(s)
		} else {
			sort.Sort(s)
		}
	})
	m.Ended()
	m.View()
}

// SortBy is the sorting of the library: slice, stable, less.
func SortBy(m *exec.Machine, x *ir.SlowOp) { sortSlice(m, x, m.I[x.Regs[1]] != 0, m.R[x.Regs[2]]) }

// sliceIn finds the slice in an interface value.
func sliceIn(m *exec.Machine, v any) (elem *ir.Type, store any, off, n int) {
	if v == nil {
		exec.ThrowPlain("reflect: call of Swapper on zero Value")
	}
	t := exec.DynType(m.P, v)
	if t == nil || t.Kind != reflect.Slice {
		exec.ThrowPlain("reflect: call of Swapper on %s Value", m.DynName(v))
	}
	o := ir.NewObj(t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	exec.Unbox(m, v, t, o, 0)
	return t.Elem, o.R[0], int(o.I[1] >> 32), int(o.I[0])
}

func SortSlice(m *exec.Machine, x *ir.SlowOp) { sortSlice(m, x, false, m.R[x.Regs[1]]) }

func SortSliceStable(m *exec.Machine, x *ir.SlowOp) { sortSlice(m, x, true, m.R[x.Regs[1]]) }

func sortSlice(m *exec.Machine, x *ir.SlowOp, stable bool, f any) {
	elem, store, off, n := sliceIn(m, m.R[x.Regs[0]])
	s := sorter(m, f, n)
	s.swap = mirror.Swapper(elem, store, off, n)
	sorted(m, stable, s)
}

func SliceIsSorted(m *exec.Machine, x *ir.SlowOp) {
	_, _, _, n := sliceIn(m, m.R[x.Regs[0]])
	isSorted(m, x, sorter(m, m.R[x.Regs[1]], n))
}

func isSorted(m *exec.Machine, x *ir.SlowOp, s *cellSorter) {
	ok := true
	m.Entering()
	m.Guarded(func() {
		for i := s.n - 1; i > 0 && ok; i-- {
			ok = !s.Less(i, i-1)
		}
	})
	m.Ended()
	m.View()
	m.I[x.A] = ir.BoolBits(ok)
}

// Sort and kin are sort.Sort, Stable and IsSorted.
func Sort(m *exec.Machine, x *ir.SlowOp) {
	sortInterface(m, x, func(s *cellSorter) { sorted(m, false, s) })
}

func SortStable(m *exec.Machine, x *ir.SlowOp) {
	sortInterface(m, x, func(s *cellSorter) { sorted(m, true, s) })
}

func IsSorted(m *exec.Machine, x *ir.SlowOp) {
	sortInterface(m, x, func(s *cellSorter) { isSorted(m, x, s) })
}

// sortInterface has do sort a value of a type of the script, whose methods are called as script code calls them; of
// others the function is the host's.
func sortInterface(m *exec.Machine, x *ir.SlowOp, do func(s *cellSorter)) {
	v, ok := m.R[x.Regs[0]].(*exec.Iface)
	if !ok {
		exec.Gate(m, x)
		return
	}
	size := m.CallScript(m.FuncEntry(v.T.Entries[x.C]), nil, &ir.Obj{I: []int64{v.I}, S: []string{v.S}, R: []any{v.R}}, 1)
	m.View()
	swap := m.MethodCallback(v, x.E)
	do(&cellSorter{n: int(size.I[0]), back: m.MethodCallback(v, x.D), swap: func(i, j int) { swap.Less(i, j) }})
}
