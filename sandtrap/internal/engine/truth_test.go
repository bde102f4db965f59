package engine

import (
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
)

const testLimit = 64 << 20

func limited(t *testing.T) *gates.Meter {
	return gates.NewMeter(t.Context(), gates.Limits{Memory: testLimit})
}

// foundIn is a census that finds so many bytes in each lane.
func foundIn(in ...int64) *census {
	c := &census{}
	copy(c.lanes[:], in)
	for _, n := range in {
		c.total += n
	}
	return c
}

// alone compares a census with what the host has kept before it looks for a run.
func alone(w *watcher, now *census) (*gates.Meter, int64) {
	w.compare(now)
	return w.alone(now)
}

// again adds runs that end at once until one gets the lane, which waits for a count.
func again(t *testing.T, w *watcher, lane int) *gates.Meter {
	t.Helper()
	for range spareLanes + 1 {
		m := limited(t)
		at := w.enter(m)
		if at == lane {
			return m
		}
		w.vacate(at)
		w.leave(m)
	}
	t.Fatal("the lane is not used again")
	return nil
}

// TestAloneOver: a run that holds more than it may is found while others leave of theirs, and one
// that holds all of it is not.
func TestAloneOver(t *testing.T) {
	w := &watcher{armed: true}
	runs := []*gates.Meter{limited(t), limited(t), limited(t)}
	for _, m := range runs {
		w.enter(m)
	}
	if m, by := alone(w, foundIn(testLimit, most(testLimit), 0)); m != nil {
		t.Errorf("a run that holds what it may is %d bytes over", by)
	}
	if m, by := alone(w, foundIn(testLimit, most(testLimit)+1, 0)); m != runs[1] || by != 1 {
		t.Errorf("got %p, %d bytes over, want %p", m, by, runs[1])
	}
	if m, _ := alone(w, foundIn(testLimit, most(testLimit)+1, 2*most(testLimit))); m != runs[2] {
		t.Errorf("got %p, want the run that holds most, %p", m, runs[2])
	}
}

// TestAloneKept: what the host keeps of a run that has ended stops none that comes later to its lane,
// also where the census is older; and then it counts for nobody.
func TestAloneKept(t *testing.T) {
	w := &watcher{armed: true}
	first := limited(t)
	lane := w.enter(first)
	w.vacate(lane)
	w.leave(first)
	second := again(t, w, lane)
	for _, n := range []int64{0, 2 * testLimit, 2 * testLimit} {
		if m, by := alone(w, foundIn(n)); m != nil {
			t.Errorf("the second run is %d bytes over", by)
		}
	}
	if m, _ := alone(w, foundIn(4*most(testLimit))); m != second {
		t.Error("a run in a lane that was used before is not found")
	}
}

// TestAloneLater: a census that was taken before the last run of a lane ended stops none that has come
// to the lane since.
func TestAloneLater(t *testing.T) {
	w := &watcher{armed: true}
	first := limited(t)
	lane := w.enter(first)
	now := foundIn(4 * most(testLimit))
	w.compare(now)
	w.vacate(lane)
	w.leave(first)
	again(t, w, lane)
	if m, by := w.alone(now); m != nil {
		t.Errorf("alone: the second run is %d bytes over", by)
	}
	if w.most(now) != nil {
		t.Error("most: the second run is found")
	}
}

// TestLaneWaits: a lane in which the host may have kept something of a run waits for two counts, so that what a later
// run comes to hold before these does not count as kept; and of each lane it is known after that what is kept.
func TestLaneWaits(t *testing.T) {
	w := &watcher{armed: true}
	first := limited(t)
	lane := w.enter(first)
	w.vacate(lane)
	w.leave(first)
	second := limited(t)
	other := w.enter(second)
	if other == lane {
		t.Fatal("the lane is used again")
	}
	const kept = 3 * testLimit
	for range 2 {
		if m, _ := alone(w, foundIn(kept, 2*most(testLimit))); m != second {
			t.Error("what the second run holds counts as kept")
		}
	}
	third := limited(t)
	if w.enter(third) != lane {
		t.Fatal("the lane waits for ever")
	}
	if m, by := alone(w, foundIn(kept+most(testLimit), 0)); m != nil {
		t.Errorf("the third run is %d bytes over", by)
	}
	if m, by := alone(w, foundIn(kept+most(testLimit)+1, 0)); m != third || by != 1 {
		t.Errorf("got %p, %d bytes over, want %p", m, by, third)
	}
}

// TestMostInnocent: where all runs hold more than they may, a run is not stopped for what it has borrowed, also if it has
// paid that back since the count began, nor for what the host keeps of another, nor one of two in a lane for both.
func TestMostInnocent(t *testing.T) {
	for armed := true; armed; time.Sleep(watchEvery) { // the watcher of the process counts loans too
		process.mu.Lock()
		armed = process.armed
		process.mu.Unlock()
	}
	collections.mu.Lock()
	collections.rest = time.Now().Add(time.Minute)
	collections.mu.Unlock()
	t.Cleanup(func() {
		collections.mu.Lock()
		collections.rest = time.Time{}
		collections.mu.Unlock()
		collections.countLoans()
	})
	var h Heap
	if !h.Borrow(spare) {
		t.Fatal("there is no loan")
	}
	h.Repay()
	w := &watcher{armed: true}
	taker, innocent := limited(t), limited(t)
	lane := w.enter(taker)
	w.enter(innocent)
	now := foundIn(8*testLimit, testLimit+spare)
	if m := w.most(now); m != taker {
		t.Errorf("got %p, want the run that holds most, %p", m, taker)
	}
	w.vacate(lane)
	w.leave(taker)
	if over := w.over(now); over > 0 {
		t.Errorf("%d bytes that the host keeps are those of runs", over)
	}
	if m := w.most(now); m != nil {
		t.Error("a run is stopped for what it has borrowed")
	}
	for len(w.runs) < laneCount+1 {
		w.enter(limited(t))
	}
	var both []int64
	for at := range w.lanes {
		both = append(both, testLimit*int64(w.lanes[at].runs)+spare)
	}
	if m := w.most(foundIn(both...)); m != nil {
		t.Error("one of two in a lane is stopped for what both hold")
	}
}

// TestAloneShared: where there are more runs than lanes nobody knows which of two in a lane holds what is
// beneath it, so that neither is stopped for it; a run that has a lane to itself is.
func TestAloneShared(t *testing.T) {
	w := &watcher{armed: true}
	var runs []*gates.Meter
	for range laneCount + 1 {
		m := limited(t)
		w.enter(m)
		runs = append(runs, m)
	}
	if m, by := alone(w, foundIn(100*testLimit)); m != nil {
		t.Errorf("one of two in a lane is %d bytes over", by)
	}
	if m, _ := alone(w, foundIn(100*testLimit, 2*most(testLimit))); m != runs[1] {
		t.Error("a run in a lane of its own is not found")
	}
}

// TestAloneGivenUp: a run that was given up goes on to hold memory, and no other is in its lane.
func TestAloneGivenUp(t *testing.T) {
	w := &watcher{armed: true}
	stuck := limited(t)
	lane := w.enter(stuck)
	w.leave(stuck)
	if w.enter(limited(t)) == lane {
		t.Error("the lane is used again")
	}
	w.vacate(lane)
	again(t, w, lane)
	for range 2 {
		if m, by := alone(w, foundIn(100*testLimit)); m != nil {
			t.Errorf("the later run is %d bytes over", by)
		}
	}
}

// TestRestEnds: a rest, however long, is over when the heap has grown by what the last collection left,
// and by two runs' worth at least; and when all runs have ended.
func TestRestEnds(t *testing.T) {
	const one = 100 << 20
	for _, c := range []struct {
		seen, heap int64
		rests      bool
	}{
		{10 << 20, 209 << 20, true},
		{10 << 20, 210 << 20, false},
		{1 << 30, 2<<30 - 1, true},
		{1 << 30, 2 << 30, false},
	} {
		w := &watcher{seen: c.seen, next: time.Now().Add(time.Hour)}
		if got := w.rests(c.heap, one); got != c.rests {
			t.Errorf("%d MiB were left, %d MiB are there: rests %v, want %v", c.seen>>20, c.heap>>20, got, c.rests)
		}
	}
	w := &watcher{armed: true, began: true, quiet: 1 << 50, next: time.Now().Add(time.Hour)} // the heap has not grown
	w.tick()
	if w.rests(0, one) {
		t.Error("the rest outlives the runs")
	}
}
