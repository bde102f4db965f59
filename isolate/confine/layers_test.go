package confine

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// TestUnknownLayer: a worker that does not know a layer locks nothing down, and says so.
func TestUnknownLayer(t *testing.T) {
	if report, err := Apply(posture.Profile{Layers: []string{"moat"}}); err == nil || len(report.Layers) > 0 {
		t.Errorf("got %v, %v", report, err)
	}
}
