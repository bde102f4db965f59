package builtins

import (
	"reflect"
	"sort"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimsort "github.com/sandtrap-go/sandtrap/builtins/internal/shim/sort"
)

// slicesInstance finds the implementation in four groups, by what the function
// does with its slices.
func slicesInstance(name string) instance {
	for _, group := range [...]func(string) instance{slicesSearch, slicesSort, slicesEdit, slicesIterate} {
		if impl := group(name); impl != nil {
			return impl
		}
	}
	return nil
}

// equalOrHolds is what functions with a twin ending in Func ask of an element: to
// be equal to the second argument, or to satisfy it.
func equalOrHolds(e *Env, name string, a []reflect.Value) func(reflect.Value) bool {
	if hasFunc(name) {
		return func(v reflect.Value) bool { return holds(a[1], v) }
	}
	return func(v reflect.Value) bool { return equal(e, v, a[1]) }
}

// equal and compare are steps between which a stop is let through.
func equal(e *Env, v, w reflect.Value) bool {
	if v.Kind() == reflect.String {
		return shimsort.SameTexts(e, v.String(), w.String())
	}
	e.Stepped(1)
	return v.Equal(w)
}

func compare(e *Env, v, w reflect.Value) int {
	if v.Kind() == reflect.String {
		return shimsort.CompareTexts(e, v.String(), w.String())
	}
	e.Stepped(1)
	return shim.CompareValues(v, w)
}

func hasFunc(name string) bool { return len(name) > 4 && name[len(name)-4:] == "Func" }

// comparison is the order that the last argument gives, or that of cmp.Compare.
func comparison(e *Env, name string, a []reflect.Value) func(x, y reflect.Value) int {
	if hasFunc(name) {
		return compareWith(a[len(a)-1])
	}
	return func(v, w reflect.Value) int { return compare(e, v, w) }
}

func equality(e *Env, name string, a []reflect.Value) func(x, y reflect.Value) bool {
	if hasFunc(name) {
		return func(x, y reflect.Value) bool { return holds(a[len(a)-1], x, y) }
	}
	return func(v, w reflect.Value) bool { return equal(e, v, w) }
}

func slicesSearch(name string) instance {
	switch name {
	case "Index", "IndexFunc", "Contains", "ContainsFunc":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			at := indexOf(a[0], equalOrHolds(e, name, a))
			if name[0] == 'C' {
				return results(at >= 0)
			}
			return results(at)
		}
	case "BinarySearch", "BinarySearchFunc":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			order, n := comparison(e, name, a), a[0].Len()
			at := sort.Search(n, func(i int) bool { return order(a[0].Index(i), a[1]) >= 0 })
			return results(at, at < n && order(a[0].Index(at), a[1]) == 0)
		}
	case "Max", "MaxFunc", "Min", "MinFunc":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			return []reflect.Value{extreme(name, a[0], comparison(e, name, a))}
		}
	case "Equal", "EqualFunc":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			return results(equalSlices(a[0], a[1], equality(e, name, a)))
		}
	case "Compare", "CompareFunc":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			return results(compareSlices(a[0], a[1], comparison(e, name, a)))
		}
	}
	return nil
}

func indexOf(s reflect.Value, is func(reflect.Value) bool) int {
	for i := range s.Len() {
		if is(s.Index(i)) {
			return i
		}
	}
	return -1
}

// extreme is the first greatest or least element; a NaN wins over all.
func extreme(name string, s reflect.Value, order func(x, y reflect.Value) int) reflect.Value {
	if s.Len() == 0 {
		panic("slices." + name + ": empty list")
	}
	sign := 1
	if name[1] == 'i' {
		sign = -1
	}
	best := s.Index(0)
	for i := range s.Len() {
		v := s.Index(i)
		if v.CanFloat() && !hasFunc(name) && v.Float() != v.Float() {
			return v
		}
		if sign*order(v, best) > 0 {
			best = v
		}
	}
	return copyOf(best)
}

// copyOf detaches a value from the slice it is in.
func copyOf(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func equalSlices(s1, s2 reflect.Value, eq func(x, y reflect.Value) bool) bool {
	if s1.Len() != s2.Len() {
		return false
	}
	for i := range s1.Len() {
		if !eq(s1.Index(i), s2.Index(i)) {
			return false
		}
	}
	return true
}

func compareSlices(s1, s2 reflect.Value, order func(x, y reflect.Value) int) int {
	for i := range min(s1.Len(), s2.Len()) {
		if c := order(s1.Index(i), s2.Index(i)); c != 0 {
			return c
		}
	}
	return shim.CompareValues(reflect.ValueOf(s1.Len()), reflect.ValueOf(s2.Len()))
}

func slicesSort(name string) instance {
	switch name {
	case "Sort", "SortFunc", "SortStableFunc":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			if name != "Sort" || !shimsort.Plain(e, a[0]) {
				sortSlice(e, a[0], comparison(e, name, a))
			}
			return nil
		}
	case "IsSorted", "IsSortedFunc":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			order := comparison(e, name, a)
			for i := a[0].Len() - 1; i > 0; i-- {
				if order(a[0].Index(i), a[0].Index(i-1)) < 0 {
					return results(false)
				}
			}
			return results(true)
		}
	case "Sorted", "SortedFunc", "SortedStableFunc":
		return func(e *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
			s := collect(reflect.Zero(ft.Out(0)), a[0])
			sortSlice(e, s, comparison(e, name, a))
			return []reflect.Value{s}
		}
	}
	return nil
}

// sortSlice sorts stably, which every kind of sort may.
func sortSlice(e *Env, s reflect.Value, order func(x, y reflect.Value) int) {
	e.ChargeProduct(int64(s.Len()), shim.SliceHeader+int64(s.Type().Elem().Size()))
	sorted := make([]reflect.Value, s.Len())
	for i := range sorted {
		sorted[i] = copyOf(s.Index(i))
	}
	sort.SliceStable(sorted, func(i, j int) bool { return order(sorted[i], sorted[j]) < 0 })
	for i, v := range sorted {
		s.Index(i).Set(v)
	}
}
