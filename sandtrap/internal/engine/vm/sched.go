package vm

import "time"

// Tasks take turns on one goroutine of the host at a time. One that has to wait is
// parked where what it waits for knows it, and ready puts it back into the queue.

// park takes the current task out of turn until ready. why is Go's name for what it
// waits for.
func (m *machine) park(why string) {
	m.t.parked, m.t.waitFor = true, why
	m.t = nil
}

// ready puts a parked task into the queue. It may be the current one, in a call of the
// host that has not returned yet.
func (m *machine) ready(t *task) { m.runq.push(t) }

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
	m.outside.drain()
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
		m.outside.drain()
		m.wakeTimers()
		switch {
		case m.runq.len() > 0:
			if t := m.runq.pop(); t.turn() {
				return t
			}
		case len(m.timers) == 0 && m.outside.none():
			m.deadlock()
		default:
			m.idle()
		}
	}
	return nil
}

// turn says that t goes on; a task may look first whether it has what it waits for.
func (t *task) turn() bool {
	if t.again != nil && !t.again() {
		return false
	}
	t.parked, t.again = false, nil
	return true
}

// idle waits for the next timer, for what comes from outside, or until the run has to
// end.
func (m *machine) idle() {
	meter := m.seam.Meter
	var timer <-chan time.Time
	if len(m.timers) > 0 {
		t := time.NewTimer(time.Until(m.timers[0].at))
		defer t.Stop()
		timer = t.C
	}
	var end <-chan time.Time
	if d := meter.Deadline(); !d.IsZero() {
		t := time.NewTimer(time.Until(d))
		defer t.Stop()
		end = t.C
	}
	select {
	case <-timer:
	case <-m.outside.wake:
	case <-end:
	case <-meter.Over():
	case <-meter.Context().Done():
	}
	if stop := meter.Check(); stop != nil {
		m.stop = &stopped{gate: stop}
	}
}

func doGosched(m *machine, _ *ext) {
	m.outside.drain()
	m.wakeTimers()
	m.runq.push(m.t)
	m.t = nil
}
