package vm

import (
	"cmp"
	"slices"
)

// gaps are the places in the tables of a program that nothing uses any more. Only sessions
// have some.
type gaps struct {
	funcs, ints, strs, refs, exts, mids []int
	code                                []codeGap
}

type codeGap struct{ from, to int }

// put enters v in a gap of the list, or at its end, and gives its place.
func put[T any](list *[]T, free *[]int, v T) int {
	if n := len(*free); n > 0 {
		i := (*free)[n-1]
		*free = (*free)[:n-1]
		(*list)[i] = v
		return i
	}
	*list = append(*list, v)
	return len(*list) - 1
}

// A holding is what a function of a session has in the tables of its program, and what its code
// refers to. As long as something refers to the function, that stays.
type holding struct {
	ints, strs []int
	refs       []entry[any]
	exts       []entry[*ext]
	slots      []int // that it asks the host by
	called     []*Func
	methods    []*method
}

// An entry is a value with its place in a table.
type entry[T any] struct {
	at int
	v  T
}

// release gives back the places of what h has in the tables.
func (p *Program) release(h *holding) {
	for _, e := range h.refs {
		p.refs[e.at] = nil
		p.gaps.refs = append(p.gaps.refs, e.at)
	}
	for _, e := range h.exts {
		p.exts[e.at] = nil
		p.gaps.exts = append(p.gaps.exts, e.at)
	}
	for _, at := range h.strs {
		p.strs[at] = ""
	}
	p.gaps.ints, p.gaps.strs = append(p.gaps.ints, h.ints...), append(p.gaps.strs, h.strs...)
	*h = holding{}
}

// place puts the code of f into a gap that is long enough, or behind all other.
func (p *Program) place(f *Func) {
	n := len(f.body.code)
	f.entry = len(p.code)
	if i := slices.IndexFunc(p.gaps.code, func(g codeGap) bool { return g.to-g.from >= n }); i >= 0 && n > 0 {
		g := &p.gaps.code[i]
		f.entry = g.from
		if g.from += n; g.from == g.to {
			p.gaps.code = slices.Delete(p.gaps.code, i, i+1)
		}
	} else {
		p.code, p.pos = append(p.code, f.body.code...), append(p.pos, f.body.pos...)
	}
	f.end = f.entry + n
	copy(p.code[f.entry:], f.body.code)
	copy(p.pos[f.entry:], f.body.pos)
	f.body = listing{}
	for k := f.entry; k < f.end; k++ {
		if in := &p.code[k]; isJump(in.Op) {
			in.D += int32(f.entry)
		}
	}
	if f.recover >= 0 {
		f.recover += f.entry
	}
}

func byEntry(a, b *Func) int { return cmp.Compare(a.entry, b.entry) }

// drop takes back what list, functions that nothing refers to, have in the tables.
func (p *Program) drop(list []*Func) {
	for _, f := range list {
		p.release(f.held)
		p.funcs[f.idx] = nil
		p.gaps.funcs = append(p.gaps.funcs, f.idx)
		if f.end > f.entry {
			p.gaps.code = append(p.gaps.code, codeGap{f.entry, f.end})
		}
	}
	p.placed = slices.DeleteFunc(p.placed, func(f *Func) bool { return p.funcs[f.idx] != f })
}

// note enters v for k in the map at m, which is made when it is needed.
func note[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}
