package vm

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/compile"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Suspend has f called, with all of the machine, where a script calls runtime.GC.
func Suspend(f func(root any)) (undo func()) {
	does = append(does, func(m *machine, _ *ir.SlowOp) { f(m) })
	compile.OwnGates["runtime.GC"] = ir.Do(len(does) - 1)
	return func() { delete(compile.OwnGates, "runtime.GC") }
}

// Drivers is how many goroutines of the host the machine has beside that of the run.
func Drivers(root any) int { return len(root.(*machine).drivers) }
