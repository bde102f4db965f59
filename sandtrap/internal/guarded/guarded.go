// Package guarded makes functions whose calls a gate decides about.
//
// It may not decide about a call: that is the gate's. Only where a policy has no guard it refuses.
package guarded

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

var contextType = reflect.TypeFor[context.Context]()

// IsFunc reports that fn is a function.
func IsFunc(fn any) bool {
	v := reflect.ValueOf(fn)
	return v.Kind() == reflect.Func && !v.IsNil()
}

// Member describes fn for a guard. It reports false if that is no function.
func Member(name, pkg string, of any, params []string, a decide.Attributes) (decide.Member, bool) {
	if !IsFunc(of) {
		return decide.Member{}, false
	}
	fn := reflect.TypeOf(of)
	m := decide.Member{Name: name, Package: pkg, Variadic: fn.IsVariadic(), Results: engine.Outs(fn), Attributes: a}
	if m.Types = engine.Ins(fn); takesContext(fn) {
		m.Types = m.Types[1:]
	}
	for i := range m.Types {
		if i < len(params) {
			m.Params = append(m.Params, params[i])
		} else {
			m.Params = append(m.Params, "p"+strconv.Itoa(i))
		}
	}
	return m, true
}

// Describe describes the functions among members for a guard. Of gives the function of a member, or what else it is, with the names
// of its parameters and what it declares, which only functions may.
func Describe(members map[string]any, prefix, pkg string, of func(any) (fn any, params []string, a *decide.Attributes)) (list []decide.Member, err error) {
	for name, value := range members {
		fn, params, a := of(value)
		m, ok := Member(prefix+name, pkg, fn, params, *a)
		switch {
		case ok:
			list = append(list, m)
		case a.Declared():
			return nil, fmt.Errorf("%s%s: only functions declare a risk and their kin", prefix, name)
		}
	}
	return list, nil
}

// Guards reports that the gate decides about some of members. It sets asks if somebody may be asked about one.
func Guards(g decide.Gate, members []decide.Member, asks *bool) (some bool) {
	for i := range members {
		guards, may := g.Guards(members[i].Name)
		some, *asks = some || guards, *asks || may
	}
	return some
}

func takesContext(t reflect.Type) bool { return t.NumIn() > 0 && t.In(0) == contextType }

// Func is of, a function and a member of that name, with calls that are decided by the decide.Run in their context, which is its first
// parameter.
func Func(name string, of any) any {
	fn := reflect.ValueOf(of)
	t := fn.Type()
	in := engine.Ins(t)
	if !takesContext(t) {
		in = append([]reflect.Type{contextType}, in...)
	}
	outs := engine.Outs(t)
	whole := reflect.FuncOf(in, outs, t.IsVariadic())
	return reflect.MakeFunc(whole, func(args []reflect.Value) []reflect.Value {
		ctx := args[0].Interface().(context.Context)
		own := args
		if !takesContext(t) {
			own = args[1:]
		}
		do := func() []reflect.Value {
			call := fn.Call
			if t.IsVariadic() {
				call = fn.CallSlice
			}
			return Returned(call(own))
		}
		run := decide.RunOf(ctx)
		if run == nil {
			return refused(nil, outs, name, &decide.Denied{Code: decide.Inactive, Member: name, Reason: "it is called outside of a run"})
		}
		results, err := run.Call(ctx, name, Site(ctx), args[1:], do)
		if err != nil {
			return refused(run, outs, name, err)
		}
		return results
	}).Interface()
}

// Returned are the results of a call that has returned, for decide.Run: they are not nil.
func Returned(results []reflect.Value) []reflect.Value {
	if results == nil {
		return []reflect.Value{}
	}
	return results
}

// Hides reports that scripts are not to know of a member.
func Hides(g decide.Gate, name string) bool {
	no := g.Closed(name)
	return no != nil && no.Code == decide.Hidden
}

// refused is what the script gets of a call that was refused: its error, or the end of the run.
func refused(run decide.Run, outs []reflect.Type, name string, err error) []reflect.Value {
	d, ok := errors.AsType[*decide.Denied](err)
	if !ok { // a *decide.Deferred, in a run that cannot wait
		d = &decide.Denied{Code: decide.PolicyRefuses, Member: name, Reason: "it is answered later, and this run does not wait"}
	}
	if !engine.LastIsError(outs) {
		if run == nil {
			panic(d.Error())
		}
		run.Stop(d)
		results := make([]reflect.Value, len(outs))
		for i, t := range outs {
			results[i] = reflect.Zero(t)
		}
		return results
	}
	return engine.FailedResults(outs, errors.New(d.Error()))
}

type siteKey struct{}

// WithSite is ctx for the calls of a run: site gives the place of a call, on the goroutine of the script. With a nil site it
// says that somebody wants to know places.
func WithSite(ctx context.Context, site func() string) context.Context {
	return context.WithValue(ctx, siteKey{}, site)
}

// Site is the place in the script of the call with the context ctx, file:line, as far as it is known.
func Site(ctx context.Context) string {
	if at := script.CallOf(ctx).At; at != "" {
		return at
	}
	if site, _ := ctx.Value(siteKey{}).(func() string); site != nil {
		return site()
	}
	return ""
}

// Placed reports that somebody wants to know the places of calls with the context ctx.
func Placed(ctx context.Context) bool { return ctx.Value(siteKey{}) != nil }
