package check

import (
	"go/types"
	"testing"
)

func TestUniverseNames(t *testing.T) {
	names := types.Universe.Names()
	for _, name := range names {
		if universeNames[name].why == "" {
			t.Errorf("%s has no row, or no reason", name)
		}
	}
	if len(names) != len(universeNames) {
		t.Errorf("%d names in Go's universe, %d rows", len(names), len(universeNames))
	}
}
