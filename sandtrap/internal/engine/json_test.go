package engine_test

import (
	"errors"
	"math"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// TestJSON: every value has a form, and what JSON has none for does not lose what is around it.
func TestJSON(t *testing.T) {
	for _, tc := range []struct {
		name string
		v    any
		want string
	}{
		{"number", 3, `3`},
		{"text", "a\"b", `"a\"b"`},
		{"nil", nil, `null`},
		{"not a number", math.NaN(), `"NaN"`},
		{"error", errors.New("a \"limit\""), `"a \"limit\""`},
		{"map", map[string]any{"a": []int{1}}, `{"a":[1]}`},
		{"NaN in a list", []any{1, math.NaN()}, `[1,"NaN"]`},
		{"infinite in a map", map[string]any{"a": []float64{math.Inf(-1), 2}, "b": true}, `{"a":["-Inf",2],"b":true}`},
		{"complex in a list", []any{complex(1, -2)}, `["(1-2i)"]`},
		{"keys that are numbers", map[int]float64{1: math.NaN(), 2: 3}, `{"1":"NaN","2":3}`},
		{"errors in a list", []error{errors.New("boom"), nil}, `["boom",null]`},
		{"bytes beside NaN", map[string]any{"b": []byte("hello"), "n": math.NaN(), "z": []int(nil)}, `{"b":"aGVsbG8=","n":"NaN","z":null}`},
		{"bytes", map[string]any{"b": []byte("hello")}, `{"b":"aGVsbG8="}`},
		{"func", func() {}, `"(T)"`},
		{"func in a list", []any{1, func(int) {}, make(chan int)}, `[1,"(func(int))","(chan int)"]`},
		{"keys that JSON has not", map[string]any{"f": map[float64]int{1.5: 1, math.Inf(1): 2}, "b": map[bool]any{true: nil}, "a": map[[2]int]int{{1, 2}: 3}}, `{"a":{"[1 2]":3},"b":{"true":null},"f":{"+Inf":2,"1.5":1}}`},
		{"keys without a text", map[string]any{"f": map[struct{ X int }]int{{1}: 2}, "n": 1}, `{"f":"(map[struct { X int }]int)","n":1}`},
		{"map with keys of any type", map[any]any{1: 2}, `"(T)"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := string(engine.JSON(tc.v, "T")); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
