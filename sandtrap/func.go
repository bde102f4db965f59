package sandtrap

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A Func is a function of a script, as it is among the variables that a run leaves. The
// host can call it when the run is over: it finds the script's variables, files and what its
// closures hold as they were left. Goroutines end with the run or the call that started
// them.
//
// A Func is safe for concurrent use; of what one run or session has left one thing runs at a
// time. Engine yaegi gives none. With an isolation the function is in its worker: all that
// crosses is copied, and those that a sandbox keeps are of its last eight runs that have left
// any; a call of another gives ErrRunOver.
type Func struct{ function }

// A function is a Func's, here or in a worker.
type function interface {
	// Type is the type of the function as Go writes it.
	Type() string

	plan() *Plan
	call(ctx context.Context, args []any, res *Result) error
}

// String is the type in brackets.
func (f *Func) String() string { return "(" + f.Type() + ")" }

// MarshalText makes it a text in JSON.
func (f *Func) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Call calls the function under limits of its own, which are those of the policy, and
// ctx. The Result is never nil; a nil Func, as Result.Func gives for a name that is not there, is an error. It has the results of the function in Returned, as Vars has
// values, and what the call printed and counted; a panic of the script or a limit is an
// *Error. An error that the function returns is its last result, and not that of Call.
//
// Arguments fit where nothing gets lost: numbers that the parameter can hold, structs and
// maps with string keys for structs of the script by the names of their exported fields,
// lists, maps and pointers by what is in them. What has the very type of the parameter is
// shared with the script, other values are copied.
//
// A function of the host that the script calls may call a Func of the same run with the
// context that it was given. Such a call is part of the one that is going on, with its limits
// and streams, and waits for nothing. With another context it would wait for its own end.
func (f *Func) Call(ctx context.Context, args ...any) (*Result, error) {
	if f == nil {
		return &Result{}, errNoFunc
	}
	res := f.plan().result()
	return res, res.fail(Script{}, f.call(ctx, args, res))
}

var errNoFunc = errors.New("sandtrap: the run has left no such function")

// A nearFunc is a function of a run in this process.
type nearFunc struct {
	env *runEnv
	fn  engine.Func
}

func (f nearFunc) Type() string { return f.fn.Type() }
func (f nearFunc) plan() *Plan  { return f.env.plan }

func (f nearFunc) call(ctx context.Context, args []any, res *Result) error {
	in := make([]any, len(args))
	for i, arg := range args {
		if own, ok := arg.(*Func); ok {
			if near, ok := own.function.(nearFunc); ok {
				arg = near.fn
			}
		}
		in[i] = arg
	}
	if of, _ := ctx.Value(runKey{}).(*run); of != nil && of.env == f.env && ctx.Err() == nil {
		return f.within(in, res)
	}
	return f.alone(ctx, in, res)
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
	return callError(out, r.report(res, out, stuck))
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

// ErrRunOver is what a function of a script gives the host that calls it after its run, or that the
// end of the run comes before: as its last result, if that is an error. Else its results are zero
// values, and Policy.Uncalled is told. It panics in one place alone, where nothing but the sandbox gets
// that: in a function of the host that the script has called, on the goroutine of that call and without
// an error to give. The end of the run so ends that function too, which may call it in a loop. A text that
// a method Error or String gives is that of ErrRunOver. During the run the host may call such functions from any goroutine; such a
// call waits until the script's goroutines let it in, which they do while they wait and from time
// to time, but not during another call of the host that is not of a Member with Blocking. If it panics, the run ends
// with that.
//
// Engine yaegi runs functions on the goroutine that calls them, at the same time as the script: one
// that panics on a goroutine of the host's gives what it gives after the run, and the run goes on. Of
// methods of the script's it promises nothing there.
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
