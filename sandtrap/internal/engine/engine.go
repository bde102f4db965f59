// Package engine is the seam between checked programs and what runs them.
//
// It may not name one engine, or know a policy.
package engine

import (
	"errors"
	"fmt"
	"go/types"
	"io"
	"reflect"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// An Engine runs programs. Engines know no policy; a value is safe for
// concurrent use.
type Engine interface {
	// Name is what users call it: "vm", "yaegi".
	Name() string

	// Load prepares a program for any number of runs, concurrent ones too. What
	// the engine cannot run right it refuses here with diag.Rejections. The meter
	// is that of the run which waits for it: its stop ends the work, and is the error.
	Load(p *rewrite.Program, host TypeOf, meter *gates.Meter) (Loaded, error)
}

// A Sessioner is an Engine that runs cells, one after the other over one state.
type Sessioner interface {
	Session() Session
}

// A Session is the state that cells share. It is not safe for concurrent use.
type Session interface {
	// Load prepares a cell. What it cannot run right it refuses, and is as it was; so it is
	// after a stop of the meter.
	Load(p *rewrite.Program, host TypeOf, meter *gates.Meter) (Cell, error)

	// Tidy lets go of what nothing leads to any more, between two cells. It tells whether it
	// did: unless now is true, it waits until there may be much.
	Tidy(now bool) bool

	// Close gives back what the process counts for the session.
	Close()

	// Save writes down the values of the variables of the cells that scope gives. Variables whose values cannot be
	// written are left out, and named in State.Skipped.
	Save(scope Scope, run Run) *State

	// Restoring comes before cells are loaded to be declared without being run; Uses before
	// each of them, with the cells that declare the names that it uses; Prepare before the
	// last one, with the types of the state. Restore gives the variables their values.
	Restoring()
	Uses(cells map[string]*rewrite.Cell)
	Prepare(list []types.Type)
	Restore(st *State, cells []*rewrite.Cell, packages *rewrite.Cell, list []types.Type, run Run) error
}

// A Scope is what the cells of a session declare, for Save.
type Scope interface {
	// Live gives the cells whose variables are saved, with those that others need.
	Live(others []*rewrite.Cell) []*rewrite.Cell

	// Knows reports that a session that is loaded finds a named type of the host's.
	Knows(rewrite.SavedType) bool
}

// A Cell is a Loaded that is run once. Its runs are given the values of the bindings of
// all cells before it too, by their indexes.
type Cell interface {
	Loaded

	// Bindings are those that its code asks for, and no cell before it did.
	Bindings() []rewrite.Binding

	// Declare makes what it declares known to the cells that follow.
	Declare()
}

// A TypeOf gives the Go type of a type that holds no types of a script, as the
// bound values of the runs have it. Others are an error. It is safe for concurrent
// use.
type TypeOf func(types.Type) (reflect.Type, error)

// A Dispatcher is an Engine that asks Host.Method for each method of a host type that
// a script calls through an interface of its own, or that a struct of its own
// promotes. Without it such a call would pass by what the policy does for the
// method.
type Dispatcher interface {
	Dispatches()
}

// A Provider is a Loaded that does not ask for all bindings: it brings some itself, such as generic
// members whose type arguments are types of the script, and nothing calls others. Their Bind may
// stay zero.
type Provider interface {
	Provides(index int) bool
}

// A Scheduler is a Loaded that runs the goroutines of a script itself, as tasks, and
// attaches them to each run.
type Scheduler interface {
	Schedules()
}

// ErrOver is what a function of a script gives for its error when code of the host calls it after
// the run.
var ErrOver = errors.New("sandtrap: the run that this function belongs to is over")

// Loaded is a program made ready by an engine. It is immutable.
type Loaded interface {
	// Run runs the program once, on the calling goroutine. It returns when
	// nothing of the script runs any more. It does not panic.
	Run(r Run) Outcome
}

// Run is what one run is given.
type Run struct {
	Host
	Meter  *gates.Meter
	Bind   []reflect.Value // by binding index; zero for types and constants
	Bodies []gates.Body    // by binding index, nil where only the value does it
	Types  []reflect.Type  // by binding index, for types
	Stderr io.Writer       // for print and println
	EchoTo func(Echo)      // nil if nobody wants to know
	Clock  Clock
	Seed   uint64 // of what the engine leaves to chance; 0 is any

	// Late is told of a call of a method or function of the script's, by its type, that code of the
	// host makes when the run is over, on the goroutine of that, unless its result is an error that
	// says so. Nobody wants to know if it is nil.
	Late func(name string)

	// Visited: functions of the host may call the script from goroutines of their own.
	Visited bool

	// Returns, if not nil, decides when calls return that go on beside the tasks. Only an engine that is a Scheduler
	// asks it.
	Returns Order

	// Want names the only variable that is handed out; all are if it is empty.
	Want string
}

// A Host is what an engine asks those whose values a run uses.
type Host interface {
	// Attach is called first by an engine that is a Scheduler, and Lend by one whose values
	// are not Go's own.
	Attach(script.Tasks)
	Lend(script.Values)

	// Method gives what the method of a host type is for the run: a function with the
	// receiver as first parameter. It is zero for a type that the policy knows nothing of.
	// For a method that scripts may not call it is an error.
	Method(recv reflect.Type, name string) (reflect.Value, error)

	// Shape is the type, as scripts see it, of host values that no binding leads to.
	Shape(reflect.Type) types.Type

	// Hand gives what stands in Vars for a function of the script. Engines that cannot call
	// functions after the run do not ask.
	Hand(Func) any

	// Price asks for what it takes to print a value of the host's in Go syntax.
	Price(v any)

	// Show prints a value of the host's, which is in depth other values, as fmt does, but no
	// more of it than scripts see. Of what came out of a private field it calls no methods.
	// as is the name of a type of the script's that is declared as the value's.
	Show(s fmt.State, verb rune, v reflect.Value, depth int, private bool, as string)

	// TypeName is that of v's type, as scripts see it.
	TypeName(v any) string

	// MayWrite answers whether the run may write to memory that it has not made: at is the
	// address of a variable of type rt, of the first element of a slice, or of a map. whole is
	// set if a pointer leads to the variable, a struct, of which all is replaced, fields that
	// scripts do not see too.
	MayWrite(at uintptr, rt reflect.Type, whole bool) bool

	// MayMake answers whether there may be variables of a struct type of the host's that are
	// not the host's.
	MayMake(reflect.Type) bool

	// Order compares two values of a type of the host's as fmt does the keys of a map.
	Order(a, b reflect.Value) int

	Remaker
}

// A Remaker is what saving and loading a session ask.
type Remaker interface {
	// Remade is what Remake makes v of, if a text says all of that. Remake asks for what it takes.
	Remade(v any) (how, text string, ok bool)
	Remake(how, text string) (any, error)
}

// Shown is a value of the host's that prints as scripts see it.
func (r *Run) Shown(v any) fmt.Formatter { return shown{r, v} }

type shown struct {
	run *Run
	v   any
}

func (x shown) Format(s fmt.State, verb rune) {
	x.run.Show(s, verb, reflect.ValueOf(x.v), 0, false, "")
}

// A Func is a function of a script that can be called when its run is over, with the
// variables as they are by then. Its machine runs one thing at a time: Call is not to be
// called before the run, and calls of other functions of that, have ended.
type Func interface {
	// Type is as Go writes it.
	Type() string

	// Call calls the function as a run of its own under m, which takes the place of the
	// meter of the run. It returns, without a panic, when nothing of the script runs any
	// more. An argument that does not fit is a Fault, an *ArgumentError.
	Call(m *gates.Meter, args []any) (results []any, o Outcome)

	// Within calls it as part of the run or call that is going on, from whatever goroutine
	// of the host. If that ends before, the Fault is ErrOver.
	Within(args []any) (results []any, o Outcome)
}

// An ArgumentError says that a value of the host's does not fit a parameter.
type ArgumentError struct{ Text string }

func (e *ArgumentError) Error() string { return e.Text }

// An Outcome is what became of a run. At most one of Stop, Panic and Fault is set.
type Outcome struct {
	Vars  []Var
	Stop  *gates.Stop // ended by a limit, an exit or the host
	Stack []Frame     // where it was when Stop ended it, if the engine can tell
	Tasks []Task      // of a deadlock, all or the first of them; of a panic, the one that panicked

	Waiting int    // how many tasks a deadlock has
	Panic   *Panic // the script panicked
	Fault   error  // the engine failed; the message names the construct. diag.Rejections: it refused before anything ran
}

// Well reports that the run came to its end by itself.
func (o *Outcome) Well() bool { return o.Stop == nil && o.Panic == nil && o.Fault == nil }

// A Panic is an unrecovered panic of the script.
type Panic struct {
	Text  string // as Go prints it after "panic: "
	Stack []Frame
}

// A Task is a goroutine of the script at the end of the run.
type Task struct {
	ID      int
	State   string // in Go's words: running, or what it waits for
	Stack   []Frame
	Creator int   // ID of the task that started it, 0 for main
	Created Frame // where
}

// A Frame is one function of the script on its stack, innermost first.
type Frame struct {
	Func string // main.f, main.(*T).M, main.main.func1
	Pos  diag.Position
}

// A Var is a top-level variable at the end of a run.
type Var struct {
	Name  string
	Type  string // as Go writes it, with main. for script types
	Value any    // Go's own types; structs of script types as map[string]any
}

// An Echo is the value of a bare expression.
type Echo struct {
	ID   int    // index into the program's Echoes
	Text string // in Go syntax
	Type string
}

// MaxRead is how many bytes one Read of a script is asked for.
const MaxRead = 1 << 20
