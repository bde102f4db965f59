package gates

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// use runs n ticks the way an engine does, and returns the stop and how many
// ticks passed.
func use(m *Meter, n int64) (*Stop, int64) {
	var left, done int64
	for done < n {
		if left == 0 {
			g, s := m.Grant()
			if s != nil {
				return s, done
			}
			left = g
		}
		left--
		done++
	}
	m.Refund(left)
	return nil, done
}

func TestTicksAreExact(t *testing.T) {
	for _, tc := range []struct {
		name      string
		limit     int64
		run       int64
		want      int64
		wantStops bool
	}{
		{"no limit", 0, 100_000, 100_000, false},
		{"below", 10_000, 9_999, 9_999, false},
		{"at the limit", 10_000, 10_000, 10_000, false},
		{"one more", 10_000, 10_001, 10_000, true},
		{"one tick", 1, 2, 1, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := NewMeter(context.Background(), Limits{Ticks: tc.limit})
			s, done := use(m, tc.run)
			if (s != nil) != tc.wantStops || (s != nil && s.Reason != Ticks) {
				t.Errorf("stop = %v, want one: %v", s, tc.wantStops)
			}
			if done != tc.want || m.Ticks() != tc.want {
				t.Errorf("passed %d, reported %d, want %d", done, m.Ticks(), tc.want)
			}
		})
	}
}

func TestOrderOfStops(t *testing.T) {
	past, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	for _, tc := range []struct {
		name   string
		limits Limits
		cancel bool
		want   Reason
	}{
		{"all", Limits{Ticks: 1, Timeout: 1, Memory: 1}, true, Cancelled},
		{"ticks before time", Limits{Ticks: 1, Timeout: 1, Memory: 1}, false, Ticks},
		{"time", Limits{Timeout: 1, Memory: 1}, false, Timeout},
		{"deadline of the host", Limits{}, false, Timeout},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := NewMeter(past, tc.limits)
			if tc.limits.Ticks > 0 {
				m.granted.Store(tc.limits.Ticks)
			}
			if tc.cancel {
				m.Cancel()
			}
			_, s := m.Grant()
			if s == nil || s.Reason != tc.want {
				t.Errorf("stop = %v, want %s", s, tc.want)
			}
			if again := m.Check(); again != s {
				t.Errorf("a stop is for good: got %v, want %v", again, s)
			}
		})
	}
}

func TestCancelAnyTime(t *testing.T) {
	for _, tc := range []struct {
		name   string
		cancel func(m *Meter, stop context.CancelFunc)
	}{
		{"meter", func(m *Meter, _ context.CancelFunc) { m.Cancel() }},
		{"meter twice", func(m *Meter, _ context.CancelFunc) { m.Cancel(); m.Cancel() }},
		{"context", func(_ *Meter, stop context.CancelFunc) { stop() }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			m := NewMeter(ctx, Limits{})
			var wg sync.WaitGroup
			wg.Go(func() { tc.cancel(m, stop) })
			for {
				if _, s := m.Grant(); s != nil {
					if s.Reason != Cancelled {
						t.Errorf("reason = %s, want %s", s.Reason, Cancelled)
					}
					break
				}
			}
			wg.Wait()
			m.Cancel()
			if s := m.Stopped(); s == nil || s.Reason != Cancelled {
				t.Errorf("stopped = %v, want %s", s, Cancelled)
			}
		})
	}
}

func TestCharge(t *testing.T) {
	for _, tc := range []struct {
		name    string
		limit   int64
		charges []int64
		live    int64 // what measuring finds; -1: no measure
		want    bool  // stopped
		alloc   int64
	}{
		{"no limit", 0, []int64{1 << 40}, -1, false, 1 << 40},
		{"within", 100, []int64{50, 50}, -1, false, 100},
		{"one too many", 100, []int64{50, 51}, -1, true, 101},
		{"huge is not counted", 100, []int64{101}, 0, true, 0},
		{"negative", 100, []int64{-1}, 0, true, 0},
		{"garbage was collected", 100, []int64{60, 60, 60}, 10, false, 180},
		{"still held", 100, []int64{60, 60}, 60, true, 120},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := NewMeter(context.Background(), Limits{Memory: tc.limit})
			if tc.live >= 0 {
				m.Measure(func(int64) int64 { return tc.live }, nil)
			}
			var s *Stop
			for _, c := range tc.charges {
				s = m.Charge(c)
			}
			if (s != nil) != tc.want || (s != nil && s.Reason != Memory) {
				t.Errorf("stop = %v, want one: %v", s, tc.want)
			}
			if m.Alloc() != tc.alloc {
				t.Errorf("alloc = %d, want %d", m.Alloc(), tc.alloc)
			}
		})
	}
}

// TestChargeTakesTime: a block that takes longer to fill than the run has left is refused, as the
// end of its time.
func TestChargeTakesTime(t *testing.T) {
	m := NewMeter(context.Background(), Limits{Timeout: time.Minute})
	if s := m.Charge(bytesPerNano * int64(time.Second)); s != nil {
		t.Errorf("a block of one second: %v", s)
	}
	if s := m.Charge(bytesPerNano * int64(time.Hour)); s == nil || s.Reason != Timeout {
		t.Errorf("a block of an hour: %v", s)
	}
}

// TestKeep: output that is kept for the host is bounded as memory is, beside what the run holds.
func TestKeep(t *testing.T) {
	m := NewMeter(context.Background(), Limits{Memory: 100})
	if s := m.Charge(90); s != nil {
		t.Fatal(s)
	}
	if s := m.Keep(60); s != nil {
		t.Errorf("60 of 100 bytes: %v", s)
	}
	if s := m.Keep(60); s == nil || s.Reason != Memory {
		t.Errorf("120 of 100 bytes: %v", s)
	}
}

// TestChargeKinds: what a host function charges is told before it is charged, and what
// is there already does not count on top of what is measured.
func TestChargeKinds(t *testing.T) {
	m := NewMeter(context.Background(), Limits{Memory: 100})
	told := int64(0)
	m.Measure(func(int64) int64 { return 90 }, func(n int64) { told += n })
	if s := m.ChargeHost(30); s != nil || told != 30 || m.Alloc() != 30 {
		t.Errorf("stop %v, told of %d bytes, %d charged", s, told, m.Alloc())
	}
	if s := m.Made(80); s != nil || told != 30 || m.Held() != 90 {
		t.Errorf("stop %v, told of %d bytes, %d held; want the 90 measured", s, told, m.Held())
	}
	if s := m.ChargeHost(80); s != nil || told != 110 || m.Held() != 90 {
		t.Errorf("stop %v, told of %d bytes, %d held; want the 90 measured", s, told, m.Held())
	}
	if s := m.Charge(80); s == nil {
		t.Error("80 bytes on top of 90 are within a limit of 100")
	}
}

// TestHolds: what is held from before the run leaves less room, and has not been allocated in it.
func TestHolds(t *testing.T) {
	m := NewMeter(context.Background(), Limits{Memory: 100})
	held := int64(90)
	m.Measure(func(int64) int64 { return held }, nil)
	m.Holds(held)
	if s := m.Charge(10); s != nil || m.Alloc() != 10 {
		t.Errorf("stop %v, %d bytes allocated; want 10 that fit", s, m.Alloc())
	}
	if s := m.Charge(20); s == nil {
		t.Error("20 bytes on top of 90 are within a limit of 100")
	}
}

func TestRecover(t *testing.T) {
	e := errors.New("x")
	if got := Recover(e); got != e {
		t.Errorf("Recover(%v) = %v", e, got)
	}
	if got := Recover(nil); got != nil {
		t.Errorf("Recover(nil) = %v", got)
	}
	s := &Stop{Reason: Timeout}
	defer func() {
		if got := recover(); got != any(s) {
			t.Errorf("recovered %v, want the stop to go on", got)
		}
	}()
	Recover(s)
	t.Error("a stop was handed to the script")
}

// TestStopSticks: the first stop stays, and nothing is granted after it.
func TestStopSticks(t *testing.T) {
	m := NewMeter(t.Context(), Limits{Ticks: 1000})
	first := m.Trip(&Stop{Reason: Memory})
	if got := m.Trip(&Stop{Reason: Depth}); got != first || m.Stopped() != first {
		t.Errorf("a second Trip gives %v, Stopped %v, want the first", got, m.Stopped())
	}
	m.Cancel()
	if n, got := m.Grant(); n != 0 || got != first {
		t.Errorf("Grant gives %d, %v, want the first stop", n, got)
	}
	if got := m.Check(); got != first {
		t.Errorf("Check gives %v, want the first stop", got)
	}
	running := NewMeter(t.Context(), Limits{Ticks: 1000})
	running.Trip(first)
	if n, got := running.Grant(); n != 0 || got != first {
		t.Errorf("Grant gives %d, %v after a stop, want none", n, got)
	}
}

// TestSpend: work in one go is refused where the ticks or the time for it are not
// there, before it is done.
func TestSpend(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limits Limits
		n      int64
		want   Reason
	}{
		{"no limits", Limits{}, 1 << 62, ""},
		{"enough", Limits{Ticks: 1e6, Timeout: time.Hour}, 1e5, ""},
		{"ticks", Limits{Ticks: 1e6}, 2e6, Ticks},
		{"time", Limits{Timeout: time.Minute}, int64(time.Hour / TickTime), Timeout},
		{"more than there is", Limits{Timeout: time.Minute}, 1 << 62, Timeout},
	} {
		m := NewMeter(context.Background(), tc.limits)
		s := m.Spend(tc.n)
		if got := s; (got == nil) != (tc.want == "") || got != nil && got.Reason != tc.want {
			t.Errorf("%s: got %v, want %q", tc.name, got, tc.want)
		}
		if s == nil && tc.n < 1e6 && m.Ticks() != tc.n {
			t.Errorf("%s: counted %d ticks, want %d", tc.name, m.Ticks(), tc.n)
		}
	}
	m := NewMeter(context.Background(), Limits{Ticks: 100})
	for range 100 {
		if s := m.Spend(10); s != nil {
			t.Fatalf("got %v before the grant is over", s)
		}
	}
	if _, s := m.Grant(); s == nil || s.Reason != Ticks {
		t.Errorf("Grant after all ticks are spent: got %v", s)
	}
}
