package sandtrap

import (
	"math"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
)

// Limits bound one run. Zero means no limit, except for Timeout, Source and
// Nesting, where it means the default.
type Limits struct {
	Timeout time.Duration // wall-clock time, in workers with waiting for one and without that of the host's functions; default 30 s, see Forever
	Ticks   int64         // loop iterations and calls
	Memory  int64         // bytes held by the script, as far as its engine can tell
	Alloc   int64         // bytes that the script allocates in all, freed or not; of engine vm. Unlike Memory it ends a run at the same place each time
	Output  int64         // bytes kept of stdout, and again of stderr; the end is kept. Without it all is, and there may be as much as Memory
	Tasks   int           // goroutines
	Depth   int           // nested calls; engines have a limit of their own below a crash
	Source  int           // bytes of source; default 256 KiB
	Nesting int           // nesting of syntax; default 200

	// CPU is how many processors a worker may use in the mean, such as 0.5 or 2, at most 1024. Only
	// isolation kernel holds it, by a control group: where none can be made it is a layer that is
	// missing.
	CPU float64

	// ReadRate is how many bytes a second a worker may have each disk read that Files.Paths are on, in
	// the mean. What is in memory already is not read from one, and what the host reads for the
	// worker is not counted. As CPU, it is of isolation kernel, and a layer.
	ReadRate int64
}

// Forever is the Timeout of runs that only their context ends.
const Forever time.Duration = math.MaxInt64

const defaultTimeout = 30 * time.Second

func (l *Limits) validate(p *Policy) error {
	for name, value := range map[string]int64{
		"Timeout": int64(l.Timeout), "Ticks": l.Ticks, "Memory": l.Memory, "Alloc": l.Alloc, "Output": l.Output, "ReadRate": l.ReadRate,
		"Tasks": int64(l.Tasks), "Depth": int64(l.Depth), "Source": int64(l.Source), "Nesting": int64(l.Nesting),
	} {
		if value < 0 {
			return policyError("Limits."+name, "%d is negative; 0 means none or the default", value)
		}
	}
	switch {
	case !(l.CPU == 0 || l.CPU >= 0.01 && l.CPU <= 1024):
		return policyError("Limits.CPU", "%v processors; it has to be 0, for no limit, or from 0.01 to 1024", l.CPU)
	case l.Alloc != 0 && p.Engine == "yaegi":
		return policyError("Limits.Alloc", "engine yaegi does not count all that a script allocates; use engine vm")
	case l.CPU != 0 && p.Isolation != Kernel:
		return policyError("Limits.CPU", "only isolation kernel holds it")
	case l.ReadRate != 0 && (p.Isolation != Kernel || p.Files == nil || len(p.Files.Paths) == 0):
		return policyError("Limits.ReadRate", "it is of isolation kernel with Files.Paths: no other worker reads files")
	}
	return nil
}

// gates translates the limits. Those of the source are not among them.
func (l Limits) gates() gates.Limits {
	g := gates.Limits{Ticks: l.Ticks, Timeout: l.Timeout, Memory: l.Memory, Alloc: l.Alloc, Output: l.Output, Tasks: l.Tasks, Depth: l.Depth}
	if g.Timeout == Forever {
		g.Timeout = 0
	}
	return g
}
