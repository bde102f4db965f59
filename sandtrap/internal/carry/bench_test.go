package carry

import (
	"fmt"
	"testing"
)

// BenchmarkCall is a call and its answer, with so many objects that both sides know: each looks
// whether its own have changed.
func BenchmarkCall(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, f := newSides(b, open, label)
			s := called(f[0], "a")
			for range n - 1 {
				s = called(f[0], "b")
			}
			for b.Loop() {
				called(f[1], s)
			}
		})
	}
}
