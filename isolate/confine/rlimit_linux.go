package confine

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// An rlimit is a row of the limits of the process.
type rlimit struct {
	name     string
	resource int
	value    func(posture.Profile) uint64
	why      string
}

func fixed(n uint64) func(posture.Profile) uint64 { return func(posture.Profile) uint64 { return n } }

var rlimits = []rlimit{
	{"core", unix.RLIMIT_CORE, fixed(0), "memory of a script is never written to a disk"},
	{"fsize", unix.RLIMIT_FSIZE, fixed(0), "it writes no file"},
	{"memlock", unix.RLIMIT_MEMLOCK, fixed(0), "it holds no memory against the kernel"},
	{"msgqueue", unix.RLIMIT_MSGQUEUE, fixed(0), "it makes no queue"},
	{"sigpending", unix.RLIMIT_SIGPENDING, fixed(64), "the runtime's own signals, and no queue of others"},
	{"nofile", unix.RLIMIT_NOFILE, func(p posture.Profile) uint64 {
		if p.Dirs > 0 {
			return 64
		}
		return 16
	}, "the socket, the runtime's own, and beneath directories some files: the host has the others"},
	{"data", unix.RLIMIT_DATA, func(p posture.Profile) uint64 {
		if p.Memory <= 0 {
			return unix.RLIM_INFINITY
		}
		return uint64(p.Memory) + baseline
	}, "memory, should nothing else hold it in time"},
}

// baseline is what the Go runtime may have of data beside its memory: 44 MB were measured
// before a script has any, mostly reserved, and then it takes 64 MB at a time. A control
// group or the host's watch, which say that it was for its memory, end a process before this: the
// runtime does not always find words for it.
const baseline = 192 << 20

func limit(_ *process, p posture.Profile) error {
	for _, r := range rlimits {
		v := r.value(p)
		if err := unix.Setrlimit(r.resource, &unix.Rlimit{Cur: v, Max: v}); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}
