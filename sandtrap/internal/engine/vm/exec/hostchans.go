package exec

import (
	"reflect"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A channel of the host's has a peer among those of the script, the same for the same
// channel. What is in the channel stays there: the peer only has the tasks that wait for
// it. Where both sides of an exchange are tasks, they make it among themselves.

// Peer is the one of v, a channel that is not nil.
func (m *Machine) Peer(v reflect.Value) *Chan {
	key := v.Pointer()
	c := m.Peers[key].Value()
	switch {
	case c == nil:
		m.Alloc(ChanBytes + NoteBytes)
		c = Follow(m, &Chan{Host: v, Sends: true})
		m.forgetPeers()
		m.Peers[key] = weak.Make(c)
	case v.Type().ChanDir() == reflect.BothDir:
		c.Host = v
	}
	return c
}

// forgetPeers makes room in the table: those that the script has let go of are gone.
func (m *Machine) forgetPeers() {
	if m.Peers == nil {
		m.Peers = map[uintptr]weak.Pointer[Chan]{}
	}
	if len(m.Peers) < m.peersMax {
		return
	}
	for key, p := range m.Peers {
		if p.Value() == nil {
			delete(m.Peers, key)
		}
	}
	m.peersMax = 2*len(m.Peers) + 64
}

// chanFromHost puts a channel of the host's into a cell.
func chanFromHost(m *Machine, v reflect.Value, t *ir.Type, b Bank, k int) {
	b.R[k] = nil
	if !v.IsNil() {
		c := m.Peer(v)
		c.Elem = t.Elem
		b.R[k] = c
	}
}

// chanToHost is the channel in a cell for the host. One that the script has made becomes
// one of the host's with what is in it.
func chanToHost(m *Machine, b Bank, k int, rt reflect.Type) reflect.Value {
	c, _ := b.R[k].(*Chan)
	if c == nil {
		return reflect.Zero(rt)
	}
	if !c.Host.IsValid() {
		m.give(c, reflect.ChanOf(reflect.BothDir, rt.Elem()))
	}
	c.Sends = c.Sends || rt.ChanDir() != reflect.RecvDir
	return c.Host.Convert(rt)
}

func (m *Machine) give(c *Chan, rt reflect.Type) {
	m.Charge(int64(c.Cap) * int64(rt.Elem().Size()))
	v := reflect.MakeChan(rt, c.Cap)
	for val := ir.NewObj(c.Elem.W(), ir.BankI|ir.BankS|ir.BankR, 1); c.Buf.N > 0; {
		c.Buf.pop(c.Elem, val, 0)
		v.Send(m.Giving(c.Elem, val, 0, rt.Elem()))
	}
	if c.Closed {
		v.Close()
	}
	c.Host = v
	m.forgetPeers()
	m.Peers[v.Pointer()] = weak.Make(c)
	m.Watch(c)
}

// Watch has c looked at while tasks wait for it, if it is one that others of the host
// use.
func (m *Machine) Watch(c *Chan) {
	if c.Host.IsValid() && !c.Own && !c.watched {
		c.watched = true
		m.Outside.chans = append(m.Outside.chans, c)
	}
}

// Waited reports that tasks wait for c.
func (c *Chan) Waited() bool { return front(&c.Recvq) != nil || front(&c.Sendq) != nil }

// front is the first waiter whose select has not fired.
func front(q *ir.Fifo[*Waiter]) *Waiter {
	for q.Len() > 0 {
		if w := q.Front(); w.live() {
			return w
		}
		q.Pop()
	}
	return nil
}

// Pump makes the exchanges with the host that tasks wait for.
func (m *Machine) Pump(c *Chan) {
	for front(&c.Recvq) != nil {
		v, ok := c.Host.TryRecv()
		if !v.IsValid() && !c.Closed {
			break
		}
		m.took(c, v, ok)
	}
	for w := front(&c.Sendq); w != nil; w = front(&c.Sendq) {
		sent, closed := false, c.Closed
		if !closed {
			from := w.value()
			sent, closed = m.sendHost(c, from, w.Src)
		}
		if !sent && !closed {
			break
		}
		m.sent(pop(&c.Sendq), sent)
	}
}

// took gives the first receiver what came out of the host's channel.
func (m *Machine) took(c *Chan, v reflect.Value, ok bool) {
	w := pop(&c.Recvq)
	var val *ir.Obj
	if ok && w.T != nil {
		val = m.taken(c, v)
	}
	m.deliver(w, val, 0, ok)
}

// taken is a value of the host's in cells.
func (m *Machine) taken(c *Chan, v reflect.Value) *ir.Obj {
	val := ir.NewObj(c.Elem.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	FromHost(m, v, c.Elem, val, 0)
	return val
}

// sendHost sends to the host's channel if that needs no waiting.
func (m *Machine) sendHost(c *Chan, b Bank, k int) (sent, closed bool) {
	v := m.Giving(c.Elem, b, k, c.Host.Type().Elem())
	defer func() {
		if recover() != nil {
			sent, closed = false, true
		}
	}()
	return c.Host.TrySend(v), false
}

// recvHost receives from the host's channel, or from a task that waits to send to it.
func (m *Machine) recvHost(c *Chan, b Bank, k int) (ok, done bool) {
	v, ok := c.Host.TryRecv()
	if ok {
		FromHost(m, v, c.Elem, b, k)
		return true, true
	}
	closed := v.IsValid()
	if !closed {
		if w := pop(&c.Sendq); w != nil {
			from := w.value()
			RawCopy(c.Elem.Cells, b, k, from, w.Src)
			m.sent(w, true)
			return true, true
		}
		closed = c.Closed
	}
	if closed {
		ZeroCells(c.Elem, b, k)
	}
	return false, closed
}

// CloseHost closes a channel of the host's for the script. The host's own is only closed
// with it where nobody of the host sends to it: that would be the end of the process.
func (m *Machine) CloseHost(c *Chan) {
	if c.Closed = true; !c.Sends {
		c.Host.Close()
	}
	m.Pump(c)
}
