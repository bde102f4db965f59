package yaegi

import (
	"fmt"
	"runtime"

	"github.com/sandtrap-go/sandtrap/gates"
)

const (
	// maxDepth keeps the interpreter's recursion, some 2 KiB of Go stack a call,
	// well below the size at which Go ends the process.
	maxDepth = 20_000

	// A panic that unwinds d calls of a program with n nodes takes the interpreter
	// d*n steps, which nothing can stop; their number is bounded by the depth.
	maxUnwind = 20_000_000
	minDepth  = 500

	framesPerCall = 4 // of the Go stack, at least, for a call in the script
)

// A depth measures how deep the script's calls are nested: not at each call, which
// would cost half as much as the call, but by walking the Go stack when a grant of
// ticks runs out. Each call is a tick, so a grant bounds how much deeper the script
// can be until the next look.
type depth struct {
	limit int
	pcs   []uintptr
}

func depthLimit(want, nodes int) int {
	l := min(maxDepth, max(minDepth, maxUnwind/max(nodes, 1)))
	if want > 0 {
		l = min(l, want)
	}
	return l
}

// next returns after how many ticks the depth has to be looked at again.
func (d *depth) next() (int64, *gates.Stop) {
	n := d.frames(d.limit*framesPerCall+64) / framesPerCall
	if n >= d.limit {
		return 0, &gates.Stop{Reason: gates.Depth, Message: fmt.Sprintf("calls are nested too deep: more than %d", d.limit)}
	}
	return int64(max(d.limit-n, d.limit/8, 16)), nil
}

// frames counts the frames of the Go stack, up to most.
func (d *depth) frames(most int) int {
	for {
		n := runtime.Callers(1, d.pcs)
		if n < len(d.pcs) || n >= most {
			return n
		}
		d.pcs = make([]uintptr, min(most, 4*max(len(d.pcs), 128)))
	}
}
