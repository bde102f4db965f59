package ends

import (
	"fmt"
	"strings"
	"testing"
)

// heapOf is a heap of 1,000 numbers with a body of Less.
const heapOf = `type H []int
func (h *H) Len() int { return len(*h) }
func (h *H) Less(i, j int) bool { %s; return true }
func (h *H) Swap(i, j int) { (*h)[i], (*h)[j] = (*h)[j], (*h)[i] }
func (h *H) Push(x any) { *h = append(*h, x.(int)) }
func (h *H) Pop() any { x := (*h)[len(*h)-1]; *h = (*h)[:len(*h)-1]; return x }
l := make(H, 1000)
h := &l
`

// slowly are programs whose single steps take long.
var slowly = map[string]string{
	"copies":       "a, b := make([]byte, 20<<20), make([]byte, 20<<20)\nfor { copy(a, b) }",
	"comparing":    "a := strings.Repeat(\"x\", 20<<20)\nb := strings.Repeat(\"x\", 20<<20)\nn := 0\nfor { if a == b { n++ } }",
	"host calls":   "a := strings.Repeat(\"x\", 20<<20)\nfor { strings.Index(a, \"y\") }",
	"arrays":       "type A [1 << 20]int\nfunc f() { var a, b A; for { if a != b { return } } }\nf()",
	"heap, order":  fmt.Sprintf(heapOf, "for { }") + "heap.Init(h)",
	"heap, growth": fmt.Sprintf(heapOf, "*h = append(*h, 0); heap.Init(h)") + "heap.Init(h)",
	"heap, spins":  fmt.Sprintf(heapOf, "return i < j") + "for { heap.Push(h, 1); heap.Fix(h, 0); heap.Pop(h) }",
	"list, growth": "l := list.New()\nfor { l.PushBack(1) }",
	"list, copies": "l := list.New()\nl.PushBack(1)\nfor { l.PushBackList(l) }",
	"list, turns":  "l := list.New()\nl.PushBack(1)\nl.PushBack(2)\nfor { l.MoveToFront(l.Back()) }",
	"straight":     "n := 1\nfor { " + strings.Repeat("n = n*3 + 1; ", 8_000) + "}",
}

// TestSlowSteps: a stop does not wait for many steps that each take long.
func TestSlowSteps(t *testing.T) { wantStopped(t, slowly) }
