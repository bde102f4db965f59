package sort

import (
	"cmp"
	"reflect"
	"slices"
	"sort"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// sortedAtOnce is how many elements are sorted without letting a stop through: some
// milliseconds.
const sortedAtOnce = 1 << 15

// sortInPieces is slices.Sort in pieces, which are merged.
func sortInPieces[E cmp.Ordered](e *shim.Env, s []E, size int64) {
	if len(s) <= sortedAtOnce {
		slices.Sort(s)
		return
	}
	for part := range slices.Chunk(s, sortedAtOnce) {
		slices.Sort(part)
		e.Check()
	}
	e.Charge(size * int64(len(s)))
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
func merge[E cmp.Ordered](e *shim.Env, out, a, b []E) {
	for i := range out {
		if i%sortedAtOnce == 0 {
			e.Check()
		}
		if len(b) == 0 || len(a) > 0 && !cmp.Less(b[0], a[0]) {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}

func Ints(e *shim.Env) func([]int)         { return func(s []int) { sortInPieces(e, s, 8) } }
func Float64s(e *shim.Env) func([]float64) { return func(s []float64) { sortInPieces(e, s, 8) } }
func Strings(e *shim.Env) func([]string)   { return func(s []string) { Texts(e, s) } }

func IntSlice(e *shim.Env) func(sort.IntSlice) {
	return func(s sort.IntSlice) { sortInPieces(e, []int(s), 8) }
}

func Float64Slice(e *shim.Env) func(sort.Float64Slice) {
	return func(s sort.Float64Slice) { sortInPieces(e, []float64(s), 8) }
}

func StringSlice(e *shim.Env) func(sort.StringSlice) {
	return func(s sort.StringSlice) { Texts(e, s) }
}

// longText is from how many bytes on, on average, comparing texts takes longer than
// sorting them does otherwise. They may be one and the same text in memory.
const longText = 256

func Texts(e *shim.Env, s []string) {
	size := 0
	for _, x := range s {
		size += len(x)
	}
	if size <= longText*len(s) {
		sortInPieces(e, s, shim.StringHeader)
		return
	}
	slices.SortFunc(s, func(a, b string) int { return CompareTexts(e, a, b) })
}

// CompareTexts is cmp.Compare for two texts, which may be long: it lets stops through now and
// then, and between the pieces in which they begin alike.
func CompareTexts(e *shim.Env, a, b string) int {
	at := alike(e, a, b)
	return cmp.Compare(a[at:], b[at:])
}

// SameTexts is a == b likewise.
func SameTexts(e *shim.Env, a, b string) bool {
	if len(a) != len(b) {
		e.Stepped(1)
		return false
	}
	at := alike(e, a, b)
	return a[at:] == b[at:]
}

// alike is how long the pieces are, but for the last, in which two texts begin alike.
func alike(e *shim.Env, a, b string) (at int) {
	n := min(len(a), len(b))
	for n-at > shim.Piece && a[at:at+shim.Piece] == b[at:at+shim.Piece] {
		at += shim.Piece
		e.Check()
	}
	e.Stepped(1 + (n-at)/longText)
	return at
}

func StringsAreSorted(e *shim.Env) func([]string) bool {
	return func(s []string) bool {
		return slices.IsSortedFunc(s, func(a, b string) int { return CompareTexts(e, a, b) })
	}
}

func SearchStrings(e *shim.Env) func([]string, string) int {
	return func(s []string, x string) int {
		return sort.Search(len(s), func(i int) bool { return CompareTexts(e, s[i], x) >= 0 })
	}
}

func StringSliceSearch(e *shim.Env) func(sort.StringSlice, string) int {
	return func(s sort.StringSlice, x string) int { return SearchStrings(e)(s, x) }
}

func StringSliceLess(e *shim.Env) func(s sort.StringSlice, i, j int) bool {
	return func(s sort.StringSlice, i, j int) bool { return CompareTexts(e, s[i], s[j]) < 0 }
}

func Sort(e *shim.Env) func(sort.Interface) {
	return func(data sort.Interface) { sort.Sort(watched(e, data)) }
}

func Stable(e *shim.Env) func(sort.Interface) {
	return func(data sort.Interface) { sort.Stable(watched(e, data)) }
}

func IsSorted(e *shim.Env) func(sort.Interface) bool {
	return func(data sort.Interface) bool { return sort.IsSorted(watched(e, data)) }
}

func Reverse(e *shim.Env) func(sort.Interface) sort.Interface {
	return func(data sort.Interface) sort.Interface {
		depth := 0
		if r, ok := data.(*Reversed); ok {
			depth = r.depth + 1
		}
		if depth > shim.MaxLinked {
			panic(shim.RuntimeError("sort.Reverse is nested too deeply"))
		}
		return &Reversed{watched(e, data), depth}
	}
}

// Reversed is what Go has no name for. It knows how many of them are in each other, as each
// takes of the Go stack.
type Reversed struct {
	sort.Interface
	depth int
}

func (r *Reversed) Less(i, j int) bool { return r.Interface.Less(j, i) }

// watched lets a stop through while data is sorted.
func watched(e *shim.Env, data sort.Interface) sort.Interface {
	switch data := data.(type) {
	case nil, watchedData, watchedTexts:
		return data
	case sort.StringSlice:
		return watchedTexts{data, e}
	}
	return watchedData{data, e}
}

type watchedData struct {
	sort.Interface
	env *shim.Env
}

func (w watchedData) Less(i, j int) bool {
	w.env.Stepped(1)
	return w.Interface.Less(i, j)
}

type watchedTexts struct {
	sort.StringSlice
	env *shim.Env
}

func (w watchedTexts) Less(i, j int) bool {
	return CompareTexts(w.env, w.StringSlice[i], w.StringSlice[j]) < 0
}

// Plain sorts a slice of numbers or strings, and reports whether it is one.
func Plain(e *shim.Env, v reflect.Value) bool {
	switch s := v.Interface().(type) {
	case []int:
		sortInPieces(e, s, 8)
	case []string:
		Texts(e, s)
	case []float64:
		sortInPieces(e, s, 8)
	case []float32:
		sortInPieces(e, s, 4)
	case []int64:
		sortInPieces(e, s, 8)
	case []int32:
		sortInPieces(e, s, 4)
	case []int16:
		sortInPieces(e, s, 2)
	case []int8:
		sortInPieces(e, s, 1)
	case []uint:
		sortInPieces(e, s, 8)
	case []uint64:
		sortInPieces(e, s, 8)
	case []uint32:
		sortInPieces(e, s, 4)
	case []uint16:
		sortInPieces(e, s, 2)
	case []byte:
		sortInPieces(e, s, 1)
	case []uintptr:
		sortInPieces(e, s, 8)
	default:
		return false
	}
	return true
}
