package builtins

import (
	"fmt"
	"go/types"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// instanceValue returns an instance for the type arguments A of a generic
// function as an F.
func instanceValue[F any](t testing.TB, path, name string, args ...reflect.Type) F {
	t.Helper()
	table := tableOf(t, Std()...)
	var targs []types.Type
	table.mu.Lock()
	for _, a := range args {
		targs = append(targs, table.typ(a))
	}
	table.mu.Unlock()
	v, err := table.Value(&Env{}, Ref{Kind: abi.BindFunc, Path: path, Name: name, TypeArgs: targs})
	if err != nil {
		t.Fatalf("%s.%s: %v", path, name, err)
	}
	f, ok := v.Interface().(F)
	if !ok {
		t.Fatalf("%s.%s is a %v, want a %v", path, name, v.Type(), reflect.TypeFor[F]())
	}
	return f
}

// show is the result of f as text, or its panic.
func show(f func() any) (s string) {
	defer func() {
		if p := recover(); p != nil {
			s = fmt.Sprint("panic: ", p)
		}
	}()
	return fmt.Sprintf("%#v", f())
}

var (
	ints = reflect.TypeFor[[]int]()
	in   = reflect.TypeFor[int]()
	strs = reflect.TypeFor[[]string]()
	str  = reflect.TypeFor[string]()
	flts = reflect.TypeFor[[]float64]()
	flt  = reflect.TypeFor[float64]()
)

// TestSlicesEdit compares what changes a slice with Go's, for all positions.
func TestSlicesEdit(t *testing.T) {
	insert := instanceValue[func([]int, int, ...int) []int](t, "slices", "Insert", ints, in)
	del := instanceValue[func([]int, int, int) []int](t, "slices", "Delete", ints, in)
	replace := instanceValue[func([]int, int, int, ...int) []int](t, "slices", "Replace", ints, in)
	repeat := instanceValue[func([]int, int) []int](t, "slices", "Repeat", ints, in)
	same := func(what string, got, want func() any) {
		t.Helper()
		g, w := show(got), show(want)
		if strings.HasPrefix(g, "panic") && strings.HasPrefix(w, "panic") {
			return // the texts of bounds differ
		}
		if g != w {
			t.Errorf("%s: got %s, want %s", what, g, w)
		}
	}
	base := func() []int { return []int{1, 2, 2, 3} }
	for i := -1; i <= 5; i++ {
		same("Insert", func() any { return insert(base(), i, 7, 8) }, func() any { return slices.Insert(base(), i, 7, 8) })
		same("Repeat", func() any { return repeat(base(), i) }, func() any { return slices.Repeat(base(), i) })
		for j := -1; j <= 5; j++ {
			same("Delete", func() any { return del(base(), i, j) }, func() any { return slices.Delete(base(), i, j) })
			for n := range 3 {
				v := []int{7, 8, 9}[:n]
				same("Replace", func() any { return replace(base(), i, j, v...) }, func() any { return slices.Replace(base(), i, j, v...) })
			}
		}
	}
}

func TestSlices(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		name      string
		got, want any
	}{
		{"Contains", instanceValue[func([]string, string) bool](t, "slices", "Contains", strs, str)([]string{"a"}, "a"), true},
		{"Index", instanceValue[func([]int, int) int](t, "slices", "Index", ints, in)([]int{1, 2}, 2), 1},
		{"IndexFunc", instanceValue[func([]int, func(int) bool) int](t, "slices", "IndexFunc", ints, in)([]int{1, 2}, func(i int) bool { return i > 5 }), -1},
		{"Max", instanceValue[func([]int) int](t, "slices", "Max", ints, in)([]int{1, 3, 2}), 3},
		{"Min", instanceValue[func([]int) int](t, "slices", "Min", ints, in)([]int{2, 1, 3}), 1},
		{"Max NaN", fmt.Sprint(instanceValue[func([]float64) float64](t, "slices", "Max", flts, flt)([]float64{1, nan, 2})), "NaN"},
		{"Equal", instanceValue[func([]int, []int) bool](t, "slices", "Equal", ints, in)([]int{1}, []int{1}), true},
		{"Equal NaN", instanceValue[func([]float64, []float64) bool](t, "slices", "Equal", flts, flt)([]float64{nan}, []float64{nan}), false},
		{"Compare", instanceValue[func([]int, []int) int](t, "slices", "Compare", ints, in)([]int{1, 2}, []int{1}), 1},
		{"Compact", instanceValue[func([]int) []int](t, "slices", "Compact", ints, in)([]int{1, 1, 2, 2, 1}), []int{1, 2, 1}},
		{"DeleteFunc", instanceValue[func([]int, func(int) bool) []int](t, "slices", "DeleteFunc", ints, in)([]int{1, 2, 3}, func(i int) bool { return i%2 == 1 }), []int{2}},
		{"Clone", instanceValue[func([]int) []int](t, "slices", "Clone", ints, in)([]int{1, 2}), []int{1, 2}},
		{"Clone nil", instanceValue[func([]int) []int](t, "slices", "Clone", ints, in)(nil), []int(nil)},
		{"Concat", instanceValue[func(...[]int) []int](t, "slices", "Concat", ints, in)([]int{1}, nil, []int{2}), []int{1, 2}},
		{"IsSorted", instanceValue[func([]int) bool](t, "slices", "IsSorted", ints, in)([]int{2, 1}), false},
		{"Sorted", instanceValue[func(func(func(int) bool)) []int](t, "slices", "Sorted", in)(slices.Values([]int{2, 1})), []int{1, 2}},
		{"cmp.Compare", instanceValue[func(a, b string) int](t, "cmp", "Compare", str)("a", "b"), -1},
		{"cmp.Less", instanceValue[func(a, b float64) bool](t, "cmp", "Less", flt)(nan, 1), true},
		{"cmp.Or", instanceValue[func(...string) string](t, "cmp", "Or", str)("", "x", "y"), "x"},
		{"Chunk", slices.Collect(iter.Seq[[]int](instanceValue[func([]int, int) func(func([]int) bool)](t, "slices", "Chunk", ints, in)([]int{1, 2, 3}, 2))), [][]int{{1, 2}, {3}}},
		{"Backward", maps.Collect(iter.Seq2[int, int](instanceValue[func([]int) func(func(int, int) bool)](t, "slices", "Backward", ints, in)([]int{5, 6}))), map[int]int{0: 5, 1: 6}},
		{"Values stop", first(instanceValue[func([]int) func(func(int) bool)](t, "slices", "Values", ints, in)([]int{5, 6})), 5},
	} {
		if !reflect.DeepEqual(tc.got, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}

// first stops an iterator at its first element.
func first(seq func(func(int) bool)) int {
	for v := range seq {
		return v
	}
	return -1
}

func TestSlicesInPlace(t *testing.T) {
	s := []int{3, 1, 2}
	instanceValue[func([]int)](t, "slices", "Sort", ints, in)(s)
	if !slices.Equal(s, []int{1, 2, 3}) {
		t.Errorf("Sort: got %v", s)
	}
	instanceValue[func([]int, func(a, b int) int)](t, "slices", "SortFunc", ints, in)(s, func(a, b int) int { return b - a })
	if !slices.Equal(s, []int{3, 2, 1}) {
		t.Errorf("SortFunc: got %v", s)
	}
	instanceValue[func([]int)](t, "slices", "Reverse", ints, in)(s)
	if !slices.Equal(s, []int{1, 2, 3}) {
		t.Errorf("Reverse: got %v", s)
	}
	search := instanceValue[func([]int, int) (int, bool)](t, "slices", "BinarySearch", ints, in)
	for v := range 5 {
		i, ok := search(s, v)
		if wi, wok := slices.BinarySearch(s, v); i != wi || ok != wok {
			t.Errorf("BinarySearch %d: got %v %v, want %v %v", v, i, ok, wi, wok)
		}
	}
}

func TestMaps(t *testing.T) {
	m := map[string]int{"a": 1, "b": 2}
	mt := reflect.TypeOf(m)
	keys := instanceValue[func(map[string]int) func(func(string) bool)](t, "maps", "Keys", mt, str, in)(m)
	if got := slices.Sorted(iter.Seq[string](keys)); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("Keys: got %v", got)
	}
	clone := instanceValue[func(map[string]int) map[string]int](t, "maps", "Clone", mt, str, in)(m)
	if !maps.Equal(clone, m) {
		t.Errorf("Clone: got %v", clone)
	}
	if !instanceValue[func(a, b map[string]int) bool](t, "maps", "Equal", mt, mt, str, in)(clone, m) {
		t.Errorf("Equal: got false")
	}
	instanceValue[func(map[string]int, func(string, int) bool)](t, "maps", "DeleteFunc", mt, str, in)(clone, func(_ string, v int) bool { return v == 1 })
	if !maps.Equal(clone, map[string]int{"b": 2}) {
		t.Errorf("DeleteFunc: got %v", clone)
	}
	instanceValue[func(a, b map[string]int)](t, "maps", "Copy", mt, mt, str, in)(clone, m)
	if !maps.Equal(clone, m) {
		t.Errorf("Copy: got %v", clone)
	}
	got := instanceValue[func(func(func(string, int) bool)) map[string]int](t, "maps", "Collect", str, in)(maps.All(m))
	if !maps.Equal(got, m) {
		t.Errorf("Collect: got %v", got)
	}
}

// TestEveryGenericMade wants an implementation for every generic function, those
// apart that need the engine.
func TestEveryGenericMade(t *testing.T) {
	table := tableOf(t, Std()...)
	needEngine := map[string]bool{"iter.Pull": true, "iter.Pull2": true, "reflect.TypeFor": true, "reflect.TypeAssert": true, "unique.Make": true}
	for _, path := range table.Paths() {
		pkg, err := table.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			fn, ok := pkg.Scope().Lookup(name).(*types.Func)
			if !ok || fn.Signature().TypeParams().Len() == 0 {
				continue
			}
			if got, want := instanceOf(path, name) != nil, !needEngine[path+"."+name]; got != want {
				t.Errorf("%s.%s: made by reflection: got %v, want %v", path, name, got, want)
			}
		}
	}
}
