// Package gates implements the gates of a running script: they count, charge and stop.
// They are independent of the policy and the engine.
//
// It may not know a policy, an engine or a source.
package gates

// A Reason says why a run was stopped.
type Reason string

// The reasons. Their text is that of the host's error kinds.
const (
	Cancelled Reason = "cancelled"
	Ticks     Reason = "ticks"
	Timeout   Reason = "timeout"
	Memory    Reason = "memory"
	Depth     Reason = "depth"
	Tasks     Reason = "tasks"
	Output    Reason = "output"
	Deadlock  Reason = "deadlock"
	Denied    Reason = "denied"
	Exit      Reason = "exit"
	Paused    Reason = "paused"   // it goes on when calls of the host have answers
	Diverged  Reason = "diverged" // it does not do what its journal says
)

// A Stop ends a run. It is not a panic of the script: recover in a script does not see
// it, and once a Meter has stopped every later gate call stops too. Engines that unwind
// the Go stack panic with a *Stop; others return it.
type Stop struct {
	Reason  Reason
	Code    int    // exit code, for Exit
	Message string // one line that a person or a model can act on
}

func (s *Stop) Error() string { return s.Message }
