package carry

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

var contextType = reflect.TypeFor[context.Context]()

// takesContext says whether the first parameter is a context, which each process has
// its own of.
func takesContext(t reflect.Type) bool { return t.NumIn() > 0 && t.In(0) == contextType }

// EncodeFunc writes the type of a function whose calls can cross. An error is a
// *KindError. Struct types that are mentioned become some of t; a nil *Types has none.
func (all *Types) EncodeFunc(t reflect.Type) (b []byte, err error) {
	h := all.handles()
	first := 0
	if takesContext(t) {
		first = 1
	}
	b = head(b, majorArray, uint64(2+t.NumIn()-first+t.NumOut()))
	b = head(b, majorUint, uint64(t.NumIn()-first))
	variadic := uint64(0)
	if t.IsVariadic() {
		variadic = 1
	}
	b = head(b, majorUint, variadic)
	h.callbacks = true
	for i := first; i < t.NumIn(); i++ {
		if b, err = h.appendType(b, t.In(i), fmt.Sprintf(" of parameter %d", i+1), 0); err != nil {
			return nil, err
		}
	}
	h.callbacks = false
	for i := range t.NumOut() {
		if b, err = h.appendType(b, t.Out(i), fmt.Sprintf(" of result %d", i+1), 0); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// A Side is what one process has of the other's for the functions of a plan.
type Side struct {
	Types   *Types
	Handles func() *Handles        // those of the run that goes on
	Context func() context.Context // likewise
}

// Stub makes a function of the type that EncodeFunc wrote. Each of its calls is one of
// call, with the arguments or why they cannot be written; what that returns are the results. An error becomes the last
// result if that is an error, else a panic; a *Panic is a panic always. Calls beside the
// script are those of a function that it goes on during: they may begin, or have written their arguments, when
// their run is over and another goes on. So such a function takes a context, which is that of its run.
func (s *Side) Stub(typ []byte, beside bool, call func(ctx context.Context, args []byte, unsaid error) ([]byte, error)) (fn any, err error) {
	defer caught(&err)
	t := (&reader{handles: s.Types.handles(), data: typ}).funcType()
	own := t
	if beside {
		own = reflect.FuncOf(append([]reflect.Type{contextType}, engine.Ins(t)...), engine.Outs(t), t.IsVariadic())
	}
	v := reflect.MakeFunc(own, func(args []reflect.Value) []reflect.Value {
		var ctx context.Context
		if beside {
			ctx, args = args[0].Interface().(context.Context), args[1:]
		} else {
			ctx = s.Context()
		}
		h := s.Handles()
		body, err := h.sayValues(beside, args)
		body, err = call(ctx, body, err)
		if err == nil {
			var results []reflect.Value
			room := int64(MaxCall)
			if results, _, err = h.hearValues(beside, body, engine.Outs(t), &room); err == nil {
				return results
			}
		}
		return failed(t, err)
	})
	return v.Interface(), nil
}

func (r *reader) funcType() reflect.Type { return r.signature(r.count()) }

// signature reads what a function type is made of, n items.
func (r *reader) signature(n int) reflect.Type {
	params := int(r.want(majorUint))
	variadic := r.want(majorUint) == 1
	if n < 2 || params < 0 || params > n-2 {
		fail("a function of %d parts", n)
	}
	in, out := []reflect.Type{}, []reflect.Type{}
	for i := range n - 2 {
		if i < params {
			in = append(in, r.part())
		} else {
			out = append(out, r.part())
		}
	}
	return reflect.FuncOf(in, out, variadic)
}

// MaxCall is how many bytes of memory the arguments of all calls of a run that go on may take, and the
// results of one; and the objects that the other side has told of.
const MaxCall = 256 << 20

func (h *Handles) sayValues(beside bool, values []reflect.Value) ([]byte, error) {
	return h.say(beside, func(w *writer) error {
		w.listed = h != nil && h.Objects != nil && h.Objects.here
		w.b = head(w.b, majorArray, uint64(len(values)))
		for i, v := range values {
			if err := w.value(v, " "+strconv.Itoa(i+1)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (h *Handles) hearValues(beside bool, data []byte, types []reflect.Type, room *int64) (values []reflect.Value, used int64, err error) {
	used, err = h.hear(data, room, beside, func(r *reader) {
		if r.count() != len(types) {
			fail("not %d values", len(types))
		}
		for _, t := range types {
			v := reflect.New(t).Elem()
			r.value(v)
			values = append(values, v)
		}
	})
	return values, used, err
}

// failed is what a call of the host's returns, in the worker, that went wrong.
func failed(t reflect.Type, err error) []reflect.Value {
	if p, isPanic := errors.AsType[*Panic](err); isPanic {
		p.Raise()
	}
	if !engine.LastIsError(engine.Outs(t)) {
		panic(err.Error())
	}
	return engine.FailedResults(engine.Outs(t), err)
}

// Invoke calls fn with arguments that a Stub of its type has written, and writes its
// results. If it panics, the error is a *Panic, or the *Thrown that ask gave: by that it calls
// functions among the arguments.
func (h *Handles) Invoke(ctx context.Context, fn any, beside bool, ask Ask, args []byte) (results []byte, err error) {
	v := reflect.ValueOf(fn)
	t := v.Type()
	types, in := []reflect.Type{}, []reflect.Value{}
	for i := range t.NumIn() {
		if i > 0 || !takesContext(t) {
			types = append(types, t.In(i))
		}
	}
	on := &asking{ask: ask, beside: beside}
	if h != nil {
		defer h.Objects.asking(on)()
	}
	values, giveBack, err := h.hearArgs(beside, args, types)
	defer giveBack()
	if err != nil {
		return nil, err
	}
	if takesContext(t) {
		in = append(in, reflect.ValueOf(&ctx).Elem())
	}
	in = append(in, values...)
	defer func() {
		switch p := recover().(type) {
		case nil:
			if thrown := on.thrown.Load(); thrown != nil {
				results, err = nil, thrown
			}
		case *Thrown:
			results, err = nil, p
			if p.of != h.objects() { // of another run, of which this one's worker knows nothing
				results, err = nil, h.known().NewPanic(p)
			}
		default:
			results, err = nil, h.known().NewPanic(p)
		}
	}()
	return h.sayValues(beside, callWith(v, in))
}

// hearArgs reads the arguments of a call, which are held until giveBack.
func (h *Handles) hearArgs(beside bool, args []byte, types []reflect.Type) (values []reflect.Value, giveBack func(), err error) {
	o := h.objects()
	if o == nil {
		room := int64(MaxCall)
		values, _, err = h.hearValues(beside, args, types, &room)
		return values, func() {}, err
	}
	values, used, err := h.hearValues(beside, args, types, &o.calls)
	return values, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.calls += used
	}, err
}

// Func is the type of fn if it is a function.
func Func(fn any) (t reflect.Type, ok bool) {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil, false
	}
	return v.Type(), true
}
