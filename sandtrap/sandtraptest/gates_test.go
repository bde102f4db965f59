package sandtraptest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Base is embedded in Cell.
type Base struct{ Deep int }

func (b *Base) Lift() int { b.Deep++; return b.Deep }

// Cell is a host type with all kinds of members.
type Cell struct {
	Base
	N    int
	List []int
	Map  map[string]int
	Next *Cell
}

func (c *Cell) Inc(by int) int { c.N += by; return c.N }
func (c *Cell) Get() int       { return c.N }

// TestOperandsOnce: whichever way a script gets at a member of the host, what
// comes before the member is evaluated as often as Go does, and the value is Go's.
func TestOperandsOnce(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		calls     int    // of f, which returns the cell
		want      string // what is left: N, Deep, List, Map
		r         any    // the script's r
		bound     string // the members in the report
	}{
		{name: "read", src: "r := f().N", calls: 1, r: 10, bound: "Cell.N"},
		{name: "assign", src: "r := 0; f().N = 3", calls: 1, want: "3 5 [1 2] map[a:1]", bound: "Cell.N"},
		{name: "add", src: "r := 0; f().N += 1", calls: 1, want: "11 5 [1 2] map[a:1]", bound: "Cell.N"},
		{name: "increment", src: "r := 0; f().N++", calls: 1, want: "11 5 [1 2] map[a:1]", bound: "Cell.N"},
		{name: "address", src: "p := &f().N; *p = 7; r := *p", calls: 1, r: 7, want: "7 5 [1 2] map[a:1]", bound: "Cell.N"},
		{name: "tuple", src: "r := 0; f().N, r = 4, f().N", calls: 2, r: 10, want: "4 5 [1 2] map[a:1]", bound: "Cell.N"},
		{name: "method", src: "r := f().Inc(2)", calls: 1, r: 12, want: "12 5 [1 2] map[a:1]", bound: "Cell.Inc"},
		{name: "method value", src: "g := f().Inc; g(1); r := g(1)", calls: 1, r: 12, want: "12 5 [1 2] map[a:1]", bound: "Cell.Inc"},
		{name: "method expression", src: "g := (*lab.Cell).Inc; g(f(), 1); r := g(f(), 1)", calls: 2, r: 12, want: "12 5 [1 2] map[a:1]", bound: "Cell.Inc"},
		{name: "deferred method", src: "r := 0; func() { defer f().Inc(5); r = f().N }()", calls: 2, r: 10, want: "15 5 [1 2] map[a:1]", bound: "Cell.Inc Cell.N"},
		{name: "promoted field", src: "f().Deep += 2; r := f().Deep", calls: 2, r: 7, want: "10 7 [1 2] map[a:1]", bound: "Base.Deep Cell.Base"},
		{name: "promoted method", src: "r := f().Lift()", calls: 1, r: 6, want: "10 6 [1 2] map[a:1]", bound: "Cell.Lift"},
		{name: "index", src: "f().List[1] += 3; r := f().List[1]", calls: 2, r: 5, want: "10 5 [1 5] map[a:1]", bound: "Cell.List"},
		{name: "key", src: "f().Map[\"a\"]++; r := f().Map[\"a\"]", calls: 2, r: 2, want: "10 5 [1 2] map[a:2]", bound: "Cell.Map"},
		{name: "append", src: "f().List = append(f().List, 9); r := len(f().List)", calls: 3, r: 3, want: "10 5 [1 2 9] map[a:1]", bound: "Cell.List"},
		{name: "range over", src: "r := 0; for _, v := range f().List { r += v }", calls: 1, r: 3, bound: "Cell.List"},
		{name: "range target", src: "r := 0; for f().N = range 3 { r++ }", calls: 3, r: 3, want: "2 5 [1 2] map[a:1]", bound: "Cell.N"},
		{name: "in a literal", src: "l := []int{f().N, f().Inc(1)}; r := l[1]", calls: 2, r: 11, want: "11 5 [1 2] map[a:1]", bound: "Cell.Inc Cell.N"},
		{name: "key of a literal", src: "m := map[int]int{f().N: f().Get()}; r := m[10]", calls: 2, r: 10, bound: "Cell.Get Cell.N"},
		{name: "chain", src: "r := f().Next.Next.Inc(1)", calls: 1, r: 11, want: "11 5 [1 2] map[a:1]", bound: "Cell.Inc Cell.Next"},
		{name: "argument", src: "r := f().Inc(f().Inc(1))", calls: 2, r: 22, want: "22 5 [1 2] map[a:1]", bound: "Cell.Inc"},
		{name: "switch", src: "r := 0; switch f().N { case 9: r = 1; case 10: r = 2; case 11: r = 3 }", calls: 1, r: 2, bound: "Cell.N"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				cell, calls := &Cell{Base: Base{5}, N: 10, List: []int{1, 2}, Map: map[string]int{"a": 1}}, 0
				cell.Next = cell
				box := b.Box(sandtrap.Policy{
					Limits:   limits,
					Packages: []sandtrap.Package{{Path: "corp/lab", Members: map[string]any{"Cell": (*Cell)(nil), "Base": (*Base)(nil)}}},
					Funcs:    map[string]any{"f": func() *Cell { calls++; return cell }},
				})
				script := sandtrap.Script{Text: tc.src}
				res, err := box.Run(b.Context(), script)
				if b.RefusedByEngine(res) {
					return
				}
				if err != nil {
					b.Fatal(err)
				}
				if calls != tc.calls {
					b.Errorf("%d calls of f, want %d", calls, tc.calls)
				}
				if tc.r != nil && res.Vars["r"] != tc.r {
					b.Errorf("r = %v, want %v", res.Vars["r"], tc.r)
				}
				want := tc.want
				if want == "" {
					want = "10 5 [1 2] map[a:1]"
				}
				if got := fmt.Sprint(cell.N, cell.Deep, cell.List, cell.Map); got != want {
					b.Errorf("the cell is %s, want %s", got, want)
				}
				rep, err := box.Check(b.Context(), script)
				if err != nil {
					b.Fatal(err)
				}
				if got := memberNames(rep); got != tc.bound {
					b.Errorf("members in the report: %s, want %s", got, tc.bound)
				}
			})
		})
	}
}

// memberNames are the methods and fields in rep, each once, without what stands
// before the type.
func memberNames(rep *sandtrap.CheckResult) string {
	var names []string
	for _, x := range rep.Bindings {
		if x.Kind == "func" || x.Kind == "type" {
			continue
		}
		name := strings.NewReplacer("(", "", ")", "", "*", "").Replace(x.Name)
		if _, rest, ok := strings.Cut(name, "lab."); ok {
			name = rest
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
}
