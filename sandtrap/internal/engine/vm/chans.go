package vm

import (
	"math/rand/v2"
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

// maxAddress is how much Go can have in one piece. What is within it costs nothing before
// there are values in it.
const maxAddress = 1 << 48

func doMakeChan(m *machine, x *ir.SlowOp) {
	n := m.I[x.B]
	if n < 0 || n > maxAddress && x.T.Elem.W() > 0 {
		throwPlain("makechan: size out of range")
	}
	m.refuseHuge(n, x.T.Elem)
	m.alloc(chanBytes)
	m.R[x.A] = follow(m, &Chan{elem: x.T.Elem, cap: int(n)})
}

func (m *machine) chanAt(r int) *Chan {
	c, _ := m.R[r].(*Chan)
	return c
}

func doSend(m *machine, x *ir.SlowOp) {
	c := m.chanAt(x.A)
	if c == nil {
		m.park("chan send (nil chan)")
		return
	}
	t := m.t
	if m.trySend(c, &t.Obj, t.base+x.B) {
		return
	}
	c.sendq.push(t.waits(c, t.base+x.B, -1, -1))
	m.watch(c)
	m.park("chan send")
}

func doRecv(m *machine, x *ir.SlowOp) {
	c := m.chanAt(x.B)
	if c == nil {
		m.park("chan receive (nil chan)")
		return
	}
	t := m.t
	dst := t.base + x.A
	ok, done := m.tryRecv(c, &t.Obj, dst)
	switch {
	case done && x.Ok:
		t.I[dst+x.T.W()] = ir.BoolBits(ok)
	case !done:
		okReg := -1
		if x.Ok {
			okReg = dst + x.T.W()
		}
		c.recvq.push(t.waits(c, 0, dst, okReg))
		m.watch(c)
		m.park("chan receive")
	}
}

func doClose(m *machine, x *ir.SlowOp) {
	c := m.chanAt(x.Regs[0])
	if c == nil {
		throwPlain("close of nil channel")
	}
	switch {
	case c.closed:
		throwPlain("close of closed channel")
	case c.host.IsValid():
		m.closeHost(c)
	default:
		m.closeChan(c)
	}
}

func (m *machine) closeChan(c *Chan) {
	c.closed = true
	for w := pop(&c.recvq); w != nil; w = pop(&c.recvq) {
		m.deliver(w, nil, 0, false)
	}
	for w := pop(&c.sendq); w != nil; w = pop(&c.sendq) {
		m.sent(w, false)
	}
}

func doLenChan(m *machine, x *ir.SlowOp) {
	c := m.chanAt(x.B)
	switch {
	case c == nil || c.own:
		m.I[x.A] = 0
	case c.host.IsValid() && x.Ok:
		m.I[x.A] = int64(c.host.Cap())
	case c.host.IsValid():
		m.I[x.A] = int64(c.host.Len())
	case x.Ok:
		m.I[x.A] = int64(c.cap)
	default:
		m.I[x.A] = int64(c.buf.n)
	}
}

// doSelect tries the cases in an order of chance, then parks on all of them. Registers
// for what was not received keep what is in them: nothing reads them.
func doSelect(m *machine, x *ir.SlowOp) {
	m.moved(len(x.Sel) * caseBytes)
	b := &ir.Obj{I: m.I, S: m.S, R: m.R}
	for _, k := range m.shuffled(len(x.Sel)) {
		s := &x.Sel[k]
		c := m.chanAt(s.Ch)
		if c == nil {
			continue
		}
		ok, done := false, false
		if s.Send {
			done = m.trySend(c, b, s.Val)
		} else {
			ok, done = m.tryRecv(c, b, s.Dst)
		}
		if done {
			m.I[x.A], m.I[x.A+1] = int64(k), ir.BoolBits(ok)
			return
		}
	}
	m.I[x.A], m.I[x.A+1] = -1, 0
	if x.Ok {
		m.parkSelect(x)
	}
}

// below gives a number of chance for the script, less than n.
func (m *machine) below(n uint64) uint64 {
	if m.seam.Seed == 0 {
		return rand.Uint64N(n)
	}
	if m.numbers == nil {
		m.numbers = rand.New(rand.NewPCG(m.seam.Seed, 3))
	}
	return m.numbers.Uint64N(n)
}

// shuffled gives the numbers below n in an order of chance; it is good until the next.
func (m *machine) shuffled(n int) []int {
	if m.rnd == nil {
		m.rnd = rand.New(rand.NewPCG(1, 2))
	}
	m.order = m.order[:0]
	for k := range n {
		at := m.rnd.IntN(k + 1)
		m.order = append(m.order, k)
		m.order[at], m.order[k] = k, m.order[at]
	}
	return m.order
}

func (m *machine) parkSelect(x *ir.SlowOp) {
	if len(x.Sel) == 0 {
		m.park("select (no cases)")
		return
	}
	m.charge(int64(len(x.Sel)) * waitBytes)
	group := new(bool)
	t := m.t
	for k := range x.Sel {
		s := &x.Sel[k]
		c := m.chanAt(s.Ch)
		if c == nil {
			continue
		}
		w := &waiter{t: t, ch: c, dst: -1, okReg: -1, sel: t.base + x.A, index: k, group: group}
		if s.Send {
			w.src = t.base + s.Val
			queue(&c.sendq, w)
		} else {
			w.dst, w.okReg = t.base+s.Dst, t.base+x.A+1
			queue(&c.recvq, w)
		}
		m.watch(c)
	}
	m.park("select")
}
