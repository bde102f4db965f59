package sandtrap_test

import (
	"context"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestSortReceivers: sort.Sort calls the methods of a receiver of any number of cells, and of one that another type
// promotes, and what they panic with comes out of it.
func TestSortReceivers(t *testing.T) {
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: []string{"sort", "fmt"}})
	if err != nil {
		t.Fatal(err)
	}
	const types = `
type list []int
func (l list) Len() int { return len(l) }
func (l list) Less(i, j int) bool { if l[i] < 0 { panic("negative") }; return l[i] < l[j] }
func (l list) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
type pair struct { name string; l list; n int }
func (p pair) Len() int { return p.n }
func (p pair) Less(i, j int) bool { return p.name == "up" && p.l[i] < p.l[j] || p.name == "down" && p.l[i] > p.l[j] }
func (p pair) Swap(i, j int) { p.l[i], p.l[j] = p.l[j], p.l[i] }
type promoted struct { list; more string }
type calls struct { list; other []int }
func (c calls) Less(i, j int) bool { inner := list{2, 1}; sort.Sort(inner); return c.list[i] > c.list[j] && inner[0] == 1 }
type none struct{}
func (none) Len() int { return 3 }
func (none) Less(i, j int) bool { return false }
func (none) Swap(i, j int) {}
`
	for text, want := range map[string]string{
		`l := list{3, 1, 2}; sort.Sort(l); fmt.Print(l)`:                     "[1 2 3]",
		`l := list{3, 1, 2}; sort.Stable(l); fmt.Print(l, sort.IsSorted(l))`: "[1 2 3] true",
		`l := list{3, 1, 2}; sort.Sort(pair{"down", l, 3}); fmt.Print(l)`:    "[3 2 1]",
		`l := list{3, 1, 2}; sort.Sort(pair{"up", l, 2}); fmt.Print(l)`:      "[1 3 2]",
		`l := list{3, 1, 2}; sort.Sort(promoted{l, "x"}); fmt.Print(l)`:      "[1 2 3]",
		`l := list{3, 1, 2}; sort.Sort(&promoted{l, "x"}); fmt.Print(l)`:     "[1 2 3]",
		`l := list{3, 1, 2}; sort.Sort(sort.Reverse(l)); fmt.Print(l)`:       "[3 2 1]",
		`l := list{1, 3, 2}; sort.Sort(calls{l, nil}); fmt.Print(l)`:         "[3 2 1]",
		`sort.Sort(none{}); fmt.Print("none")`:                               "none",
		`defer func() { fmt.Print(recover()) }(); sort.Sort(list{3, -1, 2})`: "negative",
		`l := list{}; for i := range 1000 { l = append(l, i * 7919 % 1000) }; sort.Sort(l); n := 0; for i, x := range l { if i == x { n++ } }; fmt.Print(n)`: "1000",
	} {
		res, err := box.Run(context.Background(), sandtrap.Script{Text: types + text})
		if err != nil || res.Stdout != want {
			t.Errorf("%s: %q, %v; want %q", text, res.Stdout, err, want)
		}
	}
}

// TestListElements: the value of an element of a list is a variable.
func TestListElements(t *testing.T) {
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: []string{"container/list", "fmt"}})
	if err != nil {
		t.Fatal(err)
	}
	const text = `l := list.New(); e := l.PushBack(1); e.Value = "x"; p := &e.Value; *p = fmt.Sprint(e.Value, 2)
var none *list.Element
defer func() { fmt.Print(l.Front().Value, recover()) }()
fmt.Print(none.Value)`
	res, err := box.Run(context.Background(), sandtrap.Script{Text: text})
	if want := "x2runtime error: invalid memory address or nil pointer dereference"; err != nil || res.Stdout != want {
		t.Errorf("%q, %v; want %q", res.Stdout, err, want)
	}
}
