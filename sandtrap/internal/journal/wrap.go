package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

type runKey struct{}

// With is ctx with the run, for the functions of Wrap.
func With(ctx context.Context, r *Run) context.Context { return context.WithValue(ctx, runKey{}, r) }

// Without is ctx for runs that a function of the host makes, which have no part in the journal of the run that calls it.
func Without(ctx context.Context) context.Context { return engine.WithOrder(With(ctx, nil), nil) }

// Of is the run that ctx carries, or nil.
func Of(ctx context.Context) *Run {
	r, _ := ctx.Value(runKey{}).(*Run)
	return r
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// wrap is fn as a function whose calls are those of the Run in their context, and which has one as first parameter.
func wrap(name string, fn reflect.Value, params []string, errs *carry.Errors) (w *wrapped, own any, err error) {
	t := fn.Type()
	w = &wrapped{name: name, fn: fn, errs: errs, takesContext: t.NumIn() > 0 && t.In(0) == contextType}
	in := engine.Ins(t)
	if w.takesContext {
		in = in[1:]
	}
	for i, p := range in {
		if err := storable(p, nil); err != nil {
			return nil, nil, fmt.Errorf("parameter %d: %w", i+1, err)
		}
		if i < len(params) {
			w.params = append(w.params, params[i])
		} else {
			w.params = append(w.params, "p"+strconv.Itoa(i))
		}
	}
	outs := engine.Outs(t)
	if w.fails = engine.LastIsError(outs); w.fails {
		outs = outs[:len(outs)-1]
	}
	for i, out := range outs {
		if err := storable(out, nil); err != nil {
			return nil, nil, fmt.Errorf("result %d: %w", i+1, err)
		}
	}
	w.results, w.gone = outs, w.panicked(errGone)
	whole := reflect.FuncOf(slices.Concat([]reflect.Type{contextType}, in), engine.Outs(t), t.IsVariadic())
	return w, reflect.MakeFunc(whole, w.call).Interface(), nil
}

// A wrapped is a host function with a journal.
type wrapped struct {
	name         string
	fn           reflect.Value
	params       []string
	results      []reflect.Type // without the error
	errs         *carry.Errors
	takesContext bool
	fails        bool     // it has an error as last result
	guarded      bool     // calls are decided about
	asked        bool     // somebody may be asked about calls
	pauses       bool     // its result comes from elsewhere
	gone         *Outcome // of a call that ends its goroutine
}

func (w *wrapped) call(in []reflect.Value) []reflect.Value {
	ctx := in[0].Interface().(context.Context)
	r := Of(ctx)
	if r == nil {
		return w.failed(errors.New(w.name + " is called outside of the run that its journal is of"))
	}
	gone, live := w.gone, func() *Outcome { return w.decided(r.answered(ctx), in) }
	args, err := w.object(in[1:])
	if err != nil { // the journal has the reason instead
		err = fmt.Errorf("the arguments of %s cannot be written to the journal: %w", w.name, err)
		args, _ = json.Marshal(err.Error())
		gone, live = w.refused(err), nil
	}
	var noted *note
	if run := decide.RunOf(ctx); w.guarded && run != nil {
		noted = &note{run, w, in[1:]}
	}
	out := r.do(ctx, w.name, args, noted, gone, live)
	if out == nil {
		return w.failed(engine.ErrOver)
	}
	if out.Denied != "" {
		return w.deny(out.Denied)
	}
	results, err := w.returned(out)
	if err != nil {
		r.unfit(script.CallOf(ctx).Number, err)
		return w.failed(engine.ErrOver)
	}
	return results
}

// deny is what the script gets of a call that is refused: its error, or the end of the run.
func (w *wrapped) deny(reason string) []reflect.Value {
	if w.fails {
		return w.failed(errors.New(reason))
	}
	panic(&gates.Stop{Reason: gates.Denied, Message: reason})
}

// A note has the rules of a run keep count of a call that was decided before. A nil note is of one that is not decided about.
type note struct {
	run  decide.Run
	of   *wrapped
	args []reflect.Value
}

// begun says that the call begins; spent, that its cost counts.
func (n *note) begun(spent bool) {
	if n != nil {
		n.run.Repeat(n.of.name, n.args, spent)
	}
}

// returned says that the call returns, and gives its outcome, of which rules may withhold the results.
func (n *note) returned(out *Outcome) *Outcome {
	switch {
	case n == nil || !out.made():
		return out
	case out.Panic != "":
		_ = n.run.Return(n.of.name, n.args, nil) // there is nothing to be withheld
		return out
	}
	results, err := n.of.read(out)
	if err != nil {
		return out // who reads it finds out
	}
	if err := n.run.Return(n.of.name, n.args, results); err != nil {
		return out.withheld(err)
	}
	return out
}

// made reports that the call has returned, and was not refused before.
func (o *Outcome) made() bool { return o.Denied == "" || len(o.Result) > 0 }

// withheld is the outcome of a call whose results the script does not get.
func (o *Outcome) withheld(why error) *Outcome {
	return &Outcome{Result: o.Result, Err: o.Err, Denied: why.Error()}
}

// decided calls the function, if the run of ctx allows that.
func (w *wrapped) decided(ctx context.Context, in []reflect.Value) (out *Outcome) {
	if !w.guarded {
		return w.live(in)
	}
	run := decide.RunOf(ctx)
	if run == nil {
		return w.refused(errors.New(w.name + " is called outside of a run"))
	}
	defer func() {
		if p := recover(); p != nil && p != any(errPanicked) {
			panic(p)
		}
	}()
	_, err := run.Call(ctx, w.name, script.CallOf(ctx).At, in[1:], func() []reflect.Value {
		if w.pauses {
			out = &Outcome{Waits: true}
			return nil
		}
		if out = w.live(in); out.Panic != "" {
			panic(errPanicked) // whoever decides is to know
		}
		results, _ := w.read(out)
		return results
	})
	if out != nil && out.Waits {
		return out
	}
	if later, ok := errors.AsType[*decide.Deferred](err); ok {
		return &Outcome{Waits: true, Ask: *later}
	}
	switch {
	case err != nil && out != nil:
		return out.withheld(err)
	case err != nil:
		return &Outcome{Denied: err.Error()}
	}
	return out
}

// read are the results of an outcome that is none of a panic, with the error. They are not nil.
func (w *wrapped) read(out *Outcome) ([]reflect.Value, error) {
	values, err := w.values(out.Result)
	switch {
	case err != nil:
		return nil, err
	case w.fails:
		values = append(values, w.failure(out))
	case out.Err != "":
		return nil, fmt.Errorf("the journal has an error of %s, which returns none", w.name)
	}
	return values, nil
}

// failure is the error of an outcome, as a result.
func (w *wrapped) failure(out *Outcome) reflect.Value {
	e := reflect.New(errorType).Elem()
	if out.Err != "" {
		e.Set(reflect.ValueOf(w.errs.ReadError(out.Err)))
	}
	return e
}

// errPanicked is the panic of a call that has panicked, on its way through who decides about it.
var errPanicked = errors.New("journal: the call has panicked")

// errGone is the panic of a call whose function has ended its goroutine.
var errGone = errors.New("a function of the host ended its goroutine")

func (w *wrapped) panicked(p any) *Outcome {
	return &Outcome{Panic: w.errs.PanicText(w.errs.NewPanic(p))}
}

// refused is the outcome of a call that could not be made.
func (w *wrapped) refused(err error) *Outcome {
	if w.fails {
		return &Outcome{Err: w.errs.ErrorText(errors.New(err.Error()))}
	}
	return w.panicked(err.Error())
}

// object is the JSON object of arguments.
func (w *wrapped) object(args []reflect.Value) (json.RawMessage, error) {
	b := []byte{'{'}
	for i, arg := range args {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, w.params[i]), ':')
		var err error
		if b, err = appendJSON(b, arg); err != nil {
			return nil, fmt.Errorf("%s: %w", w.params[i], err)
		}
	}
	return append(b, '}'), nil
}

// appendJSON appends v as encoding/json writes it.
func appendJSON(b []byte, v reflect.Value) (_ []byte, err error) {
	if b, ok := appendBasic(b, v); ok {
		return b, nil
	}
	defer caught(&err)
	to := bytes.NewBuffer(b)
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.Interface()); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(to.Bytes(), []byte("\n")), nil
}

// caught, deferred, makes err of a panic of a method of a value.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("a method panics with a %T", p)
	}
}

// live calls the function.
func (w *wrapped) live(in []reflect.Value) (out *Outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = w.panicked(p)
		}
	}()
	if w.takesContext {
		ctx := Without(in[0].Interface().(context.Context))
		in = append([]reflect.Value{reflect.ValueOf(&ctx).Elem()}, in[1:]...)
	} else {
		in = in[1:]
	}
	call := w.fn.Call
	if w.fn.Type().IsVariadic() {
		call = w.fn.CallSlice
	}
	out, err := w.outcome(call(in))
	if err == nil {
		_, err = w.values(out.Result) // which have to be read again
	}
	if err != nil {
		return w.refused(fmt.Errorf("a result of %s cannot be written to the journal: %w", w.name, err))
	}
	return out
}

// outcome is that of a call with these results.
func (w *wrapped) outcome(results []reflect.Value) (*Outcome, error) {
	out := &Outcome{}
	if n := len(w.results); w.fails {
		if err, _ := results[n].Interface().(error); err != nil {
			out.Err = w.errs.ErrorText(err)
		}
		results = results[:n]
	}
	b := []byte{'['}
	for i, v := range results {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendJSON(b, v); err != nil {
			return nil, err
		}
	}
	out.Result = append(b, ']')
	return out, nil
}

// returned is what the script gets of an outcome, of whatever source. The error is that it does not fit the function.
func (w *wrapped) returned(out *Outcome) ([]reflect.Value, error) {
	if out.Panic != "" {
		w.errs.ReadPanic(out.Panic).Raise()
	}
	return w.read(out)
}

// wanted says what an answer has.
func (w *wrapped) wanted() string {
	switch n := len(w.results); n {
	case 0:
		return "null"
	case 1:
		return "a value of type " + typeText(w.results[0])
	default:
		var list []string
		for _, t := range w.results {
			list = append(list, typeText(t))
		}
		return fmt.Sprintf("an array of %d values, of types %s", n, strings.Join(list, ", "))
	}
}

// values are the results in an array of JSON; none are zero values. They are not nil.
func (w *wrapped) values(text json.RawMessage) (values []reflect.Value, err error) {
	if v, ok := w.basic(text); ok {
		return v, nil
	}
	defer caught(&err)
	var list []json.RawMessage
	if len(text) > 0 {
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("the result of %s is no array", w.name)
		}
		if len(list) != len(w.results) {
			return nil, fmt.Errorf("the result of %s has %d values, and the function %d", w.name, len(list), len(w.results))
		}
	}
	values = make([]reflect.Value, 0, len(w.results)+1) // and the error
	for i, t := range w.results {
		v := reflect.New(t)
		if i < len(list) {
			if err := Strict(list[i], v.Interface()); err != nil {
				return nil, fmt.Errorf("result %d of %s: %w", i+1, w.name, unread(err))
			}
		}
		values = append(values, v.Elem())
	}
	return values, nil
}

// basic is values for one result of a basic type.
func (w *wrapped) basic(text []byte) ([]reflect.Value, bool) {
	if len(w.results) != 1 || len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, false
	}
	v := reflect.New(w.results[0]).Elem()
	return []reflect.Value{v}, readBasic(text[1:len(text)-1], v)
}

// failed is what the script gets of a call that could not be made.
func (w *wrapped) failed(err error) []reflect.Value {
	outs := engine.Outs(w.fn.Type())
	if !engine.LastIsError(outs) {
		panic(err.Error())
	}
	return engine.FailedResults(outs, err)
}
