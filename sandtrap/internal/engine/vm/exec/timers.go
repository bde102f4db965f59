package exec

import (
	"container/heap"
	"slices"
	"time"
	"weak"

	"github.com/sandtrap-go/sandtrap/internal/script"
)

// A Timer does act between two tasks when its time has come.
type Timer struct {
	at     time.Time
	period time.Duration // until the next time, or 0
	seq    int
	act    script.Act
	index  int // in the heap, or -1

	signals bool // act only sends to a channel; of no use when the script has let go of that
	ch      weak.Pointer[Chan]
}

// timers is a heap, the next one first.
type timers []*Timer

func (q timers) Len() int { return len(q) }
func (q timers) Less(i, j int) bool {
	return q[i].at.Before(q[j].at) || q[i].at.Equal(q[j].at) && q[i].seq < q[j].seq
}
func (q timers) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *timers) Push(x any) {
	t := x.(*Timer)
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

// After has act done in d, and again after each period if there is one.
func (m *Machine) After(d, period time.Duration, act script.Act, ch *Chan) *Timer {
	m.dropTimers()
	m.Alloc(timerBytes)
	m.timerSeq++
	t := Follow(m, &Timer{at: m.clock.Now().Add(d), period: period, seq: m.timerSeq, act: act})
	if ch != nil {
		t.signals, t.ch = true, weak.Make(ch)
	}
	heap.Push(&m.timers, t)
	return t
}

// dropTimers takes out those that are of no use any more, before there are too many.
func (m *Machine) dropTimers() {
	if len(m.timers) < m.timerMax {
		return
	}
	m.timers = slices.DeleteFunc(m.timers, func(t *Timer) bool { return t.signals && t.ch.Value() == nil })
	for i, t := range m.timers {
		t.index = i
	}
	heap.Init(&m.timers)
	m.timerMax = 2*len(m.timers) + 64
}

// timed reports that a timer may have something go on: not one whose channel nobody
// waits for.
func (m *Machine) timed() bool {
	return slices.ContainsFunc(m.timers, func(t *Timer) bool {
		if !t.signals {
			return true
		}
		c := t.ch.Value()
		return c != nil && c.Waited()
	})
}

// Cancel takes t out, and reports that its time had not come.
func (m *Machine) Cancel(t *Timer) bool {
	if t.index < 0 {
		return false
	}
	heap.Remove(&m.timers, t.index)
	return true
}

func (m *Machine) WakeTimers() {
	if len(m.timers) == 0 {
		return
	}
	now := m.clock.Now()
	for len(m.timers) > 0 && !m.timers[0].at.After(now) {
		t := m.timers[0]
		if t.period > 0 {
			t.at = t.at.Add(t.period * (1 + now.Sub(t.at)/t.period))
			heap.Fix(&m.timers, 0)
		} else {
			heap.Pop(&m.timers)
		}
		m.runEvent(t.act)
	}
}
