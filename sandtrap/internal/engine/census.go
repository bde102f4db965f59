package engine

import (
	"math"
	"runtime"
	"strings"
	"sync"
)

// A census is how many bytes of the process are in use that were allocated beneath runs, by the
// stacks of the heap profile. It is as exact as that: of small objects one in each MemProfileRate
// bytes is known.
type census struct {
	total  int64
	lanes  [laneCount]int64
	errors [laneCount]float64 // of lanes, squared
	lost   int64              // of total, those whose stack is too long to tell the lane
	deep   int64              // not of total: those whose stack is too long to tell whether a run is beneath
}

// A counter takes censuses.
type counter struct {
	profile func([]runtime.MemProfileRecord, bool) (int, bool)
	collect func()

	mu      sync.Mutex
	records []runtime.MemProfileRecord
	kinds   map[uintptr]frameKind
}

var stacks = counter{profile: runtime.MemProfile, collect: runtime.GC}

// A frameKind is what a return address says of an allocation.
type frameKind int8

const (
	otherFrame frameKind = iota
	runFrame             // beneath a run
	laneFrame            // and more: a digit of the lane
)

// runFrames begin the names of functions that only code of runs is beneath: what makes a script ready
// is not, nor is a sandbox.
var runFrames = []string{
	machine + "exec.(*Machine).", machine + "exec.AllocLarge", machine + "ops.", machine + "printer.", machine + "mirror.",
	machine + "templates.", machine + "wrap.(*plainVal).", machine + "call.adapt", machine + "call.leaf",
}

const (
	module     = "github.com/sandtrap-go/sandtrap/"
	machine    = module + "sandtrap/internal/engine/vm/"
	lanePrefix = module + "sandtrap/internal/engine.lane"
	laneNames  = "0123456789ABCDEF"
)

// take counts what the last collection has found. It needs the heap profile of Go, and gives false
// where the host has switched that off.
func (c *counter) take() (census, bool) { return c.count(nil) }

// count takes a census: of what made has the number of, where that is not nil.
func (c *counter) count(made map[site]amount) (all census, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rate := runtime.MemProfileRate
	if rate <= 0 {
		return all, false
	}
	records := c.read()
	for i := range records {
		r := &records[i]
		if made != nil {
			was := made[siteOf(r)]
			r.AllocObjects, r.AllocBytes = was.objects, was.bytes
		}
		all.add(r, rate, c)
	}
	return all, true
}

// read gives the records of the heap profile that have something in use, until it is called again.
func (c *counter) read() []runtime.MemProfileRecord {
	n, ok := c.profile(c.records, false)
	for !ok {
		c.records = make([]runtime.MemProfileRecord, n+n/8+64)
		n, ok = c.profile(c.records, false)
	}
	return c.records[:n]
}

// survivors collects, and counts what was there before and is there still. To a collection all is in
// use that is allocated while it goes on, garbage too, and that may be more than a run may hold.
func (c *counter) survivors() (census, bool) {
	if runtime.MemProfileRate <= 0 {
		return census{}, false
	}
	made := c.allocated()
	c.collect()
	return c.count(made)
}

// A site is what has a record of its own in the heap profile.
type site struct {
	stack [len(runtime.MemProfileRecord{}.Stack0)]uintptr
	each  int64 // bytes
}

// An amount was allocated at a site, ever.
type amount struct{ objects, bytes int64 }

func siteOf(r *runtime.MemProfileRecord) site {
	return site{r.Stack0, r.AllocBytes / max(1, r.AllocObjects)}
}

func (c *counter) allocated() map[site]amount {
	c.mu.Lock()
	defer c.mu.Unlock()
	records := c.read()
	made := make(map[site]amount, len(records))
	for i := range records {
		made[siteOf(&records[i])] = amount{records[i].AllocObjects, records[i].AllocBytes}
	}
	return made
}

// tinyBlock is what the smallest objects share, of which the profile has the first in each block.
const tinyBlock = 16

// add adds what a record has in use, by what the blocks of its objects take: the profile has what was asked for.
func (s *census) add(r *runtime.MemProfileRecord, rate int, c *counter) {
	n := r.InUseObjects()
	if n <= 0 || r.InUseBytes() <= 0 {
		return
	}
	stack := r.Stack()
	lane, digits, run := 0, 0, false
	for _, pc := range stack {
		switch p := c.kindOf(pc); {
		case p >= laneFrame && digits < laneDigits: // the first is the lowest digit; further ones are of a run that has called this one
			lane |= int(p-laneFrame) << (laneBits * digits)
			digits++
		case p == runFrame:
			run = true
		}
	}
	size := r.InUseBytes() / n                           // the same for all of a record
	chance := 1 - math.Exp(-float64(size)/float64(rate)) // of one of them to be in the profile
	each := float64(max(tinyBlock, BlockSize(size, false)))
	bytes := int64(float64(n) * each / chance)
	switch {
	case run && digits == laneDigits:
		s.total += bytes
		s.lanes[lane] += bytes
		s.errors[lane] += float64(n) * each * each * (1 - chance) / (chance * chance)
	case run:
		s.total += bytes
		s.lost += bytes
	case len(stack) == len(r.Stack0):
		s.deep += bytes
	}
}

// beneath is how many bytes a run has in use that allocates in a lane. What no stack tells of may be
// anybody's, and so is the run's here; but it is not stopped for what may be the error of the profile,
// twice that of independent samples. For as much it may hold more than this tells, however often it is
// asked: an object is in the profile or is not.
func (s *census) beneath(lane int) int64 {
	return max(0, s.lanes[lane]-int64(2*math.Sqrt(s.errors[lane]))) + s.lost + s.deep
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
		if n := strings.Index(laneNames, digit); n >= 0 {
			return laneFrame + frameKind(n)
		}
	}
	for _, prefix := range runFrames {
		if strings.HasPrefix(name, prefix) {
			return runFrame
		}
	}
	return otherFrame
}
