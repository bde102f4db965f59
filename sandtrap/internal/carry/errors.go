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

// error writes the text of err, and the numbers of the known errors that it is or wraps.
func (w *writer) error(err error) {
	var marks []uint64
	for n := uint64(0); ; n++ {
		known := w.errors.at(n)
		if known == nil {
			break
		}
		if reflect.TypeOf(err) == reflect.TypeOf(known) && reflect.TypeOf(err).Comparable() && err == known {
			w.b = head(head(w.b, majorArray, 1), majorUint, n)
			return
		}
		if errors.Is(err, known) {
			marks = append(marks, n)
		}
	}
	if marks = marks[:min(len(marks), maxMarks)]; len(marks) == 0 {
		w.text(err.Error())
		return
	}
	w.b = head(w.b, majorArray, uint64(1+len(marks)))
	w.text(err.Error())
	for _, n := range marks {
		w.b = head(w.b, majorUint, n)
	}
}

func (r *reader) error() error {
	if len(r.data) > 0 && r.data[0]>>5 == majorBytes {
		return errors.New(r.string())
	}
	n := r.count()
	switch {
	case n == 1:
		return r.knownError()
	case n == 0 || n > maxMarks:
		fail("no error")
	}
	// An error of package fmt: scripts may unwrap those. The verb prints nothing of what
	// it wraps.
	format := strings.ReplaceAll(r.string(), "%", "%%")
	var wrapped []any
	for range n - 1 {
		format += "%.0w"
		wrapped = append(wrapped, r.knownError())
	}
	return fmt.Errorf(format, wrapped...)
}

func (r *reader) knownError() error {
	n := r.want(majorUint)
	err := r.errors.at(n)
	if err == nil {
		fail("an error of number %d", n)
	}
	return err
}
