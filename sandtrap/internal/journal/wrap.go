package journal

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

type runKey struct{}

// With is ctx with the run, for the functions of Wrap.
func With(ctx context.Context, r *Run) context.Context { return context.WithValue(ctx, runKey{}, r) }

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
	w.results = outs
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
	fails        bool // it has an error as last result
}

func (w *wrapped) call(in []reflect.Value) []reflect.Value {
	ctx := in[0].Interface().(context.Context)
	r := Of(ctx)
	if r == nil {
		return w.failed(errors.New(w.name + " is called outside of the run that its journal is of"))
	}
	args, err := w.object(in[1:])
	if err != nil {
		return w.failed(fmt.Errorf("the arguments of %s cannot be written to the journal: %w", w.name, err))
	}
	out := r.do(ctx, w.name, args, func() *Outcome { return w.live(in) })
	if out == nil {
		return w.failed(engine.ErrOver)
	}
	return w.returned(out)
}

// object is the JSON object of arguments.
func (w *wrapped) object(args []reflect.Value) (json.RawMessage, error) {
	b := []byte{'{'}
	for i, arg := range args {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, w.params[i]), ':')
		text, err := marshal(arg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.params[i], err)
		}
		b = append(b, text...)
	}
	return append(b, '}'), nil
}

func marshal(v reflect.Value) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.Interface()); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// live calls the function.
func (w *wrapped) live(in []reflect.Value) (out *Outcome) {
	returned := false
	defer func() {
		if p := recover(); !returned {
			out = &Outcome{Panic: w.errs.PanicText(w.errs.NewPanic(p))}
		}
	}()
	if !w.takesContext {
		in = in[1:]
	}
	call := w.fn.Call
	if w.fn.Type().IsVariadic() {
		call = w.fn.CallSlice
	}
	results := call(in)
	returned = true
	return w.outcome(results)
}

// outcome is that of a call with these results.
func (w *wrapped) outcome(results []reflect.Value) *Outcome {
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
		text, err := marshal(v)
		if err != nil {
			return &Outcome{Panic: w.errs.PanicText(w.errs.NewPanic(fmt.Sprintf("a result of %s cannot be written to the journal: %v", w.name, err)))}
		}
		b = append(b, text...)
	}
	out.Result = append(b, ']')
	return out
}

// returned is what the script gets of an outcome, of whatever source.
func (w *wrapped) returned(out *Outcome) []reflect.Value {
	if out.Panic != "" {
		w.errs.ReadPanic(out.Panic).Raise()
	}
	values, err := w.values(out.Result)
	if err != nil {
		return w.failed(err)
	}
	if w.fails {
		e := reflect.New(errorType).Elem()
		if out.Err != "" {
			e.Set(reflect.ValueOf(w.errs.ReadError(out.Err)))
		}
		values = append(values, e)
	}
	return values
}

// values are the results in an array of JSON; none are zero values.
func (w *wrapped) values(text json.RawMessage) ([]reflect.Value, error) {
	var list []json.RawMessage
	if len(text) > 0 {
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("the result of %s in the journal: %w", w.name, err)
		}
		if len(list) != len(w.results) {
			return nil, fmt.Errorf("the result of %s in the journal has %d values, and the function %d", w.name, len(list), len(w.results))
		}
	}
	values := make([]reflect.Value, 0, len(w.results)+1)
	for i, t := range w.results {
		v := reflect.New(t)
		if i < len(list) {
			if err := strict(list[i], v.Interface()); err != nil {
				return nil, fmt.Errorf("result %d of %s: %w", i+1, w.name, err)
			}
		}
		values = append(values, v.Elem())
	}
	return values, nil
}

// failed is what the script gets of a call that could not be made.
func (w *wrapped) failed(err error) []reflect.Value {
	outs := engine.Outs(w.fn.Type())
	if !engine.LastIsError(outs) {
		panic(err.Error())
	}
	return engine.FailedResults(outs, err)
}

// storable is the error for a type whose values JSON does not keep. JSON makes numbers in values of type any float64.
func storable(t reflect.Type, within []reflect.Type) error {
	if slices.Contains(within, t) {
		return nil
	}
	within = append(within, t)
	if own := reflect.PointerTo(t); own.Implements(reflect.TypeFor[json.Marshaler]()) && own.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		own.Implements(reflect.TypeFor[encoding.TextMarshaler]()) && own.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return nil
	}
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return fmt.Errorf("a journal cannot hold a value of type %v", t)
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return fmt.Errorf("a journal cannot hold a value of type %v", t)
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return storable(t.Elem(), within)
	case reflect.Map:
		if k := t.Key().Kind(); k != reflect.String && !(reflect.Int <= k && k <= reflect.Uintptr) {
			return fmt.Errorf("a journal cannot hold a map with keys of type %v", t.Key())
		}
		return storable(t.Elem(), within)
	case reflect.Struct:
		for f := range made.Fields(t) {
			if !f.IsExported() || f.Tag.Get("json") == "-" {
				return fmt.Errorf("a journal cannot hold a value of type %v: JSON has no field %s", t, f.Name)
			}
			if err := storable(f.Type, within); err != nil {
				return err
			}
		}
	}
	return nil
}
