package compile

import (
	"go/types"

	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Compiled Go gives a slice that never leaves its function its first elements in the
// function's frame, which shows in the capacity: that is what fits in framedBytes, not
// one. What follows finds the appends of such slices. Where it is in doubt a slice
// leaves; Go looks further here and there.

// framedBytes is how much of a slice Go holds in a frame.
const framedBytes = 32

// frameElems is how many elements the first append of c's slice finds room for in the
// frame, 0 if there is none.
func (f *fn) frameElems(c *ssa.Call) int {
	size, _, _ := ir.GoShape(f.typ(c).Elem)
	if size == 0 || size > framedBytes || !f.stays(c) {
		return 0
	}
	return int(framedBytes / size)
}

// stays reports that c is the first append of a slice that does not leave the function
// and begins once.
func (f *fn) stays(c *ssa.Call) bool {
	list, ok := c.Call.Args[1].(*ssa.Slice) // of values given one by one
	if !ok {
		return false
	}
	if array, ok := list.X.(*ssa.Alloc); !ok || array.Comment != "varargs" {
		return false
	}
	w := sliceWalk{c: f.compiler, seen: map[ssa.Value]bool{}}
	w.from(c)
	return !w.leaves && w.first == c && w.beginsOnce()
}

// A sliceWalk goes over the values that share an array with a slice.
type sliceWalk struct {
	c      *compiler
	seen   map[ssa.Value]bool
	leaves bool
	first  *ssa.Call // of the appends
}

// from follows v forward, and back to what is appended to.
func (w *sliceWalk) from(v ssa.Value) {
	if w.leaves || w.seen[v] {
		return
	}
	w.seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			w.back(e)
		}
	case *ssa.Call:
		if w.first == nil || v.Pos() < w.first.Pos() {
			w.first = v
		}
		w.back(v.Call.Args[0])
	case *ssa.Slice:
		w.back(v.X)
	}
	if v.Referrers() == nil {
		return
	}
	for _, r := range *v.Referrers() {
		w.use(v, r)
	}
}

// back follows v if it is part of the same slice, and not its beginning.
func (w *sliceWalk) back(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Phi:
		w.from(v)
	case *ssa.Slice:
		if _, ok := v.X.Type().Underlying().(*types.Slice); ok {
			w.from(v)
		}
	case *ssa.Call:
		if isAppend(v) {
			w.from(v)
		}
	}
}

func isAppend(c *ssa.Call) bool {
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append"
}

// use says what the instruction r does with v.
func (w *sliceWalk) use(v ssa.Value, r ssa.Instruction) {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.BinOp:
	case *ssa.Phi:
		w.from(r)
	case *ssa.Slice:
		w.from(r)
	case *ssa.ChangeType:
		w.from(r)
	case *ssa.Convert: // to a string, which is a copy
	case *ssa.IndexAddr:
		w.leaves = w.leaves || !onlyAccessed(r)
	case *ssa.Call:
		w.call(v, r)
	default:
		w.leaves = true
	}
}

// onlyAccessed reports an address that is read from and written to, and nothing else.
func onlyAccessed(a ssa.Value) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if r.Val == a {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyAccessed(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (w *sliceWalk) call(v ssa.Value, c *ssa.Call) {
	switch fn := c.Call.Value.(type) {
	case *ssa.Builtin:
		if fn.Name() == "append" && c.Call.Args[0] == v {
			w.from(c)
		}
	case *ssa.Function:
		w.leaves = w.leaves || !w.reads(fn)
	default:
		w.leaves = true
	}
}

// reads reports a function of the library of which Go knows that it keeps nothing of
// a slice. A function of the script may be inlined, and what Go makes of the slice then
// is another matter.
func (w *sliceWalk) reads(fn *ssa.Function) bool {
	b, ok := w.c.binding(fn)
	return ok && b.Is("reads")
}

// beginsOnce reports that the slice does not begin anew in a loop: the frame has room
// for it once.
func (w *sliceWalk) beginsOnce() bool {
	again := func(v ssa.Value, at *ssa.BasicBlock) bool { return !w.seen[v] && inLoop(at) }
	for v := range w.seen {
		switch v := v.(type) {
		case *ssa.Phi:
			for i, e := range v.Edges {
				if again(e, v.Block().Preds[i]) {
					return false
				}
			}
		case *ssa.Call:
			if again(v.Call.Args[0], v.Block()) {
				return false
			}
		}
	}
	return true
}

// inLoop reports a block that control can come back to.
func inLoop(b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	todo := slices.Clone(b.Succs)
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if next == b {
			return true
		}
		if !seen[next] {
			seen[next] = true
			todo = append(todo, next.Succs...)
		}
	}
	return false
}
