package engine

import (
	"math"
	"runtime"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// A lane is a number that the stack of a run tells: each of its digits is a function that calls the
// one for the next. Runs have different ones, as far as there are any. Digits are few, because
// runtime.MemProfile tells 32 frames of a stack, and those of the run and its host functions are among them.
const (
	laneBits   = 4
	laneDigits = 2
	laneCount  = 1 << (laneBits * laneDigits)
)

// laneFuncs are the functions of the digits.
var laneFuncs [1 << laneBits]func(next int, a script.Act)

func init() {
	laneFuncs = [...]func(next int, a script.Act){
		lane0, lane1, lane2, lane3, lane4, lane5, lane6, lane7, lane8, lane9, laneA, laneB, laneC, laneD, laneE, laneF,
	}
}

// A Lane is that of one run.
type Lane int16

// In does a beneath the frames that tell the lane, the highest digit outermost.
func (l Lane) In(a script.Act) {
	if l == noLane {
		a.Do()
		return
	}
	laneFuncs[l>>laneBits](int(l)&(1<<laneBits-1), a)
}

// An ActFunc is a function as an Act.
type ActFunc func()

// Do calls it.
func (f ActFunc) Do() { f() }

// digit calls the function of the next digit, or does a where that is negative. It has no frame: it is inlined.
func digit(next int, a script.Act) {
	if next < 0 {
		a.Do()
	} else {
		laneFuncs[next](-1, a)
	}
}

//go:noinline
func lane0(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane1(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane2(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane3(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane4(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane5(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane6(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane7(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane8(next int, a script.Act) { digit(next, a) }

//go:noinline
func lane9(next int, a script.Act) { digit(next, a) }

//go:noinline
func laneA(next int, a script.Act) { digit(next, a) }

//go:noinline
func laneB(next int, a script.Act) { digit(next, a) }

//go:noinline
func laneC(next int, a script.Act) { digit(next, a) }

//go:noinline
func laneD(next int, a script.Act) { digit(next, a) }

//go:noinline
func laneE(next int, a script.Act) { digit(next, a) }

//go:noinline
func laneF(next int, a script.Act) { digit(next, a) }

// noLane is that of a run that nobody watches.
const noLane Lane = -1

// LaneOf is the lane of a run, for its further goroutines.
func LaneOf(m *gates.Meter) Lane {
	if lane, ok := process.laneOf(m); ok {
		return Lane(lane)
	}
	return noLane
}

func (w *watcher) laneOf(m *gates.Meter) (lane int, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r, ok := w.runs[m]
	return r.lane, ok
}

// lanes are what the watcher knows of each lane.
type lanes [laneCount]struct {
	runs  int   // whose goroutines allocate in it
	old   int64 // bytes, at most, that the host has kept of runs that have ended
	fresh bool  // one has since the last count, and nobody knows what the host has kept of it
}

// unknown is more than a run can hold.
const unknown = 1 << 60

// spareLanes is how many lanes may wait for a count to tell what the host has kept in them, while runs use
// others: each lane that is used costs the heap profile memory.
const spareLanes = 7

// enter gives the first lane that nobody is in and of which it is known what the host has kept. Where more are
// unknown than may wait it gives the first of them; what a run comes to hold there before two counts counts as kept.
// Where there is no lane without a run it gives the first that the fewest are in.
func (l *lanes) enter() int {
	lane := 0
	for at, waiting := 0, 0; at < laneCount && waiting <= spareLanes; at++ {
		if l[at].runs < l[lane].runs {
			lane = at
		}
		if l[at].runs == 0 {
			if !l[at].fresh && l[at].old < unknown {
				lane = at
				break
			}
			waiting++
		}
	}
	l[lane].runs++
	return lane
}

// held is how much a census has in a lane, without what the host has kept there. It is nothing while that is unknown.
func (l *lanes) held(lane int, now *census) int64 {
	if l[lane].fresh {
		return 0
	}
	return max(0, now.lanes[lane]-l[lane].old)
}

// count compares with a census what the host may have kept. The census may be older than the runs
// that have ended last, so what it shows of these counts from the next one on.
func (l *lanes) count(now *census) {
	for at := range l {
		l[at].old = min(l[at].old, now.lanes[at])
		if l[at].fresh {
			l[at].old, l[at].fresh = unknown, false
		}
	}
}

// margin is by how much a count of n bytes may be too high: by the error of the profile, which is
// that of independent samples, times as given, and for all that has a size of its own.
func margin(n int64, times float64) int64 {
	return watchSlack + int64(times*math.Sqrt(float64(n)*float64(max(0, runtime.MemProfileRate))))
}

// most is what may be found beneath a run with a limit. An innocent one does not meet it: it holds
// fifteen sixteenths of its limit at most, as samples tell, and these are right to a tenth.
func most(limit int64) int64 {
	return limit + limit/16 + margin(limit, 4)
}
