package sandtrap

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
)

// Limits bound one run. Zero means no limit, except for Timeout, Memory, Source and
// Nesting, where it means the default.
type Limits struct {
	Timeout time.Duration // wall-clock time, including the wait for a worker; default 30 s, see Forever

	// HostTime is how much time in host functions does not count for Timeout; zero is none. Time in members with
	// Blocking set counts, since the script runs meanwhile; so does time in script functions that a host function calls,
	// except for very short calls and with engine yaegi. The context of a host function ends when the run has to
	// end; if the function ignores that, the run ends two seconds later at most, and the function is abandoned.
	HostTime time.Duration

	Ticks  int64 // loop iterations and calls
	Memory int64 // bytes held by the script, as far as its engine can tell; default 512 MiB, math.MaxInt64 is no limit
	Alloc  int64 // total bytes that the script allocates, freed or not; engine vm only. Unlike Memory it ends a run at the same place each time
	Output int64 // bytes of stdout, and of stderr, to keep; the end is kept. Without it all is kept, up to Memory
	Tasks  int   // goroutines

	// Artifacts is how many bytes a script may store in Result.Artifacts, with the function artifact(name string, data
	// []byte) error, which needs no import. If it is zero the function does not exist.
	Artifacts int64

	Depth   int // nested calls; engines also have a limit of their own, which prevents crashes
	Source  int // bytes of source; default 256 KiB
	Nesting int // nesting of syntax; default 200, at most 2000

	// CPU is how many processors a worker may use on average, such as 0.5 or 2, at most 1024. Only
	// isolation kernel enforces it, with a control group; without one it is a missing layer.
	CPU float64

	// ReadRate is how many bytes a second a worker may read on average from each disk of Files.Paths.
	// Reads from the page cache, and reads by the host for the worker, do not count. Like CPU, it is a
	// layer of isolation kernel.
	ReadRate int64
}

// Forever is a Timeout that never ends a run; only its context does.
const Forever time.Duration = math.MaxInt64

// The defaults are those of the preset agent.
const (
	defaultTimeout = 30 * time.Second
	defaultMemory  = 512 << 20
)

const maxNesting = 2000

func (l *Limits) validate(p *Policy) error {
	if name, value := l.negative(); name != "" {
		return policyError("Limits."+name, "%d is negative; 0 means none or the default", value)
	}
	switch {
	case !(l.CPU == 0 || l.CPU >= 0.01 && l.CPU <= 1024):
		return policyError("Limits.CPU", "%v processors; it has to be 0, for no limit, or from 0.01 to 1024", l.CPU)
	case l.Nesting > maxNesting:
		return policyError("Limits.Nesting", "%d is more than %d: deeper syntax needs more stack than a process has", l.Nesting, maxNesting)
	case l.Alloc != 0 && p.Engine == "yaegi":
		return policyError("Limits.Alloc", "engine yaegi does not count all that a script allocates; use engine vm")
	case l.CPU != 0 && p.Isolation != Kernel:
		return policyError("Limits.CPU", "only isolation kernel enforces it: choose that, or leave the limit out")
	case l.ReadRate != 0 && (p.Isolation != Kernel || p.Files == nil || len(p.Files.Paths) == 0):
		return policyError("Limits.ReadRate", "it is of isolation kernel with Files.Paths: no other worker reads files")
	}
	return nil
}

// validateScript looks at the limits of one script, which runs with the policy p.
func (l *Limits) validateScript(p *Policy) error {
	if *l == (Limits{}) {
		return nil
	}
	if name, value := l.negative(); name != "" {
		return fmt.Errorf("sandtrap: Script.Limits.%s: %d is negative; 0 leaves what the policy says", name, value)
	}
	if l.Alloc != 0 && p.Engine == "yaegi" {
		return errors.New("sandtrap: Script.Limits.Alloc: engine yaegi does not count all that a script allocates; use engine vm")
	}
	if l.Source != 0 || l.Nesting != 0 || l.CPU != 0 || l.ReadRate != 0 {
		return errors.New("sandtrap: Script.Limits: Source, Nesting, CPU and ReadRate are of the policy alone")
	}
	return nil
}

// negative is a limit that is, and its name; the name is empty if there is none.
func (l *Limits) negative() (string, int64) {
	for name, value := range map[string]int64{
		"Timeout": int64(l.Timeout), "HostTime": int64(l.HostTime), "Ticks": l.Ticks, "Memory": l.Memory, "Alloc": l.Alloc, "Output": l.Output,
		"ReadRate": l.ReadRate, "Artifacts": l.Artifacts, "Tasks": int64(l.Tasks), "Depth": int64(l.Depth), "Source": int64(l.Source), "Nesting": int64(l.Nesting),
	} {
		if value < 0 {
			return name, value
		}
	}
	return "", 0
}

// limitsOf are those of a script that runs.
func (p *Plan) limitsOf(s *Script) gates.Limits {
	l, own := p.limits, s.Limits.gates()
	l.Timeout, l.HostTime = smaller(l.Timeout, own.Timeout), min(l.HostTime, smaller(l.HostTime, own.HostTime))
	l.Ticks, l.Memory, l.Alloc = smaller(l.Ticks, own.Ticks), smaller(l.Memory, own.Memory), smaller(l.Alloc, own.Alloc)
	l.Output, l.Tasks, l.Depth = smaller(l.Output, own.Output), smaller(l.Tasks, own.Tasks), smaller(l.Depth, own.Depth)
	return l
}

// smaller is the smaller of two limits, of which 0 is none.
func smaller[N time.Duration | int64 | int](a, b N) N {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// longest is as good as for ever, and sums of it are still a time.
const longest time.Duration = math.MaxInt64 / 8

// gates translates the limits. Those of the source are not among them.
func (l Limits) gates() gates.Limits {
	g := gates.Limits{Ticks: l.Ticks, Timeout: l.Timeout, HostTime: l.HostTime, Memory: l.Memory, Alloc: l.Alloc, Output: l.Output, Tasks: l.Tasks, Depth: l.Depth}
	if g.Timeout == Forever {
		g.Timeout = 0
	}
	g.Timeout, g.HostTime = min(g.Timeout, longest), min(g.HostTime, longest)
	if g.Memory == math.MaxInt64 {
		g.Memory = 0
	}
	return g
}
