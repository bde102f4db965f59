package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestCostsAcrossCells: types that double from cell to cell are refused as they are in
// one program, before go/types comes to look at all their parts.
func TestCostsAcrossCells(t *testing.T) {
	for _, tc := range []struct{ name, first, next string }{
		{"fields", "type T0 struct{}", "type T%d struct{ a, b T%d }"},
		{"embedded", "type T0 struct{}", "type T%d struct{ T%[2]d; X *T%[2]d; Y T%[2]d }"},
		{"generic", "type T0[P any] struct{}", "type T%d[P any] struct{ a, b T%d[P] }"},
	} {
		s := NewSession(newTestUniverse(), parse.Bounds{})
		cell := tc.first
		for i := 1; i < 60; i++ {
			p, err := s.Compile(parse.Source{Text: cell}, nil)
			if err != nil {
				if !strings.Contains(err.Error(), "too large") {
					t.Errorf("%s: cell %d: %v", tc.name, i, err)
				}
				cell = ""
				break
			}
			s.Declare(p)
			cell = fmt.Sprintf(tc.next, i, i-1)
		}
		if cell != "" {
			t.Errorf("%s: nothing was refused", tc.name)
		}
	}
}
