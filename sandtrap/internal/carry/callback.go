package carry

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/internal/stack"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Functions of the worker that are arguments of a call of the host can be called for as long
// as the run goes on, while the worker waits for any call of the host: it is that which asks
// for it. The host has them by number.

// A Thrown is what a function of the worker panicked with: the host's function panics with it,
// and the call of that is to go on with it in the worker.
type Thrown struct {
	Number uint64
	of     *Objects
}

func (t *Thrown) Error() string { return "a function of the script panicked" }

// An Ask has the worker call one of its functions. It is engine.ErrOver if nothing waits there
// any more.
type Ask func(number uint64, args []byte) (results []byte, err error)

// An asking is a call of the host that goes on.
type asking struct {
	ask    Ask
	beside bool
	thrown atomic.Pointer[Thrown] // on another goroutine of the host
}

// EncodeCallback writes the type of a function of the worker's.
func (t *Types) EncodeCallback(b []byte, ft reflect.Type, path string) (_ []byte, err error) {
	variadic := uint64(0)
	if ft.IsVariadic() {
		variadic = 1
	}
	b = head(head(b, majorArray, uint64(3+ft.NumIn()+ft.NumOut())), majorUint, typeFunc)
	b = head(head(b, majorUint, uint64(ft.NumIn())), majorUint, variadic)
	for i := range ft.NumIn() {
		if b, err = t.handles().appendType(b, ft.In(i), fmt.Sprintf("%s (parameter %d)", path, i+1), 1); err != nil {
			return nil, err
		}
	}
	for i := range ft.NumOut() {
		if b, err = t.handles().appendType(b, ft.Out(i), fmt.Sprintf("%s (result %d)", path, i+1), 1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// callback writes a function of the worker's.
func (w *writer) callback(v reflect.Value, path string) error {
	if v.IsNil() {
		w.b = append(w.b, majorSimple<<5|simpleNil)
		return nil
	}
	if w.handles == nil || w.handles.Objects == nil || w.handles.Objects.here {
		return w.basic(v, path)
	}
	o := w.handles.Objects
	if len(o.funcs) >= maxObjects {
		return &KindError{path, v.Type().String(), "is one more than the functions that a run may give its host"}
	}
	w.b = head(w.b, majorUint, uint64(len(o.funcs)))
	o.funcs = append(o.funcs, v)
	return nil
}

// callback reads one: the host's calls the worker's.
func (r *reader) callback(v reflect.Value) {
	if r.null() {
		return
	}
	if r.handles == nil || r.handles.Objects == nil || !r.handles.Objects.here {
		fail("a function")
	}
	v.Set(r.farFunc(r.want(majorUint), v.Type()))
}

// farFunc is function n of the worker for the host.
func (r *reader) farFunc(n uint64, t reflect.Type) reflect.Value {
	r.alloc(1, handleSize)
	h := r.handles
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		results, err := h.askFor(n, t, args)
		if err != nil {
			return h.Objects.uncalled(t.String(), engine.Outs(t), err)
		}
		return results
	})
}

// uncalled is what code of the host is given that calls name, with results of these types, where the
// call went wrong. Panics are for code that a script has called, which hands them on to that: on
// another goroutine they would end the host. Where the results do not tell it the host is told.
func (o *Objects) uncalled(name string, types []reflect.Type, err error) []reflect.Value {
	if thrown, ok := errors.AsType[*Thrown](err); ok {
		if invoked() {
			panic(thrown)
		}
		o.endWith(thrown)
		err = engine.ErrOver
	}
	if !engine.LastIsError(types) {
		if invoked() { // and the end of the run ends that call, which may go on for ever otherwise
			panic(err.Error())
		}
		if o.Uncalled != nil {
			o.Uncalled(name, err)
		}
	}
	return engine.FailedResults(types, err)
}

// endWith has the calls of the host that go on end with thrown: the script goes on with that.
func (o *Objects) endWith(thrown *Thrown) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, on := range o.asks {
		on.thrown.CompareAndSwap(nil, thrown)
	}
}

// invoked reports that the calling goroutine is in a call of a function of the host's: Invoke gets
// what it panics with. Only who calls it can tell, and nobody asks but where something went wrong.
func invoked() bool { return stack.Beneath("carry.(*Handles).Invoke") }

// askFor has the worker call its function n.
func (h *Handles) askFor(n uint64, t reflect.Type, args []reflect.Value) ([]reflect.Value, error) {
	h.Objects.mu.Lock()
	asks := slices.Clone(h.Objects.asks)
	h.Objects.mu.Unlock()
	for _, on := range slices.Backward(asks) {
		body, err := h.sayValues(on.beside, args)
		if err == nil {
			body, err = on.ask(n, body)
		}
		if errors.Is(err, engine.ErrOver) {
			continue
		}
		if thrown, ok := errors.AsType[*Thrown](err); ok {
			return nil, &Thrown{thrown.Number, h.Objects}
		}
		if err != nil {
			return nil, err
		}
		room := int64(MaxCall)
		results, _, err := h.hearValues(on.beside, body, engine.Outs(t), &room)
		return results, err
	}
	return nil, engine.ErrOver
}

// asking says that a call of the host goes on, until done.
func (o *Objects) asking(on *asking) (done func()) {
	if o == nil || on.ask == nil {
		return func() {}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asks = append(o.asks, on)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.asks = slices.DeleteFunc(o.asks, func(a *asking) bool { return a == on })
	}
}

// CallBack calls a function of the worker's, for the host: it is Invoke for that.
func (h *Handles) CallBack(n uint64, beside bool, args []byte) (results []byte, err error) {
	o := h.Objects
	o.mu.Lock()
	var fn reflect.Value
	if n < uint64(len(o.funcs)) {
		fn = o.funcs[n]
	}
	o.mu.Unlock()
	if !fn.IsValid() {
		return nil, fmt.Errorf("there is no function %d", n)
	}
	room := int64(MaxCall)
	in, _, err := h.hearValues(beside, args, engine.Ins(fn.Type()), &room)
	if err != nil {
		return nil, err
	}
	return h.sayValues(beside, callWith(fn, in))
}
