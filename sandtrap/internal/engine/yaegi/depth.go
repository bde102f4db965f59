package yaegi

import (
	"fmt"
	"runtime"

	"github.com/sandtrap-go/sandtrap/gates"
)

const (
	// maxDepth bounds the time a panic takes to unwind, which nothing can stop: the
	// interpreter catches and raises it again for each call, and Go looks at the
	// whole stack each time, so the time grows with the square of the depth. It is
	// half a second at this depth, half a minute at 8,000. Go's own end of the
	// stack, which kills the process, is at some 300,000.
	maxDepth = 1500

	// What is deferred may panic in each call that a stop unwinds.
	maxDeferring = 700

	// For each call it also looks at all of the program's nodes.
	maxUnwind = 10_000_000
	minDepth  = 200

	framesPerCall = 2 // of the Go stack, for a plain call in the script
)

// A depth measures how deep the script's calls are nested: not at each call, which
// would cost half as much as the call, but by walking the Go stack when a grant of
// ticks runs out. Each call is a tick, so a grant bounds how much deeper the script
// can be until the next look.
type depth struct {
	limit int
	pcs   []uintptr
}

func depthLimit(want, nodes int, defers bool) int {
	most := maxDepth
	if defers {
		most = maxDeferring
	}
	l := min(most, max(minDepth, maxUnwind/max(nodes, 1)))
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
	return int64(max((d.limit-n)/2, d.limit/16, 8)), nil
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
