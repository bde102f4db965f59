package vm

import (
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Chan is a channel. Values wait in cells.
type Chan struct {
	elem   *ir.Type
	cap    int
	buf    ring
	recvq  fifo[*waiter]
	sendq  fifo[*waiter]
	closed bool

	host    reflect.Value // the host's channel that this is the peer of, if it is one
	own     bool          // a channel that only what runs between tasks sends to
	sends   bool          // the host may send to it
	watched bool          // it is among those of outside
}

// A waiter is a parked task in the queue of a channel: where a value comes
// from, or goes to.
type waiter struct {
	t     *task // nil for one that only has act done
	ch    *Chan
	src   int // absolute register of what is sent
	dst   int // absolute register for what is received, or -1
	okReg int // absolute register for whether it was, or -1
	sel   int // absolute register for the index of the case, or -1
	index int
	group *bool // shared by the cases of a select: one has fired
	fired bool  // what group points to where there is one case
	act   script.Act
}

func (w *waiter) live() bool { return !*w.group && (w.t == nil || !w.t.dead) }

// waits makes the task's own waiter one for c: a task that waits for one channel alone
// is in one queue, and has left it when it goes on.
func (t *task) waits(c *Chan, src, dst, okReg int) *waiter {
	w := &t.wait
	w.t, w.ch, w.src, w.dst, w.okReg, w.sel = t, c, src, dst, okReg, -1
	w.fired, w.group = false, &w.fired
	return w
}

// value is where the value that w sends is: a parked task keeps its registers.
func (w *waiter) value() bank { return &w.t.Obj }

// pop takes the first waiter whose select has not fired.
func pop(q *fifo[*waiter]) *waiter {
	for q.len() > 0 {
		if w := q.pop(); w.live() {
			return w
		}
	}
	return nil
}

// queue appends w. Before the queue grows it drops those whose select has fired: a
// channel that never does would keep them all.
func queue(q *fifo[*waiter], w *waiter) {
	if len(q.q) == cap(q.q) {
		q.q, q.head = slices.DeleteFunc(q.q, func(w *waiter) bool { return w == nil || !w.live() }), 0
	}
	q.push(w)
}

// deliver gives the value at cell k of val, or the zero value, to a parked receiver.
func (m *machine) deliver(w *waiter, val bank, k int, ok bool) {
	*w.group = true
	t := w.t
	if t == nil {
		w.act.Do()
		return
	}
	if w.dst >= 0 {
		if val != nil {
			rawCopy(w.ch.elem.Cells, &t.Obj, w.dst, val, k)
		} else {
			zeroCells(w.ch.elem, &t.Obj, w.dst)
		}
	}
	if w.okReg >= 0 {
		t.I[w.okReg] = ir.BoolBits(ok)
	}
	if w.sel >= 0 {
		t.I[w.sel] = int64(w.index)
	}
	m.ready(t)
}

// trySend sends if that needs no waiting.
func (m *machine) trySend(c *Chan, b bank, k int) bool {
	if c.closed {
		throwPlain("send on closed channel")
	}
	if c.host.IsValid() && c.waited() {
		m.pump(c)
	}
	if w := pop(&c.recvq); w != nil {
		m.deliver(w, b, k, true)
		return true
	}
	if c.host.IsValid() {
		sent, closed := m.sendHost(c, b, k)
		if closed {
			throwPlain("send on closed channel")
		}
		return sent
	}
	if c.buf.n < c.cap {
		m.makeRoom(c)
		c.buf.push(c.elem, b, k)
		return true
	}
	return false
}

// tryRecv receives into cell k of b if that needs no waiting. done tells; ok is Go's.
func (m *machine) tryRecv(c *Chan, b bank, k int) (ok, done bool) {
	if c.host.IsValid() {
		return m.recvHost(c, b, k)
	}
	if c.buf.n > 0 {
		c.buf.pop(c.elem, b, k)
		if w := pop(&c.sendq); w != nil {
			c.buf.push(c.elem, w.value(), w.src)
			m.sent(w, true)
		}
		return true, true
	}
	if w := pop(&c.sendq); w != nil {
		rawCopy(c.elem.Cells, b, k, w.value(), w.src)
		m.sent(w, true)
		return true, true
	}
	if c.closed {
		zeroCells(c.elem, b, k)
		return false, true
	}
	return false, false
}

// sent readies a parked sender.
func (m *machine) sent(w *waiter, ok bool) {
	*w.group = true
	if w.sel >= 0 {
		w.t.I[w.sel] = int64(w.index)
	}
	if !ok {
		w.t.pc = m.throwPC(w.t)
	}
	m.ready(w.t)
}

// throwPC makes a parked sender panic when it goes on: it does its instruction
// again, and finds the channel closed.
func (m *machine) throwPC(t *task) int { return t.pc - 1 }

func (m *machine) closeChan(c *Chan) {
	c.closed = true
	for w := pop(&c.recvq); w != nil; w = pop(&c.recvq) {
		m.deliver(w, nil, 0, false)
	}
	for w := pop(&c.sendq); w != nil; w = pop(&c.sendq) {
		m.sent(w, false)
	}
}
