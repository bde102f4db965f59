package runs

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// waits waits until so many wait for their turn.
func (t *turns) waits(tb testing.TB, n int) {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		t.mu.Lock()
		have := 0
		for _, list := range t.waiting {
			have += len(list)
		}
		t.mu.Unlock()
		if have == n {
			return
		}
		if time.Now().After(deadline) {
			tb.Fatalf("%d wait, and %d are to", have, n)
		}
	}
}

// TestTurns: a tenant with a thousand runs that wait does not hold up one with a few.
func TestTurns(t *testing.T) {
	q := newTurns(1)
	q.take(t.Context(), "first")
	var order []string
	var all sync.WaitGroup
	begin := func(tenant string, n, before int) {
		for i := range n {
			all.Go(func() {
				if !q.take(t.Context(), tenant) {
					t.Error("no turn")
				}
				order = append(order, tenant) // one has a turn at a time
				q.give()
			})
			if tenant != "many" {
				q.waits(t, before+i+1)
			}
		}
		q.waits(t, before+n)
	}
	begin("many", 1000, 0)
	begin("few", 3, 1000)
	begin("one", 1, 1003)
	q.give()
	all.Wait()
	if got, want := fmt.Sprint(order[:7]), "[many few one many few many few]"; got != want || len(order) != 1004 {
		t.Errorf("%s, want %s", got, want)
	}
	if q.free != 1 || len(q.order) != 0 || len(q.waiting) != 0 {
		t.Errorf("after all: %+v", q)
	}
}

// TestTurnsGivenUp: turns of those that give up while they wait are not lost, and no more go on at a time than may.
func TestTurnsGivenUp(t *testing.T) {
	q := newTurns(3)
	var now, most, had atomic.Int64
	var all sync.WaitGroup
	for i := range 2000 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%7)*time.Millisecond)
			defer cancel()
			if i%2 == 0 {
				ctx = t.Context()
			}
			if !q.take(ctx, fmt.Sprint("tenant", i%5)) {
				return
			}
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			had.Add(1)
			time.Sleep(10 * time.Microsecond)
			now.Add(-1)
			q.give()
		})
	}
	all.Wait()
	if had.Load() < 1000 || most.Load() > 3 {
		t.Errorf("%d had a turn, %d at a time", had.Load(), most.Load())
	}
	if q.free != 3 || len(q.order) != 0 || len(q.waiting) != 0 {
		t.Errorf("after all: %+v", q)
	}
}
