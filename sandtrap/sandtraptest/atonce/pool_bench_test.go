package atonce

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// BenchmarkPool is short runs of tenants of a pool, so many at a time for each, or sixteen at a time that are of
// one tenant after the other. The first workers are there when it begins.
func BenchmarkPool(b *testing.B) {
	for _, c := range []struct{ tenants, places, each int }{{1, 8, 16}, {8, 8, 1}, {8, 8, 2}, {8, 8, 0}, {8, 16, 0}, {16, 8, 1}} {
		b.Run(fmt.Sprintf("tenants=%d,places=%d,each=%d", c.tenants, c.places, c.each), func(b *testing.B) {
			plan, err := sandtrap.Compile(sandtrap.Policy{Isolation: sandtrap.Kernel})
			if err != nil {
				b.Fatal(err)
			}
			pool, err := plan.Pool(b.Context(), sandtrap.PoolLimits{Max: c.places})
			if err != nil {
				b.Skip(err)
			}
			defer pool.Close(b.Context())
			boxes := make([]*sandtrap.Sandbox, c.tenants)
			for i := range boxes {
				if boxes[i], err = pool.New(b.Context(), fmt.Sprint(i)); err != nil {
					b.Fatal(err)
				}
				defer boxes[i].Close()
			}
			runAll(b, boxes, c.each, 1000)
			b.ResetTimer()
			runAll(b, boxes, c.each, b.N)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
		})
	}
}

// runAll makes n runs; each is as in BenchmarkPool.
func runAll(b *testing.B, boxes []*sandtrap.Sandbox, each, n int) {
	var left atomic.Int64
	left.Store(int64(n))
	var all sync.WaitGroup
	mixed := each == 0
	if mixed {
		each = 16 / len(boxes)
	}
	for _, box := range boxes {
		for range each {
			all.Go(func() {
				for i := left.Add(-1); i >= 0; i = left.Add(-1) {
					if mixed {
						box = boxes[i%int64(len(boxes))]
					}
					if _, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1"}); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
	}
	all.Wait()
}
