package vm

import (
	"runtime"
	"slices"
	"weak"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// So many cells, and so many instructions, may be there that nobody needs before that is
// looked for.
const (
	collectAfter     = 512
	collectAfterCode = 1 << 20
)

// Tidy lets go of what no name, no value and nothing that the host holds leads to any
// more: functions, types, methods, and places in the tables of the program. Only the
// collector of Go knows what the host holds. So the tables let go of all, are filled again
// with what was found to be in use, and the rest of their places is free.
//
// No cell runs meanwhile. Unless it is asked for now, it is done for many cells at once.
func (s *session) Tidy(now bool) bool {
	if s.cells == 0 || !now && s.cells < collectAfter && s.code < collectAfterCode && !s.scarce() {
		return false
	}
	s.cells, s.code = 0, 0
	r := s.letGo()
	runtime.GC()
	s.refill(r)
	s.held = s.machine.Live.Now()
	return true
}

// scarce reports that the session has come to hold much of what it may. The code of earlier
// cells may be what holds it, with variables whose names mean something else by now.
func (s *session) scarce() bool {
	l := s.machine.Live
	l.Prune()
	return l.Limit > 0 && l.Now()-s.held > l.Limit/8
}

// remains are what the tables had.
type remains struct {
	funcs   []weak.Pointer[ir.Func]
	types   []weak.Pointer[ir.Type]
	methods []weak.Pointer[ir.Method]
}

func weakly[T any](list []*T) []weak.Pointer[T] {
	out := make([]weak.Pointer[T], 0, len(list))
	for _, p := range list {
		if p != nil {
			out = append(out, weak.Make(p))
		}
	}
	return out
}

// inUse are those of list that the collector has found.
func inUse[T any](list []weak.Pointer[T]) []*T {
	var out []*T
	for _, w := range list {
		if p := w.Value(); p != nil {
			out = append(out, p)
		}
	}
	return out
}

func (s *session) letGo() remains {
	p := s.Program
	r := remains{weakly(p.Funcs), weakly(p.Types.All), weakly(p.MethodIDs)}
	clear(p.Funcs)
	clear(p.MethodIDs)
	clear(p.Refs)
	clear(p.Exts[len(ir.FirstExts):])
	clear(p.Placed)
	p.Placed = p.Placed[:0]
	clear(p.Midx)
	clear(p.ByHost)
	p.Infos.Clear()
	p.Types.Clear()
	return r
}

func (s *session) refill(r remains) {
	p := s.Program
	var used uses
	for _, f := range inUse(r.funcs) {
		p.Funcs[f.Idx] = f
		p.Placed = append(p.Placed, f)
		used.of(f.Held)
		for _, e := range f.Held.Refs {
			p.Refs[e.At] = e.V
		}
		for _, e := range f.Held.Exts {
			p.Exts[e.At] = e.V
		}
	}
	slices.SortFunc(p.Placed, ir.ByEntry)
	for _, m := range inUse(r.methods) {
		p.MethodIDs[m.Id] = m
		ir.SetIn(&p.Midx, m.Key, m.Id)
	}
	for _, t := range inUse(r.types) {
		p.Types.Enter(t)
		p.IndexHost(t)
	}
	p.Gaps = used.gaps(p)
	for _, i := range p.Gaps.Strs {
		p.Strs[i] = ""
	}
	s.freeSlots(used.slots)
	s.machine.Live.Prune()
}

// uses are the places that functions use.
type uses struct{ ints, strs, slots map[int]bool }

func (u *uses) of(h *ir.Holding) {
	if u.ints == nil {
		*u = uses{map[int]bool{}, map[int]bool{}, map[int]bool{}}
	}
	note := func(m map[int]bool, list []int) {
		for _, i := range list {
			m[i] = true
		}
	}
	note(u.ints, h.Ints)
	note(u.strs, h.Strs)
	note(u.slots, h.Slots)
}

// gaps are all places that are not used.
func (u *uses) gaps(p *ir.Program) ir.Gaps {
	out := ir.Gaps{
		Funcs: nils(p.Funcs), Mids: nils(p.MethodIDs), Exts: nils(p.Exts),
		Refs: unused(len(p.Refs), func(i int) bool { return p.Refs[i] != nil }),
		Ints: unused(len(p.Ints), func(i int) bool { return u.ints[i] }),
		Strs: unused(len(p.Strs), func(i int) bool { return u.strs[i] }),
	}
	at := len(ir.FirstExts)
	for _, f := range p.Placed {
		if f.Entry > at {
			out.Code = append(out.Code, ir.CodeGap{From: at, To: f.Entry})
		}
		at = f.End
	}
	if at < len(p.Code) {
		out.Code = append(out.Code, ir.CodeGap{From: at, To: len(p.Code)})
	}
	return out
}

func nils[T any](list []*T) []int {
	return unused(len(list), func(i int) bool { return list[i] != nil })
}

func unused(n int, used func(i int) bool) (free []int) {
	for i := range n {
		if !used(i) {
			free = append(free, i)
		}
	}
	return free
}

// freeSlots gives back those of inputs, and of members with types that no code uses: types
// of cells may be among them.
func (s *session) freeSlots(used map[int]bool) {
	list := s.Program.Gates.List
	s.Free = s.Free[:0]
	for i, b := range list {
		if b.Kind != abi.BindInput && len(b.TypeArgs) > 0 && !used[i] {
			s.Forget(i)
		}
		if list[i].Kind == abi.BindInput {
			s.Free = append(s.Free, i)
		}
	}
}
