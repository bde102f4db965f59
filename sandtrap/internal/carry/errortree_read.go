package carry

import (
	"reflect"
)

// errorSize is more than an error takes here, without its text.
const errorSize = 256

// error reads what writer.node wrote.
func (r *reader) error() error {
	if len(r.data) == 0 || r.data[0]>>5 != majorArray {
		return r.knownError()
	}
	r.enter()
	defer r.leave()
	room := r.room
	switch r.count() {
	case 4:
		return r.typedError(room)
	case 7:
	default:
		fail("no error")
	}
	r.alloc(1, errorSize)
	number, shape := r.want(majorUint), r.want(majorUint)
	far := &farError{says: r.want(majorUint), name: r.string(), text: r.string()}
	for range r.count() {
		r.alloc(1, reflect.TypeFor[error]().Size())
		far.is = append(far.is, r.knownError())
	}
	far.below = r.errorList()
	err := r.heldError(number, far, shape, room-r.room)
	r.nodes = append(r.nodes, err)
	return err
}

func (r *reader) errorList() (list []error) {
	for range r.count() {
		r.alloc(1, reflect.TypeFor[error]().Size())
		if r.null() {
			list = append(list, nil)
			continue
		}
		list = append(list, r.error())
	}
	return list
}

// typedError reads an error of a type that both sides have.
func (r *reader) typedError(room int64) error {
	number, text := r.want(majorUint), r.string()
	below := r.errorList()
	v := r.dynamic()
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		fail("no error")
	}
	if err, ok := v.Interface().(error); ok {
		return r.errors.sameTyped(number, err, room-r.room)
	}
	if r.handles.structs() == nil || r.handles.Objects.here {
		fail("a %v, which is no error", v.Type())
	}
	return &madeError{text, v.Interface(), below}
}

func (r *reader) knownError() error {
	n := r.want(majorUint)
	err := r.errors.at(n)
	if err == nil {
		fail("an error of number %d", n)
	}
	return err
}
