package sandtrap

import (
	"context"
	"testing"
	"time"
)

// BenchmarkMetering sets what limits cost beside the same program without any, in one
// run: compare the rows of a kernel by ratio.
func BenchmarkMetering(b *testing.B) {
	all := Limits{Timeout: time.Minute, Ticks: 1e12, Memory: 1 << 30, Output: 1 << 20, Tasks: 1000, Depth: 10000}
	for _, kernel := range []struct{ name, src string }{
		{"loop", "func main() { s := 0; for i := 0; i < 1000000; i++ { s += i } }"},
		{"calls", "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\nfunc main() { fib(22) }"},
		{"append", "func main() { for range 100 { s := []int{}; for i := range 1000 { s = append(s, i) } } }"},
		{"objects", "type node struct { next *node; v int }\nfunc main() { var l *node; for i := range 50000 { l = &node{l, i}; if i%100 == 0 { l = nil } } }"},
		{"strings", "func main() { for range 100 { s := \"\"; for range 200 { s += \"x\" } } }"},
		{"map", "func main() { m := map[int]int{}; for i := range 50000 { m[i%1000]++ } }"},
	} {
		for _, tc := range []struct {
			name   string
			limits Limits
		}{{"off", Limits{}}, {"on", all}} {
			b.Run(kernel.name+"/"+tc.name, func(b *testing.B) {
				plan, err := Compile(Policy{Engine: "vm", Limits: tc.limits})
				if err != nil {
					b.Fatal(err)
				}
				box, err := plan.New(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := box.Run(context.Background(), Script{Text: "package main\n" + kernel.src + "\n"}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
