package carry

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// cross has an error of one side told to the other.
func cross(t *testing.T, from, to *Errors, err error) error {
	t.Helper()
	data, failed := (&Handles{Errors: from}).Encode(err)
	if failed != nil {
		t.Fatal(failed)
	}
	got, failed := (&Handles{Errors: to}).Decode(data, roomOf(MaxCall))
	if failed != nil {
		t.Fatal(failed)
	}
	return got.(error)
}

// TestErrorsComeBack: an error that comes back is the one that it was, also within another, and what stands for it
// is the same each time.
func TestErrorsComeBack(t *testing.T) {
	known := &Errors{}
	here, there := known.OfRun(true), known.OfRun(false)
	own := &own{3, io.EOF}
	far := cross(t, here, there, own)
	if far != cross(t, here, there, own) || far.Error() != own.Error() || !errors.Is(far, io.EOF) || errors.Unwrap(far) != io.EOF {
		t.Errorf("what stands for it: %v", far)
	}
	if back := cross(t, there, here, far); back != error(own) {
		t.Errorf("it comes back as %v", back)
	}
	if back := cross(t, there, here, fmt.Errorf("w: %w", errors.Join(far, errors.New("more")))); !errors.Is(back, own) || back.Error() != "w: own 3\nmore" {
		t.Errorf("within others: %v", back)
	}
	if other := cross(t, there, known.OfRun(true), far); errors.Is(other, own) || !errors.Is(other, io.EOF) {
		t.Errorf("in another run it is %v", other)
	}
	if own.n = 4; cross(t, here, there, own).Error() != "own 4" {
		t.Error("it is as it was first")
	}
}

type own struct {
	n    int
	wrap error
}

func (o *own) Error() string { return fmt.Sprint("own ", o.n) }
func (o *own) Unwrap() error { return o.wrap }

// TestErrorsHeldEnd: a side holds so many errors of a run and so much of them, and no more.
func TestErrorsHeldEnd(t *testing.T) {
	for name, text := range map[string]string{"small": "x", "large": strings.Repeat("x", maxHeldError/2), "too large": strings.Repeat("x", maxHeldError+1)} {
		known := &Errors{}
		here, there := known.OfRun(true), known.OfRun(false)
		first, last := errors.New(text), error(nil)
		cross(t, there, here, first)
		for range (maxHeld + 10) / (1 + len(text)>>10) {
			last = errors.New(text)
			cross(t, there, here, last)
		}
		for _, h := range []*heldValues{here.held, there.held} {
			if len(h.order) > maxHeld || len(h.byID) > len(h.order) || len(h.numbers) > len(h.order) || h.bytes > maxHeldBytes {
				t.Errorf("%s: %d errors are held, %d by number, of %d bytes", name, len(h.order), len(h.byID), h.bytes)
			}
		}
		if got := cross(t, here, there, cross(t, there, here, last)); (got == last) != (name != "too large") {
			t.Errorf("%s: the last comes back as another", name)
		}
	}
}

// TestErrorsTree: of an error that wraps much, known ones are found and the text is whole.
func TestErrorsTree(t *testing.T) {
	known := &Errors{}
	for name, grow := range map[string]func(error) error{
		"deep": func(err error) error { return fmt.Errorf("%w.", err) },
		"wide": func(err error) error { return errors.Join(err, errors.New("x")) },
		"long": func(err error) error { return fmt.Errorf("%s%w", strings.Repeat("x", 1000), err) },
	} {
		err := io.EOF
		for range 1000 {
			err = grow(err)
		}
		got := cross(t, known.OfRun(true), known.OfRun(false), err)
		if !errors.Is(got, io.EOF) || errors.Is(got, io.ErrUnexpectedEOF) || got.Error() != err.Error() {
			t.Errorf("%s: %.100s", name, got)
		}
	}
}
