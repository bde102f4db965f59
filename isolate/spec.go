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
	// Path is the worker's executable; the running program if empty. Its main must serve as
	// a worker when it is called by the name early.WorkerName.
	Path string

	Level  Level
	Memory int64 // bytes that the process may use in all; 0 for no limit

	// Frames bound the worker's messages according to its jobs.
	Frames posture.Frames

	// CPU is how many processors the process may use on average, such as 1.5; 0 for no limit.
	// It is a layer of its own, which needs a control group.
	CPU float64

	// ReadRate is how many bytes a second the process may read from each disk of Dirs; 0 for no
	// limit. It is a layer of its own, too.
	ReadRate int64

	// AllowDegraded starts a worker even if layers are missing.
	AllowDegraded bool

	// Audit, if not nil, is called for each system call that the filter blocks. The system
	// call fails, and the worker goes on; without an Audit it is killed. Audit is called on
	// one goroutine, and the system call waits for it.
	Audit func(audit.Refusal)

	// Dirs are directories beneath which the worker may open files to read, MaxDirs at most.
	// The caller keeps and closes them.
	Dirs []*os.File

	// without names layers that are left out as if this machine did not have them.
	without []string
}

// MaxDirs is how many directories a worker may be handed.
const MaxDirs = posture.MaxDirs

// serves: a copy of this program, started by the name of a worker, is one.
var serves atomic.Bool

// Serves declares that this program serves as a worker when it is called by the name of
// one. Without it Start does not start a copy of this program, which would run its normal
// main.
func Serves() { serves.Store(true) }

// ErrNoWorker is returned if no worker was named and this program is not one.
var ErrNoWorker = errors.New("isolate: this program does not serve as a worker")

// A MissingError says which layers are missing. The worker got no job.
type MissingError struct{ Layers []posture.Layer }

func (e *MissingError) Error() string { return "isolate: missing layers: " + e.Reasons() }

// Reasons returns each missing layer with its reason; neighbours with the same reason
// share it.
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

// ErrWorker matches errors about a worker that died or violated the protocol.
var ErrWorker = errors.New("isolate: the worker failed")

// A DeathError says why a worker died.
type DeathError struct {
	Cause Cause
	Text  string // for people: the signal, or the last words of the runtime
}

// A Cause is a word for the cause of death of a worker.
type Cause string

// The causes.
const (
	Crashed    Cause = "crash"   // the Go runtime gave up, or the process exited
	Killed     Cause = "kill"    // it was killed
	OutOfMem   Cause = "memory"  // it exceeded its memory limit
	Syscall    Cause = "syscall" // it made a system call that is not in the table
	Broken     Cause = "wire"    // it sent a malformed message
	HostClosed Cause = "closed"  // Close
)

func (e *DeathError) Error() string {
	return fmt.Sprintf("isolate: the worker ended (%s): %s", e.Cause, e.Text)
}

// Is makes e match ErrWorker.
func (e *DeathError) Is(target error) bool { return target == ErrWorker }
