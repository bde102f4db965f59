package sandtrap

import (
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
)

// A SystemCall is one that a worker was refused: see Policy.Audit.
type SystemCall struct {
	Time   time.Time
	Name   string // empty for a number that has none, or is of another system call interface
	Number int
	Args   [6]uint64
	Path   string // that it names, if it is about one; the worker may have put it there to mislead
	Thread int    // of the worker, as the host sees it
}

func auditor(tell func(SystemCall)) func(audit.Refusal) {
	if tell == nil {
		return nil
	}
	return func(r audit.Refusal) {
		tell(SystemCall{Time: time.Now(), Name: r.Call, Number: r.Number, Args: r.Args, Path: r.Path, Thread: r.Thread})
	}
}
