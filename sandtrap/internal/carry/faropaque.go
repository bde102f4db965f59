package carry

import "reflect"

// A farOpaque stands in a worker for a value of the host's whose type no member of the policy mentions: a script can
// hold it and give it back.
type farOpaque struct {
	number uint64
	name   string
}

// GoName is the name of its type, for who prints that.
func (f farOpaque) GoName() string { return f.name }

// opaque writes a value of the host's that the worker only holds.
func (w *writer) opaque(v reflect.Value) {
	pointer := uint64(0)
	if v.Kind() == reflect.Pointer {
		pointer = 1
	}
	w.b = head(head(head(w.b, majorArray, 3), majorUint, w.errors.numberHeld(v.Interface(), handleSize)), majorUint, pointer)
	w.text(v.Type().String())
}

// opaqueOf is what stands for one, and whether it is behind a pointer.
func opaqueOf(v any) (f farOpaque, pointer uint64, ok bool) {
	switch v := v.(type) {
	case farOpaque:
		return v, 0, true
	case *farOpaque:
		return *v, 1, v != nil
	}
	return f, 0, false
}

// giveBack writes one in the worker.
func (w *writer) giveBack(f farOpaque, pointer uint64) {
	w.b = head(head(head(w.b, majorArray, 3), majorUint, f.number), majorUint, pointer)
	w.text(f.name)
}

// opaque reads one: in the host, the value that it was.
func (r *reader) opaque(as reflect.Type) reflect.Value {
	h := r.errors.table()
	number, pointer := r.want(majorUint), r.want(majorUint)
	f := farOpaque{number, r.string()}
	if h == nil || as != nil {
		fail("a value of the host's")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.byID[number]
	switch {
	case h.mine(number) != h.here:
		fail("a value of the host's that is none")
	case h.here && x == nil:
		fail("a value of the host's that the script has had for so long that it is not there any more")
	case h.here:
		if _, isError := x.value.(error); isError {
			fail("an error, which is no value")
		}
		return reflect.ValueOf(x.value)
	case x != nil:
		return reflect.ValueOf(x.value)
	}
	r.alloc(1, handleSize)
	x = &heldValue{id: number, value: f, bytes: handleSize}
	if pointer == 1 {
		x.value = &f
	}
	h.hold(x)
	return reflect.ValueOf(x.value)
}
