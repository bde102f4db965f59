package compile

import (
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// order notes where the code of the new functions is.
func (c *compiler) order() {
	for _, f := range c.fresh {
		if n := len(c.Placed); n == 0 || c.Placed[n-1].Entry <= f.Entry {
			c.Placed = append(c.Placed, f)
			continue
		}
		at, _ := slices.BinarySearchFunc(c.Placed, f, ir.ByEntry)
		c.Placed = slices.Insert(c.Placed, at, f)
	}
}

// dropExts takes back those from n on, which the function has put there: it is generated
// again.
func (f *fn) dropExts(n int) {
	if h := f.out.Held; h != nil {
		f.Release(h)
		f.strsOf = nil
		return
	}
	f.Exts = f.Exts[:n]
}

func (f *fn) methodID(m *types.Func) int {
	id := f.compiler.methodID(m)
	if h := f.out.Held; h != nil {
		h.Methods = append(h.Methods, f.MethodIDs[id])
	}
	return id
}

func (f *fn) putExt(x *ir.SlowOp) int {
	at := ir.Enter(&f.Exts, &f.Gaps.Exts, x)
	if h := f.out.Held; h != nil {
		h.Exts = append(h.Exts, ir.Entry[*ir.SlowOp]{At: at, V: x})
	}
	return at
}

func (f *fn) putInt(i int64) int {
	at := ir.Enter(&f.Ints, &f.Gaps.Ints, i)
	if h := f.out.Held; h != nil {
		h.Ints = append(h.Ints, at)
	}
	return at
}

func (f *fn) putRef(v any) int {
	at := ir.Enter(&f.Refs, &f.Gaps.Refs, v)
	if h := f.out.Held; h != nil {
		h.Refs = append(h.Refs, ir.Entry[any]{At: at, V: v})
	}
	return at
}

// putStr enters each text once, in a session once for each function.
func (f *fn) putStr(s string) int {
	h := f.out.Held
	if h != nil && f.strsOf != f.out {
		f.strsOf = f.out
		clear(f.strIdx)
	}
	if at, ok := f.strIdx[s]; ok {
		return at
	}
	at := ir.Enter(&f.Strs, &f.Gaps.Strs, s)
	ir.SetIn(&f.strIdx, s, at)
	if h != nil {
		h.Strs = append(h.Strs, at)
	}
	return at
}

func (f *fn) slot(b rewrite.Binding) int {
	i := f.compiler.slot(b)
	if h := f.out.Held; h != nil {
		h.Slots = append(h.Slots, i)
	}
	return i
}
