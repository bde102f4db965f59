package builtins

import (
	"archive/zip"
	"cmp"
	"crypto/ed25519"
	"io/fs"
	"math/big"
	"net/url"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	shimregexp "github.com/sandtrap-go/sandtrap/builtins/internal/shim/regexp"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	shimsort "github.com/sandtrap-go/sandtrap/builtins/internal/shim/sort"
	shimstrings "github.com/sandtrap-go/sandtrap/builtins/internal/shim/strings"
	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// quick are the functions of texts that ask for nothing, and need not: they take about
// as long as looking at each byte, which engines ask for themselves.
const quick = `
bytes: Compare Contains ContainsRune Cut CutPrefix CutSuffix Equal FieldsFuncSeq FieldsSeq HasPrefix HasSuffix
	Index IndexByte IndexRune LastIndex LastIndexByte Lines NewBuffer NewReader SplitAfterSeq SplitSeq
	TrimPrefix TrimSuffix
strings: Compare Contains ContainsRune Cut CutPrefix CutSuffix FieldsFuncSeq FieldsSeq HasPrefix HasSuffix
	Index IndexByte IndexRune LastIndex LastIndexByte Lines NewReader SplitAfterSeq SplitSeq TrimPrefix TrimSuffix
`

// TestTextsAreDecided calls each function that takes texts with large ones: it asks for
// time or memory, lets a stop through, or is known to be quick.
func TestTextsAreDecided(t *testing.T) {
	table := tableOf(t, Std()...)
	known := map[string]bool{}
	path := ""
	for word := range strings.FieldsSeq(quick) {
		if p, ok := strings.CutSuffix(word, ":"); ok {
			path = p
			continue
		}
		known[path+"."+word] = true
	}
	for _, path := range []string{"bytes", "strings"} {
		for _, m := range Std(path)[0].Members {
			if m.Value == nil || strings.Contains(m.Name, ".") || memberType(&m).Kind() != reflect.Func {
				continue
			}
			asked, isText := asksForTime(t, table, Ref{Kind: abi.BindFunc, Path: path, Name: m.Name})
			if name := path + "." + m.Name; isText && asked == known[name] {
				t.Errorf("%s: asks for something: %v, known to be quick: %v", name, asked, known[name])
			}
		}
	}
}

// asksForTime calls a function with large texts.
func asksForTime(t *testing.T, table *Table, r Ref) (asked, isText bool) {
	t.Helper()
	ask := func() { asked = true; panic(shimtest.ErrRefused) }
	f, err := table.Value(&Env{Gates: shimtest.Gates{OnWork: func(int64) { ask() }, OnCharge: func(int64) { ask() }, OnCheck: ask}}, r)
	if err != nil {
		t.Fatal(err)
	}
	in := make([]reflect.Value, f.Type().NumIn())
	for i := range in {
		p := f.Type().In(i)
		in[i] = reflect.Zero(p)
		switch p.Kind() {
		case reflect.String:
			in[i], isText = reflect.ValueOf(strings.Repeat("é", 1<<20)), true
		case reflect.Slice:
			switch {
			case p.Elem().Kind() == reflect.Uint8:
				in[i], isText = reflect.ValueOf([]byte(strings.Repeat("é", 1<<20))), true
			case !f.Type().IsVariadic():
				in[i] = reflect.MakeSlice(p, 2, 2)
			}
		case reflect.Int:
			in[i] = reflect.ValueOf(1)
		case reflect.Func:
			in[i] = reflect.MakeFunc(p, func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.Zero(p.Out(0))} })
		}
	}
	if isText && !f.Type().IsVariadic() {
		shimtest.Outcome(func() { f.Call(in) })
	}
	return asked || f.Type().IsVariadic(), isText
}

// TestSlowAsksFirst wants slow functions to be refused before they run.
func TestSlowAsksFirst(t *testing.T) {
	long := strings.Repeat("a/", 1<<20)
	u := &url.URL{Path: long}
	fn := func(path, name string) Ref { return Ref{Kind: abi.BindFunc, Path: path, Name: name} }
	onURL := func(name string) Ref {
		return Ref{Kind: abi.BindMethod, Path: "net/url", Owner: "URL", Name: name, Pointer: true}
	}
	for _, tc := range []struct {
		name string
		run  func(e *Env)
	}{
		{"Quote", func(e *Env) { value[func(string) string](t, e, fn("strconv", "Quote"))(long) }},
		{"AppendQuote", func(e *Env) { value[func([]byte, string) []byte](t, e, fn("strconv", "AppendQuote"))(nil, long) }},
		{"Unquote", func(e *Env) { _, _ = value[func(string) (string, error)](t, e, fn("strconv", "Unquote"))(long) }},
		{"ParseFloat", func(e *Env) {
			_, _ = value[func(string, int) (float64, error)](t, e, fn("strconv", "ParseFloat"))(long, 64)
		}},
		{"html", func(e *Env) { value[func(string) string](t, e, fn("html", "UnescapeString"))(long) }},
		{"url", func(e *Env) { _, _ = value[func(string) (*url.URL, error)](t, e, fn("net/url", "Parse"))(long) }},
		{"url query", func(e *Env) {
			_, _ = value[func(string) (url.Values, error)](t, e, fn("net/url", "ParseQuery"))(long)
		}},
		{"url escape", func(e *Env) { value[func(string) string](t, e, fn("net/url", "QueryEscape"))(long) }},
		{"url join", func(e *Env) {
			_, _ = value[func(string, ...string) (string, error)](t, e, fn("net/url", "JoinPath"))("a", long)
		}},
		{"url string", func(e *Env) { value[func(*url.URL) string](t, e, onURL("String"))(u) }},
		{"url values", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "net/url", Owner: "Values", Name: "Encode"}
			value[func(url.Values) string](t, e, r)(url.Values{"a": slices.Repeat([]string{long[:1000]}, 1000)})
		}},
		{"mime", func(e *Env) {
			_, _, _ = value[func(string) (string, map[string]string, error)](t, e, fn("mime", "ParseMediaType"))(long)
		}},
		{"path join", func(e *Env) {
			value[func(...string) string](t, e, fn("path", "Join"))(slices.Repeat([]string{long[:1000]}, 1000)...)
		}},
		{"path match", func(e *Env) {
			_, _ = value[func(p, n string) (bool, error)](t, e, fn("path", "Match"))("*"+strings.Repeat("a", 1000)+"b", strings.Repeat("a", 1000))
		}},
		{"path list", func(e *Env) {
			value[func(string) []string](t, e, fn("path/filepath", "SplitList"))(strings.Repeat(":", 1<<20))
		}},
		{"utf16", func(e *Env) {
			value[func([]uint16) []rune](t, e, fn("unicode/utf16", "Decode"))(make([]uint16, 1<<20))
		}},
		{"utf16 of runes", func(e *Env) {
			value[func([]rune) []uint16](t, e, fn("unicode/utf16", "Encode"))(make([]rune, 1<<20))
		}},
		{"zip tree", func(e *Env) {
			z := &zip.Reader{File: []*zip.File{{FileHeader: zip.FileHeader{Name: strings.Repeat("a/", 1<<15)}}}}
			r := Ref{Kind: abi.BindMethod, Path: "archive/zip", Owner: "Reader", Name: "Open", Pointer: true}
			_, _ = value[func(*zip.Reader, string) (fs.File, error)](t, e, r)(z, "a")
		}},
		{"printed numbers", func(e *Env) { value[func(...any) string](t, e, fn("fmt", "Sprint"))(make([]float64, 1<<20)) }},
		{"printed values", func(e *Env) { value[func(...any) string](t, e, fn("fmt", "Sprint"))(make([]any, 1<<20)) }},
		{"printed bytes", func(e *Env) { value[func(...any) string](t, e, fn("fmt", "Sprint"))(make([]byte, 1<<20)) }},
		{"quoted text", func(e *Env) { value[func(string, ...any) string](t, e, fn("fmt", "Sprintf"))("%q", long) }},
		{"long format", func(e *Env) {
			_, _ = value[func(string, string, ...any) (int, error)](t, e, fn("fmt", "Sscanf"))("a", long)
		}},
		{"big.Int.String", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "math/big", Owner: "Int", Name: "String", Pointer: true}
			value[func(*big.Int) string](t, e, r)(new(big.Int).Lsh(big.NewInt(1), 1<<19))
		}},
		{"big.Float.String", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "math/big", Owner: "Float", Name: "String", Pointer: true}
			value[func(*big.Float) string](t, e, r)(new(big.Float).SetMantExp(big.NewFloat(1), 1<<19))
		}},
		{"big.Rat.String", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "math/big", Owner: "Rat", Name: "String", Pointer: true}
			value[func(*big.Rat) string](t, e, r)(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 1<<19)))
		}},
		{"time layout", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "time", Owner: "Time", Name: "Format"}
			value[func(time.Time, string) string](t, e, r)(time.Time{}, long)
		}},
		{"time parsed", func(e *Env) {
			_, _ = value[func(string, string) (time.Time, error)](t, e, fn("time", "Parse"))(long, "2006")
		}},
		{"error that quotes", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "strconv", Owner: "NumError", Name: "Error", Pointer: true}
			_ = value[func(*strconv.NumError) string](t, e, r)(&strconv.NumError{Num: long, Err: strconv.ErrRange})
		}},
		{"signature", func(e *Env) {
			key := ed25519.NewKeyFromSeed(make([]byte, 32))
			value[func(ed25519.PrivateKey, []byte) []byte](t, e, fn("crypto/ed25519", "Sign"))(key, make([]byte, 1<<20))
		}},
		{"any order", func(e *Env) { value[func(int) []int](t, e, fn("math/rand/v2", "Perm"))(1 << 20) }},
		{"zone", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "time", Owner: "Time", Name: "Format"}
			value[func(time.Time, string) string](t, e, r)(time.Time{}.In(time.FixedZone(long, 1)), "MST")
		}},
		{"printed zone", func(e *Env) {
			value[func(...any) string](t, e, fn("fmt", "Sprint"))(time.Time{}.In(time.FixedZone(long, 1)))
		}},
		{"shown URL", func(e *Env) { e.PayShown(reflect.ValueOf(u)) }},
		{"pattern", func(e *Env) {
			_, _ = value[func(string) (*shimregexp.Regexp, error)](t, e, fn("regexp", "Compile"))("(?i)[B-\U0001e900]")
		}},
		{"replacer, long", func(e *Env) {
			r := value[func(...string) *shimstrings.Replacer](t, e, fn("strings", "NewReplacer"))("b"+long[:1000], "c", "d", "e")
			r.Replace(long[:1000])
		}},
		{"replacer, many", func(e *Env) {
			var list []string
			for i := range 1000 {
				list = append(list, long[:i], "")
			}
			value[func(...string) *shimstrings.Replacer](t, e, fn("strings", "NewReplacer"))(list...)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := &Env{Gates: shimtest.Gates{OnWork: func(int64) { panic(shimtest.ErrRefused) }}}
			if p := shimtest.Outcome(func() { tc.run(e) }); p != shimtest.ErrRefused {
				t.Errorf("got panic %v, want the work to be asked for", p)
			}
			e = &Env{} // nobody asks
			if p := shimtest.Outcome(func() { tc.run(e) }); p != nil {
				t.Errorf("panic %v", p)
			}
		})
	}
}

// TestStepsLetAStopThrough wants what goes over long slices to be interrupted.
func TestStepsLetAStopThrough(t *testing.T) {
	numbers := make([]int, 1<<18)
	for i := range numbers {
		numbers[i] = i * 7919 % 100003
	}
	long := strings.Repeat("a", 1<<16)
	texts := make([]string, 1<<10) // one text in memory
	for i := range texts {
		texts[i] = long[i%512:]
	}
	fn := func(name string) Ref { return Ref{Kind: abi.BindFunc, Path: "sort", Name: name} }
	for _, tc := range []struct {
		name string
		run  func(e *Env)
	}{
		{"sort.Sort", func(e *Env) { value[func(sort.Interface)](t, e, fn("Sort"))(sort.IntSlice(slices.Clone(numbers))) }},
		{"sort.Stable", func(e *Env) {
			value[func(sort.Interface)](t, e, fn("Stable"))(sort.IntSlice(slices.Clone(numbers)))
		}},
		{"sort.IsSorted", func(e *Env) {
			value[func(sort.Interface) bool](t, e, fn("IsSorted"))(sort.StringSlice(slices.Repeat(texts[:1], 1<<12)))
		}},
		{"reversed texts", func(e *Env) {
			data := value[func(sort.Interface) sort.Interface](t, e, fn("Reverse"))(sort.StringSlice(slices.Clone(texts)))
			value[func(sort.Interface)](t, e, fn("Sort"))(data)
		}},
		{"IntSlice.Sort", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "sort", Owner: "IntSlice", Name: "Sort"}
			value[func(sort.IntSlice)](t, e, r)(slices.Clone(numbers))
		}},
		{"scanned text", func(e *Env) {
			var x string
			_, _ = value[func(string, ...any) (int, error)](t, e, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Sscan"})(long, &x)
		}},
		{"sort.Strings", func(e *Env) { value[func([]string)](t, e, fn("Strings"))(slices.Clone(texts)) }},
		{"sort.StringsAreSorted", func(e *Env) {
			value[func([]string) bool](t, e, fn("StringsAreSorted"))(slices.Repeat(texts[:1], 1<<12))
		}},
		{"other kinds", func(e *Env) {
			sortSlice(e, reflect.ValueOf(slices.Clone(numbers)), func(v, w reflect.Value) int { return compare(e, v, w) })
		}},
		{"contained", func(e *Env) {
			indexOf(reflect.ValueOf(numbers), equalOrHolds(e, "Contains", []reflect.Value{{}, reflect.ValueOf(-1)}))
		}},
		{"reversed", func(e *Env) { sliceReverse(e, nil, []reflect.Value{reflect.ValueOf(slices.Clone(numbers))}) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checks := 0
			if tc.run(&Env{Gates: shimtest.Gates{OnCheck: func() { checks++ }}}); checks < 2 {
				t.Errorf("a stop was let through %d times", checks)
			}
		})
	}
}

// TestSortTexts compares with Go's own.
func TestSortTexts(t *testing.T) {
	for _, tail := range []int{1, 1 << 10} {
		var got []string
		for i := range 500 {
			got = append(got, strings.Repeat("a", i*i%97)+strings.Repeat("b", tail))
		}
		want := slices.Clone(got)
		shimsort.Texts(new(Env), got)
		slices.Sort(want)
		if !slices.Equal(got, want) || !sort.SliceIsSorted(got, func(i, j int) bool { return cmp.Less(got[i], got[j]) }) {
			t.Errorf("texts of %d bytes and more are not sorted", tail)
		}
	}
}
