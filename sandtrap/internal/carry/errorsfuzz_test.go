package carry

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strconv"
	"testing"
)

// FuzzErrors: whatever a worker says of errors, the host has none that it cannot ask all that programs ask, and what
// it holds of them is bounded.
func FuzzErrors(f *testing.F) {
	forged := errors.New("kept by the host")
	sides := func() (here, there *Errors) {
		known := &Errors{}
		known.Add(looseError{"a"})
		return known.OfRun(true), known.OfRun(false)
	}
	_, there := sides()
	for _, err := range []error{
		io.EOF, errors.New("a"), &own{1, io.EOF}, errors.Join(io.EOF, &own{}), &strconv.NumError{Func: "f", Num: "x", Err: &own{}},
		&fs.PathError{Op: "o", Path: "p", Err: fs.ErrNotExist}, fmt.Errorf("%w %w", looseError{"a"}, looseError{"b"}),
	} {
		data, failed := (&Handles{Errors: there}).Encode([]any{[]error{err}, err})
		if failed != nil {
			f.Fatal(failed)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		forgetTypes(t)
		here, _ := sides()
		if _, err := (&Handles{Errors: here}).Encode([]error{forged, &own{2, forged}}); err != nil {
			t.Fatal(err)
		}
		for range 2 { // held ones the second time
			got, err := (&Handles{Errors: here}).Decode(data, roomOf(1<<20))
			if err != nil && !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			ask([]any{got})
			if here.held.bytes > 2*maxHeldBytes || len(here.held.byID) != len(here.held.order) {
				t.Fatalf("%d bytes are held, %d of %d", here.held.bytes, len(here.held.byID), len(here.held.order))
			}
		}
	})
}

// ask asks what is in v of errors.
func ask(v any) {
	switch v := v.(type) {
	case []error:
		for _, err := range v {
			ask(err)
		}
	case []any:
		for _, e := range v {
			if rv := reflect.ValueOf(e); rv.Kind() != reflect.Pointer || !rv.IsNil() { // in an any a nil pointer is a value
				ask(e)
			}
		}
	case error:
		_ = v.Error()
		errors.Is(v, io.EOF)
		errors.As(v, new(*fs.PathError))
		_ = fmt.Sprintf("%v %+v", v, v)
		for _, err := range unwrapped(v) {
			if err != nil {
				ask(err)
			}
		}
	}
}
