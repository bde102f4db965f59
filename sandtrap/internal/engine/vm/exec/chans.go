package exec

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Chan is a channel. Values wait in cells.
type Chan struct {
	Elem   *ir.Type
	Cap    int
	Buf    ring
	Recvq  ir.Fifo[*Waiter]
	Sendq  ir.Fifo[*Waiter]
	Closed bool

	Host    reflect.Value // the host's channel that this is the peer of, if it is one
	Own     bool          // a channel that only what runs between tasks sends to
	Sends   bool          // the host may send to it
	watched bool          // it is among those of outside
}

// A Waiter is a parked task in the queue of a channel: where a value comes
// from, or goes to.
type Waiter struct {
	T     *Task // nil for one that only has act done
	Ch    *Chan
	Src   int // absolute register of what is sent
	Dst   int // absolute register for what is received, or -1
	OkReg int // absolute register for whether it was, or -1
	Sel   int // absolute register for the index of the case, or -1
	Index int
	Group *bool // shared by the cases of a select: one has fired
	Fired bool  // what group points to where there is one case
	Act   script.Act
}

func (w *Waiter) live() bool { return !*w.Group && (w.T == nil || !w.T.dead) }

// Waits makes the task's own waiter one for c: a task that waits for one channel alone
// is in one queue, and has left it when it goes on.
func (t *Task) Waits(c *Chan, src, dst, okReg int) *Waiter {
	w := &t.wait
	w.T, w.Ch, w.Src, w.Dst, w.OkReg, w.Sel = t, c, src, dst, okReg, -1
	w.Fired, w.Group = false, &w.Fired
	return w
}

// value is where the value that w sends is: a parked task keeps its registers.
func (w *Waiter) value() Bank { return &w.T.Obj }

// pop takes the first waiter whose select has not fired.
func pop(q *ir.Fifo[*Waiter]) *Waiter {
	for q.Len() > 0 {
		if w := q.Pop(); w.live() {
			return w
		}
	}
	return nil
}

// Queue appends w. Before the queue grows it drops those whose select has fired: a
// channel that never does would keep them all.
func Queue(q *ir.Fifo[*Waiter], w *Waiter) {
	if q.Full() {
		q.Drop(func(w *Waiter) bool { return !w.live() })
	}
	q.Push(w)
}

// deliver gives the value at cell k of val, or the zero value, to a parked receiver.
func (m *Machine) deliver(w *Waiter, val Bank, k int, ok bool) {
	*w.Group = true
	t := w.T
	if t == nil {
		w.Act.Do()
		return
	}
	if w.Dst >= 0 {
		if val != nil {
			RawCopy(w.Ch.Elem.Cells, &t.Obj, w.Dst, val, k)
		} else {
			ZeroCells(w.Ch.Elem, &t.Obj, w.Dst)
		}
	}
	if w.OkReg >= 0 {
		t.I[w.OkReg] = ir.BoolBits(ok)
	}
	if w.Sel >= 0 {
		t.I[w.Sel] = int64(w.Index)
	}
	m.ready(t)
}

// TrySend sends if that needs no waiting.
func (m *Machine) TrySend(c *Chan, b Bank, k int) bool {
	if c.Closed {
		ThrowPlain("send on closed channel")
	}
	if c.Host.IsValid() && c.Waited() {
		m.Pump(c)
	}
	if w := pop(&c.Recvq); w != nil {
		m.deliver(w, b, k, true)
		return true
	}
	if c.Host.IsValid() {
		sent, closed := m.sendHost(c, b, k)
		if closed {
			ThrowPlain("send on closed channel")
		}
		return sent
	}
	if c.Buf.N < c.Cap {
		m.makeRoom(c)
		c.Buf.push(c.Elem, b, k)
		return true
	}
	return false
}

// TryRecv receives into cell k of b if that needs no waiting. done tells; ok is Go's.
func (m *Machine) TryRecv(c *Chan, b Bank, k int) (ok, done bool) {
	if c.Host.IsValid() {
		return m.recvHost(c, b, k)
	}
	if c.Buf.N > 0 {
		c.Buf.pop(c.Elem, b, k)
		if w := pop(&c.Sendq); w != nil {
			c.Buf.push(c.Elem, w.value(), w.Src)
			m.sent(w, true)
		}
		return true, true
	}
	if w := pop(&c.Sendq); w != nil {
		RawCopy(c.Elem.Cells, b, k, w.value(), w.Src)
		m.sent(w, true)
		return true, true
	}
	if c.Closed {
		ZeroCells(c.Elem, b, k)
		return false, true
	}
	return false, false
}

// sent readies a parked sender.
func (m *Machine) sent(w *Waiter, ok bool) {
	*w.Group = true
	if w.Sel >= 0 {
		w.T.I[w.Sel] = int64(w.Index)
	}
	if !ok {
		w.T.Pc = m.throwPC(w.T)
	}
	m.ready(w.T)
}

// throwPC makes a parked sender panic when it goes on: it does its instruction
// again, and finds the channel closed.
func (m *Machine) throwPC(t *Task) int { return t.Pc - 1 }

func (m *Machine) CloseChan(c *Chan) {
	c.Closed = true
	for w := pop(&c.Recvq); w != nil; w = pop(&c.Recvq) {
		m.deliver(w, nil, 0, false)
	}
	for w := pop(&c.Sendq); w != nil; w = pop(&c.Sendq) {
		m.sent(w, false)
	}
}
