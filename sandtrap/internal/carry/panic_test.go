package carry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// A mute error cannot say what it is.
type mute struct{}

func (mute) Error() string { panic("mute") }

// TestPanics: what a function of the host panics with the worker panics with, as far as it can be
// that.
func TestPanics(t *testing.T) {
	own := errors.New("own")
	known := &Errors{}
	known.Add(own)
	var none *strconv.NumError
	for _, tc := range []struct {
		with any
		text string
		is   func(v any) bool
	}{
		{"text", "text", func(v any) bool { return v == "text" }},
		{42, "42", func(v any) bool { return v == 42 }},
		{1.5, "1.5", func(v any) bool { return v == 1.5 }},
		{own, "own", func(v any) bool { return v == own }},
		{fmt.Errorf("w: %w", io.EOF), "w: EOF", func(v any) bool { err, ok := v.(error); return ok && errors.Is(err, io.EOF) }},
		{struct{ secret string }{"s"}, "panic with a struct { secret string }", func(v any) bool { _, ok := v.(string); return ok }},
		{none, "<nil>", func(v any) bool { p, ok := v.(*strconv.NumError); return ok && p == nil }},
		{mute{}, "panic with a carry.mute", func(v any) bool { _, ok := v.(string); return ok }},
		{strings.Repeat("x", 10*maxPanic), strings.Repeat("x", maxPanic), func(v any) bool { _, ok := v.(string); return ok }},
	} {
		_, err := (&Handles{Errors: known}).Invoke(t.Context(), func(context.Context) { panic(tc.with) }, false, nil, []byte{majorArray << 5})
		p, ok := errors.AsType[*Panic](err)
		if !ok {
			t.Fatalf("%v: %v", tc.with, err)
		}
		got := known.ReadPanic(known.PanicText(p))
		if text := fmt.Sprint(got.value); text != tc.text || !tc.is(got.value) {
			t.Errorf("panic with %.100v: %T %.100v", tc.with, got.value, got.value)
		}
	}
	_, err := (&Handles{Errors: known}).Invoke(t.Context(), func() { _ = []int{}[len(known.list)] }, false, nil, []byte{majorArray << 5})
	p, _ := errors.AsType[*Panic](err)
	r, ok := known.ReadPanic(known.PanicText(p)).value.(runtime.Error)
	if !ok || r.Error() != "runtime error: index out of range [1] with length 0" {
		t.Errorf("of the runtime: %T %v", r, r)
	}
	for _, text := range []string{"", "value ", "value !", "value 9w==", "value gg==", "other"} {
		if p := known.ReadPanic(text); p.value == nil {
			t.Errorf("%q is a panic with nothing", text)
		}
	}
}
