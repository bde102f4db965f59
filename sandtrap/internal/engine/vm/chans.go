package vm

import (
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Chan is a channel. Values wait in cells.
type Chan struct {
	elem   *Type
	cap    int
	buf    fifo[*Obj]
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
	val   *Obj // to send
	dst   int  // absolute register for what is received, or -1
	okReg int  // absolute register for whether it was, or -1
	sel   int  // absolute register for the index of the case, or -1
	index int
	group *bool // shared by the cases of a select: one has fired
	fired bool  // what group points to where there is one case
	act   engine.Act
}

func (w *waiter) live() bool { return !*w.group }

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
func (m *machine) deliver(w *waiter, val *Obj, k int, ok bool) {
	*w.group = true
	t := w.t
	if t == nil {
		w.act.Do()
		return
	}
	b := &Obj{t.I, t.S, t.R}
	if w.dst >= 0 {
		if val != nil {
			rawCopy(w.ch.elem.cells, b, w.dst, val, k)
		} else {
			zeroCells(w.ch.elem, b, w.dst)
		}
	}
	if w.okReg >= 0 {
		t.I[w.okReg] = b2i(ok)
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
	if c.buf.len() < c.cap {
		m.alloc(8 + valueBytes(c.elem))
		c.buf.push(follow(m, snapshot(c.elem, b, k)))
		return true
	}
	return false
}

// tryRecv receives if that needs no waiting. done tells; ok is Go's.
func (m *machine) tryRecv(c *Chan) (val *Obj, ok, done bool) {
	if c.host.IsValid() {
		return m.recvHost(c)
	}
	if c.buf.len() > 0 {
		val = c.buf.pop()
		if w := pop(&c.sendq); w != nil {
			c.buf.push(w.val)
			m.sent(w, true)
		}
		return val, true, true
	}
	if w := pop(&c.sendq); w != nil {
		m.sent(w, true)
		return w.val, true, true
	}
	if c.closed {
		return nil, false, true
	}
	return nil, false, false
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

func doMakeChan(m *machine, x *ext) {
	n := m.I[x.b]
	if n < 0 || n > 1<<28 {
		throwPlain("makechan: size out of range")
	}
	m.refuseHuge(n, x.t.elem)
	m.alloc(chanBytes)
	m.R[x.a] = follow(m, &Chan{elem: x.t.elem, cap: int(n)})
}

func (m *machine) chanAt(r int) *Chan {
	c, _ := m.R[r].(*Chan)
	return c
}

func doSend(m *machine, x *ext) {
	c := m.chanAt(x.a)
	if c == nil {
		m.park("chan send (nil chan)")
		return
	}
	w := &Obj{m.I, m.S, m.R}
	if m.trySend(c, w, x.b) {
		return
	}
	m.charge(waitBytes)
	s := &waiter{t: m.t, ch: c, val: snapshot(c.elem, w, x.b), dst: -1, okReg: -1, sel: -1}
	s.group = &s.fired
	c.sendq.push(s)
	m.watch(c)
	m.park("chan send")
}

func doRecv(m *machine, x *ext) {
	c := m.chanAt(x.b)
	if c == nil {
		m.park("chan receive (nil chan)")
		return
	}
	val, ok, done := m.tryRecv(c)
	okReg := -1
	if x.ok {
		okReg = x.a + x.t.w()
	}
	if !done {
		base := m.t.base
		if okReg >= 0 {
			okReg += base
		}
		w := &waiter{t: m.t, ch: c, dst: base + x.a, okReg: okReg, sel: -1}
		w.group = &w.fired
		c.recvq.push(w)
		m.watch(c)
		m.park("chan receive")
		return
	}
	m.put(x.t, x.a, val)
	if okReg >= 0 {
		m.I[okReg] = b2i(ok)
	}
}

// put writes a value, or the zero value for nil, to registers.
func (m *machine) put(t *Type, k int, val *Obj) {
	w := &Obj{m.I, m.S, m.R}
	if val == nil {
		zeroCells(t, w, k)
		return
	}
	rawCopy(t.cells, w, k, val, 0)
}

func doClose(m *machine, x *ext) {
	c := m.chanAt(x.regs[0])
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

func doLenChan(m *machine, x *ext) {
	c := m.chanAt(x.b)
	switch {
	case c == nil || c.own:
		m.I[x.a] = 0
	case c.host.IsValid() && x.ok:
		m.I[x.a] = int64(c.host.Cap())
	case c.host.IsValid():
		m.I[x.a] = int64(c.host.Len())
	case x.ok:
		m.I[x.a] = int64(c.cap)
	default:
		m.I[x.a] = int64(c.buf.len())
	}
}

// doSelect tries the cases in an order of chance, then parks on all of them.
func doSelect(m *machine, x *ext) {
	m.moved(len(x.sel) * caseBytes)
	if m.rnd == nil {
		m.rnd = rand.New(rand.NewPCG(1, 2))
	}
	for _, k := range m.rnd.Perm(len(x.sel)) {
		s := &x.sel[k]
		c := m.chanAt(s.ch)
		if c == nil {
			continue
		}
		if s.send {
			if m.trySend(c, &Obj{m.I, m.S, m.R}, s.val) {
				m.selected(x, k, false)
				return
			}
			continue
		}
		if val, ok, done := m.tryRecv(c); done {
			m.selected(x, k, ok)
			m.put(s.elem, s.dst, val)
			return
		}
	}
	if !x.ok {
		m.selected(x, -1, false)
		return
	}
	m.parkSelect(x)
}

// selected writes the result tuple: index, ok, and zero for all cases.
func (m *machine) selected(x *ext, k int, ok bool) {
	m.I[x.a], m.I[x.a+1] = int64(k), b2i(ok)
	for _, s := range x.sel {
		if !s.send {
			m.put(s.elem, s.dst, nil)
		}
	}
}

func (m *machine) parkSelect(x *ext) {
	m.selected(x, -1, false)
	m.charge(int64(len(x.sel)) * waitBytes)
	group := new(bool)
	t := m.t
	for k := range x.sel {
		s := &x.sel[k]
		c := m.chanAt(s.ch)
		if c == nil {
			continue
		}
		w := &waiter{t: t, ch: c, dst: -1, okReg: -1, sel: t.base + x.a, index: k, group: group}
		if s.send {
			w.val = snapshot(c.elem, &Obj{m.I, m.S, m.R}, s.val)
			queue(&c.sendq, w)
			m.watch(c)
			continue
		}
		w.dst, w.okReg = t.base+s.dst, t.base+x.a+1
		queue(&c.recvq, w)
		m.watch(c)
	}
	if len(x.sel) == 0 {
		m.park("select (no cases)")
		return
	}
	m.park("select")
}
