package engine

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
)

// slowCollector is one whose collections take a second each, and how many there were.
func slowCollector() (*collector, *int) {
	n := 0
	return &collector{collect: func() { time.Sleep(time.Second); n++ }}, &n
}

// TestCollectTenth: runs that want one collection after the other have no more than a tenth of
// their time spent on them, however many they are.
func TestCollectTenth(t *testing.T) {
	for _, runs := range []int{1, 16} {
		synctest.Test(t, func(t *testing.T) {
			const asked = 20
			c, n := slowCollector()
			start := time.Now()
			var wg sync.WaitGroup
			for range runs {
				wg.Go(func() {
					m := gates.NewMeter(t.Context(), gates.Limits{})
					for range asked {
						c.wait(m)
					}
				})
			}
			wg.Wait()
			took := time.Since(start)
			if *n < asked || *n > asked+1 {
				t.Errorf("%d runs: %d collections, want %d that they share", runs, *n, asked)
			}
			if spent := time.Duration(*n-1) * time.Second; spent > took/10 {
				t.Errorf("%d runs: collections take %v of %v", runs, spent, took)
			}
		})
	}
}

// TestCollectSince: one that has begun before does not count: it may have passed what is garbage now.
func TestCollectSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, n := slowCollector()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { c.wait(gates.NewMeter(t.Context(), gates.Limits{})) })
			time.Sleep(time.Second / 2)
		}
		wg.Wait()
		if *n != 2 {
			t.Errorf("%d collections, want 2", *n)
		}
	})
}

// TestCollectStops: a run that has to end waits for no collection and no rest.
func TestCollectStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := slowCollector()
		c.wait(gates.NewMeter(t.Context(), gates.Limits{}))
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() { c.wait(gates.NewMeter(ctx, gates.Limits{})) })
		wg.Go(func() { c.wait(gates.NewMeter(t.Context(), gates.Limits{Timeout: time.Second})) })
		time.Sleep(time.Second / 2)
		cancel()
		wg.Wait()
		if took := time.Since(start); took != time.Second {
			t.Errorf("the runs ended after %v", took)
		}
	})
}
