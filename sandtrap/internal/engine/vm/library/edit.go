//lint:file-ignore U1000 the vm compiles these with the scripts that use them

package library

func slices_Clip[S ~[]E, E any](s S) S { return s[:len(s):len(s)] }

func slices_Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	return append(S([]E{}), s...)
}

func slices_Compact[S ~[]E, E comparable](s S) S {
	return slices_CompactFunc(s, func(a, b E) bool { return a == b })
}

func slices_CompactFunc[S ~[]E, E any](s S, eq func(E, E) bool) S {
	if len(s) < 2 {
		return s
	}
	n := firstEqual(s, eq)
	if n == len(s) {
		return s
	}
	for i := n + 1; i < len(s); i++ {
		if !eq(s[i], s[i-1]) {
			s[n] = s[i]
			n++
		}
	}
	clear(s[n:])
	return s[:n]
}

// firstEqual is the place of the first element that is equal to the one before.
func firstEqual[S ~[]E, E any](s S, eq func(E, E) bool) int {
	for i := 1; i < len(s); i++ {
		if eq(s[i], s[i-1]) {
			return i
		}
	}
	return len(s)
}

func slices_Concat[S ~[]E, E any](slices ...S) S {
	n := 0
	for _, s := range slices {
		n += len(s)
	}
	all := slices_Grow[S](nil, n)
	for _, s := range slices {
		all = append(all, s...)
	}
	return all
}

func slices_Delete[S ~[]E, E any](s S, i, j int) S {
	_ = s[i:j:len(s)]
	if i == j {
		return s
	}
	n := len(s)
	s = append(s[:i], s[j:]...)
	clear(s[len(s):n])
	return s
}

func slices_DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	n := slices_IndexFunc(s, del)
	if n < 0 {
		return s
	}
	for i := n + 1; i < len(s); i++ {
		if v := s[i]; !del(v) {
			s[n] = v
			n++
		}
	}
	clear(s[n:])
	return s[:n]
}

func slices_Grow[S ~[]E, E any](s S, n int) S {
	if n < 0 {
		panic("cannot be negative")
	}
	if n -= cap(s) - len(s); n > 0 {
		s = append(s[:cap(s)], make([]E, n)...)[:len(s)]
	}
	return s
}

func slices_Insert[S ~[]E, E any](s S, i int, v ...E) S {
	_ = s[i:]
	if len(v) == 0 {
		return s
	}
	return slices_Replace(s, i, i, v...)
}

func slices_Repeat[S ~[]E, E any](x S, count int) S {
	if count < 0 {
		panic("cannot be negative")
	}
	if len(x) > 0 && count > (1<<62)/len(x) {
		panic("the result of (len(x) * count) overflows")
	}
	all := make(S, 0, len(x)*count)
	for range count {
		all = append(all, x...)
	}
	return all
}

func slices_Replace[S ~[]E, E any](s S, i, j int, v ...E) S {
	_ = s[i:j]
	n := len(s) - (j - i) + len(v)
	if n > cap(s) {
		all := append(s[:i], make(S, n-i)...) // more than fits, so s stays as it is
		copy(all[i:], v)
		copy(all[i+len(v):], s[j:])
		return all
	}
	v = append([]E(nil), v...) // it may lie in s
	old := len(s)
	all := s[:n]
	copy(all[i+len(v):], s[j:old])
	copy(all[i:], v)
	if n < old {
		clear(s[n:old])
	}
	return all
}
