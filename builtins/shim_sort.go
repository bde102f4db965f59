package builtins

import (
	"cmp"
	"reflect"
	"slices"
	"sort"
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
func sortStrings(e *Env) func([]string)   { return e.sortTexts }

func sortIntSlice(e *Env) func(sort.IntSlice) {
	return func(s sort.IntSlice) { sortInPieces(e, []int(s), 8) }
}

func sortFloat64Slice(e *Env) func(sort.Float64Slice) {
	return func(s sort.Float64Slice) { sortInPieces(e, []float64(s), 8) }
}

func sortStringSlice(e *Env) func(sort.StringSlice) {
	return func(s sort.StringSlice) { e.sortTexts(s) }
}

// longText is from how many bytes on, on average, comparing texts takes longer than
// sorting them does otherwise. They may be one and the same text in memory.
const longText = 256

func (e *Env) sortTexts(s []string) {
	size := 0
	for _, x := range s {
		size += len(x)
	}
	if size <= longText*len(s) {
		sortInPieces(e, s, stringHeader)
		return
	}
	slices.SortFunc(s, e.compareTexts)
}

// compareTexts is cmp.Compare for two texts, which may be long: it lets stops through now and
// then, and between the pieces in which they begin alike.
func (e *Env) compareTexts(a, b string) int {
	at := e.alike(a, b)
	return cmp.Compare(a[at:], b[at:])
}

// sameTexts is a == b likewise.
func (e *Env) sameTexts(a, b string) bool {
	if len(a) != len(b) {
		e.stepped(1)
		return false
	}
	at := e.alike(a, b)
	return a[at:] == b[at:]
}

// alike is how long the pieces are, but for the last, in which two texts begin alike.
func (e *Env) alike(a, b string) (at int) {
	n := min(len(a), len(b))
	for n-at > piece && a[at:at+piece] == b[at:at+piece] {
		at += piece
		e.check()
	}
	e.stepped(1 + (n-at)/longText)
	return at
}

func sortStringsAreSorted(e *Env) func([]string) bool {
	return func(s []string) bool {
		return slices.IsSortedFunc(s, e.compareTexts)
	}
}

func sortSearchStrings(e *Env) func([]string, string) int {
	return func(s []string, x string) int {
		return sort.Search(len(s), func(i int) bool { return e.compareTexts(s[i], x) >= 0 })
	}
}

func sortStringSliceSearch(e *Env) func(sort.StringSlice, string) int {
	return func(s sort.StringSlice, x string) int { return sortSearchStrings(e)(s, x) }
}

func sortStringSliceLess(e *Env) func(s sort.StringSlice, i, j int) bool {
	return func(s sort.StringSlice, i, j int) bool { return e.compareTexts(s[i], s[j]) < 0 }
}

func sortSort(e *Env) func(sort.Interface) {
	return func(data sort.Interface) { sort.Sort(e.watched(data)) }
}

func sortStable(e *Env) func(sort.Interface) {
	return func(data sort.Interface) { sort.Stable(e.watched(data)) }
}

func sortIsSorted(e *Env) func(sort.Interface) bool {
	return func(data sort.Interface) bool { return sort.IsSorted(e.watched(data)) }
}

func sortReverse(e *Env) func(sort.Interface) sort.Interface {
	return func(data sort.Interface) sort.Interface {
		depth := 0
		if r, ok := data.(*reversed); ok {
			depth = r.depth + 1
		}
		if depth > maxLinked {
			panic(runtimeError("sort.Reverse is nested too deeply"))
		}
		return &reversed{e.watched(data), depth}
	}
}

// reversed is what Go has no name for. It knows how many of them are in each other, as each
// takes of the Go stack.
type reversed struct {
	sort.Interface
	depth int
}

func (r *reversed) Less(i, j int) bool { return r.Interface.Less(j, i) }

// watched lets a stop through while data is sorted.
func (e *Env) watched(data sort.Interface) sort.Interface {
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
	env *Env
}

func (w watchedData) Less(i, j int) bool {
	w.env.stepped(1)
	return w.Interface.Less(i, j)
}

type watchedTexts struct {
	sort.StringSlice
	env *Env
}

func (w watchedTexts) Less(i, j int) bool {
	return w.env.compareTexts(w.StringSlice[i], w.StringSlice[j]) < 0
}

// sortPlain sorts a slice of numbers or strings, and reports whether it is one.
func (e *Env) sortPlain(v reflect.Value) bool {
	switch s := v.Interface().(type) {
	case []int:
		sortInPieces(e, s, 8)
	case []string:
		e.sortTexts(s)
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
