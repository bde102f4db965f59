package sandtrap

import (
	"time"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// A Result is the outcome of a run. It is never nil, and has the output and the counters
// up to the end of the run, however it ended.
type Result struct {
	Stdout string
	Stderr string // print, println and what the script wrote to os.Stderr

	// Vars are the top-level variables of the script at the end of the run, as Go values; structs of the script are map[string]any,
	// with the fields, and by the names, that encoding/json gives them: exported ones, those of embedded structs among them, without
	// those whose tags leave them out. Functions are *Func. What a variable for errors holds is an error with the text that it had,
	// which wraps what it wrapped. Inputs are included only if the script assigned another value to them; changes inside a slice, a map
	// or behind a pointer are in the host's own value, or, with an isolation, lost. With Script.Copy they are another value.
	Vars  map[string]any
	Types map[string]string // of Vars, as Go writes them

	Returned []any // for a call of a Func: the results of the function; see DecodeReturned

	Echo      []Echo     // of bare expressions, in the order in which they ran; EchoCut where there were too many
	Artifacts []Artifact // what the script stored with artifact, if Limits.Artifacts allows any, by name

	Prints []Print // if Script.Prints asks for them, in order; PrintsCut where there were too many

	Error *Error // what Run returned; nil if all went well

	Dropped int64 // events that Script.Events had no room for

	// Warnings are one line each. They name what the source does not show, such as literals with bidirectional
	// controls, and what is missing in the result, and why: variables whose values cannot leave a worker. They
	// also name a writer of Script that panicked.
	Warnings []string

	// Reminders are lines of the rules of the policy's Guard for who writes the next script.
	Reminders []string

	// NotCopied are those of Warnings that are about values which could not leave a worker. Who reads no values of the
	// script, but only what it prints, has no use for them.
	NotCopied []string

	Ticks      int64
	AllocBytes int64 // bytes that the script allocated, as far as its engine counts them
	PeakBytes  int64 // the most it held at a time, as far as that was measured
	Duration   time.Duration

	Engine    string
	Isolation Status
}

// An Echo is the value of a bare expression of a snippet.
type Echo struct {
	// Text is the value in Go syntax, with the texts of errors and of values with a method
	// String; it has no addresses, and a value is cut after 4 KiB. With engine yaegi it is
	// the output of %#v.
	Text string
	Type string
}

// A Status says what isolation a run had.
type Status struct {
	Mode    Isolation       // the isolation it ran under
	Level   isolate.Level   // of isolation kernel
	Missing []string        // layers of it that this machine lacks
	Layers  []isolate.Layer // of a worker, all that were requested
}

// A Binding is a name and its meaning. Those of a CheckResult are all the members of the host that the script
// can reach; those of a Session are the declarations of its cells.
type Binding struct {
	Kind string        // func, var, const, type; of a script method, field or input too, of a session import
	Name string        // as Go writes it: "(*strings.Builder).WriteString"
	Type string        // for a type of a session its definition, for an import the path
	Pos  diag.Position // of the first use in a script
}
