package yaegi

import (
	"reflect"
	"slices"

	gostack "github.com/sandtrap-go/sandtrap/internal/stack"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// guarded is f, a function of the host's own, with functions of the script among its arguments that do
// no harm to a goroutine of the host that calls them.
func (s *run) guarded(f reflect.Value) reflect.Value {
	t := f.Type()
	if !slices.ContainsFunc(engine.Ins(t), func(in reflect.Type) bool { return in.Kind() == reflect.Func }) {
		return f
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		for i, arg := range args {
			if arg.Kind() == reflect.Func && !arg.IsNil() {
				args[i] = s.lent(arg)
			}
		}
		if t.IsVariadic() {
			return f.CallSlice(args)
		}
		return f.Call(args)
	})
}

// lent is f, a function of the script, for the host. After the run it does nothing.
func (s *run) lent(f reflect.Value) reflect.Value {
	t := f.Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) (results []reflect.Value) {
		if s.over.Load() {
			return s.late(t)
		}
		done := false
		defer func() {
			if !done && !inRun() {
				recover() //nolint:errcheck // it is the script's, and nobody here can do anything about it
				results = s.late(t)
			}
		}()
		if t.IsVariadic() {
			results = f.CallSlice(args)
		} else {
			results = f.Call(args)
		}
		done = true
		return results
	})
}

// late are the results of a call that did not get to the function or to its end.
func (s *run) late(t reflect.Type) []reflect.Value {
	if s.Late != nil && !engine.LastIsError(engine.Outs(t)) {
		s.Late(t.String())
	}
	return engine.OverResults(engine.Outs(t))
}

// inRun reports that the calling goroutine runs a script, which gets its panics. It goes through the
// stack, so it is asked only when there is one.
func inRun() bool { return gostack.Beneath("engine/yaegi.(*run).execute.func1") }
