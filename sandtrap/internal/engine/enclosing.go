package engine

import (
	"runtime"

	"github.com/sandtrap-go/sandtrap/gates"
)

// Enclosing gives the runs that the calling goroutine may be of, by its lane; more than one where lanes are
// shared. It does not look while no more than so many runs go on.
func Enclosing(more int) []*gates.Meter {
	if process.running() <= more {
		return nil
	}
	lane, ok := laneHere()
	if !ok {
		return nil
	}
	return process.inLane(lane)
}

// laneHere is the innermost lane that the stack of the calling goroutine tells.
func laneHere() (lane int, ok bool) {
	pcs := make([]uintptr, 64)
	digits := 0
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if p := kindNamed(f.Function); p >= laneFrame { // the first is the lowest digit
				lane |= int(p-laneFrame) << (laneBits * digits)
				if digits++; digits == laneDigits {
					return lane, true
				}
			}
		}
		if n < len(pcs) {
			return 0, false
		}
	}
}

func (w *watcher) running() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.runs)
}

func (w *watcher) inLane(lane int) (runs []*gates.Meter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for m, r := range w.runs {
		if r.lane == lane {
			runs = append(runs, m)
		}
	}
	return runs
}
