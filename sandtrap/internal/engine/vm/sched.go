package vm

import (
	"cmp"
	"reflect"
	"slices"
	"sync/atomic"
	"time"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Tasks take turns on one goroutine of the host at a time. One that has to wait is
// parked where what it waits for knows it, and ready puts it back into the queue.

// scheduler is what a machine knows of its tasks.
type scheduler struct {
	runq   fifo[*task]
	alive  []*task // that have not ended
	nextID int

	clock    engine.Clock
	timers   timers
	timerSeq int
	timerMax int // how many there may be before those that nobody waits for are dropped

	outside  outside
	peers    map[uintptr]weak.Pointer[Chan] // of channels of the host's, by address
	peersMax int                            // how many there may be before those that are gone are dropped
	owned    *Chan                          // the last one of Own, on its way to the script

	visited bool         // code of the host may call from goroutines of its own
	at      atomic.Int64 // the goroutine of the driver at work, if so
	driver  *driver      // at work
	root    *driver      // the goroutine of the run
	drivers []*driver
	idlers  []*driver // of these and root, without work or frames of the host
	leaving []*driver // that have yet to go, once the run is over
}

// park takes the current task out of turn until ready. why is Go's name for what it
// waits for.
func (m *machine) park(why string) {
	m.t.parked, m.t.waitFor = true, why
	m.t = nil
}

// ready puts a parked task into the queue. It may be the current one, in a call of the
// host that has not returned yet.
func (m *machine) ready(t *task) {
	if !t.dead {
		m.runq.push(t)
	}
}

// maxTasks bounds the goroutines of a run that has no other limit.
const maxTasks = 100_000

func (m *machine) taskLimit() int {
	if n := m.seam.Meter.Limits().Tasks; n > 0 {
		return min(n, maxTasks)
	}
	return maxTasks
}

// yield lets the other tasks run.
func (m *machine) yield() {
	m.drain()
	m.wakeTimers()
	if m.runq.len() > 0 {
		m.runq.push(m.t)
		m.t = nil
	}
}

// pick gives the next task that can run, and waits until there is one. It gives nil
// when the run is over.
func (m *machine) pick() *task {
	for m.stop == nil {
		m.drain()
		m.wakeTimers()
		switch {
		case m.runq.len() > 0:
			if t := m.runq.pop(); t.goesOn() {
				return t
			}
		case m.outside.none() && !m.timed():
			m.deadlock()
		default:
			m.idle()
		}
	}
	return nil
}

// goesOn says that t does; a task may look first whether it has what it waits for.
func (t *task) goesOn() bool {
	if t.dead {
		return false
	}
	if t.turn != nil {
		if !t.turn.Take() {
			return false
		}
		t.turn = nil
	}
	t.parked = false
	return true
}

// idle waits for the next timer, for what comes from outside, or until the run has to
// end.
func (m *machine) idle() {
	meter := m.seam.Meter
	var timer <-chan time.Time
	end := engine.After(meter.Deadline())
	if _, steps := m.clock.(*engine.Steps); len(m.timers) > 0 && !(steps && m.outside.calls > 0) {
		var stop func()
		timer, stop = m.clock.At(m.timers[0].at)
		defer stop()
	}
	if len(m.outside.chans) > 0 {
		m.await([]reflect.Value{
			reflect.ValueOf(timer), reflect.ValueOf(m.outside.wake), reflect.ValueOf(end),
			reflect.ValueOf(meter.Over()), reflect.ValueOf(meter.Context().Done()),
		})
	} else {
		select {
		case <-timer:
		case <-m.outside.wake:
		case <-end:
		case <-meter.Over():
		case <-meter.Context().Done():
		}
	}
	if stop := meter.Check(); stop != nil {
		m.stop = &stopped{gate: stop}
	}
}

// maxTraces is how many tasks a deadlock is told of.
const maxTraces = 50

// deadlock ends a run in which nothing can go on.
func (m *machine) deadlock() {
	text := "all goroutines are asleep - deadlock!"
	if m.main.dead {
		text = "no goroutines (main called runtime.Goexit) - deadlock!"
	}
	m.stop = &stopped{reason: "deadlock", text: text, tasks: m.traces()}
}

// traces tells of the tasks that have not ended, in the order in which they were
// started.
func (m *machine) traces() []engine.Task {
	tasks := slices.SortedFunc(slices.Values(m.alive), func(a, b *task) int { return cmp.Compare(a.id, b.id) })
	list := make([]engine.Task, 0, min(len(tasks), maxTraces))
	for _, t := range tasks[:min(len(tasks), maxTraces)] {
		list = append(list, m.traced(t, t.waitFor))
	}
	return list
}

// traced tells of one task. What it waits for is Go's word.
func (m *machine) traced(t *task, state string) engine.Task {
	out := engine.Task{ID: t.id, State: state}
	if !t.dead {
		out.Stack = m.frames(m.trace(t))
	}
	if t.creator > 0 {
		out.Creator = t.creator
		if at := m.frames([]int{t.from - 1}); len(at) > 0 {
			out.Created = at[0]
		}
	}
	return out
}

// running tells of the task that a panic with this trace ended the run in.
func (m *machine) running(trace []int) []engine.Task {
	if m.t == nil {
		return nil
	}
	t := m.traced(m.t, "running")
	if trace != nil {
		t.Stack = m.frames(trace)
	}
	return []engine.Task{t}
}
