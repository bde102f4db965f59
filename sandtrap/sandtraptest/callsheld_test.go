package sandtraptest

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestCallsHeld: however many calls of its functions wait at a time, a host does not hold much more
// for them than the script may hold itself.
func TestCallsHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	eachMode(t, func(b bench) {
		heap := func() int64 {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			return int64(now.HeapAlloc)
		}
		var most atomic.Int64
		p := sandtrap.Policy{Std: []string{"strings", "time"}, Limits: sandtrap.Limits{Memory: 64 << 20}}
		p.Funcs = map[string]any{"keep": sandtrap.Member{Value: func(ctx context.Context, text string) int {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
			most.Store(max(most.Load(), heap()))
			return len(text)
		}, Blocking: true}}
		box := b.Box(p)
		runtime.GC()
		before := heap()
		res, err := box.Run(b.Context(), sandtrap.Script{Text: `
long := strings.Repeat("x", 16 << 20)
for range 60 { go keep(long) }
time.Sleep(2 * time.Second)`})
		if engineRefused(res) {
			b.Skip(err)
		}
		if err != nil && !errors.Is(err, sandtrap.KindMemory) {
			b.Error(err)
		}
		if grown := most.Load() - before; grown > 400<<20 {
			b.Errorf("the host held %d MB for calls of a script that may hold 64", grown>>20)
		}
	})
}
