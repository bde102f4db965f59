package carry

import (
	"errors"
	"reflect"
	"slices"
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
	case 6:
	default:
		fail("no error")
	}
	r.alloc(1, errorSize)
	number, shape := r.want(majorUint), r.want(majorUint)
	far := &farError{name: r.string(), text: r.string()}
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
		list = append(list, r.error())
	}
	return list
}

// typedError reads an error of a type that both sides have.
func (r *reader) typedError(room int64) error {
	number, text := r.want(majorUint), r.string()
	below := r.errorList()
	v := r.dynamic()
	if !v.IsValid() {
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

// A farError stands for an error of the other process.
type farError struct {
	name  string // of its type
	text  string
	is    []error
	below []error
}

func (e *farError) Error() string { return e.text }

// GoName is the name of its type, for who prints that.
func (e *farError) GoName() string { return e.name }

// Is reports a known error that it says it is.
func (e *farError) Is(target error) bool {
	return slices.ContainsFunc(e.is, func(known error) bool { return sameError(known, target) })
}

// Those that wrap others show them as they do in their process.
type (
	farWrapping struct{ farError }
	farJoined   struct{ farError }
)

func (e *farWrapping) Unwrap() error { return e.below[0] }
func (e *farJoined) Unwrap() []error { return e.below }

// made is what stands here for an error of a shape.
func (e *farError) made(shape uint64) error {
	switch {
	case shape >= shapes:
		fail("an error of shape %d", shape)
	case shape == shapeText && len(e.below) == 0:
		return errors.New(e.text)
	case shape == shapeJoined && len(e.below) > 0:
		return errors.Join(e.below...)
	case shape == shapeOne && len(e.below) == 1:
		return &farWrapping{*e}
	case len(e.below) > 0:
		return &farJoined{*e}
	}
	return e
}
