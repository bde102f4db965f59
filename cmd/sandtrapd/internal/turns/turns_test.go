package turns

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// waits waits until so many wait for their turn.
func (t *Turns) waits(tb testing.TB, n int) {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		have := t.Queued()
		if have == n {
			return
		}
		if time.Now().After(deadline) {
			tb.Fatalf("%d wait, and %d are to", have, n)
		}
	}
}

// rests reports that all of n turns are free, and nobody waits.
func (t *Turns) rests(n int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.lines {
		if len(l.order) != 0 || len(l.tenants) != 0 || l.had != 0 {
			return false
		}
	}
	return t.free == n && len(t.had) == 0 && t.queued == 0
}

// TestTurns: a tenant with a thousand runs that wait does not hold up one with a few.
func TestTurns(t *testing.T) {
	q := New(1)
	q.Take(t.Context(), "first")
	var order []string
	var all sync.WaitGroup
	begin := func(tenant string, n, before int) {
		for i := range n {
			all.Go(func() {
				if !q.Take(t.Context(), tenant) {
					t.Error("no turn")
				}
				order = append(order, tenant) // one has a turn at a time
				q.Give(tenant)
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
	q.Give("first")
	all.Wait()
	if got, want := fmt.Sprint(order[:7]), "[many few one many few many few]"; got != want || len(order) != 1004 {
		t.Errorf("%s, want %s", got, want)
	}
	if !q.rests(1) {
		t.Errorf("after all: %+v", q)
	}
}

// TestTurnsGivenUp: turns of those that give up while they wait are not lost, and no more go on at a time than may.
func TestTurnsGivenUp(t *testing.T) {
	q := New(3)
	var now, most, had atomic.Int64
	var all sync.WaitGroup
	for i := range 2000 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%7)*time.Millisecond)
			defer cancel()
			if i%2 == 0 {
				ctx = t.Context()
			}
			tenant := fmt.Sprint("tenant", i%5)
			if !q.Take(ctx, tenant) {
				return
			}
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			had.Add(1)
			time.Sleep(10 * time.Microsecond)
			now.Add(-1)
			q.Give(tenant)
		})
	}
	all.Wait()
	if had.Load() < 1000 || most.Load() > 3 {
		t.Errorf("%d had a turn, %d at a time", had.Load(), most.Load())
	}
	if !q.rests(3) {
		t.Errorf("after all: %+v", q)
	}
}

// TestLastTurn: runs of one tenant that go on for long leave a turn to another one, who gets the next one too when it is alone.
func TestLastTurn(t *testing.T) {
	q := New(4)
	var all sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for range 3 {
		q.Take(ctx, "many")
	}
	for range 10 {
		all.Go(func() {
			if q.Take(ctx, "many") {
				t.Error("one tenant has all turns")
			}
		})
	}
	q.waits(t, 10)
	for range 3 {
		if !q.Take(ctx, "few") { // at once: nobody gives one
			t.Error("no turn")
		}
		q.Give("few")
	}
	cancel()
	all.Wait()
	for range 3 {
		q.Give("many")
	}
	if !q.rests(4) {
		t.Errorf("after all: %+v", q)
	}
}

// TestHold: a turn that is held is not given to a run, also if there was none left.
func TestHold(t *testing.T) {
	q := New(1)
	q.Take(t.Context(), "one")
	q.Hold("one")
	began := make(chan struct{})
	go func() { q.Take(t.Context(), "two"); close(began) }()
	q.waits(t, 1)
	q.Give("one")
	q.waits(t, 1)
	q.Give("one")
	<-began
}

// TestBackground: what nobody waits for has half of the turns at most, and comes after all that somebody waits for, of whichever tenant.
func TestBackground(t *testing.T) {
	q := New(4)
	for range 2 {
		if !q.TakeBackground(t.Context(), "many") {
			t.Fatal("no turn")
		}
	}
	var mu sync.Mutex
	var order []string
	var all sync.WaitGroup
	wait := func(name string, take func(context.Context, string) bool, give func(string)) {
		before := q.Queued()
		all.Go(func() {
			if !take(t.Context(), "many") {
				t.Error("no turn")
			}
			mu.Lock()
			order = append(order, name)
			mu.Unlock()
			give("many")
		})
		q.waits(t, before+1)
	}
	for range 100 {
		wait("line", q.TakeBackground, q.GiveBackground)
	}
	for range 2 { // the other half is there at once
		if !q.Take(t.Context(), "few") {
			t.Fatal("no turn")
		}
	}
	for range 3 {
		wait("run", q.Take, q.Give)
	}
	q.GiveBackground("many")
	q.GiveBackground("many")
	all.Wait()
	if got, want := fmt.Sprint(order[:4]), "[run run run line]"; got != want || len(order) != 103 {
		t.Errorf("%s, want %s", got, want)
	}
	q.Give("few")
	q.Give("few")
	if !q.rests(4) {
		t.Errorf("after all: %+v", q)
	}
}
