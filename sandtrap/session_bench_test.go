package sandtrap_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func runCell(t testing.TB, s *sandtrap.Session, text string) *sandtrap.Result {
	t.Helper()
	res, err := s.Run(context.Background(), sandtrap.Script{Text: text})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return res
}

// sessionOf is a session of so many cells that declare things, all of which are there.
func sessionOf(t testing.TB, cells int) *sandtrap.Session {
	t.Helper()
	s := newSession(t, nil)
	for i := range cells {
		runCell(t, s, fmt.Sprintf("a%d := %d\nfunc f%d() int { return a%d }", i, i, i, i))
	}
	return s
}

const usualCell = "x := a0 + f0()\nfmt.Sprint(x)"

// TestCellCost: a cell allocates as much after 1,000 others as after one.
func TestCellCost(t *testing.T) {
	allocs := func(cells int) float64 {
		s := sessionOf(t, cells)
		return testing.AllocsPerRun(20, func() { runCell(t, s, usualCell) })
	}
	if few, many := allocs(1), allocs(1000); many > few+few/20 {
		t.Errorf("%v allocations in a session of 1 cell, %v in one of 1,000", few, many)
	}
}

// BenchmarkCell takes the median of what a cell takes after 1 and after 1,000 others, in
// turn, as what else the machine does then meets both.
func BenchmarkCell(b *testing.B) {
	sizes := []int{1, 1000}
	var sessions []*sandtrap.Session
	for _, n := range sizes {
		sessions = append(sessions, sessionOf(b, n))
	}
	took := make([][]time.Duration, len(sizes))
	for b.Loop() {
		for i, s := range sessions {
			start := time.Now()
			runCell(b, s, usualCell)
			took[i] = append(took[i], time.Since(start))
		}
	}
	p50 := func(i int) float64 {
		slices.Sort(took[i])
		return float64(took[i][len(took[i])/2])
	}
	for i, n := range sizes {
		b.ReportMetric(p50(i), fmt.Sprintf("p50-ns/cell-of-%d", n))
	}
	b.ReportMetric(p50(1)/p50(0), "ratio")
}

// largeCells leave some MiB of each kind of value.
var largeCells = []string{
	"type N struct{ v int; s string; next *N }\nvar list *N\nfor i := range 20_000 { list = &N{i, fmt.Sprint(i), list} }",
	"nums := make([]int, 200_000)\nfor i := range nums { nums[i] = i * i }\ntext := strings.Repeat(\"some text \", 100_000)",
	"m := map[string][]float64{}\nfor i := range 10_000 { m[fmt.Sprint(i)] = []float64{float64(i), 0.5} }",
}

func BenchmarkSave(b *testing.B) {
	s := newSession(b, nil)
	for _, c := range largeCells {
		runCell(b, s, c)
	}
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if _, err := s.Save(&out); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}

func BenchmarkLoad(b *testing.B) {
	saved := savedBytes(b, largeCells...)
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: sandtrap.StdDefault()})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(saved)))
	for b.Loop() {
		s, err := box.LoadSession(bytes.NewReader(saved))
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkReturnedFunc: a call of a function that a cell has left.
func BenchmarkReturnedFunc(b *testing.B) {
	s := newSession(b, nil)
	f := runCell(b, s, "k := 1\nf := func(n int) int { return n + k }").Vars["f"].(*sandtrap.Func)
	for b.Loop() {
		if res, err := f.Call(context.Background(), 2); err != nil || res.Returned[0] != 3 {
			b.Fatal(res, err)
		}
	}
}
