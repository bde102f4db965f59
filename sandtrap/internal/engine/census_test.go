package engine

import (
	"reflect"
	"runtime"
	"testing"
)

// TestDeep: what is allocated on a stack that is too long to tell whose it is counts for each run, what
// is the host's for none.
func TestDeep(t *testing.T) {
	const size = 64 << 20
	own := reflect.ValueOf(TestDeep).Pointer() + 1
	for _, frames := range []int{1, len(runtime.MemProfileRecord{}.Stack0)} {
		r := runtime.MemProfileRecord{AllocBytes: size, AllocObjects: 1}
		for i := range frames {
			r.Stack0[i] = own
		}
		var s census
		s.add(&r, 512<<10, &counter{})
		want := int64(0)
		if frames > 1 {
			want = size
		}
		if n := s.beneath(3); n != want || s.total != 0 {
			t.Errorf("%d frames: %d bytes, %d of runs, want %d and none", frames, n, s.total, want)
		}
	}
}

// TestNestedLanes: what a run holds that another run has called, by a function of the host, is its own.
func TestNestedLanes(t *testing.T) {
	const size = 64 << 20
	c := &counter{kinds: map[uintptr]frameKind{inRun: runFrame, inLane0: laneFrame, inLane0 + 1: laneFrame + 1}}
	r := runtime.MemProfileRecord{AllocBytes: size, AllocObjects: 1}
	copy(r.Stack0[:], []uintptr{inRun, inLane0 + 1, inLane0, inLane0, inLane0, inRun, inLane0, inLane0, inLane0, inLane0})
	var s census
	s.add(&r, 512<<10, c)
	if s.lanes[1] != size || s.lanes[0] != 0 || s.lost != 0 {
		t.Errorf("%d bytes in the lane, %d in that of the caller, %d in none", s.lanes[1], s.lanes[0], s.lost)
	}
}

// Return addresses of made-up stacks.
const (
	inRun uintptr = iota + 1
	inLane0
)

// profiled is a counter whose heap profile is made up: one record beneath lane 0 for each collection
// that has ended, the last one for all that come later. Its objects have a MiB.
func profiled(at ...runtime.MemProfileRecord) *counter {
	ended := 0
	c := &counter{kinds: map[uintptr]frameKind{inRun: runFrame, inLane0: laneFrame}}
	c.collect = func() { ended++ }
	c.profile = func(to []runtime.MemProfileRecord, _ bool) (int, bool) {
		if len(to) == 0 {
			return 1, false
		}
		to[0] = at[min(ended, len(at)-1)]
		return 1, true
	}
	return c
}

// megabytes is a record of so many objects of a MiB that a run has allocated in lane 0, and so many
// that were freed.
func megabytes(made, freed int64) runtime.MemProfileRecord {
	r := runtime.MemProfileRecord{AllocObjects: made, AllocBytes: made << 20, FreeObjects: freed, FreeBytes: freed << 20}
	copy(r.Stack0[:], []uintptr{inRun, inLane0, inLane0, inLane0, inLane0})
	return r
}

// TestSurvivors: of what is in use after a collection that counts which was there before it.
func TestSurvivors(t *testing.T) {
	for _, c := range []struct {
		was, is runtime.MemProfileRecord
		want    int64
	}{
		{megabytes(0, 0), megabytes(300, 0), 0},     // allocated while it went on
		{megabytes(300, 0), megabytes(300, 0), 300}, // held
		{megabytes(300, 0), megabytes(500, 290), 10},
		{megabytes(300, 0), megabytes(600, 400), 0}, // some of it allocated and freed since
	} {
		now, ok := profiled(c.was, c.is).survivors()
		if mib := float64(now.lanes[0]) / (1 << 20); !ok || mib < float64(c.want) || mib > 1.2*float64(c.want) {
			t.Errorf("%v: %.0f MiB, want %d and at most a fifth more", ok, mib, c.want)
		}
	}
}

// TestSettle: a run is stopped for what it holds, and not for garbage that it makes while a collection
// goes on.
func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile []runtime.MemProfileRecord
		stopped bool
	}{
		{"garbage", []runtime.MemProfileRecord{megabytes(100, 90), megabytes(400, 90), megabytes(700, 390), megabytes(1000, 690)}, false},
		{"holds", []runtime.MemProfileRecord{megabytes(10, 0), megabytes(300, 0), megabytes(310, 0), megabytes(310, 0)}, true},
	} {
		m := limited(t)
		w := &watcher{armed: true, stacks: profiled(c.profile...)}
		w.enter(m)
		go func() {
			select {
			case <-m.Over():
				w.leave(m)
			case <-t.Context().Done():
			}
		}()
		w.settle()
		if got := m.Stopped() != nil; got != c.stopped {
			t.Errorf("%s: stopped %v, want %v", c.name, got, c.stopped)
		}
	}
}
