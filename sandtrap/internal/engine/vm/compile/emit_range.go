package compile

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// rangePanic compiles the panics that go/ssa makes for a loop that is called wrongly,
// and reports whether i is one.
func (f *fn) rangePanic(i *ssa.Panic) bool {
	switch i.Block().Comment {
	case "yield-invalid":
		state := rangeState(i)
		r := f.val(state)
		f.panicked(state)
		f.ext(&ir.SlowOp{Do: ir.DoRangePanic, A: r})
	case "rangefunc.resume.busy":
		f.ext(&ir.SlowOp{Do: ir.DoRangeBusy})
	default:
		return false
	}
	return true
}

// rangeState is the value that the state of the loop had, which decided for the
// panic i at the start of its body; nil for other panics.
func rangeState(i *ssa.Panic) ssa.Value {
	b := i.Block()
	if b.Comment != "yield-invalid" {
		return nil
	}
	instrs := b.Preds[0].Instrs
	return instrs[len(instrs)-1].(*ssa.If).Cond.(*ssa.BinOp).X
}

// panicked notes in the variable that state was read from that the body of the loop has.
func (f *fn) panicked(state ssa.Value) {
	r := f.newTemp(1)
	f.intTo(r, ir.RangeBusy)
	f.store(f.addrOf(state.(*ssa.UnOp).X), r, f.Types.Of(types.Typ[types.Int]))
}

// endRange marks the loop as done once the function ranged over has returned, where
// its state is read to find the way out. go/ssa leaves it as it is after a break.
func (f *fn) endRange(i *ssa.UnOp) {
	a, ok := i.X.(*ssa.Alloc)
	if !ok || !strings.HasPrefix(a.Comment, "jump$") {
		return
	}
	r := f.newTemp(1)
	f.intTo(r, ir.RangeDone)
	f.store(f.addrOf(a), r, f.Types.Of(types.Typ[types.Int]))
}

// lateDefers reports a function whose deferred calls come only from bodies of
// range over functions: go/ssa forgets to run them at its end.
func (f *fn) lateDefers() bool {
	stack := false
	for _, b := range f.blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.RunDefers:
				return false
			case *ssa.Call:
				if b, ok := i.Call.Value.(*ssa.Builtin); ok && b.Name() == "ssa:deferstack" {
					stack = true
				}
			}
		}
	}
	return stack
}

// runLateDefers runs them, and reads the results again that they may have changed.
func (f *fn) runLateDefers(i *ssa.Return) {
	f.ext(&ir.SlowOp{Do: ir.DoRunDefers})
	for _, r := range i.Results {
		if load, ok := r.(*ssa.UnOp); ok && load.Op == token.MUL && load.Block() == i.Block() {
			f.unop(load)
		}
	}
}
