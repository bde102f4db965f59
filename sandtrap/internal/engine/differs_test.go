package engine

import (
	"math/big"
	"reflect"
	"testing"
	"time"
)

type ring struct {
	Next *ring
	N    int
}

type named *int

// TestCopy: a copy has what the value had, is none of its variables, and shows what is changed in it later.
func TestCopy(t *testing.T) {
	r := &ring{N: 1}
	r.Next = &ring{r, 2}
	self := map[string]any{}
	self["self"] = self
	n := 3
	for name, tc := range map[string]struct {
		v      any
		change func()
	}{
		"list":         {[]int{1, 2}, nil},
		"ring":         {r, func() { r.Next.N = 4 }},
		"circle":       {self, nil},
		"nil pointer":  {(*int)(nil), nil},
		"time":         {time.Unix(1, 2), nil},
		"number":       {big.NewInt(4), nil},
		"named":        {named(&n), func() { n = 4 }},
		"arrays":       {&[2][]any{{1, "a"}, {&n}}, func() { n = 5 }},
		"in interface": {map[any]any{1: []*int{&n}}, func() { n = 6 }},
	} {
		before := Copy(tc.v)
		if name != "circle" && Differs(before, tc.v) || reflect.TypeOf(before) != reflect.TypeOf(tc.v) {
			t.Errorf("%s: %v is copied as %v", name, tc.v, before)
		}
		if tc.change == nil {
			continue
		}
		if tc.change(); !Differs(before, tc.v) {
			t.Errorf("%s: a change is not seen", name)
		}
	}
	if Copy(nil) != nil {
		t.Error("nil")
	}
}
