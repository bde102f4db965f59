package kinds

import (
	"reflect"
	"testing"
)

type valued struct {
	Name  string
	List  []any
	inner []int
}

func TestValues(t *testing.T) {
	n := 7
	for _, tc := range []struct {
		of   any
		want []any
	}{
		{nil, nil},
		{5, nil},
		{"text", nil},
		{(*int)(nil), nil},
		{&n, []any{7}},
		{[]string{"a", "b"}, []any{"a", "b"}},
		{[2]bool{true, false}, []any{true, false}},
		{map[string]int{"a": 1}, []any{"a", 1}},
		{struct{ A, B int }{1, 2}, []any{1, 2}},
		{func() {}, nil},
	} {
		var got []any
		for v := range Values(reflect.ValueOf(tc.of)) {
			got = append(got, v.Interface())
		}
		if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%v: %v, want %v", tc.of, got, tc.want)
		}
		for range Values(reflect.ValueOf(tc.of)) {
			break
		}
	}
	held := []any{3}
	for v := range Values(reflect.ValueOf(held)) {
		for in := range Values(v) {
			if in.Int() != 3 {
				t.Error(in)
			}
			held = nil
		}
	}
	if held != nil {
		t.Error("an interface holds nothing")
	}
}

// TestRebuilt: the copy has no memory in common with what it was made from, but for pointers and fields that are not exported.
func TestRebuilt(t *testing.T) {
	var deep func(reflect.Value) reflect.Value
	deep = func(v reflect.Value) reflect.Value { return Rebuilt(v, deep) }
	shared := &valued{}
	from := map[string]any{
		"list": []any{1, "two", []int{3}}, "array": [2][]int{{1}, {2}}, "struct": valued{Name: "n", List: []any{4}, inner: []int{5}},
		"nil": nil, "none": []int(nil), "pointer": shared,
	}
	got := deep(reflect.ValueOf(from)).Interface().(map[string]any)
	if !reflect.DeepEqual(got, from) {
		t.Fatalf("%v, want %v", got, from)
	}
	got["list"].([]any)[2].([]int)[0] = 30
	got["array"].([2][]int)[0][0] = 10
	got["struct"].(valued).List[0] = 40
	if from["list"].([]any)[2].([]int)[0] != 3 || from["array"].([2][]int)[0][0] != 1 || from["struct"].(valued).List[0] != 4 {
		t.Errorf("the copy is the original: %v", from)
	}
	if got["pointer"] != shared {
		t.Error("what a pointer leads to was copied")
	}
	if got["none"].([]int) != nil {
		t.Error("a nil list is no longer nil")
	}
}
