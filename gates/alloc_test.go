package gates

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAllocInAll: the limit of what is allocated in all counts what was freed again; at the limit goes, one byte more
// does not.
func TestAllocInAll(t *testing.T) {
	m := NewMeter(context.Background(), Limits{Alloc: 100, Memory: 60})
	m.Measure(func(int64) int64 { return 0 }, nil) // all is freed at once
	for range 2 {
		if s := m.Charge(50); s != nil {
			t.Fatal(s)
		}
	}
	if s := m.Charge(1); s == nil || s.Reason != Memory || !strings.Contains(s.Message, "100 bytes") {
		t.Errorf("stopped with %v", s)
	}
	if m.Alloc() != 101 {
		t.Errorf("%d bytes in all, want 101", m.Alloc())
	}
}

// TestMeasure: a run that holds less than was charged goes on, and what is coming counts.
func TestMeasure(t *testing.T) {
	held, asked := int64(0), 0
	m := NewMeter(context.Background(), Limits{Memory: 100})
	m.Measure(func(coming int64) int64 { asked++; return held }, nil)
	steps := []struct {
		held, charge int64
		stops        bool
		asked        int
	}{
		{0, 100, false, 0}, // what fits is not measured
		{10, 90, false, 1}, // 10 held and 90 coming
		{100, 0, false, 1}, // nothing more
		{99, 1, false, 2},
		{100, 1, true, 3},
	}
	for i, step := range steps {
		held = step.held
		if s := m.Charge(step.charge); (s != nil) != step.stops || asked != step.asked {
			t.Fatalf("step %d: stopped with %v after %d measures, want %v and %d", i, s, asked, step.stops, step.asked)
		}
	}
	if m.Peak() != 100 {
		t.Errorf("the peak is %d, want 100", m.Peak())
	}
}

// TestMade: bytes that are there already are among those measured, and do not count twice.
func TestMade(t *testing.T) {
	m := NewMeter(context.Background(), Limits{Memory: 100})
	m.Measure(func(coming int64) int64 { return 80 + coming }, nil)
	m.Holds(90)
	if s := m.Made(80); s != nil {
		t.Errorf("80 bytes that are held: %v", s)
	}
	if m.Held() != 80 {
		t.Errorf("%d held, want 80", m.Held())
	}
	if s := m.Charge(20); s == nil && m.Held() != 100 {
		t.Errorf("%d held, want 100", m.Held())
	}
}

// TestChargeHost: who measures is told what a host function makes, before it is charged, and not what no bytes are.
func TestChargeHost(t *testing.T) {
	var told []int64
	m := NewMeter(context.Background(), Limits{Memory: 100})
	m.Measure(func(int64) int64 {
		sum := int64(0)
		for _, n := range told {
			sum += n
		}
		return sum
	}, func(n int64) { told = append(told, n) })
	for _, n := range []int64{30, 0, 40} {
		if s := m.ChargeHost(n); s != nil {
			t.Fatalf("%d: %v", n, s)
		}
	}
	if len(told) != 2 || told[0] != 30 || told[1] != 40 {
		t.Errorf("told %v, want 30 and 40", told)
	}
	if s := m.ChargeHost(31); s == nil || s.Reason != Memory {
		t.Errorf("101 bytes: %v", s)
	}
}

// TestImpossibleSizes: sizes that no process can have stop a run without limits too, or count without an overflow.
func TestImpossibleSizes(t *testing.T) {
	for _, n := range []int64{-1, math.MinInt64} {
		m := NewMeter(context.Background(), Limits{})
		if s := m.Charge(n); s == nil || s.Reason != Memory || !strings.Contains(s.Message, "impossible") {
			t.Errorf("%d bytes: %v", n, s)
		}
	}
	for _, n := range []int64{101, math.MaxInt64} {
		for name, charge := range map[string]func(*Meter, int64) *Stop{"Charge": (*Meter).Charge, "Made": (*Meter).Made, "ChargeHost": (*Meter).ChargeHost, "Keep": (*Meter).Keep} {
			m := NewMeter(context.Background(), Limits{Memory: 100})
			if s := charge(m, n); s == nil || s.Reason != Memory {
				t.Errorf("%s(%d): %v", name, n, s)
			}
		}
	}
}

// TestExceed: what finds that a run holds too much ends it from any goroutine, and the first stop stays.
func TestExceed(t *testing.T) {
	m := NewMeter(context.Background(), Limits{Memory: 1 << 20})
	var all sync.WaitGroup
	stops := make([]*Stop, 8)
	for i := range stops {
		all.Go(func() { stops[i] = m.Exceed(int64(i+1) << 20) })
	}
	all.Wait()
	for _, s := range stops {
		if s == nil || s != m.Stopped() || s.Reason != Memory {
			t.Errorf("stopped with %v, and the run with %v", s, m.Stopped())
		}
	}
	if _, s := m.Grant(); s != stops[0] {
		t.Errorf("a grant afterwards: %v", s)
	}
	select {
	case <-m.Over():
	default:
		t.Error("who waits was not told")
	}
}

// TestKeptByMany: output of several goroutines is bounded by what the run may hold, whoever writes.
func TestKeptByMany(t *testing.T) {
	const writers, each = 4, 1000
	m := NewMeter(context.Background(), Limits{Memory: writers * each})
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range each {
				if s := m.Keep(1); s != nil {
					t.Error(s)
				}
			}
		})
	}
	all.Wait()
	if s := m.Keep(1); s == nil || s.Reason != Memory {
		t.Errorf("one byte more: %v", s)
	}
}

// TestCancelledByMany: a run that is cancelled from several goroutines while it ticks ends once, with one stop.
func TestCancelledByMany(t *testing.T) {
	for range 200 {
		m := NewMeter(context.Background(), Limits{Ticks: 1 << 40, Timeout: time.Minute})
		var all sync.WaitGroup
		for range 3 {
			all.Go(m.Cancel)
		}
		s, _ := use(m, 1<<40)
		all.Wait()
		if s == nil || s.Reason != Cancelled || m.Stopped() != s || m.Check() != s {
			t.Fatalf("ended with %v, then %v", s, m.Stopped())
		}
	}
}

// TestUnwind: a run that has to end unwinds with its stop, and one that has not goes on.
func TestUnwind(t *testing.T) {
	m := NewMeter(context.Background(), Limits{})
	m.Unwind()
	want := m.Trip(&Stop{Reason: Exit, Code: 3, Message: "exit 3"})
	defer func() {
		if got := recover(); got != want {
			t.Errorf("unwound with %v, want %v", got, want)
		}
	}()
	m.Unwind()
	t.Error("a run that is over went on")
}
