//go:build linux

package isolate

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"weak"
)

// TestCallsAllocateLittle: a call that asks the worker nothing pays for nothing that asking takes.
func TestCallsAllocateLittle(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Bare})
	h := Handlers{Call: func(_ context.Context, _ string, body []byte) ([]byte, error) { return body, nil }}
	const n, most = 2000, 9
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := w.Do(t.Context(), fmt.Appendf(nil, "ask %d", n), h); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := (after.Mallocs - before.Mallocs) / n; got > most {
		t.Errorf("%d allocations for each call, want at most %d", got, most)
	}
}

// TestCallsHoldNothing: while a call is answered its host does not hold what the call has brought, when nothing needs that any more.
func TestCallsHoldNothing(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Bare})
	held := 0
	h := Handlers{Call: func(_ context.Context, _ string, body []byte) ([]byte, error) {
		brought := weak.Make(&body[0])
		runtime.GC()
		if brought.Value() != nil {
			held++
		}
		return nil, nil
	}}
	if _, err := w.Do(t.Context(), []byte("ask 3"), h); err != nil || held > 0 {
		t.Errorf("%d of 3 calls held their bodies, %v", held, err)
	}
}
