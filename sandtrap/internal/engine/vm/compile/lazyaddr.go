package compile

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// An address is lazy, which means worked out, and checked, by those who use it only if nothing can be
// seen to happen in between: p := &s[i] panics there, and not where p is used.

// An addrCheck is what has to be looked at before an address is used: a pointer, or an element.
type addrCheck struct {
	x     ssa.Value
	index ssa.Value // nil if it is a number, or if there is none
	n     int64
}

// checkOf is the check of v, if anything.
func checkOf(v ssa.Value) (addrCheck, bool) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		switch x := v.X.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr:
			return checkOf(x)
		case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
			return addrCheck{}, false
		}
		return addrCheck{x: v.X, n: -1}, true
	case *ssa.IndexAddr:
		c, ok := v.Index.(*ssa.Const)
		if _, own := v.X.(*ssa.Alloc); ok && own { // an element of a literal
			return addrCheck{}, false
		}
		if ok {
			return addrCheck{x: v.X, n: c.Int64()}, true
		}
		return addrCheck{x: v.X, index: v.Index}, true
	}
	return addrCheck{}, false
}

// findTardy notes the addresses that are not used in time.
func (f *fn) findTardy() {
	for _, b := range f.blocks {
		open, checked := map[addrCheck][]ssa.Value{}, map[addrCheck]bool{}
		give := func() {
			for _, list := range open {
				for _, v := range list {
					f.fact(v).tardy = true
				}
			}
			clear(open)
		}
		for _, i := range b.Instrs {
			if p, ok := checkedBy(i); ok {
				checked[p] = true
				delete(open, p)
			}
			if acts(i) {
				give()
			}
			v, ok := i.(ssa.Value)
			if !ok {
				continue
			}
			if p, ok := checkOf(v); ok && !checked[p] {
				open[p] = append(open[p], v)
			}
		}
		give()
	}
}

// checkedBy is the check that i makes.
func checkedBy(i ssa.Instruction) (addrCheck, bool) {
	switch i := i.(type) {
	case *ssa.Store:
		return checkOf(i.Addr)
	case *ssa.UnOp:
		if i.Op == token.MUL {
			return checkOf(i.X)
		}
	}
	return addrCheck{}, false
}

// acts reports an instruction that does what can be seen when the program has panicked
// after it.
func acts(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Call:
		b, ok := i.Call.Value.(*ssa.Builtin)
		if !ok {
			return true
		}
		switch b.Name() {
		case "len", "cap", "min", "max", "real", "imag", "complex":
			return false
		}
		return true
	case *ssa.UnOp:
		return i.Op == token.ARROW
	case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Next:
		return true
	}
	return false
}
