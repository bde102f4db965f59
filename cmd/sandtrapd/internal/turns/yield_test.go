package turns

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// lines has many turns of the background be wanted, of which each takes so long. The func is how many go on, and how many have begun.
func lines(ctx context.Context, q *Turns, took time.Duration) (now func() (int, int)) {
	var on, begun int
	for range 1000 {
		go func() {
			if !q.TakeBackground(ctx, "many") {
				return
			}
			q.mu.Lock()
			on, begun = on+1, begun+1
			q.mu.Unlock()
			time.Sleep(took)
			q.mu.Lock()
			on--
			q.mu.Unlock()
			q.GiveBackground("many")
		}()
	}
	return func() (int, int) {
		synctest.Wait()
		q.mu.Lock()
		defer q.mu.Unlock()
		return on, begun
	}
}

// TestGivesWay: the background has half of the turns where it is alone, and a quarter beside a turn that somebody waits for, and for a while after it.
func TestGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(8)
		ctx, cancel := context.WithCancel(t.Context())
		now := lines(ctx, q, time.Second)
		is := func(want int) {
			t.Helper()
			if n, _ := now(); n != want {
				t.Errorf("%d go on, want %d", n, want)
			}
		}
		is(4)
		q.Take(ctx, "few")
		time.Sleep(1500 * time.Millisecond)
		is(2)
		time.Sleep(time.Minute)
		is(2)
		q.Give("few")
		time.Sleep(lately / 2)
		if n, _ := now(); n > 2 {
			t.Errorf("%d go on just after a turn", n)
		}
		time.Sleep(lately)
		is(4)
		cancel()
		time.Sleep(time.Minute)
		if !q.rests(8) {
			t.Errorf("after all: %+v", q)
		}
	})
}

// TestRests: short turns of the background rest while others come now and then, and follow each other at once where none comes. They always go on.
func TestRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(4)
		ctx, cancel := context.WithCancel(t.Context())
		now := lines(ctx, q, time.Millisecond)
		_, before := now()
		time.Sleep(100 * time.Millisecond)
		_, alone := now()
		if alone -= before; alone < 190 {
			t.Errorf("%d of two at a time have begun in 100 ms", alone)
		}
		q.Take(ctx, "few")
		q.Give("few")
		_, before = now()
		time.Sleep(110 * time.Millisecond)
		_, beside := now()
		if beside -= before; beside < 8 || beside > 11 {
			t.Errorf("%d have begun in 110 ms beside others", beside)
		}
		time.Sleep(lately)
		_, before = now()
		time.Sleep(100 * time.Millisecond)
		if _, after := now(); after-before < 190 {
			t.Errorf("%d have begun in 100 ms when the others were gone", after-before)
		}
		cancel()
		time.Sleep(time.Second)
		if !q.rests(4) {
			t.Errorf("after all: %+v", q)
		}
	})
}
