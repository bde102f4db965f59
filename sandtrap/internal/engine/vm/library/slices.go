package library

func slices_All[Slice ~[]E, E any](s Slice) func(yield func(int, E) bool) {
	return func(yield func(int, E) bool) {
		for i, v := range s {
			if !yield(i, v) {
				return
			}
		}
	}
}

func slices_Values[Slice ~[]E, E any](s Slice) func(yield func(E) bool) {
	return func(yield func(E) bool) {
		for _, v := range s {
			if !yield(v) {
				return
			}
		}
	}
}

func slices_Backward[Slice ~[]E, E any](s Slice) func(yield func(int, E) bool) {
	return func(yield func(int, E) bool) {
		for i := len(s) - 1; i >= 0; i-- {
			if !yield(i, s[i]) {
				return
			}
		}
	}
}

func slices_AppendSeq[Slice ~[]E, E any](s Slice, seq func(yield func(E) bool)) Slice {
	seq(func(v E) bool {
		s = append(s, v)
		return true
	})
	return s
}

func slices_Collect[E any](seq func(yield func(E) bool)) []E {
	return slices_AppendSeq([]E(nil), seq)
}

func slices_Chunk[Slice ~[]E, E any](s Slice, n int) func(yield func(Slice) bool) {
	if n < 1 {
		panic("cannot be less than 1")
	}
	return func(yield func(Slice) bool) {
		for i := 0; i < len(s); i += n {
			end := min(n, len(s[i:]))
			if !yield(s[i : i+end : i+end]) {
				return
			}
		}
	}
}

func slices_BinarySearch[S ~[]E, E Ordered](x S, target E) (int, bool) {
	return slices_BinarySearchFunc(x, target, cmp_Compare[E])
}

func slices_BinarySearchFunc[S ~[]E, E, T any](x S, target T, cmp func(E, T) int) (int, bool) {
	lo, hi := 0, len(x)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if cmp(x[mid], target) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(x) && cmp(x[lo], target) == 0
}

func slices_Compare[S ~[]E, E Ordered](s1, s2 S) int {
	return slices_CompareFunc(s1, s2, cmp_Compare[E])
}

func slices_CompareFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, cmp func(E1, E2) int) int {
	for i, v := range s1 {
		if i >= len(s2) {
			return +1
		}
		if c := cmp(v, s2[i]); c != 0 {
			return c
		}
	}
	if len(s1) < len(s2) {
		return -1
	}
	return 0
}

func slices_Equal[S ~[]E, E comparable](s1, s2 S) bool {
	if len(s1) != len(s2) {
		return false
	}
	for i := range s1 {
		if s1[i] != s2[i] {
			return false
		}
	}
	return true
}

func slices_EqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, eq func(E1, E2) bool) bool {
	if len(s1) != len(s2) {
		return false
	}
	for i, v := range s1 {
		if !eq(v, s2[i]) {
			return false
		}
	}
	return true
}

func slices_Index[S ~[]E, E comparable](s S, v E) int {
	for i := range s {
		if v == s[i] {
			return i
		}
	}
	return -1
}

func slices_IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

func slices_Contains[S ~[]E, E comparable](s S, v E) bool { return slices_Index(s, v) >= 0 }

func slices_ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool {
	return slices_IndexFunc(s, f) >= 0
}

func slices_IsSorted[S ~[]E, E Ordered](x S) bool {
	for i := len(x) - 1; i > 0; i-- {
		if cmp_Less(x[i], x[i-1]) {
			return false
		}
	}
	return true
}

func slices_IsSortedFunc[S ~[]E, E any](x S, cmp func(a, b E) int) bool {
	for i := len(x) - 1; i > 0; i-- {
		if cmp(x[i], x[i-1]) < 0 {
			return false
		}
	}
	return true
}

func slices_Max[S ~[]E, E Ordered](x S) E {
	if len(x) < 1 {
		panic("slices.Max: empty list")
	}
	m := x[0]
	for i := 1; i < len(x); i++ {
		m = max(m, x[i])
	}
	return m
}

func slices_MaxFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	if len(x) < 1 {
		panic("slices.MaxFunc: empty list")
	}
	m := x[0]
	for i := 1; i < len(x); i++ {
		if cmp(x[i], m) > 0 {
			m = x[i]
		}
	}
	return m
}

func slices_Min[S ~[]E, E Ordered](x S) E {
	if len(x) < 1 {
		panic("slices.Min: empty list")
	}
	m := x[0]
	for i := 1; i < len(x); i++ {
		m = min(m, x[i])
	}
	return m
}

func slices_MinFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	if len(x) < 1 {
		panic("slices.MinFunc: empty list")
	}
	m := x[0]
	for i := 1; i < len(x); i++ {
		if cmp(x[i], m) < 0 {
			m = x[i]
		}
	}
	return m
}

func slices_Reverse[S ~[]E, E any](s S) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

func slices_Sort[S ~[]E, E Ordered](x S) {
	sortBy(x, false, func(i, j int) bool { return cmp_Less(x[i], x[j]) })
}

func slices_SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	sortBy(x, false, func(i, j int) bool { return cmp(x[i], x[j]) < 0 })
}

func slices_SortStableFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	sortBy(x, true, func(i, j int) bool { return cmp(x[i], x[j]) < 0 })
}

func slices_Sorted[E Ordered](seq func(yield func(E) bool)) []E {
	s := slices_Collect(seq)
	slices_Sort(s)
	return s
}

func slices_SortedFunc[E any](seq func(yield func(E) bool), cmp func(E, E) int) []E {
	s := slices_Collect(seq)
	slices_SortFunc(s, cmp)
	return s
}

func slices_SortedStableFunc[E any](seq func(yield func(E) bool), cmp func(E, E) int) []E {
	s := slices_Collect(seq)
	slices_SortStableFunc(s, cmp)
	return s
}
