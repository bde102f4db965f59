package sandtrap

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// TestMissingHint: who lacks what only higher levels have is told of the level without it.
func TestMissingHint(t *testing.T) {
	for _, tc := range []struct{ layers, level string }{
		{posture.NoWriteExec, "level strict needs none of that"},
		{posture.MountNamespace + " " + posture.NoWriteExec, "level standard needs none of that"},
		{posture.NoWriteExec + " " + posture.Landlock, ""},
	} {
		lack := &isolate.MissingError{}
		for name := range strings.FieldsSeq(tc.layers) {
			lack.Layers = append(lack.Layers, posture.Layer{Name: name, State: posture.Missing})
		}
		hint := missing(Kernel, lack).Hint
		if !strings.Contains(hint, tc.level) || tc.level == "" && strings.Contains(hint, "level") {
			t.Errorf("without %s: %s", tc.layers, hint)
		}
	}
}
