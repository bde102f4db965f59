package compile

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// loops tells which blocks of a function run more than once in a call. A loop goes
// by the index of the block it starts with.
type loops struct {
	in []int // by block: the innermost loop, or none
	up []int // by loop: the next one around it, or none
}

const none = -1

// has reports that block b is part of loop h.
func (l *loops) has(h, b int) bool {
	for x := l.in[b]; x != none; x = l.up[x] {
		if x == h {
			return true
		}
	}
	return false
}

// loopsOf finds the loops of s, or gives nil if there are none.
func loopsOf(s *ssa.Function) *loops {
	ends := map[int][]*ssa.BasicBlock{} // by loop: what leads back to its start
	for _, b := range s.Blocks {
		for _, h := range b.Succs {
			if h.Dominates(b) {
				ends[h.Index] = append(ends[h.Index], b)
			}
		}
	}
	if len(ends) == 0 {
		return nil
	}
	l := &loops{in: slices.Repeat([]int{none}, len(s.Blocks)), up: slices.Repeat([]int{none}, len(s.Blocks))}
	order := visited(s, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs })
	for _, b := range order { // the inner ones before those around them
		if todo := ends[b.Index]; todo != nil {
			l.collect(s, b.Index, todo)
		}
	}
	return l
}

// collect finds what leads to the ends of loop h without passing its start; loops
// in it, which are known, are taken as a whole.
func (l *loops) collect(s *ssa.Function, h int, todo []*ssa.BasicBlock) {
	l.in[h] = h
	for len(todo) > 0 {
		x := todo[len(todo)-1].Index
		todo = todo[:len(todo)-1]
		if l.in[x] == none {
			l.in[x] = h
			todo = append(todo, s.Blocks[x].Preds...)
			continue
		}
		x = l.in[x]
		for l.up[x] != none {
			x = l.up[x]
		}
		if x != h {
			l.up[x] = h
			todo = append(todo, s.Blocks[x].Preds...)
		}
	}
}

// visited gives the blocks in the order in which a walk leaves them for good, those
// first that nothing new follows.
func visited(s *ssa.Function, next func(*ssa.BasicBlock) []*ssa.BasicBlock) []*ssa.BasicBlock {
	type visit struct {
		b    *ssa.BasicBlock
		todo []*ssa.BasicBlock
	}
	var order []*ssa.BasicBlock
	seen := make([]bool, len(s.Blocks))
	for _, root := range []*ssa.BasicBlock{s.Recover, s.Blocks[0]} {
		if root == nil {
			continue
		}
		seen[root.Index] = true
		stack := []visit{{root, next(root)}}
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if len(v.todo) == 0 {
				order = append(order, v.b)
				stack = stack[:len(stack)-1]
				continue
			}
			b := v.todo[0]
			v.todo = v.todo[1:]
			if !seen[b.Index] {
				seen[b.Index] = true
				stack = append(stack, visit{b, next(b)})
			}
		}
	}
	return order
}

// layout puts the blocks of s in an order in which a loop is in one piece and what
// follows it comes after: then the ways back to where loops start are the only jumps
// back, and nothing else pays a tick. l is what loopsOf found; it follows the blocks.
func (l *loops) layout(s *ssa.Function) {
	next := func(b *ssa.BasicBlock) []*ssa.BasicBlock {
		var leave, stay []*ssa.BasicBlock
		for _, x := range b.Succs {
			if h := l.in[b.Index]; h != none && !l.has(h, x.Index) {
				leave = append(leave, x)
			} else {
				stay = append(stay, x)
			}
		}
		slices.Reverse(leave)
		slices.Reverse(stay)
		return append(leave, stay...) // what comes last will stand right behind b
	}
	order := visited(s, next)
	slices.Reverse(order)
	in := make([]int, len(order))
	for i, b := range order {
		in[i] = l.in[b.Index] // still a former index: good for telling whether there is one
	}
	for i, b := range order {
		b.Index = i
	}
	s.Blocks, l.in, l.up = order, in, nil
}
