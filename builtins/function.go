package builtins

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimcontext "github.com/sandtrap-go/sandtrap/builtins/internal/shim/context"
	shimruntime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/runtime"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// A Function is a host function with attributes.
type Function struct {
	Fn any

	// Blocking: it may wait long, for something other than the processor. A call runs on a
	// goroutine of its own, and the other goroutines of the script continue.
	Blocking bool

	// Context: scripts pass its leading context.Context themselves.
	Context bool
}

// row makes the row of a Function.
func (f Function) row(name string) (Member, error) {
	rv := reflect.ValueOf(f.Fn)
	if rv.Kind() != reflect.Func || rv.IsNil() {
		return Member{}, fmt.Errorf("%T is not a function", f.Fn)
	}
	if f.Context && !takesContext(rv.Type(), 0) {
		return Member{}, fmt.Errorf("%v has no context.Context as its first parameter", rv.Type())
	}
	if f.Blocking {
		for i := range rv.Type().NumIn() {
			if t := aliased(rv.Type().In(i), map[reflect.Type]bool{}); t != nil {
				return Member{}, fmt.Errorf("a blocking function cannot take %v: the script could use what it leads to at the same time", t)
			}
		}
	}
	return Member{Name: name, Value: f.Fn, Own: &rows.Own{Blocking: f.Blocking, Context: f.Context}}, nil
}

// function is the value of a row that is a function, for one run.
func (p *pkg) function(env *Env, row *Member) bound {
	v := shimValue(row, env)
	if row.Special().Blocking {
		v = besides(env, v)
	}
	if row.Special().Context {
		return bound{fn: takingContext(env, v, row.Special().Grants)}
	}
	return p.withContext(env, v, 0, row.Special().Grants)
}

// besides is fn run beside the tasks of the script.
func besides(e *Env, fn reflect.Value) reflect.Value {
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		for i := range args {
			args[i] = copiedArg(e, args[i], 0)
		}
		if e.Tasks == nil {
			return call(fn, args)
		}
		var results []reflect.Value
		at := ""
		if e.Ordered {
			at = CallSite(e)
		}
		e.Tasks.Beside(func(n int) {
			if e.Ordered {
				args = numbered(args, script.Call{Number: n, At: at})
			}
			results = call(fn, args)
		})
		return results
	})
}

// CallSite is where the script of e calls the host, file:line, as far as its engine can tell. It is for the goroutine of the
// script.
func CallSite(e *Env) (at string) { return shimruntime.CallSite(e) }

// numbered are the arguments of a call, of which the first, if it is a context, says which call it is.
func numbered(args []reflect.Value, c script.Call) []reflect.Value {
	if len(args) == 0 || args[0].Type() != contextType {
		return args
	}
	ctx, _ := args[0].Interface().(context.Context)
	ctx = script.WithCall(ctx, c)
	return append([]reflect.Value{reflect.ValueOf(&ctx).Elem()}, args[1:]...)
}

// takingContext is fn, which gets a context of Go's for the script's. That one ends with
// the call and the run too, and has the values of the host's.
func takingContext(e *Env, fn reflect.Value, grants string) reflect.Value {
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		ctx, _ := args[0].Interface().(context.Context)
		if ctx == nil {
			ctx = shimcontext.Background()
		}
		own, cancel := shimcontext.Lent(e, ctx)
		defer cancel()
		in := append([]reflect.Value{reflect.New(args[0].Type()).Elem()}, args[1:]...)
		in[0].Set(reflect.ValueOf(Grant(own, grants)))
		return call(fn, in)
	})
}

// counted is fn, a member, with what each call of it costs, and of which the run is told.
func (p *pkg) counted(env *Env, r Ref, fn bound) bound {
	return p.told(env, r, p.holding(env, r, fn))
}

// told is fn, a member of the host's own, of whose calls the run is told, and of their ends.
func (p *pkg) told(env *Env, r Ref, fn bound) bound {
	if !p.OfHost || env == nil || env.Called == nil || !fn.fn.IsValid() {
		return fn
	}
	name := strings.TrimPrefix(r.String(), predeclaredPath+".")
	row := p.row(r.Name)
	waits := r.Owner != "" || row == nil || !row.Special().Blocking
	return withBody(fn.fn.Type(), func(args []reflect.Value) []reflect.Value {
		defer env.Called(name, waits)()
		return fn.call(args)
	})
}
