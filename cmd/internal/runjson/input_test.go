package runjson

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInput: JSON becomes the Go values that a script expects.
func TestInput(t *testing.T) {
	for _, tc := range []struct {
		text string
		want any
		fail bool
	}{
		{text: `3`, want: 3},
		{text: `-9223372036854775808`, want: -9223372036854775808},
		{text: `3.0`, want: 3.0},
		{text: `1e2`, want: 100.0},
		{text: `"x"`, want: "x"},
		{text: `true`, want: true},
		{text: `[1,2]`, want: []int{1, 2}},
		{text: `[1,2.5]`, want: []float64{1, 2.5}},
		{text: `["a"]`, want: []string{"a"}},
		{text: `[true,false]`, want: []bool{true, false}},
		{text: `[1,"a"]`, want: []any{1, "a"}},
		{text: `[]`, want: []any{}},
		{text: `[[1],[2,3]]`, want: [][]int{{1}, {2, 3}}},
		{text: `{"a":{"b":[1]}}`, want: map[string]any{"a": map[string]any{"b": []int{1}}}},
		{text: `[{"a":1}]`, want: []map[string]any{{"a": 1}}},
		{text: `9223372036854775808`, fail: true},
		{text: `hello`, fail: true},
		{text: `1 2`, fail: true},
		{text: ``, fail: true},
		{text: `null`, fail: true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := Input(tc.text)
			if (err != nil) != tc.fail {
				t.Fatalf("error %v, want one: %v", err, tc.fail)
			}
			if diff := cmp.Diff(tc.want, got); !tc.fail && diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
