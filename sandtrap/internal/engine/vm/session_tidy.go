package vm

import (
	"runtime"
	"slices"
	"weak"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// So many cells, and so many instructions, may be there that nobody needs before that is
// looked for.
const (
	tidyAfter     = 512
	tidyAfterCode = 1 << 20
)

// Tidy lets go of what no name, no value and nothing that the host holds leads to any
// more: functions, types, methods, and places in the tables of the program. Only the
// collector of Go knows what the host holds. So the tables let go of all, are filled again
// with what was found to be in use, and the rest of their places is free.
//
// No cell runs meanwhile. Unless it is asked for now, it is done for many cells at once.
func (s *session) Tidy(now bool) bool {
	if s.cells == 0 || !now && s.cells < tidyAfter && s.code < tidyAfterCode && !s.scarce() {
		return false
	}
	s.cells, s.code = 0, 0
	r := s.letGo()
	runtime.GC()
	s.refill(r)
	s.held = s.machine.live.now()
	return true
}

// scarce reports that the session has come to hold much of what it may. The code of earlier
// cells may be what holds it, with variables whose names mean something else by now.
func (s *session) scarce() bool {
	l := s.machine.live
	l.prune()
	return l.limit > 0 && l.now()-s.held > l.limit/8
}

// remains are what the tables had.
type remains struct {
	funcs   []weak.Pointer[Func]
	types   []weak.Pointer[Type]
	methods []weak.Pointer[method]
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
	p := s.program
	r := remains{weakly(p.funcs), weakly(p.types.all), weakly(p.mids)}
	clear(p.funcs)
	clear(p.mids)
	clear(p.refs)
	clear(p.exts[len(firstExts):])
	clear(p.placed)
	p.placed = p.placed[:0]
	clear(p.midx)
	clear(p.byHost)
	p.infos.Clear()
	p.types.clear()
	return r
}

func (s *session) refill(r remains) {
	p := s.program
	var used uses
	for _, f := range inUse(r.funcs) {
		p.funcs[f.idx] = f
		p.placed = append(p.placed, f)
		used.of(f.held)
		for _, e := range f.held.refs {
			p.refs[e.at] = e.v
		}
		for _, e := range f.held.exts {
			p.exts[e.at] = e.v
		}
	}
	slices.SortFunc(p.placed, byEntry)
	for _, m := range inUse(r.methods) {
		p.mids[m.id] = m
		note(&p.midx, m.key, m.id)
	}
	for _, t := range inUse(r.types) {
		p.types.enter(t)
		p.indexHost(t)
	}
	p.gaps = used.gaps(p)
	for _, i := range p.gaps.strs {
		p.strs[i] = ""
	}
	s.freeSlots(used.slots)
	s.machine.live.prune()
}

// uses are the places that functions use.
type uses struct{ ints, strs, slots map[int]bool }

func (u *uses) of(h *holding) {
	if u.ints == nil {
		*u = uses{map[int]bool{}, map[int]bool{}, map[int]bool{}}
	}
	note := func(m map[int]bool, list []int) {
		for _, i := range list {
			m[i] = true
		}
	}
	note(u.ints, h.ints)
	note(u.strs, h.strs)
	note(u.slots, h.slots)
}

// gaps are all places that are not used.
func (u *uses) gaps(p *Program) gaps {
	out := gaps{
		funcs: nils(p.funcs), mids: nils(p.mids), exts: nils(p.exts),
		refs: unused(len(p.refs), func(i int) bool { return p.refs[i] != nil }),
		ints: unused(len(p.ints), func(i int) bool { return u.ints[i] }),
		strs: unused(len(p.strs), func(i int) bool { return u.strs[i] }),
	}
	at := len(firstExts)
	for _, f := range p.placed {
		if f.entry > at {
			out.code = append(out.code, codeGap{at, f.entry})
		}
		at = f.end
	}
	if at < len(p.code) {
		out.code = append(out.code, codeGap{at, len(p.code)})
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
	list := s.program.gates.list
	s.free = s.free[:0]
	for i, b := range list {
		if b.Kind != rewrite.BindInput && len(b.TypeArgs) > 0 && !used[i] {
			s.forget(i)
		}
		if list[i].Kind == rewrite.BindInput {
			s.free = append(s.free, i)
		}
	}
}
