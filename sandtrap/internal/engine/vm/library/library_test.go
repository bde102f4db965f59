package library

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

type pair struct{ key, place int }

func byKey(a, b pair) int { return cmp.Compare(a.key, b.key) }

// TestSortsAsGo: equal elements come out in the order in which Go has them.
func TestSortsAsGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 5, 12, 13, 50, 500} {
		in := make([]pair, n)
		for i := range in {
			in[i] = pair{r.IntN(1 + n/3), i}
		}
		for _, tc := range []struct {
			name     string
			own, gos func([]pair)
		}{
			{"SortFunc", func(s []pair) { slices_SortFunc(s, byKey) }, func(s []pair) { slices.SortFunc(s, byKey) }},
			{"SortStableFunc", func(s []pair) { slices_SortStableFunc(s, byKey) }, func(s []pair) { slices.SortStableFunc(s, byKey) }},
		} {
			got, want := slices.Clone(in), slices.Clone(in)
			tc.own(got)
			tc.gos(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s of %d: got %v, want %v", tc.name, n, got, want)
			}
		}
	}
}

// outcome is what f gives or panics with, as text.
func outcome(f func() any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint("panic: ", r)
		}
	}()
	return fmt.Sprintf("%#v", f())
}

// TestAsGo runs each function beside the one it stands for.
func TestAsGo(t *testing.T) {
	nan := math.NaN()
	even := func(n int) bool { return n%2 == 0 }
	same := func(a, b int) bool { return a/2 == b/2 }
	lists := [][]int{nil, {}, {1}, {1, 1, 2, 3, 3}, {3, 1, 2}, {2, 4, 6}, {5, 4, 3, 2, 1, 0}}
	for _, s := range lists {
		c := func() []int { return slices.Clone(s) }
		for name, f := range map[string][2]func() any{
			"Clip":           {func() any { return cap(slices_Clip(c())) }, func() any { return cap(slices.Clip(c())) }},
			"Clone":          {func() any { return slices_Clone(s) }, func() any { return slices.Clone(s) }},
			"Compact":        {func() any { x := c(); return [2][]int{slices_Compact(x), x} }, func() any { x := c(); return [2][]int{slices.Compact(x), x} }},
			"CompactFunc":    {func() any { return slices_CompactFunc(c(), same) }, func() any { return slices.CompactFunc(c(), same) }},
			"Concat":         {func() any { return slices_Concat(s, s) }, func() any { return slices.Concat(s, s) }},
			"Delete":         {func() any { x := c(); return [2][]int{slices_Delete(x, 1, 2), x} }, func() any { x := c(); return [2][]int{slices.Delete(x, 1, 2), x} }},
			"DeleteFunc":     {func() any { x := c(); return [2][]int{slices_DeleteFunc(x, even), x} }, func() any { x := c(); return [2][]int{slices.DeleteFunc(x, even), x} }},
			"Insert":         {func() any { return slices_Insert(c(), 1, 7, 8) }, func() any { return slices.Insert(c(), 1, 7, 8) }},
			"Insert itself":  {func() any { x := c(); return slices_Insert(x[:1:6], 0, x...) }, func() any { x := c(); return slices.Insert(x[:1:6], 0, x...) }},
			"Replace":        {func() any { x := c(); return [2][]int{slices_Replace(x, 0, 2, 9), x} }, func() any { x := c(); return [2][]int{slices.Replace(x, 0, 2, 9), x} }},
			"Repeat":         {func() any { return slices_Repeat(s, 2) }, func() any { return slices.Repeat(s, 2) }},
			"Repeat less":    {func() any { return slices_Repeat(s, -1) }, func() any { return slices.Repeat(s, -1) }},
			"Grow":           {func() any { return slices_Grow(c(), 3) }, func() any { return slices.Grow(c(), 3) }},
			"Grow less":      {func() any { return slices_Grow(c(), -3) }, func() any { return slices.Grow(c(), -3) }},
			"Reverse":        {func() any { x := c(); slices_Reverse(x); return x }, func() any { x := c(); slices.Reverse(x); return x }},
			"Index":          {func() any { return slices_Index(s, 2) }, func() any { return slices.Index(s, 2) }},
			"ContainsFunc":   {func() any { return slices_ContainsFunc(s, even) }, func() any { return slices.ContainsFunc(s, even) }},
			"Contains":       {func() any { return slices_Contains(s, 3) }, func() any { return slices.Contains(s, 3) }},
			"IsSorted":       {func() any { return slices_IsSorted(s) }, func() any { return slices.IsSorted(s) }},
			"IsSortedFunc":   {func() any { return slices_IsSortedFunc(s, cmp.Compare[int]) }, func() any { return slices.IsSortedFunc(s, cmp.Compare[int]) }},
			"Max":            {func() any { return slices_Max(s) }, func() any { return slices.Max(s) }},
			"Min":            {func() any { return slices_Min(s) }, func() any { return slices.Min(s) }},
			"MaxFunc":        {func() any { return slices_MaxFunc(s, cmp.Compare[int]) }, func() any { return slices.MaxFunc(s, cmp.Compare[int]) }},
			"MinFunc":        {func() any { return slices_MinFunc(s, cmp.Compare[int]) }, func() any { return slices.MinFunc(s, cmp.Compare[int]) }},
			"Compare":        {func() any { return slices_Compare(s, lists[3]) }, func() any { return slices.Compare(s, lists[3]) }},
			"Equal":          {func() any { return slices_Equal(s, lists[3]) }, func() any { return slices.Equal(s, lists[3]) }},
			"EqualFunc":      {func() any { return slices_EqualFunc(s, lists[5], same) }, func() any { return slices.EqualFunc(s, lists[5], same) }},
			"Sorted":         {func() any { return slices_Sorted(slices_Values(s)) }, func() any { return slices.Sorted(slices.Values(s)) }},
			"SortedFunc":     {func() any { return slices_SortedFunc(slices_Values(s), cmp.Compare[int]) }, func() any { return slices.SortedFunc(slices.Values(s), cmp.Compare[int]) }},
			"SortedStable":   {func() any { return slices_SortedStableFunc(slices_Values(s), cmp.Compare[int]) }, func() any { return slices.SortedStableFunc(slices.Values(s), cmp.Compare[int]) }},
			"AppendSeq":      {func() any { return slices_AppendSeq(c(), slices_Values(s)) }, func() any { return slices.AppendSeq(c(), slices.Values(s)) }},
			"All, Backward":  {func() any { return fmt.Sprint(maps_Collect(slices_All(s)), maps_Collect(slices_Backward(s))) }, func() any { return fmt.Sprint(maps.Collect(slices.All(s)), maps.Collect(slices.Backward(s))) }},
			"Chunk":          {func() any { return slices_Collect(slices_Chunk(s, 2)) }, func() any { return slices.Collect(slices.Chunk(s, 2)) }},
			"Chunk of none":  {func() any { return slices_Collect(slices_Chunk(s, 0)) }, func() any { return slices.Collect(slices.Chunk(s, 0)) }},
			"BinarySearch":   {func() any { i, ok := slices_BinarySearch(s, 3); return fmt.Sprint(i, ok) }, func() any { i, ok := slices.BinarySearch(s, 3); return fmt.Sprint(i, ok) }},
			"cmp.Compare":    {func() any { return [3]int{cmp_Compare(nan, 1), cmp_Compare(1, nan), cmp_Compare(nan, nan)} }, func() any { return [3]int{cmp.Compare(nan, 1), cmp.Compare(1, nan), cmp.Compare(nan, nan)} }},
			"cmp.Less":       {func() any { return [2]bool{cmp_Less(nan, 1), cmp_Less(1, nan)} }, func() any { return [2]bool{cmp.Less(nan, 1), cmp.Less(1, nan)} }},
			"cmp.Or":         {func() any { return cmp_Or(0, 0, 3) }, func() any { return cmp.Or(0, 0, 3) }},
			"CompareFunc":    {func() any { return slices_CompareFunc(s, lists[4], cmp.Compare[int]) }, func() any { return slices.CompareFunc(s, lists[4], cmp.Compare[int]) }},
			"Sort":           {func() any { x := c(); slices_Sort(x); return x }, func() any { x := c(); slices.Sort(x); return x }},
			"BinarySearchFn": {func() any { i, ok := slices_BinarySearchFunc(s, 3, cmp.Compare[int]); return fmt.Sprint(i, ok) }, func() any { i, ok := slices.BinarySearchFunc(s, 3, cmp.Compare[int]); return fmt.Sprint(i, ok) }},
		} {
			if got, want := outcome(f[0]), outcome(f[1]); got != want {
				t.Errorf("%s of %v: got %s, want %s", name, s, got, want)
			}
		}
	}
}

func TestMaps(t *testing.T) {
	m := map[string]int{"a": 1, "b": 2, "c": 3}
	c := maps_Clone(m)
	maps_DeleteFunc(c, func(k string, v int) bool { return v == 2 })
	if want := map[string]int{"a": 1, "c": 3}; !maps_Equal(c, want) {
		t.Errorf("got %v, want %v", c, want)
	}
	maps_Copy(c, m)
	if !maps_EqualFunc(c, m, func(a, b int) bool { return a == b }) {
		t.Errorf("got %v, want %v", c, m)
	}
	if got := slices.Sorted(maps_Keys(m)); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("keys %v", got)
	}
	if got := slices.Sorted(maps_Values(m)); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("values %v", got)
	}
	if got := maps_Collect(maps_All(m)); !maps.Equal(got, m) {
		t.Errorf("collected %v", got)
	}
	if maps_Clone(map[int]int(nil)) != nil {
		t.Error("the clone of nil is not nil")
	}
}

func TestPull(t *testing.T) {
	next, stop := iter_Pull(slices.Values([]int{1, 2, 3}))
	for want := 1; want <= 2; want++ {
		if v, ok := next(); v != want || !ok {
			t.Errorf("got %d, %v, want %d", v, ok, want)
		}
	}
	stop()
	if v, ok := next(); v != 0 || ok {
		t.Errorf("after stop: got %d, %v", v, ok)
	}
	next2, _ := iter_Pull2(func(yield func(string, int) bool) { panic("boom") })
	if got := outcome(func() any { next2(); return nil }); got != "panic: boom" {
		t.Errorf("got %s, want the panic of the sequence", got)
	}
}

func TestOnceValue(t *testing.T) {
	n := 0
	get := sync_OnceValue(func() int { n++; return n })
	if a, b := get(), get(); a != 1 || b != 1 {
		t.Errorf("got %d and %d, want 1 both times", a, b)
	}
	bad := sync_OnceValue(func() int { panic("no") })
	for range 2 {
		if got := outcome(func() any { return bad() }); got != "panic: no" {
			t.Errorf("got %s, want the panic again", got)
		}
	}
}

func TestAsType(t *testing.T) {
	inner := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}
	err := errors.Join(errors.New("one"), fmt.Errorf("two: %w", inner))
	if got, ok := errors_AsType[*fs.PathError](err); !ok || got != inner {
		t.Errorf("got %v, %v, want %v", got, ok, inner)
	}
	if _, ok := errors_AsType[*builder](err); ok {
		t.Error("found an error that is not there")
	}
}

type builder struct{ strings.Builder }

func (*builder) Error() string { return "" }
