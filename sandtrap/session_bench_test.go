package sandtrap_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// mixedCell is one of a few kinds of cells, with names that come again.
func mixedCell(i int) string {
	switch k := i % 10; i % 8 {
	case 0:
		return fmt.Sprintf("v%d := %d", k, i)
	case 1:
		return fmt.Sprintf("func f%d(n int) int { return n + %d }", k, i)
	case 2:
		return fmt.Sprintf("type T%d struct{ A, B int }\nfunc (t T%d) Sum() int { return t.A + t.B }", k, k)
	case 3:
		return "s := []int{3, 1, 2}\nsort.Ints(s)\ns"
	case 4:
		return fmt.Sprintf("m := map[string]int{\"a\": %d}\nfmt.Sprint(m)", i)
	case 5:
		return "n := 0\ninc := func() int { n++; return n }\ninc() + inc()"
	case 6:
		return fmt.Sprintf("type N%d int\nfunc (n N%d) String() string { return strconv.Itoa(int(n)) }\nfmt.Sprint(N%d(%d))", k, k, k, i)
	default:
		return "func g[T any](x T) []T { return []T{x} }\ng(1)"
	}
}

func runCell(t testing.TB, s *sandtrap.Session, text string) *sandtrap.Result {
	t.Helper()
	res, err := s.Run(context.Background(), sandtrap.Script{Text: text})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return res
}

// BenchmarkCell: what a cell takes after 1 and after 1,000 others.
func BenchmarkCell(b *testing.B) {
	for _, before := range []int{1, 1000} {
		b.Run(fmt.Sprint(before), func(b *testing.B) {
			s := newSession(b, nil)
			for i := range before {
				runCell(b, s, fmt.Sprintf("a%d := %d\nfunc f%d() int { return a%d }", i, i, i, i))
			}
			for b.Loop() {
				runCell(b, s, "x := a0 + f0()\nfmt.Sprint(x)")
			}
		})
	}
}

func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
