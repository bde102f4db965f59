package carry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"testing"
)

// TestErrors: an error that both sides know is it on the other one too, and one that wraps it
// does; the text is the same whatever is in it.
func TestErrors(t *testing.T) {
	here, there := &Errors{}, &Errors{}
	mine, its := errors.New("100% mine"), errors.New("100% mine")
	here.Add(mine)
	there.Add(its)
	fn := func(n int) error {
		return []error{
			mine, fmt.Errorf("50%% of %w, %w", mine, io.EOF), io.EOF, &fs.PathError{Op: "open", Path: "%w", Err: fs.ErrNotExist}, errors.New("%d"), nil,
		}[n]
	}
	typ, err := (*Types)(nil).EncodeFunc(reflect.TypeOf(fn))
	if err != nil {
		t.Fatal(err)
	}
	side := &Side{Handles: func() *Handles { return &Handles{Errors: there} }, Context: t.Context}
	stub, err := side.Stub(typ, false, func(_ context.Context, args []byte, _ error) ([]byte, error) {
		return (&Handles{Errors: here}).Invoke(t.Context(), fn, false, nil, args)
	})
	if err != nil {
		t.Fatal(err)
	}
	call := stub.(func(int) error)
	if got := call(0); got != its {
		t.Errorf("a known one: %v", got)
	}
	if got := call(1); !errors.Is(got, its) || !errors.Is(got, io.EOF) || errors.Is(got, fs.ErrNotExist) || got.Error() != fn(1).Error() {
		t.Errorf("two that are wrapped: %v", got)
	}
	if got := call(2); got != io.EOF {
		t.Errorf("one of Go: %v", got)
	}
	if got := call(3); !errors.Is(got, fs.ErrNotExist) || got.Error() != fn(3).Error() {
		t.Errorf("one of Go that is wrapped: %v", got)
	}
	if got := call(4); got.Error() != "%d" {
		t.Errorf("one that nobody knows: %v", got)
	}
	if got := call(5); got != nil {
		t.Errorf("none: %v", got)
	}
}

// TestErrorsHostile: numbers of errors that are not there are refused.
func TestErrorsHostile(t *testing.T) {
	for _, b := range [][]byte{
		head(head(nil, majorArray, 1), majorUint, 1<<40),
		head(nil, majorArray, 0),
		head(nil, majorArray, maxMarks+1),
		head(head(head(nil, majorArray, 2), majorBytes, 0), majorUint, uint64(len(common))),
	} {
		if v, _, err := noHandles().hearValues(false, append(head(nil, majorArray, 1), b...), []reflect.Type{reflect.TypeFor[error]()}, roomOf(1<<20)); !errors.Is(err, ErrFormat) {
			t.Errorf("%x: %v, %v", b, v, err)
		}
	}
}
