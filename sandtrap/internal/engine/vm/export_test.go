package vm

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Suspend has f called, with all of the machine, where a script calls runtime.NumGoroutine.
func Suspend(f func(root any)) (undo func()) {
	was := exec.Does[ir.DoNumGoroutine]
	exec.Does[ir.DoNumGoroutine] = func(m *exec.Machine, x *ir.SlowOp) {
		f(m)
		was(m, x)
	}
	return func() { exec.Does[ir.DoNumGoroutine] = was }
}

// Drivers is how many goroutines of the host the machine has beside that of the run.
func Drivers(root any) int { return len(root.(*exec.Machine).Drivers) }
