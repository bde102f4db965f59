package carry

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strconv"
)

// Errors are error values that both processes have, in the same order: what is one of them
// is so on the other side, and what wraps one does. Those of Go are known without it.
type Errors struct {
	// TypeName is the name of a type for scripts; nil is that of package reflect.
	TypeName func(reflect.Type) string

	list []error
	held *heldValues // of a run; nil if there is none
}

// Add makes err known, as the next one.
func (e *Errors) Add(err error) { e.list = append(e.list, err) }

// add makes known what there is of errors in a constant: nodes, and v if it is an error whose type both sides have.
func (e *Errors) add(nodes []error, v any) {
	if e == nil {
		return
	}
	e.list = append(e.list, nodes...)
	if err, ok := v.(error); ok && isTyped(reflect.TypeOf(v)) {
		e.Add(err)
	}
}

// OfRun are those of a run, or a session, with what each side gives the other in it; here says that this is the
// host's.
func (e *Errors) OfRun(here bool) *Errors { return &Errors{e.TypeName, e.list, newHeldValues(here)} }

// common are errors of Go that programs compare with. The list is append-only.
var common = []error{
	io.EOF, io.ErrUnexpectedEOF, io.ErrShortWrite, io.ErrNoProgress, io.ErrClosedPipe,
	fs.ErrInvalid, fs.ErrPermission, fs.ErrExist, fs.ErrNotExist, fs.ErrClosed,
	context.Canceled, context.DeadlineExceeded, os.ErrDeadlineExceeded, errors.ErrUnsupported,
	strconv.ErrRange, strconv.ErrSyntax,
}

// maxMarks is how many known errors one may be.
const maxMarks = 1 << 10

func (e *Errors) at(n uint64) error {
	if n < uint64(len(common)) {
		return common[n]
	}
	if e != nil && n-uint64(len(common)) < uint64(len(e.list)) {
		return e.list[n-uint64(len(common))]
	}
	return nil
}

// error writes err; see errorNode.
func (w *writer) error(err error, path string) error {
	unwound := true
	w.apart(func() { left := maxUnwound; unwound = unwinds(err, &left) })
	if !unwound {
		return &KindError{path, w.errors.typeNameOf(err), "is nested too deep, or holds itself"}
	}
	var n *errorNode
	w.apart(func() { n, _ = w.describe(err, &treeRoom{errors: maxTree}) })
	return w.node(n, path)
}

// apart does what calls methods of others, which may have something to say themselves.
func (w *writer) apart(do func()) {
	if w.handles != nil && w.handles.Objects != nil {
		w.handles.Objects.mu.Unlock()
		defer w.handles.Objects.mu.Lock()
	}
	do()
}

// number is that of a known error, -1 if err is none.
func (e *Errors) number(err error) int {
	for n := 0; ; n++ {
		known := e.at(uint64(n))
		if known == nil {
			return -1
		}
		if reflect.TypeOf(err) == reflect.TypeOf(known) && reflect.ValueOf(err).Comparable() && err == known {
			return n
		}
	}
}

// A standIn is an error that stands for a value which is none to Go.
type standIn interface{ HostValue() any }

// objectIn is the value in err that is of a struct type of the host's, or of a type of Go's that
// both know, if there is one. An error of a type of which scripts see nothing is one as any other.
func (w *writer) objectIn(err error) (v reflect.Value, ok bool) {
	v = reflect.ValueOf(err)
	if s, ok := err.(standIn); ok {
		v = reflect.ValueOf(s.HostValue())
	}
	return v, (isTyped(v.Type()) || w.handles.structs().shows(v.Type())) && (v.Kind() != reflect.Pointer || !v.IsNil())
}

// isTyped reports a type of errors of Go's that crosses by name, with its fields.
func isTyped(t reflect.Type) bool {
	base := t
	if t.Kind() == reflect.Pointer {
		base = t.Elem()
	}
	return base.PkgPath() != "" && numbered(base) && t.Implements(reflect.TypeFor[error]())
}

// isMute reports a struct that is to be an error of such a type and cannot say what it is: asked that,
// it would panic in whoever got it. Others in it are asked where they are told of: here what they say could be long,
// each time, and their methods may not be called while the objects are locked.
func isMute(v reflect.Value) (mute bool) {
	p := reflect.New(v.Type())
	if !isTyped(p.Type()) {
		return false
	}
	for i := range v.NumField() {
		if f := v.Field(i); f.Type() == reflect.TypeFor[error]() && !f.IsNil() {
			p.Elem().Field(i).Set(reflect.ValueOf(io.EOF))
		}
	}
	defer func() { mute = recover() != nil }()
	_ = p.Interface().(error).Error()
	return false
}

// maxUnwound is how many errors may lie in one.
const maxUnwound = 1 << 13

// unwinds reports that no more than so many errors lie in err: an error may hold itself, and Go
// does not survive asking that what it says.
func unwinds(err error, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	for _, e := range unwrapped(err) {
		if e != nil && !unwinds(e, left) {
			return false
		}
	}
	return true
}

// maxWrapped is how many such errors in one are told of.
const maxWrapped = 16

// wrapped lists those in what err wraps.
func (w *writer) wrapped(err error, list []error) []error {
	if _, ok := w.objectIn(err); ok {
		return append(list, err)
	}
	for _, e := range unwrapped(err) {
		if e != nil && len(list) < maxWrapped {
			list = w.wrapped(e, list)
		}
	}
	return list
}

// A madeError is an error of the host's in a worker, where Go does not know it for one.
type madeError struct {
	text  string
	value any
	below []error
}

func (e *madeError) Error() string  { return e.text }
func (e *madeError) HostValue() any { return e.value }

// Unwrap is what it wrapped when it was given.
func (e *madeError) Unwrap() []error { return e.below }
