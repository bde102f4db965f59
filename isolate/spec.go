package isolate

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A Spec says what worker to start.
type Spec struct {
	// Path is the worker's executable; the running program if empty. Its main has to
	// serve as a worker when it is called by the name early.WorkerName.
	Path string

	Level  Level
	Memory int64 // bytes that the process may use in all; 0 for no limit

	// Frames bound what the worker may send, by what its jobs may do.
	Frames posture.Frames

	// CPU is how many processors the process may use in the mean, such as 1.5; 0 for no limit.
	// It is a layer of its own, which takes a control group.
	CPU float64

	// ReadRate is how many bytes a second the process may have the disks read that Dirs are on, each
	// of them; 0 for no limit. It is a layer of its own, too.
	ReadRate int64

	// AllowDegraded starts a worker even if layers are missing.
	AllowDegraded bool

	// Audit, if not nil, is told of each system call that the filter does not let through. The
	// call is refused then, and the worker goes on; without an Audit it is ended. Audit
	// is called on one goroutine, and the call waits for it.
	Audit func(audit.Refusal)

	// Dirs are directories beneath which the worker may open files to read, MaxDirs at most.
	// They stay the caller's.
	Dirs []*os.File

	// without names layers that are left out as if this machine did not have them.
	without []string
}

// MaxDirs is how many directories a worker may be handed.
const MaxDirs = posture.MaxDirs

// serves: a copy of this program, started by the name of a worker, is one.
var serves atomic.Bool

// Serves says that this program serves as a worker when it is called by the name of
// one. Without it Start starts no copy of this program: it would do whatever its main
// does.
func Serves() { serves.Store(true) }

// ErrNoWorker is returned where no worker was named and this program is none.
var ErrNoWorker = errors.New("isolate: this program does not serve as a worker")

// A MissingError says which layers could not be had. The worker was not given a job.
type MissingError struct{ Layers []posture.Layer }

func (e *MissingError) Error() string { return "isolate: missing layers: " + e.Reasons() }

// Reasons is each layer with why it is missing; those that follow one another for the same
// reason share it.
func (e *MissingError) Reasons() string {
	var text strings.Builder
	for i, l := range e.Layers {
		text.WriteString(l.Name)
		switch last := i+1 == len(e.Layers); {
		case !last && e.Layers[i+1].Reason == l.Reason:
			text.WriteString(", ")
		case !last:
			text.WriteString(": " + l.Reason + "; ")
		default:
			text.WriteString(": " + l.Reason)
		}
	}
	return text.String()
}

// ErrWorker is matched by errors about a worker that died or did what it must not.
var ErrWorker = errors.New("isolate: the worker failed")

// A DeathError says what a worker died of.
type DeathError struct {
	Cause Cause
	Text  string // for people: the signal, or what the runtime said at last
}

// A Cause is a word for what a worker died of.
type Cause string

// The causes.
const (
	Crashed    Cause = "crash"   // the Go runtime gave up, or the process exited
	Killed     Cause = "kill"    // somebody killed it
	OutOfMem   Cause = "memory"  // it used more than it may
	Syscall    Cause = "syscall" // it made a call that is not in the table
	Broken     Cause = "wire"    // it sent what is no message
	HostClosed Cause = "closed"  // Close
)

func (e *DeathError) Error() string {
	return fmt.Sprintf("isolate: the worker ended (%s): %s", e.Cause, e.Text)
}

// Is makes e match ErrWorker.
func (e *DeathError) Is(target error) bool { return target == ErrWorker }
