package builtins

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// A Function is a function of the host's with what is special about it.
type Function struct {
	Fn any

	// Blocking: it may take long, for something that is not the processor's. A call runs
	// on a goroutine of its own, and the other goroutines of the script go on.
	Blocking bool

	// Context: scripts give its leading context.Context themselves.
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
			if t := entangled(rv.Type().In(i), map[reflect.Type]bool{}); t != nil {
				return Member{}, fmt.Errorf("a blocking function cannot take %v: the script could use what it leads to at the same time", t)
			}
		}
	}
	return Member{Name: name, Value: f.Fn, blocking: f.Blocking, context: f.Context}, nil
}

// function is the value of a row that is a function, for one run.
func (p *pkg) function(env *Env, row *Member) reflect.Value {
	v := row.value(env)
	if row.blocking {
		v = env.besides(v)
	}
	if row.context {
		return env.takingContext(v, row.grants)
	}
	return p.withContext(env, v, 0, row.grants)
}

// besides is fn run beside the tasks of the script.
func (e *Env) besides(fn reflect.Value) reflect.Value {
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		for i := range args {
			args[i] = e.detached(args[i], 0)
		}
		if e.Tasks == nil {
			return call(fn, args)
		}
		var results []reflect.Value
		e.Tasks.Beside(func() { results = call(fn, args) })
		return results
	})
}

// takingContext is fn, which gets a context of Go's for the script's. That one ends with
// the call and the run too, and has the values of the host's.
func (e *Env) takingContext(fn reflect.Value, grants string) reflect.Value {
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		ctx, _ := args[0].Interface().(context.Context)
		if ctx == nil {
			ctx = contextBackground()
		}
		own, cancel := e.hostContext(ctx)
		defer cancel()
		in := append([]reflect.Value{reflect.New(args[0].Type()).Elem()}, args[1:]...)
		in[0].Set(reflect.ValueOf(Grant(own, grants)))
		return call(fn, in)
	})
}

// lentContext is a context of Go's that ends when one of the script's does, or the run.
type lentContext struct {
	context.Context
	of *cancelCtx // which ends with that of the script's
}

func (c lentContext) Deadline() (time.Time, bool) {
	own, ok := c.Context.Deadline()
	if d, has := c.of.Deadline(); has && (!ok || d.Before(own)) {
		return d, true
	}
	return own, ok
}

func (c lentContext) Err() error {
	err := c.Context.Err()
	if of := c.of.Err(); err != nil && of != nil {
		return of
	}
	return err
}

// A lentEnd ends what the host has of c.
type lentEnd struct {
	c      *cancelCtx
	cancel context.CancelCauseFunc
}

func (l *lentEnd) Do() { l.cancel(contextCause(l.c)) }

// hostContext lends ctx to the host until end is called.
func (e *Env) hostContext(ctx context.Context) (lent context.Context, end func()) {
	out, cancel := context.WithCancelCause(e.context())
	c := e.untoldCancelCtx(ctx)
	c.then = &lentEnd{c, cancel}
	c.follow()
	return lentContext{out, c}, func() { c.cancel(context.Canceled, nil) }
}

// counted is fn, a member, with what each call of it costs, and of which the run is told.
func (p *pkg) counted(env *Env, r Ref, fn reflect.Value) reflect.Value {
	return p.told(env, r, p.holding(env, r, fn))
}

// told is fn, a member of the host's own, of whose calls the run is told.
func (p *pkg) told(env *Env, r Ref, fn reflect.Value) reflect.Value {
	if !p.own || env == nil || env.Called == nil || !fn.IsValid() {
		return fn
	}
	name := strings.TrimPrefix(r.String(), predeclaredPath+".")
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		env.Called(name)
		return call(fn, args)
	})
}
