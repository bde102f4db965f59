package sandtraptest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestLoadAllocations: a cell of a saved session that has variables only needs no source when it is loaded, which takes
// four hundred allocations.
func TestLoadAllocations(t *testing.T) {
	box, err := sandtrap.New(t.Context(), benchPolicy(sandtrap.None))
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	allocs := func(cells int) float64 {
		s, err := box.Session()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i := range cells {
			if _, err := s.Run(t.Context(), sandtrap.Script{Text: fmt.Sprintf("v%d := %d", i, i)}); err != nil {
				t.Fatal(err)
			}
		}
		var saved bytes.Buffer
		if _, err := s.Save(&saved); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(3, func() {
			l, err := box.LoadSession(bytes.NewReader(saved.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			l.Close()
		})
	}
	if n := (allocs(110) - allocs(10)) / 100; n > 150 {
		t.Errorf("a cell of a variable takes %v allocations", n)
	}
}
