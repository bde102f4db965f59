package sandtraptest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const printing = `
type point struct { X, Y int; tags []string }
func (p *point) Grow() { p.X++; p.tags[0] = "grown" }
type level int
func (l level) String() string { return fmt.Sprintf("L%d", int(l)) }
`

// TestPrints: what is printed is there as values too, as they were. Engine yaegi has those of
// basic types, and the texts of others.
func TestPrints(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      []any  // of the last print
		types     string // likewise, with commas
		text      string
		texts     []any // on yaegi, where that is not want
	}{
		{"basic", `fmt.Println(1, "a", true, 2.5, nil)`, []any{1, "a", true, 2.5, nil}, "int,string,bool,float64,<nil>", "1 a true 2.5 <nil>\n", nil},
		{"format", `fmt.Printf("%d-%s", 7, "x")`, []any{7, "x"}, "int,string", "7-x", nil},
		{"none", `fmt.Print()`, []any{}, "", "", nil},
		{"list", `l := []int{1, 2}; fmt.Print(l); l[0] = 9`, []any{[]int{1, 2}}, "[]int", "[1 2]", []any{"[1 2]"}},
		{"map", `m := map[string][]int{"a": {1}}; fmt.Print(m); m["a"][0] = 9; m["b"] = nil`, []any{map[string][]int{"a": {1}}}, "map[string][]int", "map[a:[1]]", []any{"map[a:[1]]"}},
		{"nested", `l := []any{[]any{1}, map[int]any{1: []string{"x"}}}; fmt.Print(l); l[0].([]any)[0] = 9; l[1].(map[int]any)[1].([]string)[0] = "y"`,
			[]any{[]any{[]any{1}, map[int]any{1: []string{"x"}}}}, "[]interface {}", "[[1] map[1:[x]]]", []any{"[[1] map[1:[x]]]"}},
		{"struct", `p := point{1, 2, []string{"t"}}; fmt.Print(p); p.Grow()`, []any{map[string]any{"X": 1, "Y": 2}}, "main.point", "{1 2 [t]}", []any{"{1 2 [t]}"}},
		{"pointer", `p := &point{1, 2, []string{"t"}}; fmt.Print(p); p.Grow()`, []any{map[string]any{"X": 1, "Y": 2}}, "*main.point", "&{1 2 [t]}", []any{"&{1 2 [t]}"}},
		{"stringer", `fmt.Print(level(3))`, []any{3}, "main.level", "L3", []any{"L3"}},
		{"error", `fmt.Print(errors.New("broken"))`, []any{"broken"}, "*errors.errorString", "broken", nil},
		{"time", `fmt.Print(2 * time.Second)`, []any{2 * time.Second}, "time.Duration", "2s", []any{"2s"}},
		{"builder", `var b strings.Builder; b.WriteString("x"); fmt.Print(b.String())`, []any{"x"}, "string", "x", nil},
		{"large", `l := make([]int, 20_000); fmt.Print(len(l), l)`, nil, "int,[]int", "", nil},
		{"in a method", `fmt.Println(fmt.Sprint(level(1)))`, []any{"L1"}, "string", "L1\n", nil},
		{"to a panic", `fmt.Print("last"); panic("no")`, []any{"last"}, "string", "last", nil},
		{"to a limit", `fmt.Print("last"); for {}`, []any{"last"}, "string", "last", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{Text: printing + "fmt.Print(0)\n" + tc.src, Prints: true})
				if bad := strings.HasPrefix(tc.name, "to a"); (err != nil) != bad {
					b.Fatal(err)
				}
				if len(res.Prints) != 2 || !cmp.Equal(res.Prints[0], sandtrap.Print{Text: "0", Values: []any{0}, Types: []string{"int"}}) {
					b.Fatalf("got %v", res.Prints)
				}
				got := res.Prints[1]
				want := tc.want
				if b.Engine == "yaegi" && tc.texts != nil {
					want = tc.texts
				}
				types := strings.Join(got.Types, ",")
				switch {
				case tc.want == nil:
					if list, ok := got.Values[1].(string); !ok || list != "["+strings.Repeat("0 ", 19_999)+"0]" {
						b.Errorf("a value that is too large is a %T", got.Values[1])
					}
				case !cmp.Equal(got.Values, want), got.Text != tc.text, types != tc.types && b.Engine != "yaegi":
					b.Errorf("got %#v, %q, %q", got.Values, got.Text, types)
				}
			})
		})
	}
}

// TestPrintsAsked: nothing is kept unless it is asked for, and no more than there is room for,
// which the script pays for.
func TestPrintsAsked(t *testing.T) {
	eachMode(t, func(b bench) {
		if res, err := b.RunOnce(pure(), "fmt.Print(1)"); err != nil || res.Prints != nil {
			b.Errorf("got %v, %v", res.Prints, err)
		}
		p := pure()
		p.Limits.Output = 100
		box := b.Box(p)
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "for i := range 20_000 { fmt.Println(i) }", Prints: true})
		n := len(res.Prints)
		if err != nil || n < 1000 || n > 15_000 || res.Prints[n-1].Text != "[... prints cut: only the first are kept ...]" || res.Prints[n-2].Values[0] != n-2 {
			b.Errorf("%d prints, %v", n, err)
		}
		plain, err := box.Run(b.Context(), sandtrap.Script{Text: "for i := range 20_000 { fmt.Println(i) }"})
		if err != nil || res.AllocBytes < plain.AllocBytes+500_000 {
			b.Errorf("%d bytes with prints, %d without; %v", res.AllocBytes, plain.AllocBytes, err)
		}
	})
}

// TestPrintsDecoded: the values fit types of the host as those of variables do; functions can
// be called.
func TestPrintsDecoded(t *testing.T) {
	eachKeeping(t, func(b bench) {
		res, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{
			Text: printing + "fmt.Println(\"at\", point{1, 2, nil}, func(n int) int { return n + 1 })", Prints: true,
		})
		if err != nil {
			b.Fatal(err)
		}
		var at struct{ X, Y int8 }
		p := res.Prints[0]
		if err := p.Decode(1, &at); err != nil || at.X != 1 || at.Y != 2 {
			b.Errorf("got %v, %v", at, err)
		}
		var other struct{ X, Y string }
		if err := p.Decode(1, &other); !errors.Is(err, sandtrap.KindContract) || !strings.Contains(err.Error(), "argument 2.X: int does not fit string") {
			b.Errorf("another type: %v", err)
		}
		var word string
		if err := p.Decode(0, &word); err != nil || word != "at" {
			b.Errorf("got %q, %v", word, err)
		}
		if err := p.Decode(3, &word); !errors.Is(err, sandtrap.KindContract) {
			b.Errorf("one that is not there: %v", err)
		}
		inc, ok := p.Values[2].(*sandtrap.Func)
		if !ok {
			b.Fatalf("the function is a %T", p.Values[2])
		}
		if out, err := inc.Call(b.Context(), 1); err != nil || fmt.Sprint(out.Returned) != "[2]" {
			b.Errorf("got %v, %v", out.Returned, err)
		}
	})
}
