package sandtrap

import (
	"io"
	"testing"
	"time"
)

// TestVisited: a script is one that the host may call from goroutines of its own if a function of the
// host's that it uses can get hold of anything that has a method or can be called. An error that the
// host is given is one; one that it gives is its own.
func TestVisited(t *testing.T) {
	type plain = struct{ A []int }
	for _, tc := range []struct {
		fn      any
		src     string
		visited bool
	}{
		{func(int) string { return "" }, "_ = f(1)", false},
		{func(plain) ([]plain, error) { return nil, nil }, "_, _ = f(struct{ A []int }{})", false},
		{func(time.Duration) time.Time { return time.Time{} }, "_ = f(1)", false},
		{func(error) {}, "f(nil)", true},
		{func(...error) {}, "f()", true},
		{func(map[string]error) {}, "f(nil)", true},
		{func() []error { return nil }, "_ = f()", true},
		{func() *struct{ Err error } { return nil }, "_ = f()", true},
		{func(any) {}, "f(1)", true},
		{func(func()) {}, "f(nil)", true},
		{func() io.Reader { return nil }, "_ = f()", true},
	} {
		b := box(t, Policy{Funcs: map[string]any{"f": tc.fn}})
		script := Script{Text: tc.src}
		if _, err := b.Check(t.Context(), script); err != nil {
			t.Fatalf("%T: %v", tc.fn, err)
		}
		c := b.plan.cache.get(key(script, nil), nil)
		if c == nil || c.reentrant != tc.visited {
			t.Errorf("%T: %+v, want visited %v", tc.fn, c, tc.visited)
		}
	}
}
