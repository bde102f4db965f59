package sandtraptest

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// withMethods are programs in which the library calls methods of the script, thousands of times.
var withMethods = map[string]string{
	"sort.Sort":   `sort.Sort(made(n))`,
	"sort.Stable": `sort.Stable(made(n))`,
	"heap":        `h := made(0); for i := range n { heap.Push(&h, i*7919%n) }; for h.Len() > 0 { heap.Pop(&h) }`,
}

const typeWithMethods = `
type list []int
func (l list) Len() int { return len(l) }
func (l list) Less(i, j int) bool { return l[i] < l[j] }
func (l list) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *list) Push(x any) { *l = append(*l, x.(int)) }
func (l *list) Pop() any { last := (*l)[len(*l)-1]; *l = (*l)[:len(*l)-1]; return last }
func made(n int) (l list) { for i := range n { l = append(l, i*7919%n) }; return l }
var _, _ = sort.Sort, heap.Push
`

// elementsPushed is a program that makes a list of n elements, walks along it and empties it again.
const elementsPushed = `
l, sum := list.New(), 0
for i := range n { l.PushBack(i) }
for e := l.Front(); e != nil; e = e.Next() { sum += e.Value.(int) }
for l.Len() > 0 { l.Remove(l.Front()) }
`

// TestListIsCalledDirectly: the methods of a list and the fields of its elements are reached without reflection,
// which takes twenty allocations for an element.
func TestListIsCalledDirectly(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: []string{"container/list"}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	per := testing.AllocsPerRun(3, func() {
		if _, err := box.Run(t.Context(), sandtrap.Script{Text: elementsPushed, Inputs: map[string]any{"n": 2000}}); err != nil {
			t.Fatal(err)
		}
	})
	if t.Logf("%.0f allocations", per); per > 6*2000 { // the element, its number twice, the variable that holds it
		t.Errorf("%.0f allocations for 2,000 elements", per)
	}
}

// BenchmarkList is the time of a list of 100,000 elements.
func BenchmarkList(b *testing.B) {
	box, err := sandtrap.New(b.Context(), sandtrap.Policy{Std: []string{"container/list"}})
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: elementsPushed, Inputs: map[string]any{"n": 100_000}}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMethodsAllocateNothing: a method of the script that the library calls is script code called by script code, or by
// the engine: a call takes no memory of the host's, as one through reflection does.
func TestMethodsAllocateNothing(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: []string{"sort", "container/heap"}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for name, src := range withMethods {
		t.Run(name, func(t *testing.T) {
			per := testing.AllocsPerRun(3, func() {
				if _, err := box.Run(t.Context(), sandtrap.Script{Text: typeWithMethods + src, Inputs: map[string]any{"n": 2000}}); err != nil {
					t.Fatal(err)
				}
			})
			if t.Logf("%.0f allocations", per); per > 10_000 { // a number in an interface is one
				t.Errorf("%.0f allocations for 2,000 elements", per)
			}
		})
	}
}

// BenchmarkMethods is the time of the same for 20,000 elements, with what the program takes to begin.
func BenchmarkMethods(b *testing.B) {
	box, err := sandtrap.New(b.Context(), sandtrap.Policy{Std: []string{"sort", "container/heap"}})
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	for name, src := range withMethods {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := box.Run(b.Context(), sandtrap.Script{Text: typeWithMethods + src, Inputs: map[string]any{"n": 20_000}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
