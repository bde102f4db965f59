package differ

// genTypes is what every program starts with.
const genTypes = `
import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

var _, _, _, _, _, _ = errors.New, slices.Max[[]int], sort.Ints, strings.ToUpper, strconv.Itoa, utf8.RuneLen
var _ iter.Seq[int]
var steps int

type I interface{ Get(x int) int }
type J interface { I; fmt.Stringer }
type S struct {
	A int8
	B string
	C []int
	D [2]uint16
	F float64
	E1
}
type E1 struct{ X int }
type K struct { a int8; b string }
type N int16
type B bool
type Str string
type Fl float32
type W struct {
	a, b, c, d, e, f int
	s string
	t [2]S
	u any
	v [3]int8
	w, x float32
	*sync.Once
}
type T struct { S; k K; next int }
type Seq func(yield func(int) bool)
type E[V any] struct { V V; L []V }
type P[A comparable, B any] struct { a A; b B }
type K2 K
type Set[V comparable] map[V]bool
type Deep struct { *S; I; p *[2]int; f func(int) int }
type fail struct{ code int }
type level uint8

const (
	low level = iota + 1
	_
	high
	mask = 1<<iota | 1
)

func (s S) Get(x int) int { s.A++; return int(s.A) + x }
func (s *S) Set(x int) *S { s.A += int8(x); s.X--; return s }
func (e E1) Name() string { return fmt.Sprint("E", e.X) }
func (e *E1) Up() int { e.X += 3; return e.X }
func (n N) Get(x int) int { return int(n) * x }
func (n N) String() string { return fmt.Sprintf("N(%d)", int(n)) }
func (w W) Sum() int { w.a += w.b; return w.a + w.f + int(w.v[1]) }
func (w *W) Put(x int) *W { w.c = x; w.v[x&1] ^= int8(x); w.t[1].A++; return w }
func (f fail) Error() string { return fmt.Sprint("fail ", f.code) }
func (f fail) Is(target error) bool { g, ok := target.(fail); return ok && g.code&1 == f.code&1 }
func (l level) String() string { return [...]string{"zero", "low", "mid", "high"}[l&3] }
func (s Str) Len() int { return len(s) }
func (p P[A, B]) Swap() P[string, A] { return P[string, A]{fmt.Sprint(p.b), p.a} }
func (p *P[A, B]) Replace(b B) (old B) { old, p.b = p.b, b; return }
func (e *E[V]) Add(v V) { e.L = append(e.L, e.V); e.V = v }
func (e E[V]) All(yield func(int, V) bool) { for i, v := range e.L { if !yield(i, v) { return } } }
func pick[T any](c bool, a, b T) T { if c { return a }; return b }
func fold[T, A any](s []T, a A, f func(A, T) A) A { for _, x := range s { a = f(a, x) }; return a }
func sum[T int | int8 | uint16 | float32 | ~string](s ...T) (t T) { for _, x := range s { t += x }; return t }
func (s Set[V]) Has(v V) bool { return s[v] }
func (s Set[V]) Put(v ...V) Set[V] { for _, v := range v { s[v] = len(s)&1 == 0 }; return s }
func gets[T interface { ~int16; Get(int) int }](x T, n int) int { return (x + 1).Get(n) - x.Get(1) }
func made[T any, P interface { *T; Set(int) *S }](x int) (t T) { P(&t).Set(x).B = "made"; return }
func va(n int, xs ...any) string { return short(fmt.Sprint(n, len(xs), xs == nil, lim(xs))) }
func swap(a, b int) (x, y int) { defer func() { x, y = y, x+1 }(); return a, b }
func sorted[V cmp.Ordered, A any](m map[V]A) iter.Seq2[V, A] {
	return func(yield func(V, A) bool) { for _, k := range slices.Sorted(maps.Keys(m)) { if !yield(k, m[k]) { return } } }
}
func short(s string) string { if len(s) > 40 { return s[:40] }; return s }
func lim[T any](s []T) []T { if len(s) > 12 { return s[:12] }; return s }
func upto(n int) Seq { return func(yield func(int) bool) { for i := range n { if !yield(i) { return } } } }
func pairs(m map[string]int) func(func(string, int) bool) {
	return func(yield func(string, int) bool) {
		for _, k := range slices.Sorted(func(y func(string) bool) { for k := range m { if !y(k) { return } } }) {
			if !yield(k, m[k]) { return }
		}
	}
}
func try(f func() int) (n int, err error) {
	defer func() { if e := recover(); e != nil { err = fmt.Errorf("try: %v", e); n *= 2 } }()
	n = 7
	n = f()
	return n, nil
}
func gen(n int) <-chan int { c := make(chan int, n&1); go func() { defer close(c); for i := range n { c <- i * i } }(); return c }
func two(x int) (int, error) { if x < 0 { return x, fail{x} }; return x + 1, nil }
`

// firsts are the values that global variables start with.
var firsts = map[string][]string{
	"int": {"0", "1", "-1", "-128", "127", "5", "1 << 40"}, "int8": {"0", "1", "-1", "-128", "127"}, "int16": {"0", "-1", "300", "-32768"},
	"int32": {"0", "7", "-1", "1 << 30", "-1 << 31"}, "int64": {"0", "-1", "1<<63 - 1", "-1 << 63"}, "uint": {"0", "1", "7", "1<<64 - 1"},
	"uint8": {"0", "1", "200", "255"}, "uint16": {"0", "1", "65535"}, "uint32": {"0", "255", "1<<32 - 1"}, "uint64": {"0", "3", "1 << 63"},
	"uintptr": {"0", "9"}, "N": {"4", "-7"}, "Fl": {"0.1", "-3"}, "float32": {"0", "1.5", "-2.25", "1e9", "0.1"}, "float64": {"0", "1.5", "-2.25", "1e300", "0.1", "3"},
	"complex64": {"1+2i", "0"}, "complex128": {"0.5i", "-1", "3+4i"}, "string": {`"ab"`, `"héllo"`, `"x\xffy"`, `"日本"`, `""`}, "Str": {`"str"`},
	"bool": {"true", "false"}, "B": {"true"}, "[]int": {"[]int{7, 8}", "[]int{1, 2, 3}", "make([]int, 2, 5)"}, "[]string": {`[]string{"b", "a"}`, `strings.Fields("x yy z")`},
	"[]byte": {`[]byte("bytes")`, "make([]byte, 3)"}, "[3]int32": {"[3]int32{1, -2, 3}", "[...]int32{2: 5}"}, "[2][2]int": {"[2][2]int{{1, 2}, {3}}"},
	"map[string]int": {`map[string]int{"a": 1, "b": 2}`, "map[string]int{}"}, "map[K]string": {`map[K]string{{1, "k"}: "v"}`}, "map[any]int": {`map[any]int{1: 1, "s": 2, nil: 3, K{}: 4}`},
	"map[string][]int": {`map[string][]int{"l": {1, 2}}`}, "S": {`S{A: 1, B: "s", E1: E1{3}}`}, "*S": {"&S{A: 5, F: 1.5}", "new(S)"}, "[]S": {"make([]S, 2, 3)", `[]S{{A: 1}, {B: "q"}}`},
	"[2]S": {"[2]S{{A: 9}}"}, "W": {`W{a: 1, s: "w", t: [2]S{{A: 3}}, u: 5}`}, "*W": {"&W{b: 2}"}, "any": {"1", `"s"`, "nil", "S{}", "[]int{1}", "N(2)", "2.5", "uint8(3)", "K{1, \"z\"}"},
	"error": {"nil", "fail{3}", `errors.New("e")`}, "I": {"S{A: 3}", "N(4)"}, "E[int8]": {"E[int8]{V: 3}"}, "P[string, int]": {`P[string, int]{"p", 1}`},
	"[]any": {`[]any{1, "a", nil, K{}}`}, "[][]int": {"[][]int{{1}, {2, 3}, nil}", "make([][]int, 2)"}, "struct{ A int; B string }": {`struct{ A int; B string }{1, "u"}`},
	"K": {`K{1, "k"}`}, "T": {"T{next: 2}"}, "[]T": {"[]T{{next: 1}, {}}"},
	"map[string]S": {`map[string]S{"m": {A: 2, B: "x"}}`, "map[string]S{}"}, "map[int8][2]int": {"map[int8][2]int{0: {1, 2}}"}, "Set[string]": {`Set[string]{"a": true}`}, "[]rune": {`[]rune("aé")`},
	"*[3]int32": {"nil", "&[3]int32{4, 5, 6}"}, "chan int": {"nil", "make(chan int, 2)"}, "Deep": {"Deep{S: &S{A: 3}, I: N(2), p: &[2]int{1, 2}}", "Deep{}"}, "[]func(int) int": {"[]func(int) int{S{A: 9}.Get, nil}"}, "map[string]*S": {`map[string]*S{"p": {A: 1}, "n": nil}`},
	"func(int) int": {"func(x int) int { return x + 1 }", "S{A: 9}.Get", "N(3).Get"}, "func() (int, error)": {"func() (int, error) { return 1, nil }"}, "Seq": {"upto(3)"},
}
