package compile

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// go/ssa keeps a variable that a closure uses in memory, because either side may assign to
// it. One that is given its value where it is made, and never another, is that value: the
// closure gets a copy, and no memory is made.

// onlyValue is the value of a variable that has only one, which is set in the block where
// it is made, before anything looks; nil for others.
func (c *compiler) onlyValue(a *ssa.Alloc) ssa.Value {
	if c.onlyValues == nil {
		c.onlyValues = map[*ssa.Alloc]ssa.Value{}
	}
	v, known := c.onlyValues[a]
	if !known {
		v = c.findOnlyValue(a)
		c.onlyValues[a] = v
	}
	return v
}

func (c *compiler) findOnlyValue(a *ssa.Alloc) ssa.Value {
	if !a.Heap || strings.HasPrefix(a.Comment, "jump$") {
		return nil
	}
	var store *ssa.Store
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if store != nil || r.Addr != a || r.Val == a || r.Block() != a.Block() {
				return nil
			}
			store = r
		case *ssa.MakeClosure:
			if !onlyReads(r, a) {
				return nil
			}
		default:
			if !isLoad(r) || r.Block() == a.Parent().Recover {
				return nil
			}
		}
	}
	if store == nil {
		return nil
	}
	if t := c.Types.Of(a.Type()).Elem; t.Agg || !t.Plain() || t.W() == 0 {
		return nil
	}
	for _, i := range a.Block().Instrs {
		if i == store {
			return store.Val
		}
		if slices.Contains(*a.Referrers(), i) {
			return nil // it looks before
		}
	}
	return nil
}

// isLoad reports an instruction that only reads what is at its address.
func isLoad(i ssa.Instruction) bool {
	if _, ok := i.(*ssa.DebugRef); ok {
		return true
	}
	u, ok := i.(*ssa.UnOp)
	return ok && u.Op == token.MUL
}

// onlyReads reports that the function of a closure, which is made nowhere else, and those
// made in it only read the variable v.
func onlyReads(c *ssa.MakeClosure, v ssa.Value) bool {
	fn := c.Fn.(*ssa.Function)
	if fn.Referrers() == nil || len(*fn.Referrers()) != 1 {
		return false
	}
	for k, b := range c.Bindings {
		if b != v {
			continue
		}
		for _, r := range *fn.FreeVars[k].Referrers() {
			if inner, ok := r.(*ssa.MakeClosure); ok && onlyReads(inner, fn.FreeVars[k]) {
				continue
			}
			if !isLoad(r) {
				return false
			}
		}
	}
	return true
}

// isCopy reports a captured variable that the closure has the value of.
func (c *compiler) isCopy(v *ssa.FreeVar) bool {
	fn := v.Parent()
	if fn.Referrers() == nil || len(*fn.Referrers()) != 1 {
		return false
	}
	made, ok := (*fn.Referrers())[0].(*ssa.MakeClosure)
	if !ok {
		return false
	}
	switch b := made.Bindings[slices.Index(fn.FreeVars, v)].(type) {
	case *ssa.Alloc:
		return c.onlyValue(b) != nil
	case *ssa.FreeVar:
		return c.isCopy(b)
	}
	return false
}

// copied is what there is instead of the variable at v, if that has only one value.
func (f *fn) copied(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.Alloc:
		return f.onlyValue(v)
	case *ssa.FreeVar:
		if f.isCopy(v) {
			return v
		}
	}
	return nil
}

// isCopied reports a load of such a variable, and what it gives.
func (f *fn) isCopied(u *ssa.UnOp) (ssa.Value, bool) {
	if u.Op != token.MUL {
		return nil, false
	}
	v := f.copied(u.X)
	return v, v != nil
}

// captures loads the captured variables from the closure, which the caller
// leaves after the parameters.
func (f *fn) captures() {
	off := 0
	for _, v := range f.ssa.FreeVars {
		t, r := f.typ(v), f.regOf(v)
		for k := 0; k < t.W(); k++ {
			op, cs := ir.OpCapI, t.Cells[k:k+1]
			if t.SliceAt(k) {
				op, cs = ir.OpCapSl, t.Cells[k:k+2]
			}
			d, done := f.outReg(r+k, cs)
			f.emit(op, d, f.in(f.out.Params, ir.CellR, 0), int(cs[0].M), off+k)
			done()
			k += len(cs) - 1
		}
		off += t.W()
	}
}
