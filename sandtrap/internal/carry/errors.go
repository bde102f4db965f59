package carry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Errors are error values that both processes have, in the same order: what is one of them
// is so on the other side, and what wraps one does. Those of Go are known without it.
type Errors struct{ list []error }

// Add makes err known, as the next one.
func (e *Errors) Add(err error) { e.list = append(e.list, err) }

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

// error writes err: the number of a known error, or its text and what it wraps of known errors
// and of those that are of struct types of the host's.
func (w *writer) error(err error, path string) error {
	unwound := true
	w.apart(func() { left := maxUnwound; unwound = unwinds(err, &left) })
	if !unwound {
		return &KindError{path, reflect.TypeOf(err).String(), "is nested too deep, or holds itself"}
	}
	if v, ok := w.objectIn(err); ok {
		w.b = head(w.b, majorArray, 1)
		return w.errorObject(err, v, path)
	}
	var text string
	var marks []uint64
	var objects []error
	w.apart(func() { text, marks, objects = err.Error(), w.marks(err), w.wrapped(err, nil) })
	if n := w.errors.number(err); n >= 0 {
		w.b = head(head(w.b, majorArray, 1), majorUint, uint64(n))
		return nil
	}
	if marks = marks[:min(len(marks), maxMarks-1-maxWrapped)]; len(marks)+len(objects) == 0 {
		w.text(text)
		return nil
	}
	w.b = head(w.b, majorArray, uint64(1+len(marks)+len(objects)))
	w.text(text)
	for _, n := range marks {
		w.b = head(w.b, majorUint, n)
	}
	for _, e := range objects {
		v, _ := w.objectIn(e)
		if err := w.errorObject(e, v, path); err != nil {
			return err
		}
	}
	return nil
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
		if reflect.TypeOf(err) == reflect.TypeOf(known) && reflect.TypeOf(err).Comparable() && err == known {
			return n
		}
	}
}

// marks are the numbers of the known errors that err wraps.
func (w *writer) marks(err error) (marks []uint64) {
	for n := uint64(0); ; n++ {
		known := w.errors.at(n)
		if known == nil {
			return marks
		}
		if errors.Is(err, known) {
			marks = append(marks, n)
		}
	}
}

// errorObject writes an error that is v, of a struct type of the host's. The worker, which has
// no such method, is told what it says.
func (w *writer) errorObject(err error, v reflect.Value, path string) error {
	text := ""
	if !isTyped(v.Type()) && w.handles.Objects.here {
		w.apart(func() { text = err.Error() })
	}
	w.b = head(w.b, majorArray, 2)
	w.text(text)
	return w.plainly(v, path)
}

// A standIn is an error that stands for a value which is none to Go.
type standIn interface{ HostValue() any }

// objectIn is the value in err that is of a struct type of the host's, or of a type of Go's that
// both know, if there is one.
func (w *writer) objectIn(err error) (v reflect.Value, ok bool) {
	v = reflect.ValueOf(err)
	if s, ok := err.(standIn); ok {
		v = reflect.ValueOf(s.HostValue())
	}
	return v, (isTyped(v.Type()) || w.handles.structs().holds(v.Type())) && (v.Kind() != reflect.Pointer || !v.IsNil())
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
// it would panic in whoever got it.
func isMute(v reflect.Value) (mute bool) {
	p := reflect.New(v.Type())
	if !isTyped(p.Type()) {
		return false
	}
	p.Elem().Set(v)
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
	for _, e := range engine.Unwrapped(err) {
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
	for _, e := range engine.Unwrapped(err) {
		if e != nil && len(list) < maxWrapped {
			list = w.wrapped(e, list)
		}
	}
	return list
}

func (r *reader) error() error {
	if len(r.data) > 0 && r.data[0]>>5 == majorBytes {
		return errors.New(r.string())
	}
	n := r.count()
	switch {
	case n == 1:
		return r.wrappedError()
	case n == 0 || n > maxMarks:
		fail("no error")
	}
	const wrap = 64 // bytes for each, at least
	r.alloc(n, wrap)
	// An error of package fmt: scripts may unwrap those. The verb prints nothing of what
	// it wraps.
	format := strings.ReplaceAll(r.string(), "%", "%%")
	var wrapped []any
	for range n - 1 {
		format += "%.0w"
		wrapped = append(wrapped, r.wrappedError())
	}
	return fmt.Errorf(format, wrapped...)
}

// wrappedError reads a known error, or one that is a value of a struct type of the host's.
func (r *reader) wrappedError() error {
	if len(r.data) == 0 || r.data[0]>>5 != majorArray {
		return r.knownError()
	}
	if r.count() != 2 {
		fail("no error")
	}
	text := r.string()
	v := r.dynamic()
	if !v.IsValid() {
		fail("no error")
	}
	if err, ok := v.Interface().(error); ok {
		return err
	}
	if r.handles.structs() == nil || r.handles.Objects.here {
		fail("a %v, which is no error", v.Type())
	}
	return &madeError{text, v.Interface()}
}

// A madeError is an error of the host's in a worker, where Go does not know it for one.
type madeError struct {
	text  string
	value any
}

func (e *madeError) Error() string  { return e.text }
func (e *madeError) HostValue() any { return e.value }

func (r *reader) knownError() error {
	n := r.want(majorUint)
	err := r.errors.at(n)
	if err == nil {
		fail("an error of number %d", n)
	}
	return err
}
