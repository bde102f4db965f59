// Package audit answers the system calls that the filter of a worker hands to its host: it
// refuses each, and tells of it. None is ever let through: what such a call asks for can be
// changed by the worker between a look at it and the kernel's.
//
// It may not let a system call through.
package audit

import "time"

// A Refusal is a system call that a worker has made and was refused, as EPERM.
type Refusal struct {
	Time   time.Time
	Call   string // its name, "" if it has none that is known, or is one of another interface
	Number int
	Args   [6]uint64
	Path   string // what it names, as far as that could be read; the worker may have put it there to mislead
	Thread int    // of the worker, as the host sees it
}
