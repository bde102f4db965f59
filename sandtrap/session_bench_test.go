package sandtrap_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func runCell(t testing.TB, s *sandtrap.Session, text string) *sandtrap.Result {
	t.Helper()
	res, err := s.Run(context.Background(), sandtrap.Script{Text: text})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return res
}

// BenchmarkCell: what a cell takes after 1 and after 1,000 others.
func BenchmarkCell(b *testing.B) {
	for _, before := range []int{1, 1000} {
		b.Run(fmt.Sprint(before), func(b *testing.B) {
			s := newSession(b, nil)
			for i := range before {
				runCell(b, s, fmt.Sprintf("a%d := %d\nfunc f%d() int { return a%d }", i, i, i, i))
			}
			for b.Loop() {
				runCell(b, s, "x := a0 + f0()\nfmt.Sprint(x)")
			}
		})
	}
}
