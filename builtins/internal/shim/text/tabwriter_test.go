package text

import (
	"io"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

type panicking struct{ v any }

func (p panicking) Write([]byte) (int, error) { panic(p.v) }

// tabsIn is so many tab writers in each other, over w.
func tabsIn(e *shim.Env, w io.Writer, depth int) *TabWriter {
	for range depth {
		w = TabwriterNewWriter(e)(w, 0, 8, 1, ' ', 0)
	}
	return w.(*TabWriter)
}

// flushed is what writing to w, and flushing it, panics with.
func flushed(w *TabWriter) (v any) {
	defer func() { v = recover() }()
	_, _ = w.Write([]byte("x\ty\nz\n"))
	_ = w.Flush()
	return nil
}

// TestTabwritersInEachOther: what they panic with does not grow from one to the next, unless
// Go's does, and then its text is paid for.
func TestTabwritersInEachOther(t *testing.T) {
	if v := flushed(tabsIn(&shim.Env{}, io.Discard, shim.MaxNested+1000)); v != shim.NestedTooDeep {
		t.Errorf("too many in each other: panic %.80v, want %v", v, shim.NestedTooDeep)
	}
	const depth = 100
	charged, worked := int64(0), int64(0)
	e := &shim.Env{Gates: shimtest.Gates{OnCharge: func(n int64) { charged += n }, OnWork: func(n int64) { worked += n }}}
	w := tabsIn(e, panicking{"boom"}, depth)
	charged, worked = 0, 0
	v, _ := flushed(w).(string)
	made := int64(depth * len(v) / 2)
	if want := strings.Repeat("tabwriter: panic during Write (", depth) + "boom" + strings.Repeat(")", depth); v != want {
		t.Errorf("panic %q, want %q", v, want)
	}
	if charged < made || worked+e.Owed < made {
		t.Errorf("charged %d bytes and %d ticks for texts of %d bytes", charged, worked+e.Owed, made)
	}
}

// TestTabwriterStops: a stop goes through a tab writer as it is.
func TestTabwriterStops(t *testing.T) {
	stop := false
	e := &shim.Env{Gates: shimtest.Gates{OnCheck: func() {
		if stop {
			panic(shimtest.ErrRefused)
		}
	}}}
	w := tabsIn(e, panicking{shimtest.ErrRefused}, 3)
	stop = true
	if v := flushed(w); v != shimtest.ErrRefused {
		t.Errorf("panic %v, want the stop", v)
	}
}
