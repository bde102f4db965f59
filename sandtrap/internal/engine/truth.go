package engine

import (
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
)

// process watches the heap of the process while runs go on: what no price and no sample knows of is
// bounded by it. Where the heap has grown beyond what all runs may hold, a collection and the heap
// profile tell which of it is beneath runs, and one run is stopped at a time until that is no more
// than they may hold. It is so too where the heap has grown by more than one of them may hold: a run
// does not get what others leave of theirs. What the host allocates itself stops nobody.
var process = watcher{stacks: &stacks}

type watcher struct {
	stacks *counter

	mu      sync.Mutex
	runs    map[*gates.Meter]watched
	lanes   lanes
	free    int   // runs without a limit: with one of them nothing is bounded
	allowed int64 // the sum of the limits
	armed   bool  // the timer is

	// These belong to the function of the timer.
	began bool  // quiet and lost are of the runs that go on
	quiet int64 // bytes of the heap that are nobody's
	lost  int64 // bytes beneath runs that no stack tells the lane of, and that are the host's
	known bool  // lost is
	last  int64 // what the last census found in all
	seen  int64 // bytes of the heap when that was taken
	next  time.Time
	rest  time.Duration
}

// A watched run is one that the watcher may stop.
type watched struct {
	lane  int
	alloc int64 // charged when the watcher counted last
}

const (
	watchEvery = 5 * time.Millisecond
	watchSlack = 24 << 20 // bytes, and a part of the limits: the profile knows that much
	watchPart  = 32
	watchFrom  = 16 << 20 // bytes of growth before anything is counted
	watchRest  = 10 * time.Millisecond
	watchMost  = 200 * time.Millisecond // of rest between collections that found nothing
)

// enter adds a run, and gives the lane in which it is to allocate.
func (w *watcher) enter(m *gates.Meter) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	lane := w.lanes.enter()
	if w.runs == nil {
		w.runs = map[*gates.Meter]watched{}
	}
	w.runs[m] = watched{lane: lane}
	w.change(m, 1)
	if !w.armed {
		w.armed = true
		time.AfterFunc(watchEvery, w.tick)
	}
	return lane
}

func (w *watcher) change(m *gates.Meter, by int) {
	if limit := m.Limits().Memory; limit > 0 {
		w.allowed += limit * int64(by)
	} else {
		w.free += by
	}
}

// leave takes a run out. What it held the host may keep.
func (w *watcher) leave(m *gates.Meter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r, ok := w.runs[m]; ok {
		delete(w.runs, m)
		w.change(m, -1)
		w.lanes[r.lane].fresh = true
	}
}

// vacate says that the goroutine of the run has ended, which may have been given up long before.
func (w *watcher) vacate(lane int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lanes[lane].runs--
	w.lanes[lane].fresh = true
}

// tick looks at the heap, and comes again while runs go on.
func (w *watcher) tick() {
	w.look()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.runs) == 0 {
		w.armed, w.began, w.known = false, false, false // what the host has kept of runs it may keep for ever
		w.next = time.Time{}
		return
	}
	time.AfterFunc(watchEvery, w.tick)
}

// look costs a reading of the heap's size, unless that has grown.
func (w *watcher) look() {
	collections.countLoans()
	heap := heapBytes(heapMetric)
	if !w.began {
		w.began, w.quiet, w.last, w.rest = true, min(heap, max(heapBytes(liveMetric), heap/2)), 0, 0
		w.seen = w.quiet
	}
	if heap < w.quiet+watchFrom {
		return
	}
	if !w.known { // what it tells is older than the growth
		var before census
		before, w.known = w.stacks.take()
		w.lost = before.lost
	}
	if all, one := w.bound(); heap < w.quiet+all && heap < w.seen+one || w.rests(heap, one) {
		return
	}
	start := time.Now()
	if w.settle() {
		w.rest = 0
		return
	}
	w.rest = max(restTimes*time.Since(start), min(2*w.rest+watchRest, watchMost))
	w.next = time.Now().Add(w.rest)
}

// rests reports that it is too soon to count again. Time alone does not tell: on a busy machine a
// collection takes long, and a run comes to hold much in nine times as long. So the rest is over too
// when the heap has grown by what the last collection left, or by two runs' worth where that is more:
// what collects then costs no more than Go's own collections do for the same growth.
func (w *watcher) rests(heap, one int64) bool {
	return time.Until(w.next) > 0 && heap < w.seen+max(2*one, w.seen)
}

// bound is how much all runs may have beneath them, and by how much the heap grows before one may
// hold too much.
func (w *watcher) bound() (all, one int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all, one = unknown, unknown
	for m := range w.runs {
		if limit := m.Limits().Memory; limit > 0 {
			one = min(one, most(limit))
		}
	}
	if len(w.runs) > 0 && w.free == 0 {
		all = w.allowed + w.allowed/watchPart + margin(w.allowed, 2) + collections.mostOnLoan()
	}
	return all, one
}

// settle stops a run if those that there are hold more than they may. It reports that they hold more
// than when it was called last.
func (w *watcher) settle() (found bool) {
	now, ok := w.count()
	if !ok {
		return false
	}
	was := w.last
	w.last = now.total
	if m, _ := w.alone(&now); m == nil && w.over(&now) <= 0 {
		return now.total > was+watchSlack/4
	}
	held, ok := w.stacks.survivors()
	if !ok {
		return false
	}
	w.last = held.total
	w.seen -= max(0, now.total-held.total) // the rest may be held, and is counted again soon
	return w.judge(&held, was)
}

// judge stops a run if a census of what has survived a collection shows that it holds too much.
func (w *watcher) judge(now *census, was int64) (found bool) {
	if m, over := w.alone(now); m != nil {
		w.stop(m, over)
		return true
	}
	over := w.over(now)
	if over <= 0 {
		return now.total > was+watchSlack/4
	}
	m := w.most(now)
	if m == nil {
		return false
	}
	w.stop(m, over)
	return true
}

// over is how much more is held beneath all runs than they may hold.
func (w *watcher) over(now *census) int64 {
	allowed, _ := w.bound()
	return w.held(now) - allowed
}

// held is how much a census has beneath the runs that go on. What the host has kept of runs that have ended
// is in their lanes, or known to be.
func (w *watcher) held(now *census) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = min(w.lost, now.lost)
	n, counted := now.lost-w.lost, [laneCount]bool{}
	for _, r := range w.runs {
		if !counted[r.lane] {
			n += w.lanes.held(r.lane, now)
		}
		counted[r.lane] = true
	}
	return n
}

// compare finds out what the host has kept of runs that have ended, of a census of all in use.
func (w *watcher) compare(now *census) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lanes.count(now)
}

// alone is a run beneath which more is held than it may hold, whatever others do, and how much more.
// It is known of those that have a lane to themselves.
func (w *watcher) alone(now *census) (over *gates.Meter, by int64) {
	lent := collections.mostOnLoan()
	w.mu.Lock()
	defer w.mu.Unlock()
	for m, r := range w.runs {
		lane, limit := &w.lanes[r.lane], m.Limits().Memory
		if lane.runs != 1 || limit == 0 {
			continue
		}
		if n := w.lanes.held(r.lane, now) - most(limit) - lent; n > by {
			over, by = m, n
		}
	}
	return over, by
}

// stop stops a run, and waits for its end. What is there even so the host has.
func (w *watcher) stop(m *gates.Meter, over int64) {
	m.Exceed(over)
	for until := time.Now().Add(grace); w.has(m) && time.Now().Before(until); {
		time.Sleep(watchEvery / 5)
	}
	if now, ok := w.count(); ok {
		w.lost = now.lost
	}
}

// count collects, and takes a census. What is not beneath runs is nobody's.
func (w *watcher) count() (census, bool) {
	w.stacks.collect()
	now, ok := w.stacks.take()
	w.compare(&now)
	w.seen = heapBytes(liveMetric)
	w.quiet = w.seen - w.held(&now)
	return now, ok
}

// most is the run beneath which most is held beyond its limit and what runs have borrowed or, where that is
// held by stacks that are too long to tell, the one that was charged most since: that alone is a guess.
func (w *watcher) most(now *census) *gates.Meter {
	lent := collections.mostOnLoan()
	w.mu.Lock()
	defer w.mu.Unlock()
	var held, charged *gates.Meter
	top, since := int64(0), int64(-1)
	for m, r := range w.runs {
		may := m.Limits().Memory * int64(w.lanes[r.lane].runs)
		if n := w.lanes.held(r.lane, now) - may - lent; n > top {
			held, top = m, n
		}
		if n := m.Alloc() - r.alloc; n > since {
			charged, since = m, n
		}
		r.alloc = m.Alloc()
		w.runs[m] = r
	}
	if now.lost-w.lost > max(top, watchSlack) {
		return charged
	}
	return held
}

func (w *watcher) has(m *gates.Meter) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.runs[m]
	return ok
}
