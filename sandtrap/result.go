package sandtrap

import (
	"time"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// A Result is what a run left behind. It is never nil, and holds what was
// printed and counted until the run ended, however it ended.
type Result struct {
	Stdout string
	Stderr string // print, println and what the script wrote to os.Stderr

	// Vars are the top-level variables of the script at the end of the run, as Go
	// values; those of struct types of the script are map[string]any, by the names that tags for
	// JSON give the fields, else by their own, and functions are *Func. Inputs are left out unless the script assigned another value to
	// them; what it changed in a slice, in a map or behind a pointer is in the host's own, or with an isolation in nobody's.
	Vars  map[string]any
	Types map[string]string // of Vars, as Go writes them

	Returned []any // of a call of a Func: the results of the function

	Echo      []Echo     // of bare expressions, in the order in which they ran; EchoCut where there were too many
	Artifacts []Artifact // what the script left with artifact, if Limits.Artifacts allows any, by name

	Prints []Print // if Script.Prints asks for them, in order; PrintsCut where there were too many

	Error *Error // what Run returned; nil if all went well

	Dropped int64 // events that Script.Events had no room for

	// Warnings are one line each. They name what the source does not show, such as literals with bidirectional
	// controls, and what of the run is not in the result, and why: variables whose values cannot
	// leave a worker. They name a writer of Script that panicked, too.
	Warnings []string

	Ticks      int64
	AllocBytes int64 // bytes that the script allocated, as far as its engine counts them
	PeakBytes  int64 // the most it held at a time, as far as that was measured
	Duration   time.Duration

	Engine    string
	Isolation Status
}

// An Echo is the value of a bare expression of a snippet.
type Echo struct {
	// Text is Go syntax, in which an error and what has a method String say what they are; no
	// address is in it, and what follows the first 4 KiB of a value is cut. With engine yaegi
	// it is what %#v makes.
	Text string
	Type string
}

// A Status says what isolation a run had.
type Status struct {
	Mode    Isolation       // the isolation it ran under
	Level   isolate.Level   // of isolation kernel
	Missing []string        // layers of it that this machine could not give
	Layers  []isolate.Layer // of a worker, all that were asked for
}

// A Binding is a name and what it stands for. Those of a CheckResult are the members of the host that the script
// can reach, and all that it can reach; those of a Session are what its cells have declared.
type Binding struct {
	Kind string        // func, var, const, type; of a script method, field or input too, of a session import
	Name string        // as Go writes it: "(*strings.Builder).WriteString"
	Type string        // of a session's type what it is made of, of an import the path
	Pos  diag.Position // of the first use in a script
}
