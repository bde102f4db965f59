package vm

// Suspend has f called, with all of the machine, where a script calls runtime.GC.
func Suspend(f func(root any)) (undo func()) {
	ownGates["runtime.GC"] = func(m *machine, _ *ext) { f(m) }
	return func() { delete(ownGates, "runtime.GC") }
}

// Drivers is how many goroutines of the host the machine has beside that of the run.
func Drivers(root any) int { return len(root.(*machine).drivers) }
