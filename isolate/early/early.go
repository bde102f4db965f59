// Package early is what a worker does before all else. To link it is enough: it imports next to
// nothing, so a program initialises it before nearly all of its packages.
//
// It may not start a goroutine, or wait for the host.
package early

import (
	"os"
	"runtime"

	"github.com/sandtrap-go/sandtrap/internal/stack"
)

// WorkerName is what a program is called by, as its first argument, that has to serve
// as a worker.
const WorkerName = "sandtrap-worker"

// Worker says if this process has to serve as a worker, or starts them.
func Worker() bool { return len(os.Args) > 0 && os.Args[0] == WorkerName }

// One thread of a worker runs Go code until that is locked down: others would wake each other for little.
// It comes this early because what the runtime has cached for a processor is dear to give back, and so that
// main's stack is grown before packages lie deep on it.
func init() {
	if Worker() {
		runtime.GOMAXPROCS(1)
		stack.Roomy()
	}
}
