package vm

func doRangePanic(m *machine, x *ext) {
	text := "function for loop body returned false"
	switch m.I[x.a] {
	case rangeBusy:
		text = "loop body panic"
	case rangeDone:
		text = "whole loop exit"
	}
	throwf("range function continued iteration after %s", text)
}

func doRangeBusy(*machine, *ext) {
	throwf("range function recovered a loop body panic and did not resume panicking")
}
