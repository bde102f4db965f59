package sandtraptest

import (
	"context"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A query and its answer are what a function of the host takes and gives.
type query struct {
	Text  string
	Limit int
}

type answer struct {
	Text string
	Rows int
	OK   bool
}

// BenchmarkHostFunction has a script and functions of the host that call each other in a loop.
func BenchmarkHostFunction(b *testing.B) {
	const calls = 100_000
	funcs := map[string]any{
		"Query": (*query)(nil), "Answer": (*answer)(nil),
		"each": func(n int, f func(int) int) (sum int) {
			for i := range n {
				sum += f(i)
			}
			return sum
		},
		"tell": func(n int, f func(string) (string, error)) (last string) {
			for range n {
				last, _ = f("text")
			}
			return last
		},
		"ask": func(_ context.Context, q query) (answer, error) { return answer{q.Text, q.Limit, true}, nil },
	}
	for _, tc := range []struct{ name, text string }{
		{"callback", "_ = each(%d, func(i int) int { return i })"},
		{"callback with an error", "_ = tell(%d, func(s string) (string, error) { return s, nil })"},
		{"callback of the library", "_ = strings.Map(func(r rune) rune { return r }, strings.Repeat(\"x\", %d))"},
		{"a callback in a call", "f := func(i int) int { return i }\nfor range %d { _ = each(1, f) }"},
		{"struct to struct", "q := Query{Text: \"x\", Limit: 1}\nfor range %d { _, _ = ask(q) }"},
	} {
		b.Run(tc.name, func(b *testing.B) {
			box, err := sandtrap.New(b.Context(), sandtrap.Policy{Std: []string{"strings"}, Funcs: funcs})
			if err != nil {
				b.Fatal(err)
			}
			defer box.Close()
			script := sandtrap.Script{Text: fmt.Sprintf(tc.text, calls)}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := box.Run(b.Context(), script); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/calls, "ns/call")
		})
	}
}
