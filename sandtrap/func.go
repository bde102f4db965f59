package sandtrap

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A Func is a function of a script in the variables of a Result. The host can call it after
// the run: it finds the script's variables, files and captured variables as the run left
// them. Goroutines end with the run or the call that started them.
//
// A Func is safe for concurrent use; the functions of one run or session run one at a time.
// Engine yaegi has none. With an isolation the function stays in its worker: arguments and
// results are copied, and a sandbox keeps those of the last eight runs that returned any; a
// call of an older one returns ErrRunOver.
type Func struct{ function }

// A function is a Func's, here or in a worker.
type function interface {
	// Type is the type of the function as Go writes it.
	Type() string

	plan() *Plan
	source() Script // the text that it is from, for excerpts
	call(ctx context.Context, args []any, res *Result) error
}

// String returns the type in brackets.
func (f *Func) String() string { return "(" + f.Type() + ")" }

// MarshalText makes a Func a string in JSON.
func (f *Func) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Call calls the function with ctx; the limits of the policy hold for each call. A nil Func, which Result.Func returns for an unknown name, is an error. The Result is
// never nil: Returned has the results of the function, in the form of Vars, which DecodeReturned decodes, and the other fields the output and the counters of the call; a panic of the script or a
// limit is an *Error. An error that the function returns is its last result, not the error of Call.
//
// Arguments are converted where nothing is lost: numbers that the parameter can hold,
// structs and maps with string keys to structs of the script by the names of their
// exported fields, lists, maps and pointers by their elements. A value with exactly the
// type of the parameter is shared with the script; other values are copied.
//
// A host function that the script calls may call a Func of the same run with its context.
// That call is part of the current one, with its limits and streams, and does not wait. With
// another context it would deadlock.
func (f *Func) Call(ctx context.Context, args ...any) (*Result, error) {
	if f == nil {
		return &Result{}, errNoFunc
	}
	res := f.plan().result()
	return res, res.fail(f.source(), f.call(ctx, args, res))
}

var errNoFunc = errors.New("sandtrap: the run has left no such function: the Func is nil; Script.Funcs names functions that a script has to declare, and others are left in variables, as in f := OnTick")

// A nearFunc is a function of a run in this process.
type nearFunc struct {
	env  *runEnv
	fn   engine.Func
	from Script
}

func (f nearFunc) Type() string   { return f.fn.Type() }
func (f nearFunc) plan() *Plan    { return f.env.plan }
func (f nearFunc) source() Script { return f.from }

func (f nearFunc) call(ctx context.Context, args []any, res *Result) error {
	in := make([]any, len(args))
	for i, arg := range args {
		if own, ok := arg.(*Func); ok {
			if near, ok := own.function.(nearFunc); ok {
				arg = near.fn
			}
		}
		in[i] = f.env.plan.argument(arg)
	}
	if of, _ := ctx.Value(runKey{}).(*run); of != nil && of.env == f.env && ctx.Err() == nil {
		return f.within(in, res)
	}
	return f.alone(ctx, in, res)
}

// argument is arg as scripts see it in each mode: data of types that they do not know is that of their fields. What
// cannot be is the value itself.
func (p *Plan) argument(arg any) any {
	switch arg.(type) {
	case nil, error, *Func, engine.Func:
		return arg
	}
	c := carry.CopierBeside[*Func](p.table.Knows)
	if arg = c.Flat(arg); !p.table.HasNewData(arg) {
		return arg
	}
	data, err := c.Copy(arg)
	if err != nil {
		data, err = c.Fields(arg)
	}
	if err != nil {
		return arg
	}
	return data
}

// alone is a call that is a run of its own.
func (f nearFunc) alone(ctx context.Context, in []any, res *Result) error {
	ctx, err := nest(ctx)
	if err != nil {
		return err
	}
	s := f.env
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
	case <-s.lost:
		return ErrRunOver
	case <-ctx.Done():
		return s.plan.cancelled(ctx)
	}
	switch {
	case s.closed.Load():
		return ErrClosed
	case s.isLost():
		return ErrRunOver
	}
	r := s.now.again(ctx)
	var results []any
	out, stuck := engine.Supervise(r.meter, func() (o engine.Outcome) {
		s.begin(r)
		defer s.end()
		results, o = f.fn.Call(r.meter, in)
		return o
	})
	if stuck {
		s.lose()
	} else {
		res.Returned = results
	}
	e := r.report(res, out, stuck)
	r.events.finish(res, orNil(e))
	return callError(out, e)
}

// cancelled is the error of a call that ctx ends before it begins.
func (p *Plan) cancelled(ctx context.Context) error {
	stop := gates.NewMeter(ctx, p.limits).Check()
	return orNil(failure(ctx, engine.Outcome{Stop: stop}, false))
}

// within is a call during one of the same run.
func (f nearFunc) within(in []any, res *Result) error {
	results, out := f.fn.Within(in)
	if out.Fault == ErrRunOver {
		return ErrRunOver
	}
	res.Returned = results
	return callError(out, failure(context.Background(), out, false))
}

// callError is the error of a call that ended with e.
func callError(out engine.Outcome, e *Error) error {
	if bad, ok := errors.AsType[*engine.ArgumentError](out.Fault); ok {
		return fmt.Errorf("sandtrap: %w", bad)
	}
	return orNil(e)
}

// ErrRunOver is the result of a callback, a function of a script that the host calls, after its run, or if the run ends during the
// call: as its last result, if that is an error. Otherwise its results are zero values, and Policy.Uncalled is called. It panics
// in one place only, and only the sandbox sees that panic: in a host function that the script has called, on the goroutine of that
// call, without an error result. So the end of the run also ends a host function that calls it in a loop. Methods Error and String
// return the text of ErrRunOver. During the run the host may make callbacks from any goroutine; a callback waits until the
// script's goroutines yield, which they do while they wait and from time to time, but not during another call of a host function
// that is not a Member with Blocking. If it panics, the run ends with that panic.
//
// Engine yaegi runs callbacks on the goroutine that calls them, concurrently with the script: one
// that panics on a goroutine of the host returns what it returns after the run, and the run
// continues. For methods of the script it promises nothing there.
var ErrRunOver = engine.ErrOver

// tellLate is uncalled for what is too late.
func (p *Plan) tellLate() func(name string) {
	tell := p.policy.Uncalled
	if tell == nil {
		return nil
	}
	return func(name string) { tell(name, ErrRunOver) }
}

// bareFunction is a value of Policy.Funcs without what a Member says of it.
func bareFunction(value any) (fn any, blocking bool) {
	if m, ok := value.(Member); ok {
		value, blocking = m.Value, m.Blocking
	}
	if f, ok := value.(builtins.Function); ok {
		return f.Fn, f.Blocking || blocking
	}
	return value, blocking
}
