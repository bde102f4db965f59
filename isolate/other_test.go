//go:build !linux

package isolate

import (
	"errors"
	"testing"
)

// TestRefuses: nothing is run with less than was asked for, also if that is allowed.
func TestRefuses(t *testing.T) {
	for _, level := range levels {
		for _, degraded := range []bool{false, true} {
			if w, err := Start(t.Context(), Spec{Path: "worker", Level: level, AllowDegraded: degraded}); w != nil || err == nil {
				t.Errorf("%s: %v, %v", level, w, err)
			}
		}
	}
	Serves()
	if _, err := Start(t.Context(), Spec{Level: Maximum}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v", err)
	}
}
