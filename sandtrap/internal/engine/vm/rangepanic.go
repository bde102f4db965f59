package vm

import "github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"

func doRangePanic(m *machine, x *ir.SlowOp) {
	text := "function for loop body returned false"
	switch m.I[x.A] {
	case ir.RangeBusy:
		text = "loop body panic"
	case ir.RangeDone:
		text = "whole loop exit"
	}
	throwf("range function continued iteration after %s", text)
}

func doRangeBusy(*machine, *ir.SlowOp) {
	throwf("range function recovered a loop body panic and did not resume panicking")
}
