package ops

import (
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// maxAddress is how much Go can have in one piece. What is within it costs nothing before
// there are values in it.
const maxAddress = 1 << 48

func MakeChan(m *exec.Machine, x *ir.SlowOp) {
	n := m.I[x.B]
	if n < 0 || n > maxAddress && x.T.Elem.W() > 0 {
		exec.ThrowPlain("makechan: size out of range")
	}
	m.RefuseHuge(n, x.T.Elem)
	m.Alloc(exec.ChanBytes)
	m.R[x.A] = exec.Follow(m, &exec.Chan{Elem: x.T.Elem, Cap: int(n)})
}

func chanAt(m *exec.Machine, r int) *exec.Chan {
	c, _ := m.R[r].(*exec.Chan)
	return c
}

func Send(m *exec.Machine, x *ir.SlowOp) {
	c := chanAt(m, x.A)
	if c == nil {
		m.Park("chan send (nil chan)")
		return
	}
	t := m.T
	if m.TrySend(c, &t.Obj, t.Base+x.B) {
		return
	}
	c.Sendq.Push(t.Waits(c, t.Base+x.B, -1, -1))
	m.Watch(c)
	m.Park("chan send")
}

func Recv(m *exec.Machine, x *ir.SlowOp) {
	c := chanAt(m, x.B)
	if c == nil {
		m.Park("chan receive (nil chan)")
		return
	}
	t := m.T
	dst := t.Base + x.A
	ok, done := m.TryRecv(c, &t.Obj, dst)
	switch {
	case done && x.Ok:
		t.I[dst+x.T.W()] = ir.BoolBits(ok)
	case !done:
		okReg := -1
		if x.Ok {
			okReg = dst + x.T.W()
		}
		c.Recvq.Push(t.Waits(c, 0, dst, okReg))
		m.Watch(c)
		m.Park("chan receive")
	}
}

func Close(m *exec.Machine, x *ir.SlowOp) {
	c := chanAt(m, x.Regs[0])
	if c == nil {
		exec.ThrowPlain("close of nil channel")
	}
	switch {
	case c.Closed:
		exec.ThrowPlain("close of closed channel")
	case c.Host.IsValid():
		m.CloseHost(c)
	default:
		m.CloseChan(c)
	}
}

func LenChan(m *exec.Machine, x *ir.SlowOp) {
	c := chanAt(m, x.B)
	switch {
	case c == nil || c.Own:
		m.I[x.A] = 0
	case c.Host.IsValid() && x.Ok:
		m.I[x.A] = int64(c.Host.Cap())
	case c.Host.IsValid():
		m.I[x.A] = int64(c.Host.Len())
	case x.Ok:
		m.I[x.A] = int64(c.Cap)
	default:
		m.I[x.A] = int64(c.Buf.N)
	}
}

// Select tries the cases in an order of chance, then parks on all of them. Registers
// for what was not received keep what is in them: nothing reads them.
func Select(m *exec.Machine, x *ir.SlowOp) {
	m.CountCopied(len(x.Sel) * exec.CaseBytes)
	b := &ir.Obj{I: m.I, S: m.S, R: m.R}
	for _, k := range shuffled(m, len(x.Sel)) {
		s := &x.Sel[k]
		c := chanAt(m, s.Ch)
		if c == nil {
			continue
		}
		ok, done := false, false
		if s.Send {
			done = m.TrySend(c, b, s.Val)
		} else {
			ok, done = m.TryRecv(c, b, s.Dst)
		}
		if done {
			m.I[x.A], m.I[x.A+1] = int64(k), ir.BoolBits(ok)
			return
		}
	}
	m.I[x.A], m.I[x.A+1] = -1, 0
	if x.Ok {
		parkSelect(m, x)
	}
}

// shuffled gives the numbers below n in an order of chance; it is good until the next.
func shuffled(m *exec.Machine, n int) []int {
	if m.Rnd == nil {
		m.Rnd = rand.New(rand.NewPCG(1, 2))
	}
	m.Order = m.Order[:0]
	for k := range n {
		at := m.Rnd.IntN(k + 1)
		m.Order = append(m.Order, k)
		m.Order[at], m.Order[k] = k, m.Order[at]
	}
	return m.Order
}

func parkSelect(m *exec.Machine, x *ir.SlowOp) {
	if len(x.Sel) == 0 {
		m.Park("select (no cases)")
		return
	}
	m.Charge(int64(len(x.Sel)) * exec.WaitBytes)
	group := new(bool)
	t := m.T
	for k := range x.Sel {
		s := &x.Sel[k]
		c := chanAt(m, s.Ch)
		if c == nil {
			continue
		}
		w := &exec.Waiter{T: t, Ch: c, Dst: -1, OkReg: -1, Sel: t.Base + x.A, Index: k, Group: group}
		if s.Send {
			w.Src = t.Base + s.Val
			exec.Queue(&c.Sendq, w)
		} else {
			w.Dst, w.OkReg = t.Base+s.Dst, t.Base+x.A+1
			exec.Queue(&c.Recvq, w)
		}
		m.Watch(c)
	}
	m.Park("select")
}

// Spawning is a call of one of them, which asks for the function by Body.
func Spawning(m *exec.Machine, x *ir.SlowOp) {
	f := m.Host.Bind[x.N]
	in := m.Arguments(f.Type(), x)
	defer func() { m.Spawned = nil }()
	for i, r := range x.Regs {
		if c, ok := m.R[r].(*ir.Closure); ok && c.Fn != nil && in[i].Type() == reflect.TypeFor[func()]() {
			m.Spawned = c
		}
	}
	m.Called(f, x, in)
}

func Sleep(m *exec.Machine, x *ir.SlowOp) {
	d := time.Duration(m.I[x.Regs[0]])
	if d <= 0 {
		return
	}
	m.After(d, 0, exec.Parked{M: m, T: m.T}, nil)
	m.Park("sleep")
}

func Gosched(m *exec.Machine, _ *ir.SlowOp) {
	m.Drain()
	m.WakeTimers()
	m.Runq.Push(m.T)
	m.T = nil
}
