package builtins

import (
	"io"
	"strings"
	"testing"
)

type panicking struct{ v any }

func (p panicking) Write([]byte) (int, error) { panic(p.v) }

// tabsIn is so many tab writers in each other, over w.
func tabsIn(e *Env, w io.Writer, depth int) *TabWriter {
	for range depth {
		w = tabwriterNewWriter(e)(w, 0, 8, 1, ' ', 0)
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
	if v := flushed(tabsIn(&Env{}, io.Discard, maxNested+1000)); v != nestedTooDeep {
		t.Errorf("too many in each other: panic %.80v, want %v", v, nestedTooDeep)
	}
	const depth = 100
	charged, worked := int64(0), int64(0)
	e := &Env{Gates: asking{charge: func(n int64) { charged += n }, work: func(n int64) { worked += n }}}
	w := tabsIn(e, panicking{"boom"}, depth)
	charged, worked = 0, 0
	v, _ := flushed(w).(string)
	made := int64(depth * len(v) / 2)
	if want := strings.Repeat("tabwriter: panic during Write (", depth) + "boom" + strings.Repeat(")", depth); v != want {
		t.Errorf("panic %q, want %q", v, want)
	}
	if charged < made || worked+e.owed < made {
		t.Errorf("charged %d bytes and %d ticks for texts of %d bytes", charged, worked+e.owed, made)
	}
}

// TestTabwriterStops: a stop goes through a tab writer as it is.
func TestTabwriterStops(t *testing.T) {
	stop := false
	e := &Env{Gates: asking{check: func() {
		if stop {
			panic(errRefused)
		}
	}}}
	w := tabsIn(e, panicking{errRefused}, 3)
	stop = true
	if v := flushed(w); v != errRefused {
		t.Errorf("panic %v, want the stop", v)
	}
}
