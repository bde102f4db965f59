package carry

import "reflect"

// Handles are values of one type that stay in their process: the other one gets numbers
// and texts for them, and has values of the same type that stand for them. Its methods are
// those functions of the package that can come upon them, or upon Objects; a nil *Handles has
// none.
type Handles struct {
	typ    reflect.Type
	number func(v any) (n uint64, text string, err error)
	value  func(n uint64, text string) (any, error)

	// Objects are those of the run; nil if there are none.
	Objects *Objects

	// Errors are those that the run knows; nil if there are none but Go's.
	Errors *Errors

	callbacks bool // functions may be among the types that are written
}

// HandlesOf are those of type T: number says what the other process gets for one, and value
// what stands here for one of the other's.
func HandlesOf[T any](number func(v T) (n uint64, text string, err error), value func(n uint64, text string) (T, error)) *Handles {
	return &Handles{
		typ:    reflect.TypeFor[T](),
		number: func(v any) (uint64, string, error) { return number(v.(T)) },
		value:  func(n uint64, text string) (any, error) { return value(n, text) },
	}
}

// known are the errors that both sides know.
func (h *Handles) known() *Errors {
	if h == nil {
		return nil
	}
	return h.Errors
}

// handle stands in names for the type of the handles, which each process has its own of.
type handle struct{}

func (h *Handles) are(t reflect.Type) bool { return h != nil && h.typ != nil && t == h.typ }

// handle writes one, or nil.
func (w *writer) handle(v reflect.Value, path string) error {
	if v.IsZero() {
		w.b = append(w.b, majorSimple<<5|simpleNil)
		return nil
	}
	n, text, err := w.handles.number(v.Interface())
	if err != nil {
		return &KindError{path, v.Type().String(), err.Error()}
	}
	w.b = head(head(w.b, majorArray, 2), majorUint, n)
	w.text(text)
	return nil
}

// handleSize is more than what stands for a value of the other process takes.
const handleSize = 512

func (r *reader) handle(v reflect.Value) {
	if r.null() {
		return
	}
	if r.count() != 2 {
		fail("no handle")
	}
	n := r.want(majorUint)
	r.alloc(1, handleSize)
	got, err := r.handles.value(n, r.string())
	if err != nil {
		fail("%v", err)
	}
	v.Set(reflect.ValueOf(got))
}
