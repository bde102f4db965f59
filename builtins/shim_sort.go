package builtins

import (
	"cmp"
	"reflect"
	"slices"
)

// sortedAtOnce is how many elements are sorted without letting a stop through: some
// milliseconds.
const sortedAtOnce = 1 << 15

// sortInPieces is slices.Sort in pieces, which are merged.
func sortInPieces[E cmp.Ordered](e *Env, s []E, size int64) {
	if len(s) <= sortedAtOnce {
		slices.Sort(s)
		return
	}
	for part := range slices.Chunk(s, sortedAtOnce) {
		slices.Sort(part)
		e.check()
	}
	e.charge(size * int64(len(s)))
	from, to := s, make([]E, len(s))
	for n := sortedAtOnce; n < len(s); n *= 2 {
		for i := 0; i < len(s); i += 2 * n {
			mid, end := min(i+n, len(s)), min(i+2*n, len(s))
			merge(e, to[i:end], from[i:mid], from[mid:end])
		}
		from, to = to, from
	}
	if &from[0] != &s[0] {
		copy(s, from)
	}
}

// merge puts the elements of two sorted slices into out in order.
func merge[E cmp.Ordered](e *Env, out, a, b []E) {
	for i := range out {
		if i%sortedAtOnce == 0 {
			e.check()
		}
		if len(b) == 0 || len(a) > 0 && !cmp.Less(b[0], a[0]) {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}

func sortInts(e *Env) func([]int)         { return func(s []int) { sortInPieces(e, s, 8) } }
func sortFloat64s(e *Env) func([]float64) { return func(s []float64) { sortInPieces(e, s, 8) } }
func sortStrings(e *Env) func([]string)   { return func(s []string) { sortInPieces(e, s, stringHeader) } }

// sortPlain sorts a slice of numbers or strings, and reports whether it is one.
func (e *Env) sortPlain(v reflect.Value) bool {
	switch s := v.Interface().(type) {
	case []int:
		sortInPieces(e, s, 8)
	case []string:
		sortInPieces(e, s, stringHeader)
	case []float64:
		sortInPieces(e, s, 8)
	case []int64:
		sortInPieces(e, s, 8)
	case []int32:
		sortInPieces(e, s, 4)
	case []byte:
		sortInPieces(e, s, 1)
	default:
		return false
	}
	return true
}
