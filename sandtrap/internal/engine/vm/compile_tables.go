package vm

import (
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// order notes where the code of the new functions is.
func (c *compiler) order() {
	for _, f := range c.fresh {
		if n := len(c.placed); n == 0 || c.placed[n-1].entry <= f.entry {
			c.placed = append(c.placed, f)
			continue
		}
		at, _ := slices.BinarySearchFunc(c.placed, f, byEntry)
		c.placed = slices.Insert(c.placed, at, f)
	}
}

// dropExts takes back those from n on, which the function has put there: it is generated
// again.
func (f *fn) dropExts(n int) {
	if h := f.out.held; h != nil {
		f.release(h)
		f.strsOf = nil
		return
	}
	f.exts = f.exts[:n]
}

func (f *fn) methodID(m *types.Func) int {
	id := f.compiler.methodID(m)
	if h := f.out.held; h != nil {
		h.methods = append(h.methods, f.mids[id])
	}
	return id
}

func (f *fn) putExt(x *ext) int {
	at := put(&f.exts, &f.gaps.exts, x)
	if h := f.out.held; h != nil {
		h.exts = append(h.exts, entry[*ext]{at, x})
	}
	return at
}

func (f *fn) putInt(i int64) int {
	at := put(&f.ints, &f.gaps.ints, i)
	if h := f.out.held; h != nil {
		h.ints = append(h.ints, at)
	}
	return at
}

func (f *fn) putRef(v any) int {
	at := put(&f.refs, &f.gaps.refs, v)
	if h := f.out.held; h != nil {
		h.refs = append(h.refs, entry[any]{at, v})
	}
	return at
}

// putStr enters each text once, in a session once for each function.
func (f *fn) putStr(s string) int {
	h := f.out.held
	if h != nil && f.strsOf != f.out {
		f.strsOf = f.out
		clear(f.strIdx)
	}
	if at, ok := f.strIdx[s]; ok {
		return at
	}
	at := put(&f.strs, &f.gaps.strs, s)
	note(&f.strIdx, s, at)
	if h != nil {
		h.strs = append(h.strs, at)
	}
	return at
}

func (f *fn) slot(b rewrite.Binding) int {
	i := f.compiler.slot(b)
	if h := f.out.held; h != nil {
		h.slots = append(h.slots, i)
	}
	return i
}
