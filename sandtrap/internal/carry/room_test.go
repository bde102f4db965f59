package carry

import (
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func roomOf(n int64) *int64 { return &n }

// TestRoomIsShared: what is read takes of the room what it takes of memory, more than its bytes; values that
// are read one after the other share it.
func TestRoomIsShared(t *testing.T) {
	list := make([][]string, 1000)
	data, err := Encode(list)
	if err != nil || len(data) > 2000 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	h, room := &Handles{}, roomOf(60_000)
	for n := range 3 {
		if _, err := h.Decode(data, room); (err != nil) != (n == 2) {
			t.Errorf("list %d of 24,000 bytes in 60,000: %v, %d are left", n, err, *room)
		}
	}
	handles := HandlesOf(nil, func(n uint64, text string) (*far, error) { return &far{n, text}, nil })
	out := HandlesOf(func(f *far) (uint64, string, error) { return f.n, f.text, nil }, nil)
	many := make([]*far, 1000)
	for i := range many {
		many[i] = &far{1, ""}
	}
	if data, err = out.Encode(many); err != nil {
		t.Fatal(err)
	}
	if _, err := handles.Decode(data, roomOf(100_000)); !errors.Is(err, ErrFormat) {
		t.Errorf("1,000 handles in 100,000 bytes: %v", err)
	}
	one := head(head(head(head(nil, majorArray, 7), majorUint, 0), majorUint, shapeFlat), majorUint, 0)
	one = head(head(head(one, majorBytes, 0), majorBytes, 0), majorArray, maxMarks-1)
	one = head(append(one, make([]byte, maxMarks-1)...), majorArray, 0)
	errs := append(head(head(head(nil, majorArray, 2), majorArray, 2), majorUint, typeSlice), 0x82, typeName, 18)
	errs = head(errs, majorArray, 100)
	for range 100 {
		errs = append(errs, one...)
	}
	if _, err := h.Decode(errs, roomOf(8<<20)); err != nil {
		t.Errorf("errors of 1,023 others: %v", err)
	}
	if _, err := h.Decode(errs, roomOf(1<<20)); !errors.Is(err, ErrFormat) {
		t.Errorf("100 of them in a megabyte: %v", err)
	}
}

// TestRoomOfTexts: of what crosses as a text each takes the room of its own, not of all that follow.
func TestRoomOfTexts(t *testing.T) {
	times := make([]time.Time, 10_000)
	data, err := Encode(times)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(data, 1<<20); err != nil || !reflect.DeepEqual(got, times) {
		t.Errorf("10,000 times in a megabyte: %v", err)
	}
}

// TestRoomOfCalls: arguments of calls that go on at the same time share the room, and give it back.
func TestRoomOfCalls(t *testing.T) {
	p, _ := newSides(t, label)
	o := p.here.Objects
	o.calls = 1 << 20
	in, out := make(chan bool), make(chan bool)
	var waits atomic.Bool
	wait := func(s string) {
		if waits.CompareAndSwap(false, true) {
			in <- true
			<-out
			waits.Store(false)
		}
	}
	args := append([]byte{0x80, 0x80, 0x81}, head(nil, majorBytes, 600_000)...)
	args = append(args, make([]byte, 600_000)...)
	invoke := func() error {
		_, err := p.here.Invoke(t.Context(), wait, true, nil, args)
		return err
	}
	for range 3 {
		first := make(chan error)
		go func() { first <- invoke() }()
		select {
		case <-in:
		case err := <-first:
			t.Fatal(err)
		}
		if err := invoke(); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "memory") {
			t.Errorf("two calls of 600,000 bytes in a megabyte: %v", err)
		}
		out <- true
		if err := <-first; err != nil {
			t.Error(err)
		}
	}
	if o.calls != 1<<20 {
		t.Errorf("%d bytes are left", o.calls)
	}
}

// TestRoomOfObjects: all fields that objects have at a time share the room; one that is changed takes
// that of its new value alone.
func TestRoomOfObjects(t *testing.T) {
	p, _ := newSides(t, label)
	o := p.here.Objects
	o.kept = MaxCall - 1<<20
	say := func(creation []byte, id uint64, n uint64) error {
		b := append(creation, head(head(head(head(head(nil, majorArray, 1), majorArray, 4), majorUint, id), majorUint, id), majorUint, 0)...)
		b = append(head(head(b, majorArray, 1), majorArray, 1), head(nil, majorBytes, n)...)
		b = append(append(b, make([]byte, n)...), head(head(nil, majorArray, 1), majorUint, id)...)
		_, err := p.here.Invoke(t.Context(), label, false, nil, b)
		return err
	}
	create := func(id uint64) []byte { return head(head(head(nil, majorArray, 2), majorUint, id), majorUint, 0) }
	if err := say(create(1), 1, 300_000); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if err := say([]byte{0x80}, 1, 300_000); err != nil {
			t.Fatal(err)
		}
	}
	if err := say(create(3), 3, 300_000); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "more than") {
		t.Errorf("one more: %v", err)
	}
	p, _ = newSides(t, label)
	o = p.here.Objects
	o.kept = MaxCall - 20 // enough for an empty field, not for the struct
	if err := say(create(1), 1, 0); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "more than") {
		t.Errorf("one with nothing in its fields: %v", err)
	}
}
