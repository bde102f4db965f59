package engine

import (
	"math"
	"runtime"
	"strings"
)

// A census is how many bytes of the process are in use that were allocated beneath runs, by the
// stacks of the heap profile. It is as exact as that: of small objects one in each MemProfileRate
// bytes is known.
type census struct {
	total int64
	lanes [laneCount]int64
	lost  int64 // of total, those whose stack is too long to tell the lane
}

// A counter takes censuses. It belongs to one goroutine.
type counter struct {
	records []runtime.MemProfileRecord
	kinds   map[uintptr]frameKind
}

// A frameKind is what a return address says of an allocation.
type frameKind int8

const (
	otherFrame frameKind = iota
	runFrame             // beneath a run
	laneFrame            // and more: a digit of the lane
)

// runFrames begin the names of functions that only code of runs is beneath: what makes a script ready
// is not, nor is a sandbox.
var runFrames = []string{module + "sandtrap/internal/engine/vm.(*machine).", module + "sandtrap/internal/engine/vm.aside"}

const (
	module     = "github.com/sandtrap-go/sandtrap/"
	lanePrefix = module + "sandtrap/internal/engine.lane"
)

// take counts what the last collection has found. It needs the heap profile of Go, and gives false
// where the host has switched that off.
func (c *counter) take() (census, bool) {
	rate := runtime.MemProfileRate
	if rate <= 0 {
		return census{}, false
	}
	n, ok := runtime.MemProfile(c.records, false)
	for !ok {
		c.records = make([]runtime.MemProfileRecord, n+n/8+64)
		n, ok = runtime.MemProfile(c.records, false)
	}
	var all census
	for i := range c.records[:n] {
		all.add(&c.records[i], rate, c)
	}
	return all, true
}

func (s *census) add(r *runtime.MemProfileRecord, rate int, c *counter) {
	n := r.InUseObjects()
	if n <= 0 || r.InUseBytes() <= 0 {
		return
	}
	stack := r.Stack()
	lane, digits, run := 0, 0, false
	for _, pc := range stack {
		switch p := c.kindOf(pc); {
		case p >= laneFrame: // the first is the lowest digit
			lane |= int(p-laneFrame) << (laneBits * digits)
			digits++
		case p == runFrame:
			run = true
		}
	}
	if !run {
		return
	}
	each := float64(r.InUseBytes()) / float64(n)
	bytes := int64(float64(r.InUseBytes()) / (1 - math.Exp(-each/float64(rate))))
	s.total += bytes
	if digits == laneDigits {
		s.lanes[lane] += bytes
	} else {
		s.lost += bytes
	}
}

func (c *counter) kindOf(pc uintptr) frameKind {
	p, ok := c.kinds[pc]
	if ok {
		return p
	}
	if f := runtime.FuncForPC(pc - 1); f != nil {
		p = kindNamed(f.Name())
	}
	if c.kinds == nil {
		c.kinds = map[uintptr]frameKind{}
	}
	c.kinds[pc] = p
	return p
}

func kindNamed(name string) frameKind {
	if digit, ok := strings.CutPrefix(name, lanePrefix); ok && len(digit) == 1 {
		return laneFrame + frameKind(digit[0]-'0')
	}
	for _, prefix := range runFrames {
		if strings.HasPrefix(name, prefix) {
			return runFrame
		}
	}
	return otherFrame
}

// A lane is a number that the stack of a run tells: each of its digits is a function that calls the
// one for the next. Runs have different ones, as far as there are any.
const (
	laneBits   = 2
	laneDigits = 4
	laneCount  = 1 << (laneBits * laneDigits)
)

// inLane calls f beneath the frames that tell lane n, the highest digit outermost.
func inLane(n, digits int, f func()) {
	if digits == 0 {
		f()
		return
	}
	digits--
	switch n >> (laneBits * digits) & (1<<laneBits - 1) {
	case 0:
		lane0(n, digits, f)
	case 1:
		lane1(n, digits, f)
	case 2:
		lane2(n, digits, f)
	case 3:
		lane3(n, digits, f)
	}
}

//go:noinline
func lane0(n, digits int, f func()) { inLane(n, digits, f) }

//go:noinline
func lane1(n, digits int, f func()) { inLane(n, digits, f) }

//go:noinline
func lane2(n, digits int, f func()) { inLane(n, digits, f) }

//go:noinline
func lane3(n, digits int, f func()) { inLane(n, digits, f) }
