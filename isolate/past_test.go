//go:build linux

package isolate

import (
	"context"
	"slices"
	"testing"
)

// TestPast: a call or an event of a job that is over is none of the next.
func TestPast(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Bare})
	for range 3 {
		var got []string
		_, err := w.Do(t.Context(), []byte("past"), Handlers{
			Call: func(_ context.Context, name string, _ []byte) ([]byte, error) {
				got = append(got, name)
				return nil, nil
			},
			Stream: func(name string, _ []byte) { got = append(got, name) },
		})
		if err != nil || !slices.Equal(got, []string{"now", "now"}) {
			t.Errorf("%v, %q", err, got)
		}
	}
}
