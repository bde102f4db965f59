package rewrite

import (
	"slices"
	"strconv"
	"strings"
)

// A generator writes statements that type-check, as its feed says, by filling in
// templates: <T> is an expression of type T, <stmts> a few statements, $ a
// name of its own for each filling.
type generator struct {
	*feed
	names int
	vars  map[string][]string // in scope, by type
	room  int                 // how many templates may yet be filled
}

// A feed is a source of choices; when it is used up, it is zeros.
type feed struct{ data []byte }

func (f *feed) next() int {
	if len(f.data) == 0 {
		return 0
	}
	b := f.data[0]
	f.data = f.data[1:]
	return int(b)
}

// upTo is a choice from 0 to n-1, or 0 if there is none.
func (f *feed) upTo(n int) int {
	if n <= 1 {
		return 0
	}
	k := f.next()
	if n > 256 {
		k = k<<8 | f.next()
	}
	return k % n
}

func newGenerator(f *feed) *generator {
	return &generator{feed: f, vars: map[string][]string{}, room: 60}
}

func (g *generator) stmts() string {
	outer := map[string][]string{}
	for t, names := range g.vars {
		outer[t] = slices.Clone(names)
	}
	var b strings.Builder
	for range 1 + g.upTo(4) {
		b.WriteString(g.stmt() + "\n")
	}
	g.vars = outer
	return b.String()
}

func (g *generator) stmt() string {
	if g.room <= 0 {
		return ""
	}
	if g.upTo(3) > 0 { // a variable
		types := generatedTypes
		t := types[g.upTo(len(types))]
		value, name := g.expr(t), g.name()
		g.vars[t] = append(g.vars[t], name)
		return "var " + name + " " + t + " = " + value + "\n_ = " + name
	}
	g.room -= 4
	return g.fill(generatedStmts[g.upTo(len(generatedStmts))])
}

func (g *generator) expr(t string) string {
	g.room--
	list := generatedExprs[t]
	vars := g.vars[t]
	if g.room <= 0 {
		return list[0]
	}
	if k := g.upTo(len(vars) + len(list)); k < len(vars) {
		return vars[k]
	} else {
		return g.fill(list[k-len(vars)])
	}
}

func (g *generator) name() string {
	g.names++
	return "v" + strconv.Itoa(g.names)
}

// operand puts x in parentheses if what stands around it could tear it apart.
func operand(x string) string {
	if strings.ContainsAny(x[:1], "*&-!<") || strings.ContainsAny(x, " {") {
		return "(" + x + ")"
	}
	return x
}

// fill puts names and generated code into the holes of a template.
func (g *generator) fill(template string) string {
	template = strings.ReplaceAll(template, "$", g.name())
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "<")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		hole, after, closed := strings.Cut(rest, ">")
		switch _, known := generatedExprs[hole]; {
		case closed && hole == "stmts":
			b.WriteString(g.stmts())
		case closed && known:
			b.WriteString(operand(g.expr(hole)))
		default:
			b.WriteString("<")
			after = rest
		}
		template = after
	}
}

var generatedTypes = func() []string {
	var list []string
	for t := range generatedExprs {
		list = append(list, t)
	}
	slices.Sort(list)
	return list
}()

// generatedDecls are what the templates mention.
const generatedDecls = `
type point struct { X, Y int; name string }
func (p point) Sum() int { return p.X + p.Y }
func (p *point) Move(n int) *point { p.X += n; return p }
func (p point) String() string { return strconv.Itoa(p.X) }
type wrapped struct { strings.Builder; time.Duration; n int }
type deep struct { *bytes.Buffer; wrapped; t time.Time }
type nested struct { *deep; err error }
type pair[K comparable, V any] struct { Key K; Val V; a iter.Seq[V] }
func (p *pair[K, V]) Get() V { p.a = func(y func(V) bool) { y(p.Val) }; for v := range p.a { return v }; return *new(V) }
func apply[T, U any](l []T, f func(T) U) []U { var r []U; for _, x := range l { r = append(r, f(x)) }; return r }
func most[T cmp.Ordered](l ...T) T { slices.Sort(l); return slices.Max(append(l, *new(T))) }
func both(n int) (int, error) { if n < 0 { return 0, errors.New("neg") }; return n, nil }
type named int
func (n named) Error() string { return strconv.Itoa(int(n)) }
const kilo = time.Second * 1000
type reader interface { io.Reader; More() bool }
`

// generatedExprs are templates by type. The first one of each has no holes.
var generatedExprs = map[string][]string{
	"int": {"1", "<int> + <int>", "len(<string>)", "len(<[]int>)", "strings.Index(<string>, <string>)", "<point>.X", "(<*point>).Y",
		"<point>.Sum()", "(<*point>).Move(<int>).X", "<map[string]int>[<string>]", "<func(int) int>(<int>)", "int(math.Sqrt(<float64>))",
		"most(<int>, <int>)", "most[int](<[]int>...)", "min(<int>, 2, <int>)", "utf8.RuneCountInString(<string>)", "(&pair[string, int]{Val: <int>}).Get()",
		"time.Now().Year()", "<*strings.Builder>.Len()", "int(<time.Duration>.Milliseconds())", "int(<time.Month>)", "cap(make([]int, 2, 5))",
		"*<*int>", "math.MaxInt8", "bits.Len(uint(<int>))", "func() int { <stmts>; return <int> }()", "(*point).Move(<*point>, <int>).Sum()",
		"int(error(<error>).(named))", "slices.Index(<[]int>, <int>)", "<nested>.deep.wrapped.n", "<deep>.Buffer.Len()", "<deep>.t.Hour()",
		"int(strconv.IntSize) * <int>", "<[]int>[<int>]", "strings.Count(<string>, <string>) &^ <int>", "cmp.Compare(<string>, <string>)"},
	"string": {`"a"`, "<string> + <string>", "strings.ToUpper(<string>)", "strings.Repeat(<string>, <int>)", "strconv.Itoa(<int>)",
		`fmt.Sprintf("%v %d", <any>, <int>)`, "<*strings.Builder>.String()", "<point>.String()", "<error>.Error()", "<fmt.Stringer>.String()",
		"strings.Join(<[]string>, <string>)", "<string>[<int>:]", "string(<[]byte>)", "<time.Duration>.String()", "<time.Month>.String()",
		"most(<string>, <string>)", "(pair[int, string]{Val: <string>}).Val", "time.RFC3339", "<time.Time>.Format(time.Kitchen)", "<[]string>[<int>]",
		"strings.NewReplacer(<string>, <string>).Replace(<string>)", "<nested>.wrapped.Builder.String()", "time.Month.String(<time.Month>)", "(*strings.Builder).String(<*strings.Builder>)",
		"func(f func() string) string { return f() }(<time.Month>.String)"},
	"bool": {"true", "<int> < <int>", "<string> == <string>", "!<bool>", "<bool> && <bool>", "strings.Contains(<string>, <string>)",
		"errors.Is(<error>, <error>)", "<error> == nil", "slices.Contains(<[]int>, <int>)", "unicode.IsUpper(<rune>)", "any(<any>) == <any>",
		"<time.Time>.Before(<time.Time>)", "slices.Equal(<[]string>, <[]string>)", "<error> == io.EOF", "maps.Equal(<map[string]int>, <map[string]int>)",
		"math.MaxInt64 > 3", "time.Second < kilo"},
	"float64":        {"float64(1.5)", "math.Pi * <float64>", "math.Sqrt(<float64>)", "float64(<int>)", "<float64> / math.E", "<time.Duration>.Seconds()", "math.Pow(math.Pi, math.Phi)", "real(<complex128>)", "math.SmallestNonzeroFloat64", "most(<float64>, 2)"},
	"rune":           {"'x'", "rune(<int>)", "unicode.ToUpper(<rune>)", "utf8.RuneError", "unicode.MaxRune - 1", "[]rune(<string>)[0]"},
	"complex128":     {"2i", "complex(<float64>, math.Pi)", "<complex128> * <complex128>", "cmplx.Sqrt(<complex128>)", "math.Pi + 1i"},
	"[]int":          {"[]int(nil)", "[]int{<int>, <int>}", "append(<[]int>, <int>)", "<[]int>[:<int>]", "slices.Clone(<[]int>)", "make([]int, <int>)", "slices.Collect(<iter.Seq[int]>)", "apply(<[]string>, func(s string) int { return len(s) })", "slices.Sorted(maps.Values(<map[string]int>))"},
	"[]string":       {"[]string(nil)", "strings.Split(<string>, <string>)", "[]string{<string>}", "strings.Fields(<string>)", "apply(<[]int>, strconv.Itoa)", "slices.Collect(maps.Keys(<map[string]int>))", "append(<[]string>, <[]string>...)", "apply[string, string](<[]string>, strings.ToLower)"},
	"[]byte":         {"[]byte(nil)", "[]byte(<string>)", "bytes.ToUpper(<[]byte>)", "<*bytes.Buffer>.Bytes()", "append(<[]byte>, <string>...)", "strconv.AppendInt(<[]byte>, 3, 10)", "bytes.TrimSpace(<[]byte>)"},
	"map[string]int": {"map[string]int(nil)", "map[string]int{<string>: <int>}", "maps.Clone(<map[string]int>)", "func() map[string]int { m := map[string]int{}; clear(m); m[<string>]++; return m }()"},
	"error":          {"error(nil)", "errors.New(<string>)", `fmt.Errorf("x: %w", <error>)`, "named(<int>)", "io.EOF", "errors.Join(<error>, <error>)", "errors.Unwrap(<error>)", "error(named(<int>))", "strconv.ErrRange"},
	"any":            {"any(nil)", "<int>", "<string>", "<point>", "<error>", "<[]int>", "any(<float64>)", "math.Pi", "strings.ToUpper", "<time.Duration>", "struct{ A int; time.Month }{<int>, <time.Month>}", "pair[string, any]{Val: <any>}.Val", "new(strings.Builder)"},
	"fmt.Stringer":   {"point{}", "<point>", "<*point>", "<time.Month>", "<time.Duration>", "<*strings.Builder>", "fmt.Stringer(<point>)", "any(<any>).(fmt.Stringer)"},
	"*strings.Builder": {"new(strings.Builder)", "(&strings.Builder{})", "&(<*deep>).Builder", "func() *strings.Builder { b := strings.Builder{}; return &b }()",
		"&(<*nested>).deep.wrapped.Builder", "&[]strings.Builder{{}}[0]"},
	"*bytes.Buffer":                     {"new(bytes.Buffer)", "bytes.NewBufferString(<string>)", "<deep>.Buffer", "<nested>.Buffer"},
	"*int":                              {"new(int)", "&(<*point>).X", "&<[]int>[<int>]", "&[]int{1, 2}[1]", "func() *int { x := <int>; return &x }()"},
	"point":                             {"point{}", "point{X: <int>, name: <string>}", "*<*point>", "[]point{1: {Y: <int>}}[<int>]", "(pair[string, point]{}).Val"},
	"*point":                            {"(&point{})", "&point{<int>, <int>, <string>}", "(<*point>).Move(<int>)", "new(point)"},
	"deep":                              {"deep{}", "deep{Buffer: <*bytes.Buffer>, t: <time.Time>}", "*<*deep>"},
	"*deep":                             {"new(deep)", "&deep{wrapped: wrapped{Duration: <time.Duration>}}", "<nested>.deep"},
	"nested":                            {"nested{}", "nested{<*deep>, <error>}", "*<*nested>"},
	"*nested":                           {"(&nested{})", "new(nested)"},
	"time.Duration":                     {"time.Second", "time.Duration(<int>) * time.Millisecond", "kilo", "<time.Duration>.Round(<time.Duration>)", "<nested>.Duration", "time.Minute + 2*time.Hour", "-<time.Duration>", "time.Since(<time.Time>)"},
	"time.Month":                        {"time.May", "time.Month(<int>)", "<time.Time>.Month()", "<time.Month> + 1", "time.January<<1 | time.May"},
	"time.Time":                         {"time.Time{}", "time.Unix(3, 0)", "<time.Time>.Add(<time.Duration>)", "<deep>.t", "time.Date(<int>, <time.Month>, 1, 2, 3, 4, 5, time.UTC)"},
	"func(int) int":                     {"func(n int) int { return n }", "func(n int) int { defer func() { recover() }(); <stmts>; return n + <int> }", "func(n int) int { return (<*point>).Move(n).Sum() }", "<func(func(int) int) func(int) int>(<func(int) int>)"},
	"func(func(int) int) func(int) int": {"func(f func(int) int) func(int) int { return f }"},
	"iter.Seq[int]":                     {"slices.Values([]int{1})", "func(yield func(int) bool) { for i := range <int> { if !yield(i) { return } } }", "maps.Values(<map[string]int>)", "iter.Seq[int](func(y func(int) bool) { <stmts>; y(<int>) })"},
}

var generatedStmts = []string{
	"for $ := range <int> { _ = $; <stmts> }",
	"for $ := 0; $ < <int>; $++ { if <bool> { continue }; <stmts> }",
	"for _, $ := range <[]string> { _ = strings.ToLower($) }",
	"for $ := range <iter.Seq[int]> { _ = $; <stmts> }",
	"if <bool> { <stmts> } else { <stmts> }",
	"if $, err := both(<int>); err != nil { _ = $; <stmts> }",
	"switch $ := any(<any>).(type) { case int, string: _ = $; case error: _ = $.Error(); case fmt.Stringer: _ = $.String(); case *strings.Builder: $.Reset(); <stmts> }",
	"switch <int> { case <int> + 5: <stmts>; fallthrough; default: <stmts> }",
	"switch <time.Month> { case time.May, time.June: <stmts> }",
	"func() { defer func() { if r := recover(); r != nil { _ = fmt.Sprint(r) } }(); <stmts> }()",
	"defer recover()",
	"go func(n int) { <stmts> }(<int>)",
	"func() { i := 0\n$: i++; <stmts>; if i < 3 { goto $ } }()",
	"$:\nfor { for range 3 { if <bool> { continue $ }; break $ } }",
	"func() { $ := make(chan int, 1); select { case $ <- <int>: case x, ok := <-$: _, _ = x, ok; <stmts>; default: close($) } }()",
	"func() { var $ strings.Builder; $.WriteString(<string>); f := $.WriteString; f(<string>); fmt.Fprintf(&$, <string>, <any>); _ = $.Len() }()",
	"func() { var $ sync.Mutex; $.Lock(); defer $.Unlock(); <stmts> }()",
	"func() { var $ atomic.Int64; $.Add(2); _ = $.Load() }()",
	"func() { $ := <deep>; $.Builder.WriteString(<string>); _ = $.wrapped.n; _ = $.Hours(); $.n++; $.t = <time.Time>; $.Buffer = nil; p := &$; p.Builder.Reset() }()",
	"func() { $ := <*nested>; $.deep = <*deep>; $.deep.wrapped.n += <int>; _, $.err = both(<int>); _ = $.Builder.Len; if $.deep != nil { $.Duration = <time.Duration> } }()",
	"func() { type local struct { time.Month; L []int }; $ := local{Month: <time.Month>}; $.L = append($.L, <int>); _ = $.String(); f := $.Month.String; _ = f() }()",
	"func() { type local[T any] struct { v T; p iter.Seq[T] }; var $ local[string]; $.p = slices.Values([]string{$.v}); for v := range $.p { $.v = v } }()",
	"func() { const $, other = iota + math.MaxInt32, time.Second << iota; _ = [...]string{$ & 3: <string>}; _ = other }()",
	"func() { $ := strings.Map; _ = $(unicode.ToUpper, <string>) }()",
	"func() { $ := slices.SortFunc[[]string, string]; $(<[]string>, cmp.Compare[string]); slices.SortFunc(<[]int>, func(a, b int) int { return b - a }) }()",
	"func() { var $ io.Writer = <*bytes.Buffer>; fmt.Fprintln($, <any>); n, err := $.Write(<[]byte>); _, _ = n, err; _, _ = $.(io.Reader) }()",
	"func() { var $ interface { io.Writer; Len() int } = <*bytes.Buffer>; $.Write(nil); _ = $.Len(); w := $.Write; w(<[]byte>) }()",
	"func() { $, ok := any(<any>).(interface{ Error() string }); if ok { _ = $.Error() } }()",
	"func() { $ := [3]int{}; for i := range $ { $[i] |= <int>; $[i]++ }; _ = $[:] }()",
	"func() { var $ error; var e named; if errors.As(<error>, &e) { $ = e }; _ = $ }()",
	"fmt.Println(<any>, <string>)",
	"fmt.Println(both(<int>))",
	"_, _ = strconv.Atoi(<string>)",
	"_ = append(<[]int>, func() []int { <stmts>; return <[]int> }()...)",
	"func() { for $ := range strings.SplitSeq(<string>, <string>) { _ = $; defer fmt.Print($) } }()",
	"func() { $ := time.Month.String; _ = $(<time.Month>); g := (*strings.Builder).Len; _ = g(<*strings.Builder>) }()",
	"func() { $ := &<*deep>.t; _ = $.AddDate(1, 2, <int>); _ = (*$).Unix() }()",
	"func() { var $ = struct { sync.Mutex; m map[string]int }{m: <map[string]int>}; $.Lock(); $.m[<string>] += <int>; $.Unlock() }()",
	"func() { f, g := func() (string, int) { return <string>, <int> }, strings.Repeat; _ = g(f()) }()",
	"func() { $ := bufio.NewScanner(strings.NewReader(<string>)); $.Split(bufio.ScanWords); for $.Scan() { _ = $.Text() }; _ = $.Err() }()",
	"func() { var $ sort.Interface = sort.IntSlice(<[]int>); sort.Sort($); sort.Sort(sort.Reverse($)); _ = $.Less(0, 1) }()",
	"<string>",
	"<int>",
	"both(<int>)",
	"len(<string>)",
}
