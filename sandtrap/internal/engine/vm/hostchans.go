package vm

import (
	"reflect"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A channel of the host's has a peer among those of the script, the same for the same
// channel. What is in the channel stays there: the peer only has the tasks that wait for
// it. Where both sides of an exchange are tasks, they make it among themselves.

// peer is the one of v, a channel that is not nil.
func (m *machine) peer(v reflect.Value) *Chan {
	key := v.Pointer()
	c := m.peers[key].Value()
	switch {
	case c == nil:
		m.alloc(chanBytes + noteBytes)
		c = follow(m, &Chan{host: v, sends: true})
		m.forgetPeers()
		m.peers[key] = weak.Make(c)
	case v.Type().ChanDir() == reflect.BothDir:
		c.host = v
	}
	return c
}

// forgetPeers makes room in the table: those that the script has let go of are gone.
func (m *machine) forgetPeers() {
	if m.peers == nil {
		m.peers = map[uintptr]weak.Pointer[Chan]{}
	}
	if len(m.peers) < m.peersMax {
		return
	}
	for key, p := range m.peers {
		if p.Value() == nil {
			delete(m.peers, key)
		}
	}
	m.peersMax = 2*len(m.peers) + 64
}

// chanFromHost puts a channel of the host's into a cell.
func chanFromHost(m *machine, v reflect.Value, t *ir.Type, b bank, k int) {
	b.R[k] = nil
	if !v.IsNil() {
		c := m.peer(v)
		c.elem = t.Elem
		b.R[k] = c
	}
}

// chanToHost is the channel in a cell for the host. One that the script has made becomes
// one of the host's with what is in it.
func chanToHost(m *machine, b bank, k int, rt reflect.Type) reflect.Value {
	c, _ := b.R[k].(*Chan)
	if c == nil {
		return reflect.Zero(rt)
	}
	if !c.host.IsValid() {
		m.give(c, reflect.ChanOf(reflect.BothDir, rt.Elem()))
	}
	c.sends = c.sends || rt.ChanDir() != reflect.RecvDir
	return c.host.Convert(rt)
}

func (m *machine) give(c *Chan, rt reflect.Type) {
	m.charge(int64(c.cap) * int64(rt.Elem().Size()))
	v := reflect.MakeChan(rt, c.cap)
	for val := ir.NewObj(c.elem.W(), ir.BankI|ir.BankS|ir.BankR, 1); c.buf.n > 0; {
		c.buf.pop(c.elem, val, 0)
		v.Send(m.giving(c.elem, val, 0, rt.Elem()))
	}
	if c.closed {
		v.Close()
	}
	c.host = v
	m.forgetPeers()
	m.peers[v.Pointer()] = weak.Make(c)
	m.watch(c)
}

// watch has c looked at while tasks wait for it, if it is one that others of the host
// use.
func (m *machine) watch(c *Chan) {
	if c.host.IsValid() && !c.own && !c.watched {
		c.watched = true
		m.outside.chans = append(m.outside.chans, c)
	}
}

// waited reports that tasks wait for c.
func (c *Chan) waited() bool { return front(&c.recvq) != nil || front(&c.sendq) != nil }

// front is the first waiter whose select has not fired.
func front(q *fifo[*waiter]) *waiter {
	for q.len() > 0 {
		if w := q.q[q.head]; w.live() {
			return w
		}
		q.pop()
	}
	return nil
}

// pump makes the exchanges with the host that tasks wait for.
func (m *machine) pump(c *Chan) {
	for front(&c.recvq) != nil {
		v, ok := c.host.TryRecv()
		if !v.IsValid() && !c.closed {
			break
		}
		m.took(c, v, ok)
	}
	for w := front(&c.sendq); w != nil; w = front(&c.sendq) {
		sent, closed := false, c.closed
		if !closed {
			from := w.value()
			sent, closed = m.sendHost(c, from, w.src)
		}
		if !sent && !closed {
			break
		}
		m.sent(pop(&c.sendq), sent)
	}
}

// took gives the first receiver what came out of the host's channel.
func (m *machine) took(c *Chan, v reflect.Value, ok bool) {
	w := pop(&c.recvq)
	var val *ir.Obj
	if ok && w.t != nil {
		val = m.taken(c, v)
	}
	m.deliver(w, val, 0, ok)
}

// taken is a value of the host's in cells.
func (m *machine) taken(c *Chan, v reflect.Value) *ir.Obj {
	val := ir.NewObj(c.elem.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	fromHost(m, v, c.elem, val, 0)
	return val
}

// sendHost sends to the host's channel if that needs no waiting.
func (m *machine) sendHost(c *Chan, b bank, k int) (sent, closed bool) {
	v := m.giving(c.elem, b, k, c.host.Type().Elem())
	defer func() {
		if recover() != nil {
			sent, closed = false, true
		}
	}()
	return c.host.TrySend(v), false
}

// recvHost receives from the host's channel, or from a task that waits to send to it.
func (m *machine) recvHost(c *Chan, b bank, k int) (ok, done bool) {
	v, ok := c.host.TryRecv()
	if ok {
		fromHost(m, v, c.elem, b, k)
		return true, true
	}
	closed := v.IsValid()
	if !closed {
		if w := pop(&c.sendq); w != nil {
			from := w.value()
			rawCopy(c.elem.Cells, b, k, from, w.src)
			m.sent(w, true)
			return true, true
		}
		closed = c.closed
	}
	if closed {
		zeroCells(c.elem, b, k)
	}
	return false, closed
}

// closeHost closes a channel of the host's for the script. The host's own is only closed
// with it where nobody of the host sends to it: that would be the end of the process.
func (m *machine) closeHost(c *Chan) {
	if c.closed = true; !c.sends {
		c.host.Close()
	}
	m.pump(c)
}
