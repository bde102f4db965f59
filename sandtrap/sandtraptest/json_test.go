package sandtraptest

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestJSONDifferential: compiled Go and the vm make the same JSON of random types, and
// the same values and errors of random JSON.
func TestJSONDifferential(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command: ", err)
	}
	seed, end := *diffSeed, time.Now().Add(*diffTime)
	for ; seed == *diffSeed || time.Now().Before(end); seed += diffBatch {
		for i, want := range compiled(t, seed, jsonProgram) {
			want = strings.NewReplacer("m/"+diffPackage(i)+".", "main.", diffPackage(i)+".", "main.").Replace(want)
			if got := interpreted(t, jsonProgram(seed+uint64(i), "main", "main")); got != want {
				t.Errorf("seed %d: %s", seed+uint64(i), firstDifference(got, want))
			}
		}
	}
	t.Logf("%d programs", seed-*diffSeed)
}
