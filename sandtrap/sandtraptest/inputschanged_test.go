package sandtraptest

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestInputsChanged: of its inputs a script leaves those to which it has given another value, in each mode; and what it
// has changed behind a pointer, in a slice or in a map, if it had copies.
func TestInputsChanged(t *testing.T) {
	type part struct {
		A int
		B string
	}
	type level int
	inputs := func() map[string]any {
		n := 1
		pn := &n
		return map[string]any{
			"s": part{1, "b"}, "ps": &part{1, "b"}, "l": struct{ A []int }{[]int{1}}, "i": level(3), "pn": pn, "pp": &pn,
			"tm": time.Unix(1, 0).UTC(), "e": errors.New("x"), "np": (*part)(nil), "list": []part{{1, "x"}}, "li": []level{1},
			"m": map[level]part{1: {2, "x"}}, "a": any("x"), "f": 1.5, "by": []byte("x"),
		}
	}
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		for _, tc := range []struct {
			src    string
			left   []string // of the inputs
			copied []string // more of them, if they are copies
		}{
			{"_ = 1", nil, nil},
			{"s.A = 5; l.A = []int{7}; i = 4; e = nil", []string{"e", "i", "l", "s"}, nil},
			{`tm = tm.Add(1); a = "other"; pp = nil; f = 2`, []string{"a", "f", "pp", "tm"}, nil},
			{"s.A = 1; i = 3; f = 1.5; np = nil", nil, nil},
			{`ps.A = 6; list[0].B = "y"; li[0] = 2; *pn = 4; by[0] = 'z'`, nil, []string{"by", "li", "list", "pn", "ps"}}, // pp is a copy of its own
			{"delete(m, 1)", nil, []string{"m"}},
		} {
			for _, copied := range []bool{false, true} {
				res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.src, Inputs: inputs(), Copy: copied})
				if err != nil {
					b.Errorf("%s: %v", tc.src, err)
					continue
				}
				want := tc.left
				if copied {
					want = slices.Sorted(slices.Values(append(slices.Clone(want), tc.copied...)))
				}
				if got := slices.Sorted(maps.Keys(res.Vars)); !cmp.Equal(got, want) {
					b.Errorf("%s, copied %t: left %v, want %v", tc.src, copied, got, want)
				}
			}
		}
	})
}
