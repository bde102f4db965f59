package vm

import (
	"container/heap"
	"time"
)

// A timer does f between two tasks when its time has come.
type timer struct {
	at    time.Time
	seq   int
	f     func()
	index int // in the heap, or -1
}

// timers is a heap, the next one first.
type timers []*timer

func (q timers) Len() int { return len(q) }
func (q timers) Less(i, j int) bool {
	return q[i].at.Before(q[j].at) || q[i].at.Equal(q[j].at) && q[i].seq < q[j].seq
}
func (q timers) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *timers) Push(x any) {
	t := x.(*timer)
	t.index = len(*q)
	*q = append(*q, t)
}

func (q *timers) Pop() any {
	last := len(*q) - 1
	t := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	t.index = -1
	return t
}

// after has f done in d.
func (m *machine) after(d time.Duration, f func()) *timer {
	m.charge(timerBytes)
	m.timerSeq++
	t := &timer{at: time.Now().Add(d), seq: m.timerSeq, f: f}
	heap.Push(&m.timers, t)
	return t
}

// cancel takes t out, and reports that its time had not come.
func (m *machine) cancel(t *timer) bool {
	if t.index < 0 {
		return false
	}
	heap.Remove(&m.timers, t.index)
	return true
}

func (m *machine) wakeTimers() {
	if len(m.timers) == 0 {
		return
	}
	now := time.Now()
	for len(m.timers) > 0 && !m.timers[0].at.After(now) {
		heap.Pop(&m.timers).(*timer).f()
	}
}

func doSleep(m *machine, x *ext) {
	d := time.Duration(m.I[x.regs[0]])
	if d <= 0 {
		return
	}
	t := m.t
	m.after(d, func() { m.ready(t) })
	m.park("sleep")
}
