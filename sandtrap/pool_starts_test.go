package sandtrap_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPoolStarts: tenants that are no more than there are places run in the workers that they have, also if their
// runs are as many at a time, of one tenant after the other: so many runs start no workers but the first.
func TestPoolStarts(t *testing.T) {
	const tenants, runs = 8, 2000
	const share, unfair = 256, 50 * time.Millisecond // who waits for so many runs, or so long, gets the place of another
	plan, err := sandtrap.Compile(sandtrap.Policy{Isolation: sandtrap.Process, Worker: "/proc/self/exe"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ places, atOnce int }{{8, 8}, {8, 16}, {16, 16}, {32, 16}} {
		t.Run(fmt.Sprint(tc.places, " places, ", tc.atOnce, " at once"), func(t *testing.T) {
			pool, started, err := plan.CountingPool(t.Context(), sandtrap.PoolLimits{Max: tc.places})
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close(context.Background())
			var boxes []*sandtrap.Sandbox
			for i := range tenants {
				box, err := pool.New(t.Context(), fmt.Sprint(i))
				if err != nil {
					t.Fatal(err)
				}
				boxes = append(boxes, box)
			}
			began := time.Now()
			var done atomic.Int64
			var all sync.WaitGroup
			for range tc.atOnce {
				all.Go(func() {
					for i := done.Add(1); i <= runs; i = done.Add(1) {
						if _, err := boxes[i%tenants].Run(t.Context(), sandtrap.Script{Text: "x := 1"}); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			most := int64(2*tc.places + runs/share + int(time.Since(began)/unfair))
			t.Log(started.Load(), "workers of", most)
			if n := started.Load(); n > most {
				t.Errorf("%d workers were started, want at most %d", n, most)
			}
		})
	}
}
