package exec

import (
	"cmp"
	"reflect"
	"slices"
	"sync/atomic"
	"time"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Tasks take turns on one goroutine of the host at a time. One that has to wait is
// parked where what it waits for knows it, and ready puts it back into the queue.

// scheduler is what a machine knows of its tasks.
type scheduler struct {
	Runq   ir.Fifo[*Task]
	Alive  []*Task // that have not ended
	nextID int

	clock    engine.Clock
	timers   timers
	timerSeq int
	timerMax int // how many there may be before those that nobody waits for are dropped

	Outside  hostEvents
	Peers    map[uintptr]weak.Pointer[Chan] // of channels of the host's, by address
	peersMax int                            // how many there may be before those that are gone are dropped
	Owned    *Chan                          // the last one of Own, on its way to the script

	calledIn bool         // code of the host may call from goroutines of its own
	at       atomic.Int64 // the goroutine of the driver at work, if so
	driver   *driver      // at work
	root     *driver      // the goroutine of the run
	Drivers  []*driver
	idlers   []*driver // of these and root, without work or frames of the host
	leaving  []*driver // that have yet to go, once the run is over
}

// Park takes the current task out of turn until ready. why is Go's name for what it
// waits for.
func (m *Machine) Park(why string) {
	m.T.Parked, m.T.WaitFor = true, why
	m.T = nil
}

// ready puts a parked task into the queue. It may be the current one, in a call of the
// host that has not returned yet.
func (m *Machine) ready(t *Task) {
	if !t.dead {
		m.Runq.Push(t)
	}
}

// maxTasks bounds the goroutines of a run that has no other limit.
const maxTasks = 100_000

func (m *Machine) taskLimit() int {
	if n := m.Host.Meter.Limits().Tasks; n > 0 {
		return min(n, maxTasks)
	}
	return maxTasks
}

// yield lets the other tasks run.
func (m *Machine) yield() {
	m.Drain()
	m.rest(false)
	m.WakeTimers()
	if m.Runq.Len() > 0 {
		m.Runq.Push(m.T)
		m.T = nil
	}
}

// pick gives the next task that can run, and waits until there is one. It gives nil
// when the run is over.
func (m *Machine) pick() *Task {
	for m.Stop == nil {
		m.Drain()
		m.WakeTimers()
		switch {
		case m.Runq.Len() > 0:
			if t := m.Runq.Pop(); t.goesOn() {
				return t
			}
		case m.Outside.none() && !m.timed():
			m.deadlock()
		case m.Outside.Turns != nil && m.Outside.Calls > 0:
			m.rest(true)
		default:
			m.idle()
		}
	}
	return nil
}

// goesOn says that t does; a task may look first whether it has what it waits for.
func (t *Task) goesOn() bool {
	if t.dead {
		return false
	}
	if t.Turn != nil {
		if !t.Turn.Take() {
			return false
		}
		t.Turn = nil
	}
	t.Parked = false
	return true
}

// idle waits for the next timer, for what comes from outside, or until the run has to
// end.
func (m *Machine) idle() {
	meter := m.Host.Meter
	var timer <-chan time.Time
	end := engine.After(meter.Deadline())
	if _, steps := m.clock.(*engine.Steps); len(m.timers) > 0 && !(steps && m.Outside.Calls > 0) {
		var stop func()
		timer, stop = m.clock.At(m.timers[0].at)
		defer stop()
	}
	if len(m.Outside.chans) > 0 {
		m.await([]reflect.Value{
			reflect.ValueOf(timer), reflect.ValueOf(m.Outside.wake), reflect.ValueOf(end),
			reflect.ValueOf(meter.Over()), reflect.ValueOf(meter.Context().Done()),
		})
	} else {
		select {
		case <-timer:
		case <-m.Outside.wake:
		case <-end:
		case <-meter.Over():
		case <-meter.Context().Done():
		}
	}
	if stop := meter.Check(); stop != nil {
		m.Stop = &Stopped{Gate: stop}
	}
}

// maxTraces is how many tasks a deadlock is told of.
const maxTraces = 50

// deadlock ends a run in which nothing can go on.
func (m *Machine) deadlock() {
	text := "all goroutines are asleep - deadlock!"
	if m.Main.dead {
		text = "no goroutines (main called runtime.Goexit) - deadlock!"
	}
	m.Stop = &Stopped{Reason: "deadlock", Text: text, tasks: m.traces()}
}

// traces tells of the tasks that have not ended, in the order in which they were
// started.
func (m *Machine) traces() []engine.Task {
	tasks := slices.SortedFunc(slices.Values(m.Alive), func(a, b *Task) int { return cmp.Compare(a.Id, b.Id) })
	list := make([]engine.Task, 0, min(len(tasks), maxTraces))
	for _, t := range tasks[:min(len(tasks), maxTraces)] {
		list = append(list, m.traced(t, t.WaitFor))
	}
	return list
}

// traced tells of one task. What it waits for is Go's word.
func (m *Machine) traced(t *Task, state string) engine.Task {
	out := engine.Task{ID: t.Id, State: state}
	if !t.dead {
		out.Stack = m.Frames(m.trace(t))
	}
	if t.creator > 0 {
		out.Creator = t.creator
		if at := m.Frames([]int{t.from - 1}); len(at) > 0 {
			out.Created = at[0]
		}
	}
	return out
}

// running tells of the task that a panic with this trace ended the run in.
func (m *Machine) running(trace []int) []engine.Task {
	if m.T == nil {
		return nil
	}
	t := m.traced(m.T, "running")
	if trace != nil {
		t.Stack = m.Frames(trace)
	}
	return []engine.Task{t}
}
