package turns_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
)

// TestBackgroundIsNotStarved: what nobody waits for comes to its turn in the end, whatever one or two tenants have in the foreground.
func TestBackgroundIsNotStarved(t *testing.T) {
	for n, tenants := range map[int][]string{1: {"a"}, 4: {"a", "b"}} {
		all := turns.New(n)
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		for _, name := range tenants {
			for range 2 * n {
				group.Go(func() {
					for all.Take(ctx, name) {
						time.Sleep(2 * time.Millisecond)
						all.Give(name)
					}
				})
			}
		}
		time.Sleep(50 * time.Millisecond)
		waits, end := context.WithTimeout(ctx, 10*time.Second)
		if !all.TakeBackground(waits, "victim") {
			t.Errorf("%d turns: the line of a batch of another tenant has no turn in 10 s beside runs of %d tenants that take 2 ms each", n, len(tenants))
		}
		end()
		cancel()
		group.Wait()
	}
}
