package ir

import (
	"cmp"
	"slices"
)

// Gaps are the places in the tables of a program that nothing uses any more. Only sessions
// have some.
type Gaps struct {
	Funcs, Ints, Strs, Refs, Exts, Mids []int
	Code                                []CodeGap
}

type CodeGap struct{ From, To int }

// Enter enters v in a gap of the list, or at its end, and gives its place.
func Enter[T any](list *[]T, free *[]int, v T) int {
	if n := len(*free); n > 0 {
		i := (*free)[n-1]
		*free = (*free)[:n-1]
		(*list)[i] = v
		return i
	}
	*list = append(*list, v)
	return len(*list) - 1
}

// A Holding is what a function of a session has in the tables of its program, and what its code
// refers to. As long as something refers to the function, that stays.
type Holding struct {
	Ints, Strs []int
	Refs       []Entry[any]
	Exts       []Entry[*SlowOp]
	Slots      []int // that it asks the host by
	Called     []*Func
	Methods    []*Method
}

// An Entry is a value with its place in a table.
type Entry[T any] struct {
	At int
	V  T
}

// Release gives back the places of what h has in the tables.
func (p *Program) Release(h *Holding) {
	for _, e := range h.Refs {
		p.Refs[e.At] = nil
		p.Gaps.Refs = append(p.Gaps.Refs, e.At)
	}
	for _, e := range h.Exts {
		p.Exts[e.At] = nil
		p.Gaps.Exts = append(p.Gaps.Exts, e.At)
	}
	for _, at := range h.Strs {
		p.Strs[at] = ""
	}
	p.Gaps.Ints, p.Gaps.Strs = append(p.Gaps.Ints, h.Ints...), append(p.Gaps.Strs, h.Strs...)
	*h = Holding{}
}

// Place puts the code of f into a gap that is long enough, or behind all other.
func (p *Program) Place(f *Func) {
	n := len(f.Body.Code)
	f.Entry = len(p.Code)
	if i := slices.IndexFunc(p.Gaps.Code, func(g CodeGap) bool { return g.To-g.From >= n }); i >= 0 && n > 0 {
		g := &p.Gaps.Code[i]
		f.Entry = g.From
		if g.From += n; g.From == g.To {
			p.Gaps.Code = slices.Delete(p.Gaps.Code, i, i+1)
		}
	} else {
		p.Code, p.Pos = append(p.Code, f.Body.Code...), append(p.Pos, f.Body.Pos...)
	}
	f.End = f.Entry + n
	copy(p.Code[f.Entry:], f.Body.Code)
	copy(p.Pos[f.Entry:], f.Body.Pos)
	f.Body = Listing{}
	for k := f.Entry; k < f.End; k++ {
		if in := &p.Code[k]; IsJump(in.Op) {
			in.D += int32(f.Entry)
		}
	}
	if f.Recover >= 0 {
		f.Recover += f.Entry
	}
}

func ByEntry(a, b *Func) int { return cmp.Compare(a.Entry, b.Entry) }

// Drop takes back what list, functions that nothing refers to, have in the tables.
func (p *Program) Drop(list []*Func) {
	for _, f := range list {
		p.Release(f.Held)
		p.Funcs[f.Idx] = nil
		p.Gaps.Funcs = append(p.Gaps.Funcs, f.Idx)
		if i, ok := slices.BinarySearchFunc(p.Placed, f, ByEntry); ok && p.Placed[i] == f {
			p.Placed = slices.Delete(p.Placed, i, i+1)
		}
		if f.End > f.Entry {
			p.freeCode(f.Entry, f.End)
		}
	}
}

// freeCode makes a gap of a stretch of the code, or makes the one beside it larger.
func (p *Program) freeCode(from, to int) {
	for i := range p.Gaps.Code {
		switch g := &p.Gaps.Code[i]; {
		case g.To == from:
			g.To = to
			return
		case g.From == to:
			g.From = from
			return
		}
	}
	p.Gaps.Code = append(p.Gaps.Code, CodeGap{from, to})
}

// SetIn enters v for k in the map at m, which is made when it is needed.
func SetIn[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}
