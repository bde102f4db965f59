package nearest_test

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

// TestDistance: the distance of two texts is that of Damerau and Levenshtein, up to a bound.
func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		most int
		want int
	}{
		{"", "", 9, 0},
		{"a", "", 9, 1},
		{"", "abc", 9, 3},
		{"abc", "abc", 9, 0},
		{"abc", "abd", 9, 1},
		{"abc", "acb", 9, 1},
		{"abc", "bca", 9, 2},
		{"kitten", "sitting", 9, 3},
		{"abcdef", "a", 3, 4},
		{"ca", "abc", 9, 3}, // no letter is changed twice
	} {
		if got := nearest.Distance(tc.a, tc.b, tc.most); got != tc.want {
			t.Errorf("%q and %q: %d, want %d", tc.a, tc.b, got, tc.want)
		}
		if got := nearest.Distance(tc.b, tc.a, tc.most); got != tc.want {
			t.Errorf("%q and %q: %d, want %d", tc.b, tc.a, got, tc.want)
		}
	}
}
