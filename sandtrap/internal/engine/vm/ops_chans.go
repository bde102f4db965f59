package vm

import (
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

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

// doSpawning is a call of one of them, which asks for the function by Body.
func doSpawning(m *machine, x *ir.SlowOp) {
	f := m.seam.Bind[x.N]
	in := m.arguments(f.Type(), x)
	defer func() { m.spawned = nil }()
	for i, r := range x.Regs {
		if c, ok := m.R[r].(*ir.Closure); ok && c.Fn != nil && in[i].Type() == reflect.TypeFor[func()]() {
			m.spawned = c
		}
	}
	m.called(f, x, in)
}

func doSleep(m *machine, x *ir.SlowOp) {
	d := time.Duration(m.I[x.Regs[0]])
	if d <= 0 {
		return
	}
	m.after(d, 0, parked{m, m.t}, nil)
	m.park("sleep")
}

func doGosched(m *machine, _ *ir.SlowOp) {
	m.drain()
	m.wakeTimers()
	m.runq.push(m.t)
	m.t = nil
}
