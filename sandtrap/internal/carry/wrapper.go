package carry

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A Value is a value of a script, as a wrapper gets it.
type Value interface {
	Call(method string, args ...any) []any
	ScriptValue() any
}

// A scripted is one, or a wrapper of one, or what can only be given back.
type scripted interface{ ScriptValue() any }

// An uncalled is a value of a script that was shown as no interface.
type uncalled struct{ scripted }

func (uncalled) Call(method string, _ ...any) []any {
	panic("no wrapper for the method " + method)
}

// A wrapped is a value of a script that is to be an interface of the host's.
type wrapped struct{ Value }

// A farScript is one that a worker has, by the number of the function that calls its methods.
type farScript struct {
	of     *Objects
	number uint64
	as     reflect.Type // an interface of the host's; nil if it is none
	call   func(args []reflect.Value) ([]reflect.Value, error)
}

// farCall is the type of the function that calls them.
type farCall = func(method string, args []any) []any

func (f *farScript) Call(method string, args ...any) []any {
	results, err := f.call([]reflect.Value{reflect.ValueOf(method), reflect.ValueOf(args)})
	if err == nil {
		return results[0].Interface().([]any)
	}
	var types []reflect.Type
	if m, ok := f.method(method); ok {
		types = engine.Outs(m.Type)
	}
	var list []any
	for _, r := range f.of.uncalled(method, types, err) {
		list = append(list, r.Interface())
	}
	return list
}

func (f *farScript) method(name string) (m reflect.Method, ok bool) {
	if f.as == nil {
		return m, false
	}
	return f.as.MethodByName(name)
}

func (f *farScript) ScriptValue() any { return f }

// Wrap has fn, a wrapper of the host's, show values of scripts as an interface; n is the number of
// that.
func (t *Types) Wrap(fn any) (n int, err error) {
	v := reflect.ValueOf(fn)
	it := v.Type().Out(0)
	n, ok := t.at[it]
	if !ok {
		return 0, fmt.Errorf("%v cannot be copied between host and worker: the interface is no member of Packages", it)
	}
	if t.wraps == nil {
		t.wraps = map[reflect.Type]reflect.Value{}
	}
	t.wraps[it] = v
	return n, nil
}

// Wrapper is that of the worker for the interface with number n.
func (t *Types) Wrapper(n int) any {
	ft := reflect.FuncOf([]reflect.Type{reflect.TypeFor[Value]()}, []reflect.Type{t.list[n].typ}, false)
	return reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
		v := reflect.New(ft.Out(0)).Elem()
		v.Set(reflect.ValueOf(&wrapped{args[0].Interface().(Value)}))
		return []reflect.Value{v}
	}).Interface()
}

// called calls a method for the host, to which other values of the script are only lent.
func (v *wrapped) called(method string, args []any) []any {
	results := v.Call(method, args...)
	for i, r := range results {
		if s, ok := r.(scripted); ok {
			if _, ok := r.(*wrapped); !ok {
				results[i] = &wrapped{uncalled{s}}
			}
		}
	}
	return results
}

// isScripted reports that v is written as the number of a value of the script's.
func (w *writer) isScripted(v any) (s scripted, ok bool) {
	if s, ok = v.(*wrapped); ok {
		return s, true
	}
	if o := w.handles.objects(); o == nil || !o.here {
		return nil, false
	}
	s, ok = v.(scripted)
	return s, ok
}

// scripted writes a value of the script's that is an interface of the host's, or was.
func (w *writer) scripted(s scripted, path string) error {
	o := w.handles.objects()
	if far, ok := s.ScriptValue().(*farScript); ok && far.of == o {
		w.b = head(head(w.b, majorArray, 1), majorUint, far.number)
		return nil
	}
	own, ok := s.(*wrapped)
	if !ok || o == nil || o.here {
		return &KindError{path, reflect.TypeOf(s).String(), "is a value of another run"}
	}
	n, known := o.numbers[own]
	if !known {
		if len(o.funcs) >= maxObjects {
			return &KindError{path, "", errTooMany.Error()}
		}
		n = uint64(len(o.funcs))
		o.funcs = append(o.funcs, reflect.ValueOf(own.called))
		if o.numbers == nil {
			o.numbers, o.scripts = map[*wrapped]uint64{}, map[uint64]*wrapped{}
		}
		o.numbers[own], o.scripts[n] = n, own
	}
	w.b = head(head(w.b, majorArray, 1), majorUint, n)
	return nil
}

func (h *Handles) objects() *Objects {
	if h == nil {
		return nil
	}
	return h.Objects
}

// scripted reads what that has written, of which the head is read: in the host as the interface
// it.
func (r *reader) scripted(it reflect.Type) reflect.Value {
	o, n := r.handles.objects(), r.want(majorUint)
	if o == nil {
		fail("a value of a script")
	}
	if !o.here {
		own := o.scripts[n]
		if own == nil {
			fail("there is no value %d", n)
		}
		return reflect.ValueOf(own)
	}
	wrap := r.handles.structs().wraps[it]
	if it != nil && !wrap.IsValid() {
		fail("a value of a script as %v", it)
	}
	key := wrapKey{n, it}
	if v, ok := o.wrapped[key]; ok {
		return v
	}
	if len(o.wrapped) >= maxObjects {
		fail("a value that %v", errTooMany)
	}
	r.alloc(1, handleSize)
	h := r.handles
	far := &farScript{of: o, number: n, as: it, call: func(args []reflect.Value) ([]reflect.Value, error) {
		return h.askFor(n, reflect.TypeFor[farCall](), args)
	}}
	v := reflect.ValueOf(far)
	if it != nil {
		v = r.apart(func() reflect.Value { return wrap.Call([]reflect.Value{v})[0] })
	}
	if o.wrapped == nil {
		o.wrapped = map[wrapKey]reflect.Value{}
	}
	o.wrapped[key] = v
	return v
}

type wrapKey struct {
	number uint64
	it     reflect.Type
}

// apart does what calls functions of the host's, which may have something to say themselves.
func (r *reader) apart(do func() reflect.Value) reflect.Value {
	r.handles.Objects.mu.Unlock()
	defer r.handles.Objects.mu.Lock()
	return do()
}
