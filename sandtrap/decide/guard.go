package decide

import (
	"context"
	"reflect"
)

// A Guard decides about the calls of a policy's members. A *guard.Policy is one.
type Guard interface {
	// Compile makes the gate of a plan with these members, in any order. Its errors name what is wrong in the guard.
	Compile(members []Member) (Gate, error)
}

// A Member is a function that scripts call, as a guard sees it.
type Member struct {
	Name     string         // "sendMail"; "example.com/mail.Send", by the import path of its package; "file.write" for files
	Package  string         // its import path; empty for functions without, and for files
	Params   []string       // one name for each of Types; p0, p1, ... where the host gave none
	Types    []reflect.Type // of parameters, without the run's context; the last one is a slice if Variadic
	Results  []reflect.Type
	Variadic bool

	// Unrecorded are those of Params whose arguments are for rules, deciders and approvers, and not for records.
	Unrecorded []string
	Attributes
}

// Attributes are what a member declares. Without any a member is open, and costs nothing.
type Attributes struct {
	Risk     Risk
	Requires []string // names of permissions
	Class    Class
	Cost     int64 // of a call, in units of the guard's budget
	Rate     int   // calls in a minute; 0 for any
}

// Declared reports that there is one.
func (a *Attributes) Declared() bool {
	return a.Risk != NoRisk || len(a.Requires) > 0 || a.Class != NoClass || a.Cost != 0 || a.Rate != 0
}

// A Gate decides about calls of a plan's members. It is safe for concurrent use.
type Gate interface {
	// Guards reports whether calls of the member are to be decided, and whether an approver may be asked about one.
	Guards(member string) (guarded, asks bool)

	// Closed is the reason for which each call of the member is refused now, nil if some may be made.
	Closed(member string) *Denied

	// Tighten adds what g refuses to the gate, for calls from now on. It never opens anything. It is an error, and changes
	// nothing, if g decides about a member that is not guarded.
	Tighten(g Guard) error

	// Session makes the state that the runs of a session share. A run outside of sessions has one of its own.
	Session() Session
}

// A Session is the state that runs share.
type Session interface {
	// Begin is called when a run begins; End of the Run is called when it is over.
	Begin(ctx context.Context, h Host) Run
}

// A Host is what a Run asks of the run that it decides for. Its functions may be called from any goroutine.
type Host struct {
	Source string // of the script
	Name   string // of the script, as positions have it

	// Check: nothing runs, but a worker reads files to check a script. It has no begin and no end in records.
	Check bool

	// Stand says that the clock of the run stands, until resume is called, during a call with the context ctx.
	Stand func(ctx context.Context) (resume func())

	// Asked, if not nil, is for a run in which nothing is done: it is told of each question in place of an approver, with the
	// context of the call, which is then approved.
	Asked func(ctx context.Context, reason, rule string)

	// Warn and Remind add a line to the result of the run.
	Warn, Remind func(line string)

	// Stop ends the run with an error of kind denied.
	Stop func(message string)
}

// A Run decides about the calls of one run.
type Run interface {
	// Call decides about a call at a place of the script, and makes it with do if it is allowed, which gives the results: nil if
	// there are none yet, because they come from elsewhere, and no nil if the function has none. The arguments are not shared with the
	// script if the member asks. An error is a *Denied, or a *Deferred.
	Call(ctx context.Context, member, at string, args []reflect.Value, do func() []reflect.Value) ([]reflect.Value, error)

	// Start decides about a call that is made after it, such as a request. If it is allowed, end is to be called when the call is over.
	// One that was refused before is recorded, and its refusal is the error. Other errors are a *Denied, or a *Deferred.
	Start(ctx context.Context, member, at string, args []reflect.Value, refused *Denied) (end func(Traffic), err error)
	// Repeat takes note of a call that was decided before, when it begins in a run that is repeated: nobody is asked, nothing is
	// refused, and nothing is recorded. Spent says that its cost counts.
	Repeat(member string, args []reflect.Value, spent bool)

	// Return has rules look at the results of such a call, nil if it has panicked. The error is a *Denied: they are withheld.
	Return(member string, args, results []reflect.Value) error

	// Notice has rules take note of a call that is not decided, such as that a file is not there.
	Notice(member string, args, results []reflect.Value)

	// Stop ends the run for a call that was refused and cannot say so by an error.
	Stop(d *Denied)

	// End says how the run has ended.
	End(o Outcome)
}

// A Traffic is what a request has come to.
type Traffic struct {
	Status         int     // of the response; 0 if there was none
	Sent, Received int64   // bytes
	Error          string  // why it ended early
	Refused        *Denied // why it was refused after it was allowed, before anything was sent
	Note           string  // what else happened
}

// An Outcome is how a run has ended.
type Outcome struct {
	Kind    string // of its error, empty if all went well
	Message string
	Ticks   int64

	// Used says what the run has used. It is nil if that is not known: the run has not ended by itself.
	Used func() Used
}

// Used is what a run could reach and what it has used up. A worker says so, which an attacker may control.
type Used struct {
	Standard  []string // import paths of the standard library, and members of it: import path, type and name with dots between
	Host      []string // members of the host, likewise; without an import path if they need no import
	Own       bool     // it has packages of its own, from the files
	Peak      int64    // bytes of memory, as far as that was measured
	Output    int64    // bytes of stdout or stderr that were kept, of the longer one
	Artifacts int64    // bytes
}

type runKey struct{}

// WithRun is ctx with r, for the functions that its script calls.
func WithRun(ctx context.Context, r Run) context.Context { return context.WithValue(ctx, runKey{}, r) }

// RunOf is the run of ctx, nil if it has none.
func RunOf(ctx context.Context) Run {
	r, _ := ctx.Value(runKey{}).(Run)
	return r
}
