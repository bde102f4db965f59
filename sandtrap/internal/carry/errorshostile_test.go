package carry

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// crossList is cross for an error in a list, which may be a nil pointer.
func crossList(t *testing.T, from, to *Errors, err error) error {
	t.Helper()
	data, failed := (&Handles{Errors: from, Objects: new(Types).OnHost()}).Encode([]error{err})
	if failed != nil {
		t.Fatal(failed)
	}
	got, failed := (&Handles{Errors: to, Objects: new(Types).OnWorker()}).Decode(data, roomOf(MaxCall))
	if failed != nil {
		t.Fatal(failed)
	}
	return got.([]error)[0]
}

type (
	strictError struct{ limit *int }  // its methods need a limit
	looseError  struct{ detail any }  // it may be comparable
	floatError  struct{ got float64 } // it may not be itself
)

func (e *strictError) Error() string        { return strconv.Itoa(*e.limit) }
func (e *strictError) Is(target error) bool { return *e.limit == 0 && target == io.EOF }
func (e looseError) Error() string          { return "loose" }
func (e floatError) Error() string          { return "out of range" }

// TestErrorsUnasked: who passes an error on asks nothing of it that ends the call.
func TestErrorsUnasked(t *testing.T) {
	known := &Errors{}
	known.Add(looseError{[]int{1}})
	for name, err := range map[string]error{
		"nil pointer": (*strictError)(nil), "method that panics": &strictError{}, "not comparable": looseError{[]int{1}},
		"within another": &fs.PathError{Op: "x", Path: "y", Err: &strictError{}},
	} {
		if got := crossList(t, known.OfRun(true), known.OfRun(false), err); got == nil || got.Error() == "" || errors.Is(got, io.EOF) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestErrorsNotThemselves: an error that is unequal to itself is let go of like others.
func TestErrorsNotThemselves(t *testing.T) {
	known := &Errors{}
	here, there := known.OfRun(true), known.OfRun(false)
	for range 2 * maxHeld {
		cross(t, here, there, floatError{math.NaN()})
	}
	if len(here.held.order) > maxHeld || len(here.held.numbers) > maxHeld {
		t.Errorf("%d are held, %d by number", len(here.held.order), len(here.held.numbers))
	}
}

func settledHeap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestErrorsHeldWhole: what errors have in them counts, not their texts alone.
func TestErrorsHeldWhole(t *testing.T) {
	known := &Errors{}
	for name, size := range map[string]int{"large": maxHeldError / 2, "too large": 2 * maxHeldError} {
		here, there := known.OfRun(true), known.OfRun(false)
		before := settledHeap()
		for i := range 200 {
			long := &strconv.NumError{Func: "f", Num: strings.Repeat("1", size), Err: strconv.ErrSyntax}
			crossList(t, here, there, long)
			crossList(t, here, there, &own{i, long})
		}
		if grown := settledHeap() - before; grown > 4*maxHeldBytes {
			t.Errorf("%s: two sides hold %d bytes", name, grown)
		}
		if len(here.held.byID) != len(here.held.order) || here.held.bytes > maxHeldBytes {
			t.Errorf("%s: %d and %d are held, of %d bytes", name, len(here.held.byID), len(here.held.order), here.held.bytes)
		}
	}
}

// nest is an error in so many others.
func nest(err error, levels int) error {
	for range levels {
		err = &strconv.NumError{Func: "f", Err: err}
	}
	return err
}

// TestErrorsNested: the text of an error within many others is made for none of them.
func TestErrorsNested(t *testing.T) {
	long := &strconv.NumError{Func: "f", Num: strings.Repeat("\x01", 4<<20), Err: io.EOF}
	known := &Errors{}
	start := time.Now()
	got := crossList(t, known.OfRun(true), known.OfRun(false), nest(long, 30))
	if took := time.Since(start); took > 2*time.Second || !errors.Is(got, io.EOF) {
		t.Errorf("it took %v, and is %T", took, got)
	}
	for levels := range maxDepth { // what can be written can be read
		data, err := (&Handles{Errors: known.OfRun(true)}).Encode([]error{nest(io.EOF, levels)})
		if err != nil {
			break
		}
		if _, err := (&Handles{Errors: known.OfRun(false)}).Decode(data, roomOf(MaxCall)); err != nil {
			t.Fatalf("%d levels: %v", levels, err)
		}
	}
}

// TestErrorsForged: no host is given an error that is a nil pointer, nor holds large texts of what is none.
func TestErrorsForged(t *testing.T) {
	here := (&Errors{}).OfRun(true)
	pointer, err := Encode((*fs.PathError)(nil))
	if err != nil {
		t.Fatal(err)
	}
	forged := append([]byte{2<<0 | majorArray<<5, majorArray<<5 | 2, typeName, 18}, majorArray<<5|4, 0, majorBytes<<5, majorArray<<5)
	if got, err := (&Handles{Errors: here}).Decode(append(forged, pointer...), roomOf(MaxCall)); err == nil {
		t.Errorf("a nil pointer: %#v", got)
	}
	value := append(head(nil, majorArray, 5), 3, majorBytes<<5)
	for range 2 {
		value = append(head(value, majorBytes, maxHeldError), make([]byte, maxHeldError)...)
	}
	if _, err := (&Handles{Errors: here}).Decode(append(value, majorBytes<<5), roomOf(MaxCall)); err == nil || here.held.bytes > 0 {
		t.Errorf("%d bytes are held: %v", here.held.bytes, err)
	}
}
