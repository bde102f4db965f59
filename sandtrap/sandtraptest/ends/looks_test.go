package ends

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A counted context counts how often the run looks at it.
type counted struct {
	context.Context
	looks atomic.Int64
}

func (c *counted) Err() error {
	c.looks.Add(1)
	return c.Context.Err()
}

// TestLooksInLongInstructions wants single instructions over much memory to let stops
// through: each of these moves, compares or hashes 32 times 8 MiB with few ticks.
func TestLooksInLongInstructions(t *testing.T) {
	const setup = "s := strings.Repeat(\"a\", 8<<20)\nu := strings.Repeat(\"a\", 8<<20)\nn := 0\n_, _ = u, n\nl := []string{s, s, s, s}\n"
	for name, src := range map[string]string{
		"nothing":              "",
		"text == text":         "for range 32 { if s == u { n++ } }",
		"structs":              "type T struct{ a, b, c, d string }\nx, y := T{s, s, s, s}, T{u, u, u, u}\nfor range 8 { if x == y { n++ } }",
		"arrays":               "x, y := [4]string{s, s, s, s}, [4]string{u, u, u, u}\nfor range 8 { if x == y { n++ } }",
		"interfaces":           "var x, y any = s, u\nfor range 32 { if x == y { n++ } }",
		"keys":                 "m := map[string]int{}\nfor range 16 { m[s]++ ; delete(m, s) }",
		"interface keys":       "var k any = s\nm := map[any]int{}\nfor range 16 { m[k]++ }",
		"struct keys":          "type K struct{ a, b string }\nm := map[K]int{}\nfor range 16 { m[K{s, s}]++ }",
		"key, looked up":       "m := map[string]int{s: 1}\nfor range 32 { n += m[u] }",
		"key, one of many":     "m := map[string]int{s: 1, s[1:]: 2}\nfor range 16 { n += m[u]; n += m[u[1:]] }",
		"interface, looked up": "m := map[any]int{s: 1}\nfor range 32 { n += m[u] }",
		"structs, looked up":   "type K struct{ a, b string }\nm := map[K]int{{s, s}: 1}\nfor range 16 { n += m[K{u, u}] }",
		"switch":               "for range 32 { switch s { case u: n++ } }",
		"text < text":          "for range 32 { if s < u { n++ } }",
		"cmp.Compare":          "for range 32 { n += cmp.Compare(s, u) }",
		"SearchStrings":        "for range 16 { n += sort.SearchStrings(l, u) }",
		"StringSlice.Search":   "for range 16 { n += sort.StringSlice(l).Search(u) }",
		"StringSlice.Less":     "for range 32 { sort.StringSlice([]string{s, u}).Less(0, 1) }",
		"BinarySearch":         "for range 16 { slices.BinarySearch(l, u) }",
		"slices.Index":         "for range 32 { slices.Index(l, u) }",
		"slices.Contains":      "for range 32 { slices.Contains(l, u) }",
		"slices.Equal":         "for range 8 { slices.Equal(l, []string{u, u, u, u}) }",
		"slices.Compare":       "for range 8 { slices.Compare(l, []string{u, u, u, u}) }",
		"slices.Compact":       "for range 32 { slices.Compact([]string{s, u}) }",
		"slices.Max":           "for range 32 { slices.Max([]string{s, u}) }",
		"max":                  "for range 32 { n += len(max(s, u)) }",
		"maps.Equal":           "m, k := map[string]string{\"\": s}, map[string]string{\"\": u}\nfor range 32 { maps.Equal(m, k) }",
		"StringsAreSorted":     "for range 32 { sort.StringsAreSorted([]string{s, u}) }",
		"template":             "t := template.Must(template.New(\"\").Parse(`{{range .L}}{{eq $.S .}}{{end}}`))\nt.Execute(io.Discard, map[string]any{\"S\": u, \"L\": slices.Repeat([]string{s}, 32)})",
		"DeepEqual":            "for range 32 { reflect.DeepEqual(s, u) }",
		"Value.Equal":          "for range 32 { reflect.ValueOf(s).Equal(reflect.ValueOf(u)) }",
		"converted":            "for range 16 { _ = string([]byte(s)) }",
		"copied":               "x, y := make([]int, 1<<20), make([]int, 1<<20)\nfor range 32 { copy(x, y) }",
		"joined together":      "for range 16 { _ = s + u }",
	} {
		t.Run(name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm"})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			ctx := &counted{Context: t.Context()}
			if _, err := box.Run(ctx, sandtrap.Script{Text: setup + src}); err != nil {
				t.Fatal(err)
			}
			want := int64(32 * 16)
			if looks := ctx.looks.Load(); (looks < want) != (src == "") {
				t.Errorf("the run looked %d times, want at least %d", looks, want)
			}
		})
	}
}

// TestAskedForLongTexts wants calls that look at a long text in one go to be refused where there is
// not the time for it: of each of its bytes 2 ns.
func TestAskedForLongTexts(t *testing.T) {
	const size = 64 << 20 // takes 134 ms
	long, same := strings.Repeat("a", size), strings.Repeat("a", size)
	for name, src := range map[string]string{
		"Compare":         "strings.Compare(s, u)",
		"HasPrefix":       "strings.HasPrefix(s, u)",
		"Index":           "strings.Index(s, u)",
		"EqualFold":       "strings.EqualFold(s, u)",
		"map of the host": "v := url.Values{\"\": nil}\nv.Del(\"\")\n_ = v[u]",
		"Values.Get":      "url.Values{}.Get(u)",
		"sync.Map":        "var m sync.Map\nm.Load(u)",
		"CompareAndSwap":  "var v atomic.Value\nv.Store(s)\nv.CompareAndSwap(u, u)",
	} {
		t.Run(name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Timeout: 100 * time.Millisecond}})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			script := sandtrap.Script{Text: "_, _ = s, u\n" + src, Inputs: map[string]any{"s": long, "u": same}}
			if _, err := box.Run(t.Context(), script); !errors.Is(err, sandtrap.KindTimeout) {
				t.Errorf("error %v, want KindTimeout", err)
			}
		})
	}
}
