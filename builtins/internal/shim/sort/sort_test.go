package sort

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// TestSortInPieces compares slices that are sorted in pieces with Go's own.
func TestSortInPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, sortedAtOnce, sortedAtOnce + 1, 3*sortedAtOnce + 7, 5 * sortedAtOnce} {
		got := make([]float64, n)
		for i := range got {
			got[i] = float64(rnd.IntN(1000))
			if rnd.IntN(50) == 0 {
				got[i] = math.NaN()
			}
		}
		want := slices.Clone(got)
		checks := 0
		Float64s(&shim.Env{Gates: shimtest.Gates{OnCheck: func() { checks++ }}})(got)
		slices.Sort(want)
		if !slices.EqualFunc(got, want, func(x, y float64) bool { return x == y || x != x && y != y }) {
			t.Errorf("%d elements are not sorted as Go does", n)
		}
		if n > sortedAtOnce && checks == 0 {
			t.Errorf("%d elements: no stop is let through", n)
		}
	}
}
