package ends

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// waysBack are ways from the script through functions of the host back to the script: decls
// are declarations, and call gets to nest(n-1, done) by way of the host, or does what
// leads there.
var waysBack = []struct{ name, decls, call string }{
	{"strings.Map", "", `strings.Map(func(r rune) rune { nest(n - 1); return r }, "x")`},
	{"strings.FieldsFunc", "", `strings.FieldsFunc("x", func(r rune) bool { nest(n - 1); return false })`},
	{"strings.IndexFunc", "", `strings.IndexFunc("x", func(r rune) bool { nest(n - 1); return false })`},
	{"bytes.Map", "", `bytes.Map(func(r rune) rune { nest(n - 1); return r }, []byte("x"))`},
	{"sort.Slice", "", `sort.Slice([]int{1, 2}, func(i, j int) bool { nest(n - 1); return false })`},
	{"sort.Search", "", `sort.Search(1, func(int) bool { nest(n - 1); return true })`},
	{"sort.Sort", "type S int\nfunc (s S) Len() int { return 2 }\nfunc (s S) Less(i, j int) bool { nest(int(s) - 1); return false }\nfunc (s S) Swap(i, j int) {}", `sort.Sort(S(n))`},
	{"sort.Stable", "type S int\nfunc (s S) Len() int { return 2 }\nfunc (s S) Less(i, j int) bool { nest(int(s) - 1); return false }\nfunc (s S) Swap(i, j int) {}", `sort.Stable(S(n))`},
	{"slices.SortFunc", "", `slices.SortFunc([]int{1, 2}, func(a, b int) int { nest(n - 1); return 0 })`},
	{"heap.Init", "type H int\nfunc (h H) Len() int { return 2 }\nfunc (h H) Less(i, j int) bool { nest(int(h) - 1); return false }\nfunc (h H) Swap(i, j int) {}\nfunc (h H) Push(any) {}\nfunc (h H) Pop() any { return nil }", `heap.Init(H(n))`},
	{"String", "type T int\nfunc (t T) String() string { nest(int(t) - 1); return \"\" }", `_ = fmt.Sprint(T(n))`},
	{"String, nested", "type T int\nfunc (t T) String() string { nest(int(t) - 1); return \"\" }", `_ = fmt.Sprintf("%v", []any{map[string]any{"a": struct{ T T }{T(n)}}})`},
	{"Error", "type T int\nfunc (t T) Error() string { nest(int(t) - 1); return \"\" }", `_ = fmt.Errorf("%w", T(n))`},
	{"GoString", "type T int\nfunc (t T) GoString() string { nest(int(t) - 1); return \"\" }", `_ = fmt.Sprintf("%#v", T(n))`},
	{"Format", "type T int\nfunc (t T) Format(fmt.State, rune) { nest(int(t) - 1) }", `_ = fmt.Sprint(T(n))`},
	{"Scan", "type T int\nfunc (t *T) Scan(fmt.ScanState, rune) error { nest(int(*t) - 1); return nil }", `t := T(n); fmt.Sscan("x", &t)`},
	{"Write", "type W int\nfunc (w W) Write(b []byte) (int, error) { nest(int(w) - 1); return len(b), nil }", `fmt.Fprint(W(n), "x")`},
	{"Write, through bufio", "type W int\nfunc (w W) Write(b []byte) (int, error) { nest(int(w) - 1); return len(b), nil }", `b := bufio.NewWriter(W(n)); b.WriteString("x"); b.Flush()`},
	{"Read", "type R int\nfunc (r R) Read(b []byte) (int, error) { nest(int(r) - 1); return 0, io.EOF }", `io.ReadAll(R(n))`},
	{"Read, through Scanner", "type R int\nfunc (r R) Read(b []byte) (int, error) { nest(int(r) - 1); return 0, io.EOF }", `bufio.NewScanner(R(n)).Scan()`},
	{"Read, through MultiReader", "type R int\nfunc (r R) Read(b []byte) (int, error) { nest(int(r) - 1); return 0, io.EOF }", `io.Copy(io.Discard, io.MultiReader(io.LimitReader(io.TeeReader(R(n), io.Discard), 5)))`},
	{"Read, through csv", "type R int\nfunc (r R) Read(b []byte) (int, error) { nest(int(r) - 1); return 0, io.EOF }", `csv.NewReader(R(n)).ReadAll()`},
	{"split function", "", `s := bufio.NewScanner(strings.NewReader("x")); s.Split(func(b []byte, end bool) (int, []byte, error) { nest(n - 1); return 0, nil, io.EOF }); s.Scan()`},
	{"MarshalJSON", "type T int\nfunc (t T) MarshalJSON() ([]byte, error) { nest(int(t) - 1); return []byte(\"1\"), nil }", `json.Marshal(map[string]any{"a": []any{T(n)}})`},
	{"UnmarshalJSON", "type T int\nfunc (t *T) UnmarshalJSON([]byte) error { nest(int(*t) - 1); return nil }", `t := T(n); json.Unmarshal([]byte("1"), &t)`},
	{"MarshalText", "type T int\nfunc (t T) MarshalText() ([]byte, error) { nest(int(t) - 1); return nil, nil }", `json.Marshal(T(n))`},
	{"MarshalXML", "type T int\nfunc (t T) MarshalXML(e *xml.Encoder, s xml.StartElement) error { nest(int(t) - 1); return nil }", `xml.Marshal(T(n))`},
	{"GobEncode", "type T int\nfunc (t *T) GobDecode([]byte) error { return nil }\nfunc (t T) GobEncode() ([]byte, error) { nest(int(t) - 1); return []byte{1}, nil }", `gob.NewEncoder(io.Discard).Encode(T(n))`},
	{"template function", "", `template.Must(template.New("").Funcs(template.FuncMap{"f": func() string { nest(n - 1); return "" }}).Parse("{{range $x := 1}}{{if f}}{{end}}{{end}}")).Execute(io.Discard, 1)`},
	{"template method", "type T int\nfunc (t T) F() string { nest(int(t) - 1); return \"\" }", `template.Must(template.New("").Parse("{{.F}}")).Execute(io.Discard, T(n))`},
	{"html/template method", "type T int\nfunc (t T) F() string { nest(int(t) - 1); return \"\" }", `htmltemplate.Must(htmltemplate.New("").Parse("<a href='{{.F}}'>")).Execute(io.Discard, T(n))`},
	{"errors.Is", "type E int\nfunc (e E) Error() string { return \"\" }\nfunc (e E) Is(error) bool { nest(int(e) - 1); return false }", `errors.Is(E(n), io.EOF)`},
	{"errors.Unwrap", "type E int\nfunc (e E) Error() string { return \"\" }\nfunc (e E) Unwrap() error { nest(int(e) - 1); return nil }", `errors.Is(fmt.Errorf("%w", E(n)), io.EOF)`},
	{"Once", "", `var o sync.Once; o.Do(func() { nest(n - 1) })`},
	{"OnceFunc", "", `sync.OnceFunc(func() { nest(n - 1) })()`},
	{"Pool", "", `p := sync.Pool{New: func() any { nest(n - 1); return 1 }}; p.Get()`},
	{"sync.Map", "", `var m sync.Map; m.Store(1, 1); m.Range(func(k, v any) bool { nest(n - 1); return false })`},
	{"regexp", "", `regexp.MustCompile("x").ReplaceAllStringFunc("x", func(string) string { nest(n - 1); return "" })`},
	{"list of the host's functions", "", `f := strings.ToUpper; f = func(string) string { nest(n - 1); return "" }; os.Expand("$x", f)`},
	{"LogValue", "type T int\nfunc (t T) LogValue() slog.Value { nest(int(t) - 1); return slog.IntValue(1) }", `slog.New(slog.NewTextHandler(io.Discard, nil)).Info("x", "a", T(n))`},
	{"rand.Source", "type S int\nfunc (s S) Uint64() uint64 { nest(int(s) - 1); return 1 }", `rand.New(S(n)).Uint64()`},
	{"rand.Shuffle", "", `rand.Shuffle(2, func(i, j int) { nest(n - 1) })`},
	{"context.Value", "type C struct { context.Context; n int }\nfunc (c C) Value(any) any { nest(c.n - 1); return nil }", `c, _ := context.WithCancel(C{context.Background(), n}); c.Value(1)`},
	{"reflect", "", `reflect.ValueOf(nest).Call([]reflect.Value{reflect.ValueOf(n - 1)})`},
	{"reflect, method", "type T int\nfunc (t T) F() { nest(int(t) - 1) }", `reflect.ValueOf(T(n)).MethodByName("F").Call(nil)`},
	{"flag.Value", "type V int\nfunc (v V) String() string { return \"\" }\nfunc (v V) Set(string) error { nest(int(v) - 1); return nil }", `s := flag.NewFlagSet("", flag.ContinueOnError); s.Var(V(n), "v", ""); s.Parse([]string{"-v=1"})`},
	{"a function of the host", "", `call(func() { nest(n - 1) })`},
	{"iterator of the host", "", `for range strings.SplitSeq("x", ",") { nest(n - 1) }`},
}

// mentions reports that text uses the package.
func mentions(text, name string) bool {
	return regexp.MustCompile(`(^|[^a-zA-Z])` + name + `\.`).MatchString(text)
}

// nestingScript is a program whose nest gets to itself that way, n deep; then it calls
// bottom.
func nestingScript(decls, call, main string) string {
	var imports []string
	for _, p := range []string{"bufio", "bytes", "compress/gzip", "container/heap", "context", "encoding/csv", "encoding/gob", "encoding/json", "encoding/xml", "errors", "flag", "fmt", "io", "io/fs", "log/slog", "math/rand/v2", "os", "reflect", "regexp", "runtime", "slices", "sort", "strings", "sync", "text/tabwriter", "text/template"} {
		name := p[strings.LastIndex(p, "/")+1:]
		if name == "v2" {
			name = "rand"
		}
		if mentions(decls+call+main, name) {
			imports = append(imports, fmt.Sprintf("%q", p))
		}
	}
	if strings.Contains(call, "htmltemplate.") {
		imports = append(imports, "htmltemplate \"html/template\"")
	}
	return fmt.Sprintf("package main\nimport (%s)\n%s\nfunc nest(n int) {\nif n <= 0 { bottom(); return }\n%s\n}\nfunc main() {\n%s\n}\n", strings.Join(imports, "; "), decls, call, main)
}

// TestNestingIsBounded: whatever way it takes through the host, a script that calls itself
// without end is stopped, in a goroutine of its own too, and far from where Go ends the
// process. It can go some way before that.
func TestNestingIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	defer debug.SetMaxStack(debug.SetMaxStack(128 << 20))
	for _, w := range waysBack {
		t.Run(w.name, func(t *testing.T) {
			reached := false
			p := sandtrap.Policy{
				Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: 512 << 20, Timeout: 5 * time.Second},
				Funcs: map[string]any{"bottom": func() { reached = true }, "call": func(f func()) { f() }},
			}
			if _, err := rig.RunOnce(t, p, nestingScript(w.decls, w.call, "nest(200)")); err != nil || !reached {
				t.Errorf("200 deep: %v, reached %v", err, reached)
			}
			main := "done := make(chan bool); go func() { nest(1 << 30); done <- true }(); <-done"
			_, err := rig.RunOnce(t, p, nestingScript(w.decls, w.call, main))
			counted := err != nil && strings.Contains(err.Error(), "readers or writers are nested too deeply")
			if !errors.Is(err, sandtrap.KindDepth) && !errors.Is(err, sandtrap.KindTimeout) && !counted {
				t.Errorf("without end: %v, want KindDepth or KindTimeout, or that readers are nested too deeply", err)
			}
			if err != nil && strings.Contains(err.Error(), "has not returned") {
				t.Errorf("it did not end when it was stopped: %v", err)
			}
		})
	}
}

// TestNestingIsPaidFor: the Go stacks of many goroutines that are deep in callbacks are
// within the limit of memory, with what the host has beside them. Stacks that runs before have left are
// used again, so all count.
func TestNestingIsPaidFor(t *testing.T) {
	const limit = 128 << 20
	src := nestingScript("", waysBack[0].call, "for { go nest(2000); runtime.Gosched() }")
	src = strings.Replace(src, "bottom()", "select {}", 1)
	runtime.GC() // some of what they have left goes now, some with the second
	runtime.GC()
	var most int64
	p := sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: limit, Timeout: time.Minute},
		Funcs: map[string]any{"look": func() { most = max(most, stackBytes()) }},
	}
	_, err := rig.RunOnce(t, p, strings.Replace(src, "go nest(2000)", "go nest(2000); look()", 1))
	if !errors.Is(err, sandtrap.KindMemory) {
		t.Errorf("got %v, want KindMemory", err)
	}
	t.Logf("%d MiB of stacks", most>>20)
	if most < limit/4 || most > 2*limit {
		t.Errorf("%d MiB of stacks with a limit of %d MiB", most>>20, limit>>20)
	}
}

// TestDeferredNilsDoNotNest: deferred calls that panic before they have a frame, one after
// the other, take no more of the Go stack than one of them.
func TestDeferredNilsDoNotNest(t *testing.T) {
	before, during := stackBytes(), int64(0)
	p := sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: 1 << 30},
		Funcs: map[string]any{"look": func() { during = stackBytes() }},
	}
	_, err := rig.RunOnce(t, p, "package main\nfunc main() {\nvar f func()\ndefer look()\nfor range 50_000 { defer f() }\npanic(1)\n}\n")
	if !errors.Is(err, sandtrap.KindPanic) {
		t.Errorf("got %v, want KindPanic", err)
	}
	if during == 0 || during-before > 8<<20 {
		t.Errorf("%d MiB of stacks before, %d MiB in the last deferred call", before>>20, during>>20)
	}
}

func stackBytes() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
